"""Draw the ablation figure, which compares mean correlations of model variants with those of untrained baselines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sentrep.tables import style
from sentrep.tables.values import Value
from sentrep.tables.views import FigureView

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_HEIGHT = 0.23  # height of a line in inches
_CHARACTER = 0.075  # width of a character of a label in inches
_AXES = 2.6  # minimum width of the axes in inches


def differences(view: FigureView, values: Sequence[Value]) -> Figure:
    """Draw the difference between the mean correlation of each model variant and that of its untrained baseline.

    Each difference is shown as a dot with a 95% confidence interval, and a dashed line at 0 marks the baseline.
    Intervals are blue if they lie above 0, vermilion if they lie below 0, and grey if they include 0.

    Args:
        view: declaration of the figure. Its option ``convention`` selects the treatment of unknown words.
        values: values of the figure; only the metric ``difference`` under the selected treatment is drawn.
    """
    convention = view.options["convention"]
    shown = [value for value in values if value.metric == "difference" and value.column == convention]
    lines: list[Value | str] = []
    for section in dict.fromkeys(value.protocol for value in shown):
        lines += [section, *(value for value in shown if value.protocol == section)]
    width = max(style.WIDTH, _AXES + _CHARACTER * max((len(value.label) for value in shown), default=0))
    figure, grid = style.new_figure(1, 1, width, 0.7 + _HEIGHT * len(lines))
    axes = grid[0][0]
    axes.axvline(0, color=style.GREY, linestyle="--", linewidth=1)
    for place, line in enumerate(lines):
        if isinstance(line, str):  # headings are aligned to the right
            ground = {"facecolor": "white", "edgecolor": "none", "pad": 1}
            where = {"transform": axes.get_yaxis_transform(), "ha": "right", "va": "center"}
            axes.text(1, place, line, fontweight="bold", bbox=ground, **where)
        else:
            colour = style.BLUE if line.low > 0 else style.VERMILION if line.high < 0 else style.GREY
            axes.plot([line.low, line.high], [place, place], color=colour, linewidth=1.4)
            inside = "white" if colour == style.GREY else colour
            axes.plot(line.mean, place, marker="o", markersize=5, color=colour, markerfacecolor=inside)
    labels = {place: line.label for place, line in enumerate(lines) if not isinstance(line, str)}
    axes.set_yticks(list(labels), list(labels.values()))
    axes.set_ylim(len(lines) - 0.4, -0.6)
    axes.grid(axis="y", visible=False)
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
    figure.supxlabel("mean r minus that of the untrained baseline", fontsize=9)
    return figure
