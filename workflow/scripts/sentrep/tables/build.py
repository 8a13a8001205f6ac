"""Build tables and the contents of their CSV files from declarations and values."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

import pandas as pd

from sentrep.tables.axes import KINDS, Column, Line, columns_of, lines_of
from sentrep.tables.grids import CellView, Grid, LinesView, Mark
from sentrep.tables.layout import SAMPLE_NOTE, Cell, Row, Section, Table
from sentrep.tables.numbers import compact, fixed, seconds, signed
from sentrep.tables.places import Place, PlacedValues
from sentrep.tables.values import Value
from sentrep.tables.views import TableView

WARNED = "§"
"""Sign after the name of a system whose training raised a warning."""


@dataclass(frozen=True)
class _Shown:
    """A cell, and the number by which it is compared with other cells, or NaN if the cell has no such number."""

    cell: Cell
    number: float = math.nan


def build_table(view: TableView, values: Sequence[Value]) -> Table:
    """Return the table that a declaration describes, filled with values.

    Args:
        view: declaration of the table.
        values: values of the table's item (see :class:`~sentrep.tables.views.TableView`).
    """
    placed = PlacedValues(values)
    lines, columns = lines_of(view.lines, placed), columns_of(view, placed)
    shown = [[_shown(placed, line, column) for column in columns] for line in lines]
    cells = _with_best(view, lines, columns, shown)
    sections: dict[str, list[Row]] = {}
    for line, row in zip(lines, cells, strict=True):
        heading = replace(_heading(view.lines, placed, line), mark=_warned(placed, line.place))
        sections.setdefault(line.section, []).append(Row(heading, tuple(row), line.summary))
    named = [(_group_heading(view, placed, column), column) for column in columns]
    # Each column without a group heading forms its own group.
    groups = groupby(named, key=lambda one: (one[1].group, one[0] or id(one[1])))
    title = view.sample_title if placed.sample and view.sample_title else view.title
    return Table(
        title=title.format_map(placed.facts),
        stub=view.stub,
        groups=tuple(
            (key[1], tuple(c.heading for _, c in g))
            if isinstance(key[1], str)
            else ("", tuple(c.heading + _warned(placed, c.place) for _, c in g))
            for key, g in groups
        ),
        sections=tuple(Section(heading, tuple(rows)) for heading, rows in sections.items()),
        notes=(*_notes(view, placed), *_training_note(placed, lines, columns)),
        sample=placed.sample,
        sample_note=view.sample_note or SAMPLE_NOTE,
        prose=view.prose,
    )


def build_frame(grid: Grid, values: Sequence[Value]) -> pd.DataFrame:
    """Build the contents of a CSV file, as a data frame of strings, from the file's declaration and the values."""
    placed = PlacedValues(values)
    lines, columns = lines_of(grid.lines, placed), columns_of(grid, placed, drop_differences=False)
    records = [{column.heading: _plain(placed, line, column) for column in columns} for line in lines]
    return pd.DataFrame(records, columns=list(dict.fromkeys(column.heading for column in columns)))


def _warned(placed: PlacedValues, place: Place) -> str:
    """Return :data:`WARNED` if a line or column shows a system whose training raised a warning, otherwise ""."""
    return WARNED if place.at.get("system") in placed.warned else ""


def _training_note(placed: PlacedValues, lines: Sequence[Line], columns: Sequence[Column]) -> list[str]:
    """Return a list with one note on the training warnings of all shown systems, or an empty list if there are none."""
    shown = {one.place.at.get("system") for one in (*lines, *columns)}
    named = [f"{value.label} ({value.text})" for system, value in placed.warned.items() if system in shown]
    return [f"{WARNED} marks systems whose training raised a warning: {'; '.join(named)}."] if named else []


def _group_heading(view: TableView, placed: PlacedValues, column: Column) -> str:
    heading = column.place.fill(view.groups[column.group].heading)
    return heading + _warned(placed, column.place) if heading else ""


