"""Draw a dot plot that compares the correlations of several systems on every STS set."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import pandas as pd

from sentrep.io.frames import rows_where
from sentrep.tables import style
from sentrep.tables.values import Value, Values
from sentrep.tables.views import FigureView

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_HEIGHT = 0.24  # height of a line in inches
_LOOKS = (
    {"marker": "o", "color": style.VERMILION},
    {"marker": "s", "color": style.BLUE},
    {"marker": "^", "color": style.GREEN},
    {"marker": "v", "color": style.PINK},
)
_BASELINE = {"marker": "|", "color": style.GREY, "markersize": 9, "markeredgewidth": 2}
_PUBLISHED = {"marker": "D", "color": style.BLACK, "markerfacecolor": "none", "markersize": 6}


class _Dots(NamedTuple):
    """The dots of one system: its name in the legend, the style of its dots, and its value in each row."""

    name: str
    look: Mapping[str, object]
    of_row: Mapping[str, float]


def sets(view: FigureView, values: Sequence[Value]) -> Figure:
    """Draw the Pearson correlations of several systems on every STS set, and their means over all sets.

    Only values under the paper's protocol are drawn.

    Args:
        view: declaration of the figure. Its option ``systems`` lists the ids of the systems, with trained systems
            first; systems that are not in the run are omitted. The option ``published`` is the id of the system whose
            published values are also drawn.
        values: values to draw.
    """
    shown = Values.of(values).select(metric="pearson", protocol="paper").frame
    rows = [row for row in dict.fromkeys(shown["row"]) if row[:4].isdigit() or row == "mean"]
    dots = [_published(rows_where(shown, shown["system"] == view.options["published"]))]
    for place, system in enumerate(view.options["systems"]):
        own = rows_where(shown, shown["system"] == system)
        if not own.empty:
            first = own.iloc[0]
            look = _BASELINE if first["baseline"] else _LOOKS[place % len(_LOOKS)]
            dots.append(_Dots(str(first["label"]), look, dict(zip(own["row"], own["mean"], strict=True))))
    figure, grid = style.new_figure(1, 1, style.WIDTH, 1.3 + _HEIGHT * len(rows))
    axes = grid[0][0]
    for name, look, of_row in dots:
        found = [(of_row[row], place) for place, row in enumerate(rows) if not math.isnan(of_row.get(row, math.nan))]
        x, y = zip(*found, strict=True) if found else ((), ())
        axes.plot(x, y, linestyle="none", label=name, **look)
    axes.set_yticks(range(len(rows)), [row if row != "mean" else "mean of all sets" for row in rows])
    axes.set_ylim(len(rows) - 0.4, -0.6)
    for place, (row, following) in enumerate(pairwise(rows)):
        if row[:4] != following[:4]:
            axes.axhline(place + 0.5, color=style.GREY, linewidth=0.6)
    axes.set_xlabel("Pearson's r (paper's protocol)")
    figure.legend(loc="outside lower center", ncols=2, frameon=False, fontsize=8)
    return figure


def _published(frame: pd.DataFrame) -> _Dots:
    """Return the dots for the published values of one system; ``frame`` contains the values of this system."""
    rows = {str(row): float(value) for row, value in zip(frame["row"], frame["published_value"], strict=True)}
    return _Dots("published", _PUBLISHED, rows)
