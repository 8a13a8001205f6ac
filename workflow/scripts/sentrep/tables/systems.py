"""Determine the names of systems in tables and figures, and average the values of systems over seeds."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from sentrep.errors import SentrepError
from sentrep.io.frames import rows_where

Entry = Mapping[str, Any]
"""A mapping that describes a system, with the keys ``id`` (None for a system with only published values), ``label``,
``baseline`` (whether the system is an untrained baseline), ``seeds`` and ``reported`` (a mapping with the paper, table
and column of the published values of the system, or None)."""


class Mean(NamedTuple):
    """A mean over seeds, the sample standard deviation (NaN for one seed), and the number of seeds."""

    mean: float
    sd: float
    seeds: int


def names(entry: Entry) -> dict[str, Any]:
    """Return the fields of a :class:`~sentrep.tables.values.Value` that describe a system, as keyword arguments."""
    column = entry["reported"]["column"] if entry["reported"] else entry["label"]
    return {"column": column, "system": entry["id"] or "", "label": entry["label"], "baseline": bool(entry["baseline"])}


def mean_over_seeds(values: Sequence[float]) -> Mean:
    """Return the mean and standard deviation over seeds (both NaN if a value is NaN), and the number of seeds."""
    sd = float(np.std(values, ddof=1)) if len(values) > 1 else math.nan
    return Mean(float(np.mean(values)), sd, len(values))


def seed_values(
    frame: pd.DataFrame, entry: Entry, keys: Sequence[str], value: str, where: str
) -> dict[tuple[Any, ...], list[float]]:
    """Return a mapping from each key to the values of a system for all of its seeds.

    Args:
        frame: table with the columns "model" and "seed", the columns named by ``keys`` and ``value``, and one row for
            each model, seed and key.
        entry: the system. If it has only published values, the result is empty.
        keys: names of the columns whose entries together form the key of a value.
        value: name of the column that contains the values.
        where: name of the file or the data, for error messages.

    Returns:
        For each key, the values in ascending order of the seeds.

    Raises:
        SentrepError: the value of a seed is missing for one of the keys (a mean over fewer seeds would be a different
            quantity), or the table contains values, but none of this system for these seeds.
    """
    if entry["id"] is None:
        return {}
    rows = rows_where(frame, (frame["model"] == entry["id"]) & frame["seed"].isin(entry["seeds"]))
    rows = rows.sort_values("seed", kind="stable")
    found: dict[tuple[Any, ...], list[float]] = {}
    for key, group in rows.groupby(list(keys), sort=False):
        if group["seed"].tolist() != sorted(entry["seeds"]):
            raise _incomplete(where, entry, f"only {_seed_list(group['seed'].tolist())} for {key}")
        found[key if isinstance(key, tuple) else (key,)] = group[value].to_numpy(dtype=float).tolist()
    if not found and len(frame):
        raise _incomplete(where, entry, "none")
    return found


def seed_means(
    frame: pd.DataFrame, entry: Entry, keys: Sequence[str], value: str, where: str
) -> dict[tuple[Any, ...], Mean]:
    """Average the values of a system over its seeds for each key; the arguments are those of :func:`seed_values`."""
    return {key: mean_over_seeds(of_seeds) for key, of_seeds in seed_values(frame, entry, keys, value, where).items()}


def _seed_list(seeds: Collection[int]) -> str:
    return f"seed{'s' if len(seeds) > 1 else ''} {', '.join(map(str, seeds))}"


def _incomplete(where: str, entry: Entry, found: str) -> SentrepError:
    return SentrepError(
        where,
        expected=f"values of {entry['id']} for {_seed_list(entry['seeds'])}",
        found=found,
        remedy="score the model again with all expected seeds",
    )