def _heading(view: LinesView, placed: PlacedValues, line: Line) -> Cell:
    place = line.place
    if view.heading_metric:
        value = placed.get({name: place.at.get(name, "") for name in ("row", "protocol")}, view.heading_metric)
        return Cell(value.text, note=value.note) if value else Cell(place.label)
    text = place.fill(view.heading) if view.heading else place.label
    if line.kind == "difference":
        return Cell("", "difference")
    if line.kind == "published":
        return Cell(place.at["column"], "(published)")
    if line.kind == "ours":
        return Cell(text, "(ours)")
    # "(published)" is added only to headings that name a system.
    named = view.heading and "{row}" not in view.heading
    only_published = placed.states(place.at) & {"ours", "published"} == {"published"}
    return Cell(text, "(published)" if only_published and not named else "")


def _at(line: Line, column: Column) -> dict[str, Any]:
    """Return the coordinates of the value that a cell shows."""
    view = column.view
    at = {**line.place.at, **column.place.at}
    at |= {name: value for name in ("row", "column", "protocol") if (value := getattr(view, name)) is not None}
    if view.of == "place":
        return at
    keep = {"row": ("row", "protocol"), "system": ("column", "system"), "item": ()}[view.of]
    return {name: at[name] for name in keep if name in at}


def _property(placed: PlacedValues, line: Line, column: Column) -> str | None:
    """Return the text of a cell that shows a property of a system or a coordinate of a value; None for other cells."""
    at, show = _at(line, column), column.view.show
    place = column.place if column.place.at else line.place
    states = placed.states(at)
    match show:
        case "seeds" if not column.view.metric:
            return str(placed.seeds(at) or "")
        case "state":
            return "published" if "ours" not in states else "baseline" if place.baseline else "trained"
        case "published column":
            return str(at["column"]) if "published" in states else ""
        case "name" | "label":
            return str(getattr(place, show))
        case _ if show in at and not column.view.metric:
            return compact(at[show], 6) if isinstance(at[show], float) else str(at[show] or "")
    return None


def _plain(placed: PlacedValues, line: Line, column: Column) -> str:
    """Return the text of the cell in the given line and column, as written to a CSV file."""
    view, text = column.view, _property(placed, line, column)
    if text is None:
        at = _at(line, column)
        value = placed.get(at, view.metric or at.get("metric", ""))
        hidden = line.summary and view.show == "sd"
        text = _text(value, view, view.show or "ours")[0] if value and not hidden else ""
    return view.texts.get(text, text)


def _shown(placed: PlacedValues, line: Line, column: Column) -> _Shown:
    """Return the cell in the given line and column, before :func:`_with_best` marks the best values."""
    view, show = column.view, column.view.show or line.kind or "ours"
    if (show in KINDS and show not in line.allowed) or (view.lines and line.kind not in view.lines):
        return _Shown(Cell())
    text = _property(placed, line, column)
    if text is not None:
        return _Shown(Cell(view.texts.get(text, text)))
    at = _at(line, column)
    value = placed.get(at, view.metric or at.get("metric", ""))
    if value is None:
        return _Shown(Cell())
    text, number = _text(value, view, show)
    explained = placed.get(at, view.footnote) if view.footnote != "note" else None
    note = value.note if view.footnote == "note" else explained.text if explained and view.footnote else ""
    if line.summary:
        value = replace(value, sd=math.nan)
    if show == "difference":
        return _Shown(Cell(signed(value.difference, view.digits or 0, view.style != "correlation")))
    if not text:
        return _Shown(Cell(note=note))
    other = placed.get(at, view.tail) if view.tail else None
    tail = _text(other, view, show)[0] if other else ""
    mark = {"ours": view.mark, "either": view.mark, "published": view.published_mark}.get(show)
    sign = _sign(placed.get(at, mark.metric), mark, show) if mark else ""
    if show == "ours":
        text += _spread(value, view)
    return _Shown(Cell(view.texts.get(text, text), f"({tail})" if tail else "", mark=sign, note=note), number)


