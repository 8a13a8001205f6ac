"""Write every printed number beside ours."""

from typing import Any

import pandas as pd

from sentrep.evaluation.sts.sets import gold_scores, load_sets
from sentrep.io.csv_files import read_csv, write_csv
from sentrep.runtime.job import run
from sentrep.tables.delta_correlations import correlation_values
from sentrep.tables.delta_values import table_values
from sentrep.tables.deltas import build
from sentrep.tables.reported import read_all
from sentrep.tables.scores import read_scores

SEED = 1


def main(snakemake: Any) -> None:
    """Look our values up; `params.models` and `params.similarities` name models, `params.tables` the tables read."""
    inputs, params = snakemake.input, snakemake.params
    papers = read_all(inputs.reported)
    sets, _, _ = load_sets(inputs.pairs, inputs.description)
    gold = gold_scores(sets)
    similarities: dict[str, list[pd.DataFrame]] = {}
    for model, path in zip(params.similarities, inputs.similarities, strict=True):
        similarities.setdefault(model, []).append(read_csv(path, ["year", "dataset", "pair", "similarity"]))
    ours = correlation_values(read_scores(inputs.scores), params.models, papers, similarities, gold, SEED)
    ours |= table_values({n: read_csv(p) for n, p in zip(params.tables, inputs.tables, strict=True)}, papers, SEED)
    write_csv(snakemake.output.csv, build(papers, ours, params.preset, params.sample), float_format="%.6g")


if __name__ == "__main__":
    run(main, snakemake)
