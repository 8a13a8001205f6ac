"""Wrap data-frame operations whose result types are not specified in the type stubs of pandas."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, cast

import pandas as pd


def rows_where(frame: pd.DataFrame, chosen: Any) -> pd.DataFrame:
    """Return the rows of a data frame for which a Boolean mask is true."""
    return cast("pd.DataFrame", frame[chosen])


def columns_of(frame: pd.DataFrame, names: Sequence[str]) -> pd.DataFrame:
    """Return a data frame with only the named columns, in the order of ``names``."""
    return cast("pd.DataFrame", frame[list(names)])


def group_means(frame: pd.DataFrame, keys: Sequence[str], column: str) -> pd.DataFrame:
    """Group rows by the columns ``keys``, and return a data frame with these columns and the group means of ``column``.

    Rows in which a key is missing are omitted.
    """
    return cast("pd.Series", frame.groupby(list(keys), sort=False)[column].mean()).reset_index()


def as_float(value: Any) -> float:
    """Convert a cell, or an aggregate of a column, to a float."""
    return float(value)


def groups_of(frame: pd.DataFrame, keys: Sequence[str]) -> Iterator[tuple[tuple[Any, ...], pd.DataFrame]]:
    """Group rows by the columns ``keys``, and yield each group's key values and rows, in order of first occurrence.

    Missing key values count as equal to each other.
    """
    for key, group in frame.groupby(list(keys), sort=False, dropna=False):
        yield cast("tuple[Any, ...]", key), group
