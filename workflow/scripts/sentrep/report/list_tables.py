"""Tables whose rows are lists of texts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from markupsafe import Markup

from sentrep.tables.html import html_table
from sentrep.tables.layout import Cell, Row, Section, Table

Rows = Iterable[Sequence[object]]


def list_table(title: str, headings: Sequence[str], rows: Rows | Mapping[str, Rows]) -> Table | None:
    """Return a table of texts and whole numbers; None if it has no rows.

    Args:
        title: of the table.
        headings: of all columns.
        rows: the cells of each row, or rows by the heading of their section; None is an empty cell.
    """
    named: Mapping[str, Rows] = rows if isinstance(rows, Mapping) else {"": rows}
    sections = [
        Section(name, tuple(Row(_cell(first), tuple(map(_cell, others))) for first, *others in lines))
        for name, lines in named.items()
    ]
    table = Table(
        title, headings[0], (("", tuple(headings[1:])),), tuple(section for section in sections if section.rows)
    )
    return table if table.sections else None


def _cell(value: object) -> Cell:
    return Cell("" if value is None else f"{value:,}" if isinstance(value, int) else str(value))


def fragment(table: Table | None, identity: str) -> Markup:
    """Return the HTML of a table; empty without one."""
    return Markup("" if table is None else html_table(table, identity))
