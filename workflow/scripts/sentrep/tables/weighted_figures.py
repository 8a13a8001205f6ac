"""Draw figures 2 and 3 of De Boom et al. (2016): distances between the two texts of a pair, and word weights."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from sentrep.io.frames import as_float, group_means, groups_of
from sentrep.tables import style
from sentrep.tables.values import Value, Values
from sentrep.tables.views import FigureView

if TYPE_CHECKING:
    from matplotlib.figure import Figure

RELATED, NON_RELATED = "related pairs", "non-related pairs"
OURS, RELEASED = "ours", "released weights"
DARK, LIGHT = "#444444", "#b8b8b8"  # the two greys of the published figure


def distances(_view: FigureView, values: Sequence[Value]) -> Figure:
    """Draw figure 2 of De Boom et al. (2016): histograms of the distances between the two texts of a pair.

    There is one histogram for related pairs and one for non-related pairs. Each histogram has 300 bins, as in the
    published figure, unless there are few pairs; in this case, neighbouring bins are merged.

    Args:
        _view: not used.
        values: values to draw.
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
        # Each label is above the panel and extends outwards from the median of its distribution, so that the labels
        # neither overlap nor hide a curve.
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
    return figure


def _bins_to_join(bins: int, pairs: int) -> int:
    """Return how many neighbouring bins to merge into one, so that a merged bin contains at least 10 pairs on average.

    The result is the smallest divisor of ``bins`` that reaches this average and leaves at least 10 merged bins. If
    there is no such divisor, it is the largest divisor that leaves at least 10 merged bins.
    """
    divisors = [k for k in range(1, bins // 10 + 1) if bins % k == 0]
    return next((k for k in divisors if pairs * k >= 10 * bins), divisors[-1])


def weights(_view: FigureView, values: Sequence[Value]) -> Figure:
    """Draw figure 3 of De Boom et al. (2016): trained word weights by idf rank, with one panel for each loss.

    Our weights are shown as solid lines, one for each model, and the released weights as dashed lines. The weights
    trained with each seed are divided by their largest absolute value and then averaged over seeds. This division makes
    the lines comparable, because the scale of weights trained with the contrastive loss depends on when training stops.
    Only the ratios of a model's weights matter: multiplying all weights by a constant does not change which of two
    distances is larger.

    Args:
        _view: not used.
        values: values to draw.
    """
    curves = Values.of(values).select(metric="relative weight").frame
    # The column is the name of the loss, in some cases followed by the number of weights.
    curves = curves.assign(loss=curves["column"].str.split(",").str[0])
    losses = sorted(set(curves["loss"]))
    figure, grid = style.new_figure(len(losses), 1, style.WIDTH, 0.6 + 2.4 * len(losses), sharex=True, sharey=True)
    for axes, loss in zip(grid[:, 0], losses, strict=True):
        of_loss = curves.loc[curves["loss"] == loss, :]
        looks = iter(zip(style.PALETTE, style.MARKERS, strict=True))
        for (row, column, system), of_seeds in groups_of(of_loss, ["row", "column", "system"]):
            curve = group_means(of_seeds, ["x"], "mean")
            words = f"{len(curve)} words"
            if row == RELEASED:
                axes.plot(curve["x"], curve["mean"], color=style.GREY, linestyle="--", label=f"{words}, released code")
                continue
            colour, marker = next(looks)
            several = len(set(of_loss.loc[(of_loss["column"] == column) & (of_loss["row"] == row), "system"])) > 1
            name = f"{words}, {OURS}" + (f", {system}" if several else "")
            axes.plot(curve["x"], curve["mean"], color=colour, marker=marker, linewidth=1.4, label=name)
        axes.axhline(0, color=style.GREY, linewidth=0.6)
        axes.set_title(f"{loss} loss")
        axes.set_ylabel("weight / largest weight")
        axes.legend(loc="upper right", frameon=False)  # the curves fall, so this corner is empty
    axes = grid[-1, 0]
    axes.set_xlabel("rank by descending idf")
    axes.set_xlim(left=0.5)
    axes.xaxis.get_major_locator().set_params(integer=True)
    return figure
