"""Figure 2 of Logeswaran and Lee (2018): quality against training time, the same encoder under two objectives.

The paper shows six classification and relatedness tasks; here the six panels are the six sets of SemEval 2014.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from sentrep.errors import SentrepError
from sentrep.tables import style
from sentrep.tables.costs import elapsed_seconds
from sentrep.tables.curves import progress_curves
from sentrep.tables.quick_thoughts import SETS, YEAR

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_UNITS = ((7200.0, 3600.0, "hours"), (120.0, 60.0, "minutes"), (0.0, 1.0, "seconds"))


def time_curves(
    scores: Sequence[pd.DataFrame],
    histories: Sequence[pd.DataFrame],
    models: Sequence[Mapping[str, Any]],
    preset: str,
) -> pd.DataFrame:
    """Return correlations per set against the seconds of training.

    Args:
        scores: score tables with rows of snapshots, one per model and seed.
        histories: the same models' ``training.csv``.
        models: for each, an entry with ``id`` and ``label``; several with one id are seeds.
        preset: name of the preset.

    Returns:
        model, label, seconds, and the columns of :func:`sentrep.tables.curves.progress_curves`; seconds are means over
        seeds, and only those of training itself.

    Raises:
        SentrepError: a model was not scored while it trained.
    """
    frames = []
    for name in dict.fromkeys(model["id"] for model in models):
        chosen = [place for place, model in enumerate(models) if model["id"] == name]
        if not all(scores[place]["epochs"].notna().any() for place in chosen):
            raise SentrepError(
                f"models.{name}.parameters",
                expected="intermediate models to draw",
                found="none",
                remedy="set snapshots_per_epoch",
            )
        curves = progress_curves([scores[place] for place in chosen], preset)
        times = [seconds_at(histories[place], curves["epochs"].to_numpy()) for place in chosen]
        curves.insert(0, "seconds", np.mean(times, axis=0))
        curves.insert(0, "label", models[chosen[0]]["label"])
        curves.insert(0, "model", name)
        frames.append(curves)
    return pd.concat(frames, ignore_index=True)


def seconds_at(history: pd.DataFrame, epochs: np.ndarray) -> np.ndarray:
    """Return the seconds of training after the given numbers of epochs, (n,) float64.

    Raises:
        SentrepError: training ended before.
    """
    reached = history["epoch"].to_numpy(dtype=np.float64)
    if not len(reached) or epochs.max() > reached[-1] + 1e-3:  # snapshots fall on the nearest step
        raise SentrepError(
            "training.csv",
            expected=f"{epochs.max():g} epochs of training",
            found=f"{reached[-1] if len(reached) else 0:g}",
            remedy="train the model again",
        )
    return np.interp(epochs, np.append(0.0, reached), np.append(0.0, elapsed_seconds(history)))


def speed_up(curves: pd.DataFrame) -> float:
    """Return how many times as long the second model's training took as the first's; NaN unless there are two."""
    longest = curves.groupby("model", sort=False)["seconds"].max().to_numpy()
    return float(longest[1] / longest[0]) if len(longest) == 2 else float("nan")


def draw_time(curves: pd.DataFrame, title: str, outputs: Mapping[str, str | Path], sample: bool) -> None:
    """Draw Pearson's correlation on each set of 2014 against training time, a curve per model.

    Args:
        curves: from :func:`time_curves`.
        title: of the figure.
        outputs: path by format.
        sample: the data are samples.
    """
    curves = curves[(curves["protocol"] == "paper") & (curves["year"] == YEAR) & curves["pearson"].notna()]
    unit, name = next((unit, name) for least, unit, name in _UNITS if curves["seconds"].max() >= least)
    looks = dict(zip(curves["model"].unique(), zip(style.PALETTE, style.MARKERS, strict=True), strict=False))
    figure, grid = style.new_figure(2, 3, 10.6, 6.0, sharex=True)
    for (dataset, heading), axes in zip(SETS.items(), grid.flat, strict=True):
        of_set = curves[curves["dataset"] == dataset]
        for model, curve in of_set.groupby("model", sort=False):
            _draw(axes, curve, unit, *looks[model])
        axes.set_title(heading if len(of_set) else f"{heading} (no data)")
        axes.set_xlim(left=0)
    for axes in grid[-1]:
        axes.set_xlabel(f"training time ({name})")
    for axes in grid[:, 0]:
        axes.set_ylabel("Pearson's r")
    # Names are long and the same in all panels: said once, below them.
    lines = {line.get_label(): line for axes in grid.flat for line in axes.get_lines()}
    figure.legend(
        lines.values(), lines.keys(), loc="outside lower left", ncols=2, frameon=False, labelcolor="linecolor"
    )
    style.save(figure, outputs, title, sample)


def _draw(axes: Axes, curve: pd.DataFrame, unit: float, colour: str, marker: str) -> None:
    """Draw one curve with its spread over seeds."""
    x = curve["seconds"] / unit
    axes.plot(x, curve["pearson"], color=colour, marker=marker, label=str(curve["label"].iloc[0]))
    spread = curve["pearson_sd"].fillna(0)
    if (spread > 0).any():
        low, high = curve["pearson"] - spread, curve["pearson"] + spread
        axes.fill_between(x, low, high, color=colour, alpha=0.15, linewidth=0)
