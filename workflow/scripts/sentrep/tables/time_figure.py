"""Draw figure 2 of Logeswaran and Lee (2018): scores of an encoder against training time, for two training objectives.

As in the paper, the panels show accuracies on six transfer tasks. If a run did not score the models on these tasks, the
panels show correlations on the six sets of SemEval 2014.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING

from sentrep.io.frames import as_float, columns_of, groups_of, rows_where
from sentrep.tables import style
from sentrep.tables.values import Value, Values
from sentrep.tables.views import FigureView

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_UNITS = ((7200.0, 3600.0, "hours"), (120.0, 60.0, "minutes"), (0.0, 1.0, "seconds"))


def time_curves(view: FigureView, values: Sequence[Value]) -> Figure:
    """Draw accuracy or Pearson's r against training time, with one panel per task or set and one curve per model.

    Args:
        view: declaration of the figure. The function uses four of its options: ``tasks`` and ``sets`` (mappings from
            transfer tasks and from evaluation sets to the headings of their panels), ``speed_up`` (a template for the
            sentence that compares the training times if there are exactly two models) and ``baseline`` (the id of an
            untrained system, whose correlations are drawn as dashed lines).
        values: values to draw.
    """
    from matplotlib.font_manager import FontProperties

    table = Values.of(values)
    shown, panels, axis_label = table.select(metric="accuracy", protocol="kiros").frame, "tasks", "accuracy (%)"
    if shown.empty:
        shown, panels, axis_label = table.select(metric="pearson", protocol="paper").frame, "sets", "Pearson's r"
    curves = rows_where(shown, shown["x"].notna())
    baseline = rows_where(shown, shown["x"].isna() & (shown["system"] == view.options.get("baseline")))
    seconds = columns_of(table.select(metric="seconds").frame, ["system", "x", "mean"]).rename(
        columns={"mean": "seconds"}
    )
    curves = rows_where(curves, curves["mean"].notna()).merge(seconds, on=["system", "x"])
    longest = as_float(curves["seconds"].max())
    unit, name = next((unit, name) for least, unit, name in _UNITS if longest >= least)
    looks = dict(zip(curves["label"].unique(), zip(style.PALETTE, style.MARKERS, strict=True), strict=False))
    figure, grid = style.new_figure(3, 2, style.WIDTH, 6.0, sharex=True)
    for (row, heading), axes in zip(view.options[panels].items(), grid.flat, strict=True):
        of_set = rows_where(curves, curves["row"] == row)
        for (label,), curve in groups_of(of_set, ["label"]):
            colour, marker = looks[label]
            style.draw_curve(axes, curve["seconds"] / unit, curve, color=colour, marker=marker, label=label)
        for level in baseline.loc[baseline["row"] == row, "mean"]:
            axes.axhline(level, color=style.GREY, linestyle="--", linewidth=1, label="untrained")
        axes.set_title(heading if len(of_set) else f"{heading} (no data)")
        axes.set_xlim(left=0)
    for axes in grid[-1]:
        axes.set_xlabel(f"training time ({name})")
    for axes in grid[:, 0]:
        axes.set_ylabel(axis_label)
    # The names of the models are long and the same in all panels, so there is one legend below the panels.
    lines = {line.get_label(): line for axes in grid.flat for line in axes.get_lines()}
    legend = figure.legend(
        lines.values(), lines.keys(), loc="outside lower left", frameon=False, labelcolor="linecolor", fontsize=8
    )
    legend.set_title(_speed_up(view, table), prop=FontProperties(size=8))
    legend.set_alignment("left")
    return figure


def _speed_up(view: FigureView, table: Values) -> str:
    """Return a sentence that compares the training times per epoch of two models.

    Returns:
        The sentence, or an empty string if there are not exactly two models with training times.
    """
    times = groups_of(table.select(metric="seconds").frame, ["label"])
    epoch = {label: as_float(of_label["mean"].max() / of_label["x"].max()) for (label,), of_label in times}
    if len(epoch) != 2:
        return ""
    published = table.select(metric="speed-up").frame["published"]
    first, second = epoch
    facts = {
        "ratio": epoch[second] / epoch[first],
        "first": first,
        "second": second,
        "published": published.iloc[0],
    }
    return textwrap.fill(str(view.options["speed_up"]).format_map(facts), 60)