def _text(value: Value, view: CellView, show: str) -> tuple[str, float]:
    """Return the text that a cell shows for a value, and the number by which cells are compared (NaN if none)."""
    if show == "published" and value.published and (view.show != show or view.digits is None):
        return value.published, value.published_value
    if show in ("ours", "either") and value.text:
        return value.text, math.nan
    if show == "either" and math.isnan(value.mean):
        return value.published, value.published_value
    number = getattr(value, {"ours": "mean", "either": "mean", "published": "published_value"}.get(show, show))
    if isinstance(number, str):
        return number, math.nan
    text = compact(number, view.significant)
    if view.digits is not None:
        text = fixed(number, view.digits, view.style != "correlation")
    elif view.style == "seconds":
        text = seconds(number)
    shown = float(text.replace(",", "")) if text and show in ("ours", "either", "published") else math.nan
    if view.style == "thousands" and text:
        text = f"{shown:,.{view.digits or 0}f}"
    return text, shown


def _spread(value: Value, view: CellView) -> str:
    """Return the standard deviation over seeds and the confidence interval as text, if the cell shows them."""
    zero, text = view.style != "correlation", ""
    if view.spread is not None and not math.isnan(value.sd):
        text = f" ±{fixed(value.sd, view.spread, zero)}"
    if view.interval is not None and not math.isnan(value.low):
        text += f" [{fixed(value.low, view.interval, zero)}, {fixed(value.high, view.interval, zero)}]"
    return text


def _sign(value: Value | None, mark: Mark, show: str) -> str:
    if value is None or (mark.below is not None and not value.mean < mark.below):
        return ""
    return mark.sign or (value.published if show == "published" else value.text or value.published)


def _with_best(  # noqa: PLR0912 - finds the systems to compare, then marks the best
    view: TableView, lines: Sequence[Line], columns: Sequence[Column], shown: Sequence[Sequence[_Shown]]
) -> list[list[Cell]]:
    """Return the cells, with the best value of the trained systems in bold.

    Systems are compared within each column or within each line, depending on ``view.systems``. Values are compared
    after rounding, so several systems can have the best value. No cell is bold if fewer than two trained systems are
    compared. Baselines are never bold; if ``view.mark_baselines`` is true, baselines with a higher value than every
    trained system are marked with ‡.
    """
    cells = [[one.cell for one in row] for row in shown]
    sets: dict[tuple[Any, ...], list[tuple[int, int, bool]]] = {}
    for y, line in enumerate(lines):
        for x, column in enumerate(columns):
            if column.view.best is None or math.isnan(shown[y][x].number):
                continue
            show = column.view.show or line.kind or "ours"
            if view.systems == "columns":
                key, system = (y, column.group, show), column.place
            else:
                within = line.section if show == "published" and view.best_published == "section" else ""
                key, system = (x, show, line.place.at.get("protocol", ""), within), line.place
            sets.setdefault(key, []).append((y, x, system.baseline))
    for compared in sets.values():
        trained = {(y, x): shown[y][x].number for y, x, baseline in compared if not baseline}
        if not trained:
            continue
        y, x, _ = compared[0]
        best = (max if columns[x].view.best == "highest" else min)(trained.values())
        if len(trained) > 1:
            for (y, x), number in trained.items():
                if number == best:
                    cells[y][x] = replace(cells[y][x], bold=True)
        if view.mark_baselines:
            for y, x, baseline in compared:
                if baseline and shown[y][x].number > best:
                    cells[y][x] = replace(cells[y][x], mark="‡")
    return cells


def _notes(view: TableView, placed: PlacedValues) -> Iterator[str]:
    systems = [p for p in placed.places(("column", "system"), {}, {}) if p.at["system"]]
    lists = {
        "baselines": ", ".join(place.label for place in systems if place.baseline),
        "several": ", ".join(f"{place.label} ({n})" for place in systems if (n := placed.seeds(place.at)) > 1),
    }
    known = {**placed.facts, **{name: text for name, text in lists.items() if text}}
    published = any(value.published for value in placed.values)
    shown = {"": True, "sample": placed.sample, "difference": published and not placed.sample}
    for note in view.notes:
        if not shown[note.when]:
            continue
        if note.text == "{note}":
            yield from placed.sentences
            continue
        try:
            yield note.text.format_map(known)
        except KeyError:
            continue  # the run lacks a fact that the note mentions
