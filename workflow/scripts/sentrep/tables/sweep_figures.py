"""Figures of sweeps: correlations per set against training progress or a parameter, and against corpus size.

Figures 2 to 4 of Kenter et al. (2016), figures 3 and 4 of Yuan and Zhang (CBOS). Kenter et al. draw 20 curves into one
panel; here each year has a panel of its own, with the names of the curves next to them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd

from sentrep.evaluation.sts.sets import STANDARD, YEARS
from sentrep.io.frames import as_float, groups_of, rows_where
from sentrep.tables import style
from sentrep.tables.values import Value, Values
from sentrep.tables.views import FigureView

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# The curve of a data set looks the same in every panel and figure; within a panel all differ.
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
LINES = ("-", "--", ":", "-.")
FEW = 12  # points of a curve that can all carry a marker


def sets(view: FigureView, values: Sequence[Value], outputs: Mapping[str, Path], sample: bool) -> None:
    """Draw Pearson's correlation of every set against the parameter, a panel per year, paper's protocol.

    Options: ``x_label``; ``logarithmic``: space the values of the parameter by their ratio.
    """
    curves = _curves(values)
    years = [year for year in YEARS if any(row.startswith(f"{year} ") for row in curves["row"])]
    size = (2, 2, 8.6, 6.8) if len(years) > 1 else (1, 1, 5.6, 3.8)
    figure, grid = style.new_figure(*size, sharex=True, sharey=True)
    points = sorted(curves["x"].unique())
    for year, axes in zip(years, grid.flat, strict=False):
        if view.options.get("logarithmic", False):
            axes.set_xscale("log")
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
            # where a curve has many points, only whole numbers carry its marker
            marked = [place for place, x in enumerate(curve["x"]) if len(curve) <= FEW or x == round(x)]
            style.draw_curve(axes, curve["x"], curve, color=colour, marker=marker, markevery=marked)
            ends.append((curve["x"].iloc[-1], curve["mean"].iloc[-1], standard.label, colour))
        axes.set_title(f"{year} (no data: {', '.join(absent)})" if absent else str(year))
        axes.set_ylim(*_limits(curves))
        style.label_ends(axes, ends)
    for axes in list(grid.flat)[len(years) :]:
        axes.set_axis_off()
    for axes in grid[-1]:
        axes.set_xlabel(view.options["x_label"])
    for axes in grid[:, 0]:
        axes.set_ylabel("Pearson's r (paper's protocol)")
    style.save(figure, outputs, view.title, sample)


def corpus_size(view: FigureView, values: Sequence[Value], outputs: Mapping[str, Path], sample: bool) -> None:
    """Draw the mean correlation against corpus size, a curve per model and number of epochs, and the baselines."""
    curves = _curves(values)
    figure, grid = style.new_figure(1, 1, 7.6, 4.6)
    axes = grid[0][0]
    counts = {value.column: value.mean for value in values if value.metric == "epochs"}
    fractions, epochs = sorted(curves["x"].dropna().unique()), sorted(set(counts.values()))
    colours = dict(zip(curves.loc[~curves["baseline"], "label"].unique(), style.PALETTE, strict=False))
    axes.set_xscale("log", base=2)
    ends = []
    for place, ((column, label, baseline), curve) in enumerate(groups_of(curves, ["column", "label", "baseline"])):
        if baseline:
            ends.append(_draw_baseline(axes, curve, str(label), fractions))
            continue
        look = epochs.index(counts[str(column)])
        points = curve.sort_values("x")
        # bars of different models would hide each other at the same place
        shifted = points["x"] * 2 ** (0.02 * (place - len(epochs)))
        axes.errorbar(
            shifted,
            points["mean"],
            yerr=points["sd"].fillna(0),
            color=colours[label],
            linestyle=LINES[look % len(LINES)],
            marker=style.MARKERS[look % len(style.MARKERS)],
            capsize=2,
        )
        ends.append((shifted.iloc[-1], points["mean"].iloc[-1], str(column), colours[label]))
    axes.set_xticks(fractions, [str(Fraction(value).limit_denominator(1024)) for value in fractions])
    axes.minorticks_off()
    axes.set_xlabel(view.options["x_label"])
    number = max(int(value.mean) for value in values if value.metric == "sets")
    axes.set_ylabel(f"Pearson's r, mean of {number} sets (paper's protocol)")
    style.label_ends(axes, ends)
    style.save(figure, outputs, view.title, sample)


def _curves(values: Sequence[Value]) -> pd.DataFrame:
    shown = Values.of(values).select(metric="pearson", protocol="paper").frame
    return rows_where(shown, shown["mean"].notna())


def _few_whole(values: Sequence[float]) -> bool:
    """Return whether the values are so few and so even that the axis is best marked at them alone."""
    return len(values) <= FEW and all(value == round(value) for value in values)


def _limits(curves: pd.DataFrame) -> tuple[float, float]:
    """Return the vertical limits: 0 to the highest value and a margin, lower if a value is negative."""
    low, high = min(0.0, as_float(curves["mean"].min())), as_float(curves["mean"].max())
    margin = 0.04 * (high - low) or 0.05
    return low - (margin if low < 0 else 0), high + margin


def _draw_baseline(
    axes: Axes, curve: pd.DataFrame, label: str, fractions: list[float]
) -> tuple[float, float, str, str]:
    """Draw a baseline as a grey band, mean and standard deviation; across all sizes if it has none."""
    if curve["x"].isna().to_numpy().all():
        curve = pd.concat([curve.iloc[:1].assign(x=fraction) for fraction in fractions])
    curve = curve.sort_values("x")
    spread = curve["sd"].fillna(0)
    low, high = curve["mean"] - spread, curve["mean"] + spread
    axes.fill_between(curve["x"], low, high, color=style.GREY, alpha=0.2, linewidth=0)
    axes.plot(curve["x"], curve["mean"], color=style.GREY, linestyle="-.")
    return (curve["x"].iloc[-1], curve["mean"].iloc[-1], label, style.GREY)
