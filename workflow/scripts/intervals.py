"""Compute bootstrap confidence intervals for correlations with human scores by resampling sentence pairs."""

from typing import Any

import pandas as pd

from sentrep.evaluation.statistics.bootstrap import intervals
from sentrep.evaluation.sts.sets import gold_scores, load_sets
from sentrep.io.csv_files import read_csv, write_csv


def main(snakemake: Any) -> None:
    """Write 95% confidence intervals for the correlations of all models with human scores.

    ``params.models`` lists the name of the model for each file in ``input.similarities``.
    """
    sets, _, _ = load_sets(snakemake.input.pairs, snakemake.input.description)
    similarities: dict[str, list[pd.DataFrame]] = {}
    for model, path in zip(snakemake.params.models, snakemake.input.similarities, strict=True):
        similarities.setdefault(model, []).append(read_csv(path, ["year", "dataset", "pair", "similarity"]))
    write_csv(snakemake.output.csv, intervals(similarities, gold_scores(sets)))
