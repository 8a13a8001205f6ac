"""Build tables for the report from rows of texts and numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from markupsafe import Markup

from sentrep.tables.layout import Cell, Row, Section, Table
from sentrep.tables.markup import html_table

Rows = Iterable[Sequence[object]]


def list_table(title: str, headings: Sequence[str], rows: Rows, sentences: bool = False) -> Table | None:
    """Return a table with the given rows of texts and integers; None if there are no rows.

    Args:
        title: title of the table.
        headings: headings of all columns.
        rows: cells of each row; None stands for an empty cell.
        sentences: whether cells contain long texts, which are wrapped.
    """
    table = sectioned_table(title, headings, {"": rows})
    return replace(table, sentences=sentences) if table else None


def sectioned_table(title: str, headings: Sequence[str], sections: Mapping[str, Rows]) -> Table | None:
    """Return a table whose rows of texts and integers are grouped under headings; None if there are no rows."""
    filled = [
        Section(name, tuple(Row(_cell(first), tuple(map(_cell, others))) for first, *others in rows))
        for name, rows in sections.items()
    ]
    filled = [section for section in filled if section.rows]
    return Table(title, headings[0], (("", tuple(headings[1:])),), tuple(filled)) if filled else None


def _cell(value: object) -> Cell:
    return Cell("" if value is None else f"{value:,}" if isinstance(value, int) else str(value))


def fragment(table: Table | None, identity: str) -> Markup:
    """Return a table as an HTML fragment, which is empty if the table is None."""
    return Markup() if table is None else html_table(table, identity)
