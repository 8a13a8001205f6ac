"""Compute bootstrap confidence intervals for correlations with human scores by resampling sentence pairs."""

from collections.abc import Sequence

import pandas as pd

from sentrep.evaluation.statistics.bootstrap import intervals
from sentrep.evaluation.sts.sets import gold_scores, load_sets
from sentrep.io.csv_files import read_csv, write_csv


def main(*, similarities: Sequence[str], models: Sequence[str], pairs: str, description: str, csv: str) -> None:
    """Write 95% confidence intervals for the correlations of all models with human scores.

    Args:
        similarities: files of similarities, one for each seed of each model.
        models: for each file in ``similarities``, the name of the model.
        pairs: file of the sets of sentence pairs.
        description: file that describes the sets.
        csv: output file.
    """
    sets, _, _ = load_sets(pairs, description)
    by_model: dict[str, list[pd.DataFrame]] = {}
    for model, path in zip(models, similarities, strict=True):
        by_model.setdefault(model, []).append(read_csv(path, ["year", "dataset", "pair", "similarity"]))
    write_csv(csv, intervals(by_model, gold_scores(sets)))
