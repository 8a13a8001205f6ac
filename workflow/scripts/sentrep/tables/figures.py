"""Correlations per set against training progress or a parameter, and against corpus size.

Figures 2, 3 and 4 of Kenter et al. (2016), figures 3 and 4 of Yuan and Zhang (CBOS). Kenter et al. draw 20 curves
into one panel; here each year has a panel of its own, with the curves' names beside them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd

from sentrep.evaluation.sts.sets import STANDARD, YEARS
from sentrep.tables import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# A data set's curve looks the same in every panel and figure; within a panel all differ.
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
    "answers-forums": (style.BLUE, "o"),
    "answers-students": (style.PINK, "v"),
    "belief": (style.ORANGE, "D"),
}
LINES = ("-", "--", ":", "-.")
FEW = 12  # points of a curve that can all carry a marker


def draw_per_set(
    curves: pd.DataFrame,
    x: str,
    x_label: str,
    title: str,
    outputs: Mapping[str, str | Path],
    sample: bool,
    logarithmic: bool,
) -> None:
    """Draw Pearson's correlation of every set against ``x``, a panel per year, paper's protocol.

    Args:
        curves: from :mod:`sentrep.tables.curves`; of one year, or of all for a panel each.
        x: the column of the horizontal axis.
        x_label: what it says there.
        title: of the figure.
        outputs: path by format.
        sample: the data are samples.
        logarithmic: space the values by their ratio.
    """
    years = [year for year in YEARS if year in set(curves["year"])]
    curves = curves[(curves["protocol"] == "paper") & curves["pearson"].notna()]
    size = (2, 2, 8.6, 6.8) if len(years) > 1 else (1, 1, 5.6, 3.8)
    figure, grid = style.new_figure(*size, sharex=True, sharey=True)
    values = sorted(curves[x].unique())
    for year, axes in zip(years, grid.flat, strict=False):
        if logarithmic:
            axes.set_xscale("log")
        if logarithmic or _few_whole(values):
            axes.set_xticks(values, [f"{value:g}" for value in values])
            axes.minorticks_off()
        ends = []
        for standard in (standard for standard in STANDARD if standard.year == year):
            curve = curves[(curves["year"] == year) & (curves["dataset"] == standard.dataset)]
            if len(curve):
                colour, marker = LOOKS[standard.dataset]
                _draw(axes, curve, x, colour, marker)
                ends.append((curve[x].iloc[-1], curve["pearson"].iloc[-1], standard.label, colour))
        absent = [s.label for s in STANDARD if s.year == year and s.label not in {end[2] for end in ends}]
        axes.set_title(f"{year} (no data: {', '.join(absent)})" if absent else str(year))
        axes.set_ylim(*_limits(curves))
        style.label_ends(axes, ends)
    for axes in list(grid.flat)[len(years) :]:
        axes.set_axis_off()
    for axes in grid[-1]:
        axes.set_xlabel(x_label)
    for axes in grid[:, 0]:
        axes.set_ylabel("Pearson's r (paper's protocol)")
    style.save(figure, outputs, title, sample)


def _draw(axes: Axes, curve: pd.DataFrame, x: str, colour: str, marker: str) -> None:
    """Draw one curve; where it has many points, only whole numbers carry its marker."""
    whole = [place for place, value in enumerate(curve[x]) if len(curve) <= FEW or value == round(value)]
    axes.plot(curve[x], curve["pearson"], color=colour, marker=marker, markevery=whole)
    spread = curve["pearson_sd"].fillna(0)
    if (spread > 0).any():
        low, high = curve["pearson"] - spread, curve["pearson"] + spread
        axes.fill_between(curve[x], low, high, color=colour, alpha=0.15, linewidth=0)


def _few_whole(values: Sequence[float]) -> bool:
    """Return whether the values are so few and so even that the axis is best marked at them alone."""
    return len(values) <= FEW and all(value == round(value) for value in values)


def _limits(curves: pd.DataFrame) -> tuple[float, float]:
    """Return the vertical limits: 0 to the highest value and a margin, lower if a value is negative."""
    low, high = min(0.0, curves["pearson"].min()), curves["pearson"].max()
    margin = 0.04 * (high - low) or 0.05
    return low - (margin if low < 0 else 0), high + margin


def draw_corpus_size(curves: pd.DataFrame, title: str, outputs: Mapping[str, str | Path], sample: bool) -> None:
    """Draw the mean correlation against corpus size, a curve per model and number of epochs, and the floors.

    Args:
        curves: from :func:`sentrep.tables.curves.corpus_size_curves`; the paper's protocol is drawn.
        title: of the figure.
        outputs: path by format.
        sample: the data are samples.
    """
    curves = curves[curves["protocol"] == "paper"]
    figure, grid = style.new_figure(1, 1, 7.6, 4.6)
    axes = grid[0][0]
    fractions = sorted(curves["fraction"].dropna().unique())
    epochs = sorted(curves.loc[~curves["floor"], "epochs"].dropna().unique())
    colours = dict(zip(curves.loc[~curves["floor"], "label"].unique(), style.PALETTE, strict=False))
    axes.set_xscale("log", base=2)
    ends = []
    for place, ((label, floor, rounds), curve) in enumerate(
        curves.groupby(["label", "floor", "epochs"], sort=False, dropna=False)
    ):
        if floor:
            ends.append(_draw_floor(axes, curve, str(label), fractions))
            continue
        curve = curve.sort_values("fraction")
        # bars of different models would hide each other at the same place
        shifted = curve["fraction"] * 2 ** (0.02 * (place - len(epochs)))
        axes.errorbar(
            shifted,
            curve["pearson"],
            yerr=curve["pearson_sd"].fillna(0),
            color=colours[label],
            linestyle=LINES[epochs.index(rounds) % len(LINES)],
            marker=style.MARKERS[epochs.index(rounds) % len(style.MARKERS)],
            capsize=2,
        )
        name = f"{label}, {rounds:g} epoch{'' if rounds == 1 else 's'}"
        ends.append((shifted.iloc[-1], curve["pearson"].iloc[-1], name, colours[label]))
    axes.set_xticks(fractions, [str(Fraction(value).limit_denominator(1024)) for value in fractions])
    axes.minorticks_off()
    axes.set_xlabel("share of the corpus")
    axes.set_ylabel(f"Pearson's r, mean of {int(curves['sets'].max())} sets (paper's protocol)")
    style.label_ends(axes, ends)
    style.save(figure, outputs, title, sample)


def _draw_floor(axes: Axes, curve: pd.DataFrame, label: str, fractions: list[float]) -> tuple[float, float, str, str]:
    """Draw a floor as a grey band, mean and standard deviation; across all sizes if it has none."""
    if curve["fraction"].isna().all():
        curve = pd.concat([curve.iloc[:1].assign(fraction=fraction) for fraction in fractions])
    curve = curve.sort_values("fraction")
    spread = curve["pearson_sd"].fillna(0)
    low, high = curve["pearson"] - spread, curve["pearson"] + spread
    axes.fill_between(curve["fraction"], low, high, color=style.GREY, alpha=0.2, linewidth=0)
    axes.plot(curve["fraction"], curve["pearson"], color=style.GREY, linestyle="-.")
    return (curve["fraction"].iloc[-1], curve["pearson"].iloc[-1], label, style.GREY)
