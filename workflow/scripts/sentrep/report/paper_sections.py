"""The tables and figures of each paper, made from the declared views."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import compress
from pathlib import Path

import pandas as pd
from markupsafe import Markup

from sentrep.report.figure_descriptions import describe
from sentrep.report.inline_figures import inline_figure
from sentrep.report.list_tables import fragment, list_table
from sentrep.report.papers import PAPERS, heading
from sentrep.report.result_files import ResultFiles
from sentrep.sources.published import OURS
from sentrep.tables.build import build_frame, build_table
from sentrep.tables.layout import Row, Table
from sentrep.tables.values import Value, Values
from sentrep.tables.views import FigureView, TableView, read_views

MOST_ROWS = 400  # of a figure's numbers
FOLDED_ROWS = 60  # of a table that no paper has
# Results without a declared table, which are shown as in their csv files.
LISTS = {
    "sentrep/neighbours": "Words with extreme norms, and nearest words",
    "weighted_aggregation/kappa": "Cross-validation of kappa, the median loss's parameter",
    "weighted_aggregation/pairs": "Pairs of texts that weights are learnt and tested on",
}


@dataclass(frozen=True)
class Part:
    """A table or figure.

    Attributes:
        id: id of its element.
        heading: "Table 2".
        title: what it shows.
        content: the table or the drawing.
        sample: it is made from sample data.
        is_figure: whether it is a figure.
        folded: the reader opens it with a click.
        description: the course of a figure's curves.
        numbers: a figure's numbers as a table.
    """

    id: str
    heading: str
    title: str
    content: Markup
    sample: bool
    is_figure: bool = False
    folded: bool = False
    description: str = ""
    numbers: Markup | None = None


@dataclass(frozen=True)
class Paper:
    """The tables and figures of one paper."""

    id: str
    name: str
    authors: str
    parts: tuple[Part, ...]


def paper_sections(files: ResultFiles, values: Values) -> list[Paper]:
    """Return the papers of which the run has results."""
    views, recorded = read_views(), files.provenance().get("results", {})
    available: dict[str, list[Value]] = {}
    for value in values.rows():
        available.setdefault(f"{value.paper}/{value.item}", []).append(value)

    def path_of(name: str, suffix: str) -> Path | None:
        """Return a file of this run; files of an earlier run with other settings may lie next to it."""
        path = f"{name.removeprefix(f'{OURS}/')}{suffix}"
        of_run = name in available or f"results/{path}" in recorded
        return files.root / path if of_run and (files.root / path).exists() else None

    found = []
    for paper, (paper_name, authors) in PAPERS.items():
        parts = []
        for name in sorted({*views.tables, *views.figures, *LISTS}, key=_reading_order):
            if not name.startswith(f"{paper}/"):
                continue
            if name in LISTS:
                parts += [_list(name, path)] if (path := path_of(name, ".csv")) else []
                continue
            view = views.view(name)
            shown = available.get(views.item(name), [])
            if isinstance(view, FigureView):
                parts += [_figure(name, view, shown, path)] if (path := path_of(name, ".svg")) else []
            elif shown:
                parts.append(_table(name, view, shown))
        if parts:
            found.append(Paper(_identity(f"paper-{paper}"), paper_name, authors, tuple(parts)))
    return found


def side_by_side(view: TableView) -> TableView:
    """Return a view that has ours, published and difference of a system in one row, so that rows can be sorted."""
    kinds, groups = view.lines.show, []
    for group in view.groups:
        for cell in group.cells:
            if cell.show is None:
                columns = [
                    cell.model_copy(update={"heading": kind, "show": kind, "lines": ()})
                    for kind in kinds
                    if not cell.lines or kind in cell.lines
                ]
                heading = f"{group.heading} {cell.heading}".strip()
            else:
                columns, heading = [cell.model_copy(update={"lines": ()})], group.heading
            groups.append(group.model_copy(update={"heading": heading, "cells": tuple(columns)}))
    lines = view.lines.model_copy(update={"show": ()})
    return view.model_copy(update={"groups": tuple(groups), "lines": lines})


def without_empty_columns(table: Table) -> Table:
    """Return a table without the columns that are empty in all rows."""
    columns = zip(*(row.cells for row in table.rows()), strict=True)
    filled = [any(cell.text or cell.note for cell in column) for column in columns]
    left = iter(filled)
    groups = [(heading, tuple(name for name in names if next(left))) for heading, names in table.groups]
    sections = [
        replace(section, rows=tuple(replace(row, cells=tuple(compress(row.cells, filled))) for row in section.rows))
        for section in table.sections
    ]
    return replace(table, groups=tuple(group for group in groups if group[1]), sections=tuple(sections))


def with_published_names(table: Table, values: Sequence[Value]) -> Table:
    """Return a table whose row headings also have the published names of systems that we call otherwise."""
    names = {value.label: value.column for value in values if value.system and value.published}

    def named(row: Row) -> Row:
        name = names.get(row.heading.text, row.heading.text)
        tail = row.heading.tail if name == row.heading.text else f"(published as {name})"
        return replace(row, heading=replace(row.heading, tail=tail))

    sections = [replace(section, rows=tuple(map(named, section.rows))) for section in table.sections]
    return replace(table, sections=tuple(sections))


def _table(name: str, view: TableView, values: Sequence[Value]) -> Part:
    table = build_table(view, values)
    if view.lines.show and not view.prose:
        table = without_empty_columns(build_table(side_by_side(view), values))
        table = with_published_names(table, values)
    identity = _identity(name)
    folded = not name[-1].isdigit() and len(list(table.rows())) > FOLDED_ROWS
    return Part(identity, heading(name), table.title, fragment(table, identity), table.sample, folded=folded)


def _figure(name: str, view: FigureView, values: Sequence[Value], drawing: Path) -> Part:
    identity, frame = _identity(name), build_frame(view.csv, values)
    sample = any(value.metric == "sample" and value.text == "True" for value in values)
    numbers = _frame_table(f"Numbers of: {view.title}", frame) if 0 < len(frame) <= MOST_ROWS else None
    description = describe(values, str(view.options.get("x_label", "x")))
    return Part(
        identity,
        heading(name),
        view.title,
        inline_figure(drawing, identity, view.title, description or view.title),
        sample,
        is_figure=True,
        description=description,
        numbers=fragment(numbers, f"{identity}-numbers"),
    )


def _list(name: str, path: Path) -> Part:
    table = _frame_table(LISTS[name], pd.read_csv(path, dtype=str, keep_default_na=False))
    return Part(_identity(name), heading(name), LISTS[name], fragment(table, _identity(name)), False, folded=True)


def _frame_table(title: str, frame: pd.DataFrame) -> Table | None:
    """Return a frame of texts as a table, without its empty columns."""
    used = frame.loc[:, (frame != "").any()].drop(columns="preset", errors="ignore")
    headings = [str(column).replace("_", " ") for column in used]
    return list_table(title, headings, used.map(_shortened).to_numpy().tolist())


def _reading_order(name: str) -> tuple[bool, bool, int, str]:
    """Sort numbered tables first, then numbered figures, then the others."""
    kind = name.rstrip("0123456789")
    number = name.removeprefix(kind)
    return not number, kind.endswith("figure"), int(number or 0), name


def _identity(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.lower())


def _shortened(text: str) -> str:
    """Return a decimal number with at most five significant digits."""
    return f"{float(text):.5g}" if re.fullmatch(r"-?\d+\.\d{4,}(e[+-]?\d+)?", text) else text
