"""Looking values up in the long table of transfer scores, ``results/transfer.csv``."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from sentrep.errors import SentrepError
from sentrep.tables.reported import Reported

METRICS = {
    "accuracy": ["accuracy"],
    "paraphrase": ["accuracy", "f1"],
    "relatedness": ["pearson", "spearman", "mse"],
}


class Value(NamedTuple):
    """A measure of one system on one task, averaged over its seeds.

    Attributes:
        mean: over seeds.
        sd: standard deviation over seeds (n - 1); NaN for one seed.
        folds: of the search for C; 0 for a dev split.
        items: number of test items.
        normalisation: of the vectors; empty for what has none of its own.
    """

    mean: float
    sd: float
    folds: int
    items: int
    normalisation: str


NOTHING = Value(math.nan, math.nan, 0, 0, "")
Key = tuple[str, str, str]


@dataclass(frozen=True)
class Measured:
    """One column of values: a measure of a task.

    Attributes:
        task: its key in the configuration.
        label: its name in the paper.
        metric: what is measured.
        printed: the paper's table has this column.
    """

    task: str
    label: str
    metric: str
    printed: bool

    @property
    def digits(self) -> int:
        """Digits after the point, as printed in the paper."""
        return 1 if self.metric in ("accuracy", "f1") else 3


@dataclass(frozen=True)
class System:
    """One system of the table.

    Attributes:
        entry: id (None: reprinted), label, floor, seeds, reported.
        values: ours, by (protocol, task, metric).
        printed: the paper's, by column.
        dimension: of the vectors.
        hours: training time; NaN if unknown.
    """

    entry: Mapping[str, Any]
    values: Mapping[Key, Value]
    printed: Mapping[Measured, float]
    dimension: str
    hours: float

    def protocol(self, wanted: str) -> str:
        """Return the protocol wanted, or the only one of a system that has its own."""
        own = list(dict.fromkeys(protocol for protocol, _, _ in self.values))
        return own[0] if len(own) == 1 else wanted

    def value(self, protocol: str, column: Measured) -> Value:
        """Return our value, NaN if there is none."""
        return self.values.get((protocol, column.task, column.metric), NOTHING)


def system_values(scores: pd.DataFrame, system: Mapping[str, Any], where: str = "transfer.csv") -> dict[Key, Value]:
    """Return one system's values by (protocol, task, metric).

    Args:
        scores: the long table.
        system: an entry with ``id`` and ``seeds``; nothing is found for ``id`` None.
        where: name of the table, for errors.

    Raises:
        SentrepError: a seed is not in the table; a mean of fewer seeds would be another number.
    """
    if system["id"] is None:
        return {}
    rows = scores[(scores["model"] == system["id"]) & scores["seed"].isin(system["seeds"])]
    found = {}
    for key, group in rows.groupby(["protocol", "task", "metric"], sort=False):
        values = group["value"].to_numpy(dtype=float)
        if len(values) != len(system["seeds"]):
            raise _incomplete(where, system, f"{len(values)} rows for {', '.join(map(str, key))}")
        first = group.iloc[0]
        normalisation = "" if pd.isna(first["normalisation"]) else str(first["normalisation"])
        sd = float(np.std(values, ddof=1)) if len(values) > 1 else math.nan
        found[key] = Value(float(values.mean()), sd, int(first["folds"]), int(first["items"]), normalisation)
    if not found:
        raise _incomplete(where, system, "none")
    return found


def _incomplete(where: str, system: Mapping[str, Any], found: str) -> SentrepError:
    return SentrepError(
        where,
        expected=f"scores of {system['id']} for seeds {', '.join(map(str, system['seeds']))}",
        found=found,
        remedy="score that model and collect the scores again",
    )


def dimension_of(scores: pd.DataFrame, system: Mapping[str, Any]) -> str:
    """Return the length of a system's vectors; empty for what has none."""
    known = scores[scores["model"] == system["id"]]["dimension"].dropna()
    return str(int(known.iloc[0])) if len(known) else ""


def columns_of(number: int, paper: Reported, tasks: Mapping[str, Mapping[str, Any]]) -> list[Measured]:
    """Return the measures that the paper prints, in the order of the tasks, then, in Table 1, those of other tasks.

    Args:
        number: of the table in the paper.
        paper: its values.
        tasks: label and measure of each task.
    """
    printed = {(row, metric) for t, row, _, metric in paper.values if t == str(number)}
    columns = [
        Measured(name, task["label"], metric, True)
        for name, task in tasks.items()
        for metric in METRICS[task["measure"]]
        if (task["label"], metric) in printed
    ]
    shown = {column.task for column in columns}
    others = [name for name in tasks if name not in shown and number == 1]
    return columns + [
        Measured(name, tasks[name]["label"], metric, False)
        for name in others
        for metric in METRICS[tasks[name]["measure"]]
    ]


def system_of(
    number: int,
    entry: Mapping[str, Any],
    scores: pd.DataFrame,
    paper: Reported,
    columns: Sequence[Measured],
    hours: Mapping[str, float],
) -> System:
    """Look a system's values up.

    Args:
        number: of the table in the paper.
        entry: id (None: reprinted), label, floor, seeds and reported.
        scores: the long table.
        paper: its values.
        columns: of the table.
        hours: training time by model.

    Raises:
        SentrepError: the system's scores are not all there.
    """
    name = entry["reported"]["column"] if entry["reported"] else ""
    return System(
        entry=entry,
        values=system_values(scores, entry),
        printed={column: paper.number(number, column.label, name, column.metric) for column in columns},
        dimension=dimension_of(scores, entry),
        hours=hours.get(entry["id"] or "", math.nan),
    )
