"""Define the style of all figures, and save figures so that equal data give identical files.

The colours are from the palette of Okabe and Ito, which is safe for colour-blind readers. Curves that differ in colour
also differ in marker shape or line style, or are labelled directly.
"""

from __future__ import annotations

import logging
import textwrap
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from sentrep.io.files import atomic_file

if TYPE_CHECKING:
    import numpy.typing as npt
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

BLUE, ORANGE, GREEN, PINK, VERMILION, SKY, YELLOW, BLACK = (
    "#0072B2",
    "#E69F00",
    "#009E73",
    "#CC79A7",
    "#D55E00",
    "#56B4E9",
    "#B8A800",  # darker than Okabe and Ito's yellow, which is hard to see on white
    "#222222",
)
PALETTE = (BLUE, VERMILION, GREEN, ORANGE, PINK, SKY, YELLOW, BLACK)
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
GREY = "#777777"
# The replacements for all colours on a dark background; report.css has the same values. The key None stands for text in
# the default colour, for which matplotlib writes no colour.
DARK = {
    None: "#e6e8ea",
    "#ffffff": "#15181c",
    "#000000": "#e6e8ea",
    BLACK: "#e6e8ea",
    "#444444": "#a6adb5",
    "#e4e4e4": "#363c43",
    "#cccccc": "#363c43",
    "#b8b8b8": "#79818a",
    BLUE: "#58b0e3",
    VERMILION: "#f08a4b",
    GREEN: "#35c296",
    ORANGE: "#e9a93a",
    PINK: "#de9bc3",
    SKY: "#8ccbf2",
    YELLOW: "#d6c850",
    GREY: "#a0a4a8",
}
WIDTH = 4.6  # width of figures in inches; on a screen that is 400 pixels wide, 9-point text is about 10 pixels high
SAMPLE_TEXT = "SAMPLE data: hand-written pairs, not SemEval data"

SETTINGS: dict[str, Any] = {
    "figure.dpi": 100,
    "figure.constrained_layout.use": True,
    "font.family": "DejaVu Sans",  # included in matplotlib, so available on every machine
    "font.size": 9,
    "axes.titlesize": 10,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#e4e4e4",
    "grid.linewidth": 0.6,
    "text.parse_math": False,  # user-defined labels may contain dollar signs
    "lines.linewidth": 1.4,
    "lines.markersize": 4,
    "svg.hashsalt": "sentrep",  # without this entry, ids in the file would be random
    "pdf.fonttype": 42,
}


def new_figure(rows: int, columns: int, width: float, height: float, **options: Any) -> tuple[Figure, Any]:
    """Return a figure in the project's style and a 2-D array of its axes.

    Args:
        rows: number of rows of panels.
        columns: number of columns of panels.
        width: width in inches.
        height: height in inches.
        options: further options of ``pyplot.subplots``.
    """
    import matplotlib as mpl

    mpl.use("Agg")
    mpl.rcParams.update(mpl.rcParamsDefault)
    mpl.rcParams.update(cast("Any", SETTINGS))
    from matplotlib import pyplot as plt

    return plt.subplots(rows, columns, figsize=(width, height), squeeze=False, **options)


def save(figure: Figure, outputs: Mapping[str, str | Path], title: str, sample: str = "") -> None:
    """Write a figure in all requested formats, and close it.

    Args:
        figure: figure to write.
        outputs: output path for each requested format ("svg" or "pdf").
        title: title for the metadata of the files; the figure itself does not show it.
        sample: sentence above the figure that states that it shows sample data, or an empty string.
    """
    from matplotlib import pyplot as plt

    logging.getLogger("fontTools").setLevel(logging.WARNING)  # fontTools logs every step of embedding a font
    full = f"{sample}\n{title}" if sample else title
    if sample:
        # Bold letters of this size are about a tenth of an inch wide.
        text = textwrap.fill(sample, int(figure.get_figwidth() * 10))
        figure.suptitle(text, x=0.01, ha="left", fontsize=10, color=VERMILION, fontweight="bold")
    undated = {"svg": {"Date": None, "Title": full}, "pdf": {"CreationDate": None, "Title": full}}
    for kind, path in outputs.items():
        with atomic_file(path) as temporary:
            figure.savefig(temporary, format=kind, metadata=undated.get(kind))
            if kind == "svg":
                drawing = temporary.read_text(encoding="utf-8").replace("</style>", f"{_dark_rules()}</style>", 1)
                temporary.write_text(drawing, encoding="utf-8")
    plt.close(figure)


