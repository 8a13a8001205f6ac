"""HTML of a table: the one renderer of the tables' own pages and of the report."""

from __future__ import annotations

import re
from html import escape

from sentrep.tables.layout import Cell, Row, Table

# Colours follow the reader's light or dark setting. On a narrow screen the table scrolls and its first column stays.
_STYLE = """
:root { color-scheme: light dark; --line: #8886; --soft: #8881; }
body { font: 15px/1.45 system-ui, sans-serif; margin: 1rem; background: Canvas; color: CanvasText; }
.scroll { overflow-x: auto; max-width: 100%; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; padding-bottom: .6rem; }
caption span { position: sticky; left: 0; display: inline-block; max-width: calc(100vw - 2rem); }
th, td { padding: .22rem .6rem; white-space: nowrap; text-align: right; }
:is(td, th).text { text-align: left; }
th[scope=row], th.stub { text-align: left; position: sticky; left: 0; background: Canvas; }
th[scope=row] { font-weight: normal; }
thead th { border-bottom: 1px solid var(--line); vertical-align: bottom; }
thead th[scope=colgroup] { text-align: center; }
tbody th[scope=rowgroup] { text-align: left; padding-top: .8rem; }
tbody th[scope=rowgroup] span { position: sticky; left: .6rem; }
tbody tr:not(.section):hover td { background: var(--soft); }
tr.summary th, tr.summary td { border-top: 1px solid var(--line); font-style: italic; }
.first { border-left: 1px solid var(--line); }
sup { line-height: 0; }
.tail { opacity: .75; }
table.prose td:nth-child(2), table.prose th[scope=rowgroup] { white-space: normal; text-align: left; }
table.sentences td, table.sentences th[scope=row] { white-space: normal; text-align: left; vertical-align: top; }
table.sentences th[scope=row] { position: static; min-width: 12rem; }
table.sentences td { min-width: 5rem; overflow-wrap: anywhere; }
table.sentences thead th { text-align: left; }
.sample { border: 2px solid #c60; border-radius: 4px; padding: .3rem .6rem; display: inline-block; }
.notes { font-size: .9em; max-width: 46rem; padding: 0; list-style: none; }
@media (max-width: 40rem) { body { margin: .6rem; font-size: 14px; } th, td { padding: .2rem .4rem; } }
""".strip()
_NO_BREAK_SPACE = "\u00a0"
_NUMBER = re.compile(r"[<>~≤≥+-]*[.\d]")


def page(table: Table) -> str:
    """Return a complete HTML page, which needs no other file."""
    title = escape(table.full_title)
    banner = '<p class="sample">Sample data</p>' if table.sample else ""
    return "\n".join(
        [
            "<!DOCTYPE html>",
            '<html lang="en">',
            "<head>",
            '<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{title}</title>",
            f"<style>\n{_STYLE}\n</style>",
            "</head>",
            "<body>",
            banner,
            html_table(table, title=table.full_title),
            "</body>",
            "</html>",
            "",
        ]
    )


def html_table(table: Table, identity: str = "table", title: str = "") -> str:
    """Return a table with its caption and its notes, as a fragment of a page.

    The box around the table scrolls sideways on its own. Columns without numbers have the class ``text``.

    Args:
        table: the table.
        identity: the id of the table element, unique in its page; other ids begin with it.
        title: the caption; without it, the table's own title.
    """
    kind = ' class="sentences"' if table.sentences else ' class="prose"' if table.prose else ""
    width = sum(len(names) for _, names in table.groups)
    texts = {
        place
        for place in range(width)
        if (filled := [row.cells[place].text for row in table.rows() if row.cells[place].text])
        and not any(_NUMBER.match(text) for text in filled)
    }
    lines = [
        f'<div class="scroll" tabindex="0" role="region" aria-labelledby="{identity}-caption">',
        f'<table{kind} id="{identity}">',
        f'<caption id="{identity}-caption"><span>{escape(title or table.title)}</span></caption>',
        *_columns(table, texts),
    ]
    for section in table.sections:
        lines.append("<tbody>")
        if section.heading:
            heading = f'<th scope="rowgroup" colspan="{1 + width}"><span>{escape(section.heading)}</span></th>'
            lines.append(f'<tr class="section">{heading}</tr>')
        lines += [_row(table, row, texts) for row in section.rows]
        lines.append("</tbody>")
    notes = [f"<li><sup>{letter}</sup> {escape(note)}</li>" for note, letter in table.letters.items()]
    notes += [f"<li>{escape(note)}</li>" for note in table.full_notes]
    listed = ['<ul class="notes">', *notes, "</ul>"] if notes else []
    return "\n".join([*lines, "</table>", "</div>", *listed])


def _columns(table: Table, texts: set[int]) -> list[str]:
    grouped = any(group for group, _ in table.groups)
    spans = [f'<colgroup span="{len(names)}"></colgroup>' for _, names in table.groups]
    rowspan = ' rowspan="2"' if grouped else ""
    stub = f'<th class="stub" scope="col"{rowspan}>{escape(table.stub or _NO_BREAK_SPACE)}</th>'
    groups = [
        f'<th scope="colgroup" colspan="{len(names)}" class="first">{escape(group)}</th>'
        if group
        else f'<td colspan="{len(names)}" class="first"></td>'  # an empty th would be a heading without a name
        for group, names in table.groups
    ]
    starts = _starts(table)
    headings = [
        f'<th scope="col"{_classes(first=place in starts, text=place in texts)}>{_lines(name)}</th>'
        for place, name in enumerate(name for _, names in table.groups for name in names)
    ]
    rows = [f"<tr>{stub}{''.join(groups)}</tr>", f"<tr>{''.join(headings)}</tr>"]
    if not grouped:
        rows = [f"<tr>{stub}{''.join(headings)}</tr>"]
    return ["<colgroup></colgroup>", *spans, "<thead>", *rows, "</thead>"]


def _row(table: Table, row: Row, texts: set[int]) -> str:
    starts = _starts(table)
    cells = [
        f"<td{_classes(first=place in starts, text=place in texts)}>{_cell(table, cell)}</td>"
        for place, cell in enumerate(row.cells)
    ]
    heading = f'<th scope="row">{_cell(table, row.heading)}</th>'
    return f"<tr{_classes(summary=row.summary)}>{heading}{''.join(cells)}</tr>"


def _starts(table: Table) -> set[int]:
    """Return the columns that begin a group, if the groups have headings."""
    if not any(group for group, _ in table.groups):
        return set()
    return {sum(len(names) for _, names in table.groups[:number]) for number in range(len(table.groups))}


def _lines(heading: str) -> str:
    return "<br>".join(map(escape, heading.split("<br>")))


def _classes(**given: bool) -> str:
    names = " ".join(name for name, wanted in given.items() if wanted)
    return f' class="{names}"' if names else ""


def _cell(table: Table, cell: Cell) -> str:
    text = f"<b>{_text(cell.text)}</b>" if cell.bold and cell.text else _text(cell.text)
    mark = f"<sup>{cell.mark}</sup>" if cell.mark else ""
    letter = f"<sup>{table.letters[cell.note]}</sup>" if cell.note else ""
    tail = f' <span class="tail">{_text(cell.tail)}</span>' if cell.tail else ""
    return f"{text}{mark}{letter}{tail}"


def _text(text: str) -> str:
    """Return text for HTML, with a minus sign before negative numbers."""
    return escape(re.sub(r"(^|[\s(\[])-(?=\.?\d)", r"\1−", text))
