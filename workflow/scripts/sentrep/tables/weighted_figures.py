"""Draw figures 2 and 3 of De Boom et al. (2016), distances in related and non-related pairs, and word weights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from sentrep.io.frames import as_float, group_means, groups_of
from sentrep.tables import style
from sentrep.tables.values import Value, Values
from sentrep.tables.views import FigureView

SAMPLE_TEXT = "SAMPLE data: small sample texts, not the paper's"
RELATED, NON_RELATED = "related pairs", "non-related pairs"
OURS, RELEASED = "ours", "released weights"
DARK, LIGHT = "#444444", "#b8b8b8"  # the two greys of the published figure
LOOKS = {"contrastive": (style.BLUE, "o"), "median": (style.VERMILION, "s")}


def distances(view: FigureView, values: Sequence[Value], outputs: Mapping[str, Path], sample: bool) -> None:
    """Draw figure 2 of De Boom et al. (2016), the distributions of distances in related and non-related pairs.

    The published figure has 300 bins. If there are few pairs, neighbouring bins are merged.
    """
    table = Values.of(values)
    counts = {kind: table.select(metric=kind).frame.sort_values("x") for kind in (NON_RELATED, RELATED)}
    lows = counts[RELATED]["x"].to_numpy()
    last = table.select(metric="last edge").frame["mean"].iloc[0]
    joined = _bins_to_join(len(lows), min(int(as_float(kind["mean"].sum())) for kind in counts.values()))
    edges = np.append(lows[::joined], last)
    figure, grid = style.new_figure(1, 1, style.WIDTH, 3.2)
    axes = grid[0][0]
    for kind, colour, text_colour, side in ((NON_RELATED, LIGHT, style.GREY, "left"), (RELATED, DARK, DARK, "right")):
        numbers = counts[kind]["mean"].to_numpy(dtype=float).reshape(-1, joined).sum(axis=1)
        axes.stairs(numbers, edges, color=colour, linewidth=1.2)
        middle = edges[int(np.searchsorted(np.cumsum(numbers), numbers.sum() / 2))]
        # Labels are above the panel, on the outer sides of the medians, where they neither overlap nor hide a curve.
        axes.annotate(
            kind.removesuffix(" pairs"),
            (middle, 1.0),
            xycoords=("data", "axes fraction"),
            xytext=(0, 3),
            textcoords="offset points",
            ha=side,
            color=text_colour,
        )
    axes.set_xlim(0, 1)
    axes.set_ylim(bottom=0)
    axes.set_xlabel("normalised distance")
    axes.set_ylabel(f"number of pairs ({len(edges) - 1} bins)")
    style.save(figure, outputs, view.title, sample, SAMPLE_TEXT)


def _bins_to_join(bins: int, pairs: int) -> int:
    """Return the smallest number of neighbouring bins to merge so that a bin has at least 10 pairs on average."""
    divisors = [k for k in range(1, bins // 10 + 1) if bins % k == 0]
    return next((k for k in divisors if pairs * k >= 10 * bins), divisors[-1])


def weights(view: FigureView, values: Sequence[Value], outputs: Mapping[str, Path], sample: bool) -> None:
    """Draw figure 3 of De Boom et al. (2016), trained weights by idf rank.

    Our weights are solid lines, and the released weights are thin dashed lines. Each curve is divided by its largest
    weight, because the scale of weights trained with the contrastive loss depends on when training stops. A constant
    factor does not affect comparisons between distances.
    """
    curves = Values.of(values).select(metric="relative weight").frame
    figure, grid = style.new_figure(1, 1, style.WIDTH, 3.6)
    axes = grid[0][0]
    ends = []
    for (row, loss), of_loss in groups_of(curves, ["row", "column"]):
        colour, marker = LOOKS[str(loss).split(",")[0]]  # the number of words may follow the name of the loss
        several = len(set(of_loss["system"])) > 1
        for (system,), of_seeds in groups_of(of_loss, ["system"]):
            curve = group_means(of_seeds, ["x"], "mean")
            look = {"marker": marker, "linestyle": "-", "linewidth": 1.4}
            if row == RELEASED:
                look = {"linestyle": "--", "linewidth": 1.0, "alpha": 0.7}
            axes.plot(curve["x"], curve["mean"], color=colour, **look)
            name = f"{loss}, {'released code' if row == RELEASED else OURS}" + (f", {system}" if several else "")
            ends.append((float(curve["x"].iloc[-1]), float(curve["mean"].iloc[-1]), name, colour))
    axes.axhline(0, color=style.GREY, linewidth=0.6)
    axes.set_xlabel("rank by descending idf")
    axes.set_ylabel("weight / largest weight")
    axes.set_xlim(left=0.5)
    axes.xaxis.get_major_locator().set_params(integer=True)
    style.label_ends(axes, ends)
    style.save(figure, outputs, view.title, sample, SAMPLE_TEXT)
