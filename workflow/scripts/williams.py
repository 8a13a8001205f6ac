"""Test whether two models' correlations with human scores differ, for each pair of models, by Williams' test."""

from sentrep.evaluation.statistics.williams import compare_correlations
from sentrep.evaluation.sts.sets import gold_scores, load_sets
from sentrep.io.csv_files import read_csv, write_csv


def main(*, similarities: list[str], pairs: str, description: str, wilcoxon: str, models: list[str], csv: str) -> None:
    """Write a Williams test for each pair of models on each set; ``models`` names the model of each similarity file."""
    sets, _, _ = load_sets(pairs, description)
    columns = ["year", "dataset", "pair", "similarity"]
    frames = {model: read_csv(path, columns) for model, path in zip(models, similarities, strict=True)}
    tests = read_csv(wilcoxon, ["year", "dataset", "model_a", "model_b", "p"])
    write_csv(csv, compare_correlations(frames, gold_scores(sets), tests), float_format="%.6g")
