"""Test all pairs of models on all sets for different similarities."""

from sentrep.evaluation.statistics.wilcoxon import compare_models
from sentrep.io.csv_files import read_csv, write_csv


def main(similarities: list[str], models: list[str], wilcoxon: str) -> None:
    """Compare the similarity files; ``models`` lists their models, in order."""
    columns = ["year", "dataset", "pair", "similarity"]
    frames = {model: read_csv(path, columns) for model, path in zip(models, similarities, strict=True)}
    write_csv(wilcoxon, compare_models(frames), float_format="%.6g")
