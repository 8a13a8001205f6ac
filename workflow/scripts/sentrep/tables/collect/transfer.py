"""Collect the values of tables 1 to 3 of Logeswaran and Lee (2018), which compare systems on transfer tasks."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pandas as pd

from sentrep.evaluation.statistics.bootstrap import share_interval
from sentrep.evaluation.training_costs import read_costs
from sentrep.evaluation.transfer.tasks import PAPER_PROTOCOLS, SCORE_COLUMNS
from sentrep.io.frames import as_float, groups_of, rows_where
from sentrep.sources.published import Published, read_published
from sentrep.tables.collect import NO_INTERVAL, reads, rows_of
from sentrep.tables.systems import Entry, names, seed_means
from sentrep.tables.values import Value, described, notes, with_published

METRICS = {
    "accuracy": ("accuracy",),
    "paraphrase": ("accuracy", "f1"),
    "relatedness": ("pearson", "spearman", "mse"),
}
MEASURED = "measured"
"""Name in the column ``protocol`` for our vector dimensions and training times, which do not depend on a protocol."""
_KEYS = ["protocol", "task", "metric"]
_PAPER = "quick_thoughts"


def _read_hours(folders: Sequence[str]) -> dict[str, float]:
    return {model: cost.hours() for model, cost in read_costs(folders).items()}


@reads(scores=rows_of(SCORE_COLUMNS), models=_read_hours, reported=read_published)
def transfer_values(
    number: int,
    scores: pd.DataFrame,
    reported: Published,
    systems: Sequence[Entry],
    tasks: Mapping[str, Mapping[str, Any]],
    models: Mapping[str, float],
    sample: bool,
) -> list[Value]:
    """Return the values of table 1, 2 or 3 of Logeswaran and Lee (2018).

    The 95% confidence intervals of accuracies come from a bootstrap over test items. The metrics ``folds`` and
    ``items`` (number of test items) describe how a task is evaluated under a protocol; ``folds`` is defined as in
    :class:`sentrep.evaluation.transfer.predictions.Predictions`. The metric ``normalisation`` states how sentence
    vectors are scaled.

    Args:
        number: number of the table in the paper.
        scores: contents of ``results/transfer.csv``.
        reported: published values; their columns are systems and their rows are tasks.
        systems: systems of the table, in order.
        tasks: mapping from the key of each task in the configuration to its label and measure.
        models: training time of each model in hours, by model id.
        sample: whether the scores come from sample data. If so, they are not compared with published values.

    Raises:
        SentrepError: the scores of a model for one of its seeds are missing.
    """
    item = f"table{number}"
    published = {(row, metric) for table, row, _, metric in reported.values if table == str(number)}
    cells = {(name, metric): task["label"] for name, task in tasks.items() for metric in METRICS[task["measure"]]}
    known = {cell: label for cell, label in cells.items() if (label, cell[1]) in published}
    # Our tables 2 and 3 compare systems only on tasks for which the paper reports values.
    cells = {**known, **cells} if number == 1 else known
    shown = [entry for entry in systems if number == 1 or entry["reported"] or entry["baseline"]]
    scored = [value for entry in shown for value in _scores(item, entry, scores, cells)]
    compared = with_published(scored, reported, item, number, False if sample else PAPER_PROTOCOLS)
    return [
        *_tests(item, rows_where(scores, scores["model"].isin([entry["id"] for entry in shown])), cells),
        *compared,
        *(fact for entry in shown if entry["id"] for fact in _vectors(item, entry, scores, reported, models)),
        *_notes(item, scores, None if number == 1 else PAPER_PROTOCOLS),
    ]


def _scores(item: str, entry: Entry, scores: pd.DataFrame, cells: Mapping[tuple[str, str], str]) -> Iterator[Value]:
    means = seed_means(scores, entry, _KEYS, "value", "transfer.csv")
    items = rows_where(scores, scores["model"] == entry["id"]).drop_duplicates(_KEYS).set_index(_KEYS)["items"]
    for protocol in dict.fromkeys(protocol for protocol, _, _ in means):
        for (task, metric), label in cells.items():
            mean = means.get((protocol, task, metric))
            if mean is None:
                continue
            bounds: dict[str, Any] = {}
            if metric == "accuracy":
                ends = share_interval(mean.mean / 100, as_float(items[protocol, task, metric]))
                bounds = {"low": 100 * ends[0], "high": 100 * ends[1]}
            yield Value(
                _PAPER,
                item,
                label,
                metric=metric,
                protocol=protocol,
                **names(entry),
                **mean._asdict(),
                **bounds,
                unit="percent" if metric in ("accuracy", "f1") else "",
                note="" if bounds else NO_INTERVAL,
            )


def _tests(item: str, scores: pd.DataFrame, cells: Mapping[tuple[str, str], str]) -> Iterator[Value]:
    """Yield the numbers of folds and test items for each task and protocol; they are the same for all systems."""
    first = scores.drop_duplicates(["task", "protocol"])
    for task, label in {task: label for (task, _), label in cells.items()}.items():
        for row in rows_where(first, first["task"] == task).to_dict("records"):
            place = Value(_PAPER, item, label, "", "", row["protocol"])
            yield from described(place, folds=float(row["folds"]), items=float(row["items"]))


def _vectors(
    item: str, entry: Entry, scores: pd.DataFrame, paper: Published, hours: Mapping[str, float]
) -> Iterator[Value]:
    """Yield properties of a system, such as the dimension of its vectors, its training time and its number of seeds."""
    rows, about = rows_where(scores, scores["model"] == entry["id"]), names(entry)
    dimension = rows["dimension"].dropna()
    known = {
        ("Dim", "dimension"): float(dimension.iloc[0]) if len(dimension) else math.nan,
        ("Training time", "hours"): hours.get(entry["id"], math.nan),
    }
    for (row, metric), number in known.items():
        if not math.isnan(number):
            text = paper.text(1, row, about["column"], metric) or ""
            yield Value(_PAPER, item, row, metric=metric, protocol=MEASURED, mean=number, published=text, **about)
    for (protocol,), tested in groups_of(rows, ["protocol"]):
        tests = f"{tested['folds'].max()} / {len(entry['seeds'])}"
        yield Value(_PAPER, item, "", metric="folds / seeds", protocol=str(protocol), text=tests, **about)
        if len(ways := tested["normalisation"].dropna()):
            way = str(ways.iloc[0])
            yield Value(_PAPER, item, "", metric="normalisation", protocol=str(protocol), text=way, **about)


def _notes(item: str, scores: pd.DataFrame, protocols: Sequence[str] | None) -> list[Value]:
    """Return, for each protocol that uses sentence vectors, a note on how these vectors are normalised."""
    meanings = {"unit": "vectors scaled to length one", "none": "vectors as the models return them"}
    groups = groups_of(scores.dropna(subset="normalisation"), ["protocol"])
    read = {str(protocol): {str(way) for way in group["normalisation"]} for (protocol,), group in groups}
    ways = {protocol: ", ".join(sorted(meanings.get(way, way) for way in found)) for protocol, found in read.items()}
    shown = {protocol: text for protocol, text in ways.items() if protocols is None or protocol in protocols}
    return notes(_PAPER, item, (f"Protocol {protocol}: {text}." for protocol, text in shown.items()))
