"""Describe figures in words, for captions and text alternatives."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import fmean

from sentrep.tables.values import Value

METRICS = {"pearson": "Pearson’s r", "weight": "Trained weight"}
FEW = 6  # a curve with more points than this is described by its first, last and highest points


def describe(values: Sequence[Value], axis: str) -> str:
    """Return a text that describes each curve in a figure by the values at its points.

    The text covers only one metric, the first in :data:`METRICS` that occurs in the figure. If no such metric
    occurs, the text is empty.

    Args:
        values: values in the figure. If there is one curve for each evaluation set, these curves are averaged.
            Values under a protocol other than the paper's are ignored.
        axis: name of the horizontal axis.
    """
    shown = [value for value in values if value.protocol in ("", "paper") and not math.isnan(value.mean)]
    metric = next((name for name in METRICS if any(value.metric == name for value in shown)), None)
    if metric is None:
        return ""
    curves: dict[str, list[Value]] = {}
    for value in shown:
        if value.metric == metric:
            name = value.column if metric == "pearson" else f"{value.row}, {value.column}"
            curves.setdefault(name, []).append(value)
    sets = len({value.row for value in shown if value.metric == metric}) if metric == "pearson" else 0
    subject = METRICS[metric] + (f", mean over {sets} sets," if sets > 1 else "") + f" by {axis}"
    courses = {name: _course(curve) for name, curve in curves.items()}
    if len(courses) == 1:
        return f"{subject}: {next(iter(courses.values()))}."
    return f"{subject}. {'; '.join(f'{name}: {course}' for name, course in courses.items())}."


def _course(curve: Sequence[Value]) -> str:
    """Return the points of a curve as text, such as "0.380 at 1, 0.410 at 2".

    If there are more than :data:`FEW` points, only the first, last and highest points are listed. If the values have
    no positions on the horizontal axis, the text states their mean.
    """
    places = sorted({value.x for value in curve if not math.isnan(value.x)})
    if not places:
        return f"{fmean(value.mean for value in curve):.3f} throughout"
    points = {x: fmean(value.mean for value in curve if value.x == x) for x in places}
    if len(places) <= FEW:
        return ", ".join(f"{y:.3f} at {x:g}" for x, y in points.items())
    first, last, best = places[0], places[-1], max(points, key=points.__getitem__)
    ends = f"{points[first]:.3f} at {first:g}, {points[last]:.3f} at {last:g}"
    return ends if best in (first, last) else f"{ends}, maximum {points[best]:.3f} at {best:g}"
