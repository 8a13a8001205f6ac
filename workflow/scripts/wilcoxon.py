"""Use Wilcoxon's test to check whether two models assign significantly different similarities to sentence pairs."""

from sentrep.evaluation.statistics.wilcoxon import compare_models
from sentrep.io.csv_files import read_csv, write_csv


def main(similarities: list[str], models: list[str], wilcoxon: str) -> None:
    """Write the result of Wilcoxon's test for each pair of models on each set of sentence pairs.

    Args:
        similarities: files of similarities, one for each model.
        models: names of the models, in the order of ``similarities``.
        wilcoxon: CSV file to write.
    """
    columns = ["year", "dataset", "pair", "similarity"]
    frames = {model: read_csv(path, columns) for model, path in zip(models, similarities, strict=True)}
    write_csv(wilcoxon, compare_models(frames), float_format="%.6g")
