"""Figures 2 and 3 of De Boom et al. (2016): distances of related and other pairs, and the learnt weights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from sentrep.errors import unknown_name
from sentrep.tables import style
from sentrep.tables.reported import Reported

SAMPLE_TEXT = "SAMPLE data: small sample texts, not the paper's"
DARK, LIGHT = "#444444", "#b8b8b8"  # the paper's two greys
RELEASED = "released weights"
LOOKS = {"contrastive": (style.BLUE, "o"), "median": (style.VERMILION, "s")}


def draw_distances(
    histograms: pd.DataFrame, method: str, title: str, outputs: Mapping[str, str | Path], sample: bool
) -> None:
    """Draw Figure 2: how many related and other pairs have which distance.

    The paper has 300 bins; where pairs are few, some are drawn as one.

    Args:
        histograms: columns method, low, high, related, non_related.
        method: the way of comparing to draw.
        title: of the figure.
        outputs: path by format.
        sample: the data are samples.

    Raises:
        SentrepError: there is no such method.
    """
    chosen = histograms[histograms["method"] == method]
    if chosen.empty:
        raise unknown_name("figure2", "method", method, histograms["method"].unique())
    figure, grid = style.new_figure(1, 1, 6.4, 3.8)
    axes = grid[0][0]
    kinds = (("non_related", "non-related", LIGHT, "left"), ("related", "related", DARK, "right"))
    joined = _bins_to_join(len(chosen), min(int(chosen[column].sum()) for column, *_ in kinds))
    edges = np.append(chosen["low"].to_numpy()[::joined], chosen["high"].iloc[-1])
    for column, name, colour, side in kinds:
        counts = chosen[column].to_numpy(dtype=float).reshape(-1, joined).sum(axis=1)
        axes.stairs(counts, edges, color=colour, linewidth=1.2)
        middle = edges[int(np.searchsorted(np.cumsum(counts), counts.sum() / 2))]
        # above the panel, each on its own side of its median: names cannot meet, nor hide a curve
        axes.annotate(
            name,
            (middle, 1.0),
            xycoords=("data", "axes fraction"),
            xytext=(0, 3),
            textcoords="offset points",
            ha=side,
            color=style.GREY if side == "left" else DARK,
        )
    axes.set_xlim(0, 1)
    axes.set_ylim(bottom=0)
    axes.set_xlabel("normalised distance")
    axes.set_ylabel(f"number of pairs ({len(edges) - 1} bins)")
    style.save(figure, outputs, title, sample, SAMPLE_TEXT)


def _bins_to_join(bins: int, pairs: int) -> int:
    """Return how many neighbouring bins to draw as one: the fewest that leave 10 pairs a bin on average."""
    divisors = [k for k in range(1, bins // 10 + 1) if bins % k == 0]
    return next((k for k in divisors if pairs * k >= 10 * bins), divisors[-1])


def weight_curves(learnt: Sequence[Mapping], paper: Reported, preset: str) -> pd.DataFrame:
    """Return the data of Figure 3.

    Args:
        learnt: entries with loss, seed, weights (a sequence), updates, stopped.
        paper: has the authors' weights as table "released weights".
        preset: name of the preset.

    Returns:
        preset, source ("ours" or "released"), loss, seed, index (from 1), weight, relative (to the largest), updates,
        stopped.
    """
    curves = [{**entry, "source": "ours"} for entry in learnt]
    for loss in paper.columns(RELEASED):
        weights = [paper.number(RELEASED, row, loss, "weight") for row in paper.rows(RELEASED)]
        curves.append(
            {"source": "released", "loss": loss, "seed": "", "weights": weights, "updates": "", "stopped": ""}
        )
    rows = [
        {
            "preset": preset,
            "source": curve["source"],
            "loss": curve["loss"],
            "seed": str(curve["seed"]),
            "index": index,
            "weight": float(weight),
            "relative": float(weight) / float(np.abs(curve["weights"]).max()),
            "updates": str(curve["updates"]),
            "stopped": curve["stopped"],
        }
        for curve in curves
        for index, weight in enumerate(curve["weights"], 1)
    ]
    return pd.DataFrame(rows)


def draw_weights(curves: pd.DataFrame, title: str, outputs: Mapping[str, str | Path], sample: bool) -> None:
    """Draw Figure 3: weight by place in the idf order, ours in full and the authors' as thin dashed lines.

    Each curve is divided by its largest weight: only proportions matter to a comparison of distances, and the scale
    of contrastive weights is set by when learning stops.

    Args:
        curves: from :func:`weight_curves`.
        title: of the figure.
        outputs: path by format.
        sample: the data are samples.
    """
    figure, grid = style.new_figure(1, 1, 7.0, 4.2)
    axes = grid[0][0]
    ends = []
    for (source, loss, seed), curve in curves.groupby(["source", "loss", "seed"], sort=False):
        colour, marker = LOOKS[str(loss)]
        ours = source == "ours"
        axes.plot(
            curve["index"],
            curve["relative"],
            color=colour,
            marker=marker if ours else None,
            linestyle="-" if ours else "--",
            linewidth=1.4 if ours else 1.0,
            alpha=1.0 if ours else 0.7,
        )
        several = len(set(curves.loc[(curves["source"] == source) & (curves["loss"] == loss), "seed"])) > 1
        name = f"{loss}, {'ours' if ours else 'released code'}" + (f", seed {seed}" if several else "")
        ends.append((float(curve["index"].iloc[-1]), float(curve["relative"].iloc[-1]), name, colour))
    axes.axhline(0, color=style.GREY, linewidth=0.6)
    axes.set_xlabel("place in the order of descending idf")
    axes.set_ylabel("weight / largest weight")
    axes.set_xlim(left=0.5)
    axes.xaxis.get_major_locator().set_params(integer=True)
    style.label_ends(axes, ends)
    style.save(figure, outputs, title, sample, SAMPLE_TEXT)
