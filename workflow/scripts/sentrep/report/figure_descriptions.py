"""What a figure shows, as sentences made from its values."""

from __future__ import annotations

import math

import pandas as pd

from sentrep.tables.values import Values

METRICS = {"pearson": "Pearson’s r", "weight": "Learnt weight"}
FEW = 6  # points that are all listed


def describe(values: Values, axis: str) -> str:
    """Return the course of every curve of a figure; empty if it shows none of :data:`METRICS`.

    Args:
        values: of the figure. Curves of single evaluation sets are averaged; of two protocols, the paper's is used.
        axis: name of the horizontal axis.
    """
    frame = values.frame[values.frame["mean"].notna() & values.frame["protocol"].isin(["", "paper"])]
    metric = next((name for name in METRICS if name in set(frame["metric"])), None)
    if metric is None:
        return ""
    frame = frame[frame["metric"] == metric]
    sets = frame["row"].nunique()
    subject = METRICS[metric] + (f", mean of {sets} sets," if sets > 1 else "") + f" by {axis}"
    curves = {label: course for label, curve in frame.groupby("label", sort=False) if (course := _course(curve))}
    if len(curves) == 1:
        return f"{subject}: {next(iter(curves.values()))}."
    return f"{subject}. {'; '.join(f'{label}: {course}' for label, course in curves.items())}."


def _course(curve: pd.DataFrame) -> str:
    """Return "0.380 at 1, 0.410 at 2"; of many points the first, the last and the highest."""
    points = {float(x): float(group["mean"].mean()) for x, group in curve.groupby("x")}  # type: ignore[arg-type]
    if not points:
        constant = curve["mean"].mean()
        return "" if math.isnan(constant) else f"{constant:.3f} throughout"
    if len(points) <= FEW:
        return ", ".join(f"{y:.3f} at {x:g}" for x, y in points.items())
    first, last, best = min(points), max(points), max(points, key=points.__getitem__)
    ends = f"{points[first]:.3f} at {first:g}, {points[last]:.3f} at {last:g}"
    return ends if best in (first, last) else f"{ends}, highest at {best:g} with {points[best]:.3f}"
