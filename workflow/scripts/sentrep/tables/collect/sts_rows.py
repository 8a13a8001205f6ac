"""Define the rows of correlation tables: single evaluation sets, and means over several sets."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from sentrep.evaluation.statistics.bootstrap import AVERAGE, OVERALL, OVERALL_YEAR
from sentrep.evaluation.sts.score_table import in_paper_order
from sentrep.evaluation.sts.scoring import PROTOCOLS
from sentrep.evaluation.sts.sets import STANDARD
from sentrep.io.frames import rows_where

METRICS = ("pearson", "spearman")
LABELS = {(standard.year, standard.dataset): standard.label for standard in STANDARD}
SetKey = tuple[int, str]
SeedScores = Mapping[tuple[str, str, SetKey], Sequence[float]]
"""The correlations of a model: for each (protocol, metric, set), a sequence with one value for each seed."""


@dataclass(frozen=True)
class SetRow:
    """A row of a table of correlations: one evaluation set, or a weighted mean over several sets.

    Attributes:
        name: name as in the published tables, such as "2012 MSRpar", "2012 average", "mean" or "Overall".
        protocol: "paper" or "official".
        heading: name to show in a section whose heading already states the year.
        dataset: name of the set as released, or description of the mean.
        year: year of the sets; None for several years and for custom sets.
        weights: weight of each set in the mean; one entry if the row shows a single set.
        pairs: number of sentence pairs.
        scored_pairs: number of pairs with a human score.
        comparable: whether the published values were measured on the same pairs and under the same protocol as ours.
        interval: name of the row in the file of confidence intervals; empty if the row has no intervals.
        note: reasons for empty cells and for values that cannot be compared with published values.
    """

    name: str
    protocol: str
    heading: str
    dataset: str
    year: int | None
    weights: Mapping[SetKey, float]
    pairs: int
    scored_pairs: int
    comparable: bool
    interval: str
    note: str = ""


def set_rows(
    scores: pd.DataFrame,
    protocol: str,
    own: Mapping[str, SeedScores],
    sets: Mapping[str, Any],
    sample: bool,
    means: Sequence[str],
) -> list[SetRow]:
    """Return a correlation table's rows for one protocol: STS sets and their means, followed by other sets.

    Args:
        scores: scores of all models.
        protocol: "paper" or "official".
        own: correlations of each model, by model id. Means include only the sets for which every model has
            correlations.
        sets: description of the evaluation sets.
        sample: whether the sets are samples.
        means: kinds of means to include: "year" (over the sets of each year), "mean" (over all sets) and "overall"
            (over all sets, weighted by their numbers of pairs; only for tables of the sets of 2014).
    """
    missing = {(gap["year"], gap["dataset"]): gap["reason"] for gap in sets["missing"]}
    sizes = in_paper_order(rows_where(scores, scores["protocol"] == protocol).drop_duplicates(["year", "dataset"]))
    singles = []
    for row in sizes.to_dict("records"):
        key = (int(row["year"]), str(row["dataset"]))
        same = protocol == PROTOCOLS[0] or row["pairs"] == row["scored_pairs"]
        note = missing.get(key, "")
        if not (note or sample or same) and key in LABELS:
            note = "missing human scores are counted as 0 in the published values, so no difference is shown"
        label, name = LABELS.get(key, key[1]), key[1]
        mark = " (sample)" if sample and key in LABELS else ""
        singles.append(
            SetRow(
                f"{key[0]} {label}" if key[0] else label,
                protocol,
                label + mark,
                name + mark,
                key[0] or None,
                {key: 1.0},
                int(row["pairs"]),
                int(row["scored_pairs"]),
                same and not sample,
                name if key in LABELS else "",
                note,
            )
        )
    standard = [row for row in singles if next(iter(row.weights)) in LABELS]
    complete = [row for row in standard if not _lacks(row, own)]
    found = []
    for year in dict.fromkeys(row.year for row in standard):
        of_year = [row for row in standard if row.year == year]
        found += of_year + (_mean_row("year", year, of_year, complete, sample) if "year" in means else [])
    found += _mean_row("mean", None, standard, complete, sample) if "mean" in means else []
    found += _mean_row("overall", OVERALL_YEAR, standard, complete, sample) if "overall" in means else []
    return found + [row for row in singles if row not in standard]


def _lacks(row: SetRow, own: Mapping[str, SeedScores]) -> bool:
    places = [(row.protocol, METRICS[0], key) for key in row.weights]
    return any(bool(np.isnan(values.get(place, [math.nan])).any()) for values in own.values() for place in places)


def _mean_row(
    kind: str, year: int | None, rows: Sequence[SetRow], known: Sequence[SetRow], sample: bool
) -> list[SetRow]:
    """Return a list with one row, which shows the mean over the sets for which every model has a value.

    The list is empty if there are no such sets or, for the kind "overall", if any model lacks a value for any set.

    Args:
        kind: "year", "mean" or "overall".
        year: year of the row; None for several years.
        rows: rows of the sets to average.
        known: rows of the sets for which every model has a value.
        sample: whether the sets are samples.
    """
    complete = [row for row in rows if row in known]
    all_there = len(complete) == len(rows)
    if not complete or (kind == "overall" and not all_there):
        return []
    number = f"{len(complete)} set{'s' if len(complete) > 1 else ''}"
    name, heading = "mean", f"mean of {number}"
    if kind == "year":
        heading = AVERAGE if all_there else f"{AVERAGE} of {number}"
        name = f"{year} {heading}"
    if kind == "overall":
        name = heading = "Overall"
    mark = " (sample)" if sample else ""
    absent = ", ".join(row.name for row in rows if row not in complete)
    return [
        SetRow(
            name,
            complete[0].protocol,
            heading + mark,
            heading + mark,
            year,
            {key: float(row.pairs) if kind == "overall" else 1.0 for row in complete for key in row.weights},
            sum(row.pairs for row in complete),
            sum(row.scored_pairs for row in complete),
            all(row.comparable for row in complete),
            {"year": AVERAGE if all_there else "", "overall": OVERALL}.get(kind, ""),
            f"not in the mean: {absent}" if absent else "",
        )
    ]
