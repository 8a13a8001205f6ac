"""Draw a heat map of accuracies on transfer tasks, coloured by the difference from an untrained baseline."""

from __future__ import annotations

import math
import re
import textwrap
from collections.abc import Sequence
from statistics import fmean
from typing import TYPE_CHECKING

from sentrep.tables import style
from sentrep.tables.values import Value
from sentrep.tables.views import FigureView

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_HEIGHT = 0.23  # height of a row in inches
_MORE = 0.06  # additional height of all rows for each additional line of a label, in inches
_LONGEST = 36  # number of characters in a line of a label
_LARGEST = 15.0  # differences of this many percentage points or more have the strongest colour
_STRONGEST = 0.55  # opacity of the strongest colour; text on this colour is still readable


def tasks(view: FigureView, values: Sequence[Value]) -> Figure:
    """Draw a grid with the accuracy of each system on each task.

    Cells are blue if the accuracy is above that of the untrained baseline, and orange if it is below. If the run has no
    scores for the baseline, nothing is coloured; otherwise, only tasks with a score for the baseline are shown. Systems
    that lack a score for one of the shown tasks are omitted. Systems are shown in descending order of mean accuracy. A
    remark in parentheses at the end of a label is removed if it begins with a digit, as in "(1/16 of the text)". Long
    labels are wrapped.

    Args:
        view: declaration of the figure. Its options are ``protocol`` (the evaluation protocol whose accuracies are
            drawn) and ``baseline`` (the id of the untrained system).
        values: values to draw.
    """
    shown = [
        value
        for value in values
        if (value.metric, value.protocol) == ("accuracy", view.options["protocol"]) and not math.isnan(value.mean)
    ]
    of = {(value.system, value.row): value.mean for value in shown}
    labels = {value.system: value.label for value in shown}
    baseline = view.options["baseline"]
    rows = list(dict.fromkeys(value.row for value in shown))
    # If the run has no scores of the baseline, all tasks are shown without colour.
    columns = [row for row in rows if (baseline, row) in of or baseline not in labels]
    complete = [system for system in labels if all((system, row) in of for row in columns)]
    lines = sorted(complete, key=lambda system: -fmean(of[system, row] for row in columns))
    names = [textwrap.fill(re.sub(r" \(\d.*\)$", "", labels[system]), _LONGEST) for system in lines]
    height = max((_HEIGHT + _MORE * name.count("\n") for name in names), default=_HEIGHT)
    figure, grid = style.new_figure(1, 1, style.WIDTH, 0.9 + height * len(lines))
    axes = grid[0][0]
    for y, system in enumerate(lines):
        for x, row in enumerate(columns):
            if baseline in labels:
                gain = of[system, row] - of[baseline, row]
                opacity = _STRONGEST * min(abs(gain) / _LARGEST, 1)
                colour = style.BLUE if gain > 0 else style.VERMILION
                axes.fill_between([x - 0.48, x + 0.48], y - 0.46, y + 0.46, color=colour, alpha=opacity, linewidth=0)
            axes.annotate(f"{of[system, row]:.0f}", (x, y), ha="center", va="center", fontsize=8)
    axes.set_xticks(range(len(columns)), columns, rotation=40, ha="left", rotation_mode="anchor")
    axes.set_yticks(range(len(lines)), names)
    for label, system in zip(axes.get_yticklabels(), lines, strict=True):
        label.set_fontweight("bold" if system == baseline else "normal")
    axes.xaxis.tick_top()
    axes.tick_params(length=0, labelsize=8)
    axes.set(xlim=(-0.5, max(len(columns), 1) - 0.5), ylim=(max(len(lines), 1) - 0.5, -0.5))
    if not lines:
        axes.annotate("no values in this run", (0, 0), ha="center", va="center", fontsize=8)
    axes.grid(visible=False)
    axes.spines[:].set_visible(False)
    colours = f"; blue: above {labels[baseline]}, orange: below" if baseline in labels else ""
    figure.supxlabel(f"accuracy in percent{colours}", fontsize=8)
    return figure