def _dark_rules() -> str:
    """Return CSS rules that make a drawing follow the reader's colour scheme.

    Matplotlib writes each colour into the ``style`` attribute of an element, so the rules select elements by the text
    of this attribute.
    """
    rules = [f"svg{{fill:{DARK[None]}}}"]
    for light, dark in DARK.items():
        if light:
            rules += [f'[style*="{kind}: {light.lower()}"]{{{kind}:{dark}!important}}' for kind in ("fill", "stroke")]
    return "@media (prefers-color-scheme: dark){" + "".join(rules) + "}"


def set_log_scale(axes: Axes, directions: str = "x") -> None:
    """Make the axes named in ``directions`` ("x", "y" or "xy") logarithmic, with numbers as tick labels.

    Matplotlib's default labels for logarithmic axes are formulas, but :data:`SETTINGS` turns off the rendering of
    formulas. Numbers of one million or more are given in millions, for example "100 M".
    """
    from matplotlib.ticker import FuncFormatter, NullFormatter

    for name in directions:
        axes.set(**{f"{name}scale": "log"})
        axis = getattr(axes, f"{name}axis")
        axis.set_major_formatter(
            FuncFormatter(lambda value, _: f"{value / 1e6:,g} M" if value >= 1e6 else f"{value:,g}")
        )
        axis.set_minor_formatter(NullFormatter())


def draw_curve(axes: Axes, x: npt.ArrayLike, curve: pd.DataFrame, **look: Any) -> None:
    """Draw a curve with a band for the standard deviation over seeds.

    Args:
        axes: axes to draw on.
        x: horizontal positions of the values.
        curve: table with the columns mean and sd; missing standard deviations count as 0.
        look: colour, marker and other options of ``Axes.plot``.
    """
    axes.plot(x, curve["mean"], **look)
    spread = curve["sd"].fillna(0).to_numpy(dtype=float)
    if (spread > 0).any():
        low, high = curve["mean"] - spread, curve["mean"] + spread
        axes.fill_between(x, low, high, color=look["color"], alpha=0.15, linewidth=0)


def label_ends(axes: Axes, ends: Sequence[tuple[float, float, str, str]], gap: float = 0.055) -> None:
    """Label each curve to the right of the axes, at the height of its last point, and keep labels from overlapping.

    Args:
        axes: axes to draw on; their limits must not change afterwards.
        ends: for each curve, the x and y of its last point in data coordinates, its name and its colour. An infinite x
            stands for the right end of the axes.
        gap: minimum distance between two labels, as a fraction of the height of the axes.
    """
    low, high = axes.get_ylim()
    right = axes.get_xlim()[1]
    ordered = sorted(ends, key=lambda end: (end[1], end[2]))
    heights = spread([(y - low) / (high - low) for _, y, _, _ in ordered], gap)
    for (x, y, name, colour), height in zip(ordered, heights, strict=True):
        axes.annotate(
            name,
            xy=(min(x, right), y),
            xycoords="data",
            xytext=(1.03, height),
            textcoords="axes fraction",
            color=colour,
            fontsize=8,
            va="center",
            annotation_clip=False,
            arrowprops={
                **{"arrowstyle": "-", "color": colour, "linewidth": 0.5, "alpha": 0.6},
                **{"relpos": (0, 0.5), "shrinkA": 0, "shrinkB": 3},  # the line ends at the left edge of the label
            },
        )


def spread(positions: Sequence[float], gap: float) -> list[float]:
    """Return positions that are at least ``gap`` apart and, if there is enough space, between 0 and 1.

    Args:
        positions: original positions in ascending order. Neighbours that are moved apart keep their mean, unless a
            position would then be below 0 or above 1.
        gap: minimum distance between neighbours.
    """
    groups: list[list[float]] = []
    for position in positions:
        groups.append([position])
        while len(groups) > 1 and _first(groups[-1], gap) - _last(groups[-2], gap) < gap:
            last = groups.pop()
            groups[-1] += last
    return [_first(group, gap) + gap * place for group in groups for place in range(len(group))]


def _first(group: Sequence[float], gap: float) -> float:
    height = gap * (len(group) - 1)
    return max(min(sum(group) / len(group) - height / 2, 1 - height), 0)


def _last(group: Sequence[float], gap: float) -> float:
    return _first(group, gap) + gap * (len(group) - 1)
