"""Collect the values of tables 2 and 3 of Kenter et al. (2016): a comparison with FastSent, and encoding times."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd

from sentrep.evaluation.sts.score_table import read_scores
from sentrep.io.csv_files import read_csv
from sentrep.io.files import read_json
from sentrep.sources.published import Published, published_number, read_published
from sentrep.tables.collect import reads, sts
from sentrep.tables.systems import Entry
from sentrep.tables.values import Value, facts, with_published

PAPER = "siamese_cbow"
FASTSENT, SIAMESE = "FastSent", "Siamese CBOW"
SWAPPED = {"pearson": "spearman", "spearman": "pearson"}

# Column of table 1 -> row of table 3 in the paper. The paper does not state which of the two word2vec models was timed.
TIMED_AS = {
    "Siamese CBOW": "Siamese CBOW (300d)",
    "w2v CBOW": "word2vec (300d)",
    "w2v skipgram": "word2vec (300d)",
    "skip-thought": "skip-thought (1200d)",
}
METRICS = {"one by one": "seconds", "batched": "batched seconds"}
COLUMNS = {"seconds": "20 sets", "seconds_per_pair": "1 pair"}


@reads(reported=read_published, scores=read_scores, sets=read_json, intervals=sts.read_intervals)
def table2_values(
    reported: Published,
    models: Sequence[Entry],
    scores: pd.DataFrame,
    sets: Mapping[str, Any],
    intervals: sts.Intervals | None = None,
) -> list[Value]:
    """Return the values of table 2 of Kenter et al. (2016): Siamese CBOW and FastSent on the SemEval 2014 sets.

    For each set, Kenter et al. give two values for FastSent (Hill et al., 2016), in the form "r (rho)". The two values
    are most likely swapped: Logeswaran and Lee (2018) report the value in parentheses as the r of FastSent. The result
    contains the published correlations twice: as published, and with r and rho of FastSent exchanged, under metrics
    whose names begin with "un-swapped".

    Args:
        reported: published values.
        models: systems of the table, in order. The published values of a system are those in table 2 of the paper, in
            the column that the system's entry ``reported`` names; the table that this entry names is ignored.
        scores: scores of all models.
        sets: description of the evaluation sets.
        intervals: confidence intervals, as for :func:`sentrep.tables.collect.sts.sts_values`.
    """
    known = reported.columns(2)
    places = {column: {"paper": PAPER, "table": 2, "column": column} for column in known}
    columns = [str((model["reported"] or {}).get("column")) for model in models]
    entries = [{**model, "reported": places.get(column)} for model, column in zip(models, columns, strict=True)]
    only_published = {"id": None, "baseline": False, "seeds": []}
    entries += [{**only_published, "label": c, "reported": places[c]} for c in known if c not in columns]
    about: dict[str, Any] = {
        "scores": scores,
        "sets": sets,
        "intervals": intervals,
        "reported": {PAPER: reported},
        "models": entries,
    }
    values = sts.sts_values(PAPER, "table2", years=(2014,), protocols=("paper",), means=(), **about)
    un_swapped = [
        _un_swapped(value, reported)
        for value in values
        if value.column in known and value.metric in SWAPPED and value.row != "Section"
    ]
    rows = [row for row in reported.rows(2) if reported.text(2, row, FASTSENT, "pearson")]
    ours = {row: reported.number(2, row, SIAMESE, "pearson") for row in rows}
    wins, un_swapped_wins = (
        sum(ours[row] > reported.number(2, row, FASTSENT, metric) for row in rows) for metric in ("pearson", "spearman")
    )
    counts = {"wins": wins, "wins un-swapped": un_swapped_wins, "sets": len(rows)}
    return [*facts(PAPER, "table2", **counts), *values, *un_swapped]


def _un_swapped(value: Value, paper: Published) -> Value:
    metric = SWAPPED[value.metric] if value.column == FASTSENT else value.metric
    text = paper.text(2, value.row, value.column, metric) or ""
    number = published_number(text)
    gap = value.mean - number if value.difference == value.difference else value.difference  # NaN stays NaN
    changed = replace(value, metric=f"un-swapped {value.metric}", published=text, published_value=number)
    return replace(changed, difference=gap, low=float("nan"), high=float("nan"), note="")


def _read_timings(paths: Sequence[str]) -> dict[str, pd.DataFrame]:
    return {Path(path).stem: read_csv(path, ["presentation", "seconds"]) for path in paths}


@reads(reported=read_published, timings=_read_timings, sets=read_json)
def timing_values(
    reported: Published, models: Sequence[Entry], timings: Mapping[str, pd.DataFrame], sets: Mapping[str, Any]
) -> list[Value]:
    """Return the values of table 3 of Kenter et al. (2016): the times for encoding and comparing sentence pairs.

    One column shows the time for all pairs of the 20 sets; it is empty for models that were timed with only some of the
    pairs. The other column shows the time per pair.

    Args:
        reported: published values.
        models: systems of the table, in order.
        timings: measured times by model id.
        sets: description of the evaluation sets.
    """
    total = int(sets["pairs"])
    measured = [value for model in models for value in _timing(model, timings[model["id"]], total)]
    repeats = sorted({int(n) for timing in timings.values() for n in timing["repeats"]})
    processors = sorted({str(name) for timing in timings.values() for name in timing["processor"]})
    pairs = max((int(n) for timing in timings.values() for n in timing["pairs"]), default=total)
    named = {"runs": " or ".join(map(str, repeats)), "processor": " and ".join(processors), "pairs": pairs}
    return [*facts(PAPER, "table3", **named), *with_published(measured, reported, "table3", 3, not sets["sample"])]


def _timing(model: Entry, timing: pd.DataFrame, total: int) -> Iterator[Value]:
    """Yield the measured times of one model, in seconds, and the number of sentence pairs that were timed.

    The field ``seeds`` of a measured time contains the number of measurements.
    """
    row = TIMED_AS.get(str((model["reported"] or {}).get("column")), str(model["label"]))
    for record in timing.to_dict("records"):
        for name, column in COLUMNS.items():
            value = Value(PAPER, "table3", row, column, METRICS[record["presentation"]], system=model["id"])
            note = f"measured with {int(record['pairs']):,} pairs; the paper used a different processor"
            value = replace(value, label=model["label"], baseline=model["baseline"], unit="seconds", note=note)
            sd = record["seconds_sd"] * record[name] / record["seconds"]
            if name == "seconds_per_pair" or record["pairs"] == total:
                yield replace(value, mean=float(record[name]), sd=float(sd), seeds=int(record["repeats"]))
            if name == "seconds" and record["presentation"] == "one by one":
                yield replace(value, metric="pairs", mean=float(record["pairs"]), unit="", note="")
