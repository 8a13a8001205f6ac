"""Typed wrappers of data frame operations whose types the stubs of pandas leave open."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, cast

import pandas as pd


def rows_where(frame: pd.DataFrame, chosen: Any) -> pd.DataFrame:
    """Return the rows for which a mask is true."""
    return cast("pd.DataFrame", frame[chosen])


def columns_of(frame: pd.DataFrame, names: Sequence[str]) -> pd.DataFrame:
    """Return some columns as a frame, in the order of their names."""
    return cast("pd.DataFrame", frame[list(names)])


def group_means(frame: pd.DataFrame, keys: Sequence[str], column: str) -> pd.DataFrame:
    """Return the mean of a column for each group of equal keys, as a frame of keys and mean."""
    return cast("pd.Series", frame.groupby(list(keys), sort=False)[column].mean()).reset_index()


def as_float(value: Any) -> float:
    """Return a cell, or an aggregate of a column, as a float."""
    return float(value)


def groups_of(frame: pd.DataFrame, keys: Sequence[str]) -> Iterator[tuple[tuple[Any, ...], pd.DataFrame]]:
    """Yield the groups of equal keys in the order of the rows; missing keys form their own group."""
    for key, group in frame.groupby(list(keys), sort=False, dropna=False):
        yield cast("tuple[Any, ...]", key), group
