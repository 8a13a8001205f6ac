"""Test for each pair of models and each set whether the similarities differ (Wilcoxon's test)."""

from sentrep.evaluation.statistics.wilcoxon import compare_models
from sentrep.io.csv_files import read_csv, write_csv


def main(similarities: list[str], models: list[str], wilcoxon: str) -> None:
    """Write the tests between all files of similarities; ``models`` gives the model of each file, in the same order."""
    columns = ["year", "dataset", "pair", "similarity"]
    frames = {model: read_csv(path, columns) for model, path in zip(models, similarities, strict=True)}
    write_csv(wilcoxon, compare_models(frames), float_format="%.6g")
