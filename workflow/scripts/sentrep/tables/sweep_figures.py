"""Draw correlations with human scores against training progress, a parameter, or the number of training words.

This module draws, among others, figures 2 to 4 of Kenter et al. (2016) and figures 3 and 4 of Yuan and Zhang (2017).
Kenter et al. draw the curves of all 20 evaluation sets in one panel; here, each SemEval year has its own panel, and
each curve is labelled with the name of its set.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import pandas as pd

from sentrep.evaluation.sts.sets import STANDARD, YEARS
from sentrep.io.frames import as_float, groups_of, rows_where
from sentrep.tables import style
from sentrep.tables.values import Value, Values
from sentrep.tables.views import FigureView

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Colour and marker of the curve of each evaluation set. Sets in the same panel have different colours and markers.
LOOKS = {
    "MSRpar": (style.GREEN, "^"),
    "MSRvid": (style.ORANGE, "D"),
    "OnWN": (style.BLUE, "o"),
    "SMTeuroparl": (style.PINK, "v"),
    "SMTnews": (style.BLACK, "P"),
    "FNWN": (style.ORANGE, "D"),
    "SMT": (style.PINK, "v"),
    "headlines": (style.VERMILION, "s"),
    "deft-forum": (style.PINK, "v"),
    "deft-news": (style.BLACK, "P"),
    "images": (style.GREEN, "^"),
    "tweet-news": (style.ORANGE, "D"),
    "answ-forums": (style.BLUE, "o"),
    "answ-students": (style.PINK, "v"),
    "belief": (style.ORANGE, "D"),
}
# How the panel titles of `mean_curves` describe each treatment of unknown words.
PANELS = {"omitted": "omitted", "random": "get random vectors"}
# Maximum number of points for which each point has its own marker and, if all are at whole numbers, its own tick.
FEW = 12


def sets(view: FigureView, values: Sequence[Value]) -> Figure:
    """Draw the Pearson correlation on every evaluation set against training progress or a parameter.

    Each SemEval year has its own panel. Only values under the paper's protocol are drawn.

    Args:
        view: declaration of the figure. Its options are ``x_label`` (the label of the horizontal axis) and, optionally,
            ``logarithmic`` (whether this axis is logarithmic) and ``baseline`` (the id of an untrained system, whose
            values are drawn as dotted lines).
        values: values to draw.
    """
    shown = _curves(values)
    curves = rows_where(shown, shown["x"].notna())
    baseline = rows_where(shown, shown["x"].isna() & (shown["system"] == view.options.get("baseline")))
    untrained = dict(zip(baseline["row"], baseline["mean"], strict=True))
    years = [year for year in YEARS if any(row.startswith(f"{year} ") for row in curves["row"])]
    size = (style.WIDTH, 0.6 + (1.75 if len(years) > 1 else 2.6) * len(years))
    figure, grid = style.new_figure(len(years), 1, *size, sharex=True, sharey=True)
    points = sorted(curves["x"].unique())
    for year, axes in zip(years, grid.flat, strict=False):
        if view.options.get("logarithmic", False):
            style.set_log_scale(axes)
        if view.options.get("logarithmic", False) or _few_whole(points):
            axes.set_xticks(points, [f"{point:g}" for point in points])
            axes.minorticks_off()
        ends, absent = [], []
        for standard in (standard for standard in STANDARD if standard.year == year):
            curve = rows_where(curves, curves["row"] == f"{year} {standard.label}")
            if curve.empty:
                absent.append(standard.label)
                continue
            colour, marker = LOOKS[standard.label]
            # Curves with more than FEW points have markers only where x is a whole number.
            marked = [place for place, x in enumerate(curve["x"]) if len(curve) <= FEW or x == round(x)]
            style.draw_curve(axes, curve["x"], curve, color=colour, marker=marker, markevery=marked)
            ends.append((curve["x"].iloc[-1], curve["mean"].iloc[-1], standard.label, colour))
            if not math.isnan(level := untrained.get(f"{year} {standard.label}", math.nan)):
                axes.axhline(level, color=colour, linestyle=":", linewidth=1)
        axes.set_title(f"{year} (no data: {', '.join(absent)})" if absent else str(year))
        axes.set_ylim(*_limits(shown))
        style.label_ends(axes, ends, gap=0.055 if len(years) == 1 else 0.1)
    grid[-1][0].set_xlabel(view.options["x_label"])
    dotted = "; dotted: untrained" if untrained else ""
    figure.supylabel(f"Pearson's r (paper's protocol{dotted})", fontsize=9)
    return figure


def mean_curves(view: FigureView, values: Sequence[Value]) -> Figure:
    """Draw curves of the mean correlation over the evaluation sets against the number of training words.

    Depending on the figure, the number of training words is the number of words in the corpus, or this number times the
    number of epochs. Each treatment of unknown words has its own panel. Baselines are grey, and a baseline with a
    single point is drawn as a horizontal line. Open circles show extrapolated values.

    Args:
        view: declaration of the figure. Its option ``x_label`` is the label of the horizontal axis.
        values: values to draw.
    """
    shown = Values.of(values).frame
    curves = rows_where(shown, shown["metric"].isin(["pearson", "expected"]) & shown["mean"].notna())
    conventions = [name for name in PANELS if name in set(curves["protocol"])]
    colours = dict(zip(curves.loc[~curves["baseline"], "label"].unique(), style.PALETTE, strict=False))
    figure, grid = style.new_figure(len(conventions), 1, style.WIDTH, 3.2 * len(conventions), sharex=True, sharey=True)
    for axes, convention in zip(grid[:, 0], conventions, strict=True):
        ends = []
        of_panel = rows_where(curves, curves["protocol"] == convention)
        for (column, label, baseline), curve in groups_of(of_panel, ["column", "label", "baseline"]):
            ends.append(_draw_size_curve(axes, curve, str(column), colours.get(label, style.GREY), bool(baseline)))
        style.set_log_scale(axes)
        axes.set_title(f"unknown words {PANELS[convention]}")
        style.label_ends(axes, ends, gap=0.06)
    grid[-1][0].set_xlabel(view.options["x_label"])
    number = max(int(value.mean) for value in values if value.metric == "sets")
    figure.supylabel(f"Pearson's r, mean of {number} sets (paper's protocol)", fontsize=9)
    return figure


def _draw_size_curve(
    axes: Axes, curve: pd.DataFrame, column: str, colour: str, baseline: bool
) -> tuple[float, float, str, str]:
    """Draw one curve of mean correlations, with extrapolated values and standard deviations over seeds.

    Returns:
        The x and y of the last point in data coordinates, the name of the curve, and its colour. For a horizontal line,
        x is infinite.
    """
    points = rows_where(curve, curve["metric"] == "pearson").sort_values("x")
    if baseline and len(points) == 1:
        axes.axhline(level := as_float(points["mean"].iloc[0]), color=colour, linestyle="-.", linewidth=1)
        return (math.inf, level, column, colour)
    once = column.endswith(", 1 epoch")
    line = "-." if baseline else "-" if once else "--"
    marker = "" if baseline else style.MARKERS[0] if once else style.MARKERS[1]
    spread = points["sd"].fillna(0)
    axes.errorbar(points["x"], points["mean"], spread, color=colour, linestyle=line, marker=marker, capsize=2)
    end = (as_float(points["x"].iloc[-1]), as_float(points["mean"].iloc[-1]))
    for row in rows_where(curve, curve["metric"] == "expected").to_dict("records"):
        place = (float(row["x"]), float(row["mean"]))
        bars = [[row["mean"] - row["low"]], [row["high"] - row["mean"]]]
        axes.plot(*zip(end, place, strict=True), color=colour, linestyle=":", linewidth=1)
        axes.errorbar(*place, bars, color=colour, marker="o", fillstyle="none", capsize=2)
        end = place
    return (*end, column, colour)


def _curves(values: Sequence[Value]) -> pd.DataFrame:
    shown = Values.of(values).select(metric="pearson", protocol="paper").frame
    return rows_where(shown, shown["mean"].notna())


def _few_whole(values: Sequence[float]) -> bool:
    """Return whether the values are whole numbers, and few enough that each can have its own tick."""
    return len(values) <= FEW and all(value == round(value) for value in values)


def _limits(curves: pd.DataFrame) -> tuple[float, float]:
    """Return limits for the vertical axis that include all mean values; the lower limit is at most 0."""
    low, high = min(0.0, as_float(curves["mean"].min())), as_float(curves["mean"].max())
    margin = 0.04 * (high - low) or 0.05
    return low - (margin if low < 0 else 0), high + margin
