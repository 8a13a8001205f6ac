"""Systems of a table: their names, and their values averaged over seeds."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from sentrep.errors import SentrepError
from sentrep.io.frames import rows_where

Entry = Mapping[str, Any]
"""A system as the plan describes it: id (None if only published), label, baseline, seeds, and reported
({paper, table, column} or None)."""


class Mean(NamedTuple):
    """A value averaged over seeds; ``sd`` (n - 1) is NaN for one seed."""

    mean: float
    sd: float
    seeds: int


def names(entry: Entry) -> dict[str, Any]:
    """Return the fields of a value that identify the system: column, system, label and baseline."""
    column = entry["reported"]["column"] if entry["reported"] else entry["label"]
    return {"column": column, "system": entry["id"] or "", "label": entry["label"], "baseline": bool(entry["baseline"])}


def mean_over_seeds(values: Sequence[float]) -> Mean:
    """Return the mean and the standard deviation (n - 1) of the values of several seeds; NaN if one is missing."""
    sd = float(np.std(values, ddof=1)) if len(values) > 1 else math.nan
    return Mean(float(np.mean(values)), sd, len(values))


def seed_values(
    frame: pd.DataFrame, entry: Entry, keys: Sequence[str], value: str, where: str
) -> dict[tuple[Any, ...], list[float]]:
    """Return the values of one system for each of its seeds.

    Args:
        frame: rows with model, seed, ``keys`` and ``value``, one for each seed and key.
        entry: the system; a published system without a model has no values.
        keys: columns that identify a value.
        value: column of the values.
        where: name of the file, for error messages.

    Raises:
        SentrepError: the values of a seed are missing; a mean over fewer seeds would be a different quantity.
    """
    if entry["id"] is None:
        return {}
    rows = rows_where(frame, (frame["model"] == entry["id"]) & frame["seed"].isin(entry["seeds"]))
    rows = rows.sort_values("seed", kind="stable")
    found: dict[tuple[Any, ...], list[float]] = {}
    for key, group in rows.groupby(list(keys), sort=False):
        if group["seed"].tolist() != sorted(entry["seeds"]):
            raise _incomplete(where, entry, f"seeds {', '.join(map(str, group['seed']))} for {key}")
        found[key if isinstance(key, tuple) else (key,)] = group[value].to_numpy(dtype=float).tolist()
    if not found and len(frame):
        raise _incomplete(where, entry, "none")
    return found


def seed_means(
    frame: pd.DataFrame, entry: Entry, keys: Sequence[str], value: str, where: str
) -> dict[tuple[Any, ...], Mean]:
    """Average the values of one system over its seeds; arguments as for :func:`seed_values`."""
    return {key: mean_over_seeds(of_seeds) for key, of_seeds in seed_values(frame, entry, keys, value, where).items()}


def _incomplete(where: str, entry: Entry, found: str) -> SentrepError:
    return SentrepError(
        where,
        expected=f"values of {entry['id']} for seeds {', '.join(map(str, entry['seeds']))}",
        found=found,
        remedy="score that model again",
    )
