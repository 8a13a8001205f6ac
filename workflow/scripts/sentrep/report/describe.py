"""What a figure shows, in sentences computed from the numbers it was drawn from."""

from __future__ import annotations

from collections.abc import Hashable
from pathlib import Path

import pandas as pd

# What the columns of figures' files are called -> how they are spoken of.
_ACROSS = {
    "context": "context sentences on each side",
    "negatives": "number of negatives",
    "dimension": "dimensions",
    "fraction": "share of the corpus",
    "index": "place in the idf order",
    "epochs": "epochs",
}
_VALUES = {"pearson": "Pearson’s r", "weight": "Learnt weight"}
_SERIES = ("source", "loss", "label")
_FEW = 6  # points that are all told


def describe(path: str | Path) -> str:
    """Return the course of every curve of a figure, or "" if its file is of a kind that is not known.

    Args:
        path: a figure's CSV. Curves of single data sets are averaged; of two protocols the paper's is told.
    """
    frame = pd.read_csv(path, keep_default_na=True)
    value = next((name for name in _VALUES if name in frame), None)
    across = next((name for name in _ACROSS if name in frame), None)
    if value is None or across is None or frame.empty:
        return ""
    if "protocol" in frame:
        frame = frame[frame["protocol"] == "paper"]
    names = [
        name
        for name in (*_SERIES, "epochs")
        if name in frame and name != across and len(frame[name].dropna().unique()) > 1
    ]
    frame = frame.dropna(subset=[value])
    sets = frame.groupby(["year", "dataset"]).ngroups if "dataset" in frame else 0
    subject = _VALUES[value] + (f", mean of {sets} sets," if sets > 1 else "") + f" by {_ACROSS[across]}"
    if not names:
        return f"{subject}: {_course(frame, across, value)}."
    courses = [
        f"{_name(key, names)}: {_course(curve, across, value)}"
        for key, curve in frame.groupby(names, sort=False, dropna=False)
    ]
    return f"{subject}. {'; '.join(course for course in courses if not course.endswith(': '))}."


def _name(key: Hashable, names: list[str]) -> str:
    values = key if isinstance(key, tuple) else (key,)
    texts = [
        f"{value:g} epoch{'' if value == 1 else 's'}" if name == "epochs" else str(value)
        for name, value in zip(names, values, strict=True)
        if not pd.isna(value)
    ]
    return ", ".join(texts)


def _course(frame: pd.DataFrame, across: str, value: str) -> str:
    """Return "0.380 at 1, 0.410 at 2"; of many points the first, the last and the highest."""
    points = frame.groupby(across)[value].mean()
    if points.empty:
        constant = frame[value].mean()
        return "" if pd.isna(constant) else f"{constant:.3f} throughout"
    if len(points) <= _FEW:
        return ", ".join(f"{y:.3f} at {x:g}" for x, y in points.items())
    first, last, best = points.index[0], points.index[-1], points.idxmax()
    told = f"{points[first]:.3f} at {first:g}, {points[last]:.3f} at {last:g}"
    ends = {f"{points[place]:.3f}" for place in (first, last)}
    return told if f"{points[best]:.3f}" in ends else f"{told}, highest at {best:g} with {points[best]:.3f}"
