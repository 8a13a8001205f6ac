"""Tables as the report shows them: a box that scrolls sideways alone, headings that sort, notes below."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from markupsafe import Markup, escape

from sentrep.report.sorting import is_numeric, sort_keys
from sentrep.tables.layout import Cell, Row, Table

LONG = 24  # letters of a heading of lines that may be broken
MANY_GROUPS = 5  # from so many on, a reader may choose which to see


def render(table: Table, identity: str) -> Markup:
    """Return a table, its caption and its notes.

    Args:
        table: the table.
        identity: a name for its elements, unique in the report.
    """
    columns = _columns(table)
    sortable = not table.prose and sum(1 for _ in table.rows()) > 1
    rows = list(table.rows())
    keys = [sort_keys([(row.heading, *row.cells)[place] for row in rows]) for place in range(1 + len(columns))]
    numeric = [is_numeric(column) or not any(column) for column in keys]
    body, number = [], 0
    for section in table.sections:
        body.append(Markup("<tbody>"))
        if section.heading:
            body.append(
                Markup('<tr class="section"><th scope="rowgroup" colspan="{}"><span>{}</span></th></tr>').format(
                    1 + len(columns), section.heading
                )
            )
        for row in section.rows:
            body.append(_row(table, row, [column[number] for column in keys] if sortable else None, numeric))
            number += 1
        body.append(Markup("</tbody>"))
    kinds = " ".join(name for name, wanted in (("sortable", sortable), ("prose", table.prose)) if wanted)
    head = [Markup("<thead>"), *_head(table, numeric if sortable else None), Markup("</thead>")]
    spans = [Markup('<colgroup span="{}"></colgroup>').format(len(names)) for _, names in table.groups]
    chooser = _chooser(table, identity) if len(table.groups) >= MANY_GROUPS and any(g for g, _ in table.groups) else ""
    return Markup(
        '{}<div class="scroll" tabindex="0" role="region" aria-labelledby="{}-caption">\n'
        '<table id="{}"{}>\n<caption id="{}-caption"><span>{}</span></caption>\n{}\n</table>\n</div>\n{}'
    ).format(
        chooser,
        identity,
        identity,
        Markup(' class="{}"').format(kinds) if kinds else "",
        identity,
        table.title,
        Markup("\n").join([Markup("<colgroup></colgroup>"), *spans, *head, *body]),
        notes(table),
    )


def notes(table: Table) -> Markup:
    """Return the notes below a table: first lettered ones, then the others."""
    lines = [Markup("<li><sup>{}</sup> {}</li>").format(letter, note) for note, letter in table.letters.items()]
    lines += [Markup("<li>{}</li>").format(note) for note in table.full_notes]
    return Markup('<ul class="notes">{}</ul>\n').format(Markup("").join(lines)) if lines else Markup("")


def _columns(table: Table) -> list[tuple[int, str]]:
    return [(group, name) for group, (_, names) in enumerate(table.groups) for name in names]


def _head(table: Table, numeric: Sequence[bool] | None) -> list[Markup]:
    columns = _columns(table)
    starts = _starts(table)
    grouped = any(name for name, _ in table.groups)
    first = Markup('<th class="stub" scope="col"{}{}>{}</th>').format(
        Markup(' rowspan="2"') if grouped else "", _kind(numeric, 0), table.stub or Markup("&nbsp;")
    )
    names = [
        Markup('<th scope="col"{}{}>{}</th>').format(
            Markup(' class="first"') if place in starts else "", _kind(numeric, place + 1), _lines(name)
        )
        for place, (_, name) in enumerate(columns)
    ]
    if not grouped:
        return [Markup("<tr>{}{}</tr>").format(first, Markup("").join(names))]
    named = Markup('<th scope="colgroup" colspan="{}" class="first">{}</th>')
    nameless = Markup('<td colspan="{}" class="first">{}</td>')  # a heading without a text is none
    groups = [(named if name else nameless).format(len(columns), name) for name, columns in table.groups]
    return [
        Markup("<tr>{}{}</tr>").format(first, Markup("").join(groups)),
        Markup("<tr>{}</tr>").format(Markup("").join(names)),
    ]


def _kind(numeric: Sequence[bool] | None, place: int) -> Markup | str:
    """Mark a heading that sorts: numbers begin with the highest, texts with the first of the alphabet."""
    if numeric is None:
        return ""
    return Markup(' data-type="{}"').format("number" if numeric[place] else "text")


def _starts(table: Table) -> set[int]:
    """Return the columns that begin a group."""
    if not any(name for name, _ in table.groups):
        return set()
    return {sum(len(names) for _, names in table.groups[:number]) for number in range(len(table.groups))}


def _row(table: Table, row: Row, keys: Sequence[str] | None, numeric: Sequence[bool]) -> Markup:
    starts = _starts(table)
    cells = [
        Markup("<td{}{}>{}</td>").format(
            _classes(first=place in starts, text=not numeric[place + 1]),
            Markup(' data-sort="{}"').format(keys[place + 1]) if keys else "",
            _content(table, cell),
        )
        for place, cell in enumerate(row.cells)
    ]
    return Markup('<tr{}><th scope="row"{}{}>{}</th>{}</tr>').format(
        Markup(' class="summary"') if row.summary else "",
        Markup(' class="long"') if len(row.heading.text + row.heading.tail) > LONG else "",
        Markup(' data-sort="{}"').format(keys[0]) if keys else "",
        _content(table, row.heading),
        Markup("").join(cells),
    )


def _classes(**wanted: bool) -> Markup | str:
    names = " ".join(name for name, given in wanted.items() if given)
    return Markup(' class="{}"').format(names) if names else ""


def _content(table: Table, cell: Cell) -> Markup:
    text = escape(_minus(cell.text))
    parts = [Markup("<b>{}</b>").format(text) if cell.bold and cell.text else text]
    parts += [Markup("<sup>{}</sup>").format(cell.mark)] if cell.mark else []
    parts += [Markup("<sup>{}</sup>").format(table.letters[cell.note])] if cell.note else []
    parts += [Markup(' <span class="tail">{}</span>').format(_minus(cell.tail))] if cell.tail else []
    return Markup("").join(parts)


def _lines(name: str) -> Markup:
    return Markup("<br>").join(escape(part) for part in name.split("<br>"))


def _minus(text: str) -> str:
    """Write minus signs before numbers."""
    return re.sub(r"(^|[\s(\[])-(?=\.?\d)", r"\1−", text)


def _chooser(table: Table, identity: str) -> Markup:
    """Return a list to choose column groups from; it stays hidden where scripts do not run."""
    starts = [*sorted(_starts(table)), len(_columns(table))]
    options = [
        Markup('<option value="{}-{}">{}</option>').format(begin + 1, end, name)
        for (name, _), (begin, end) in zip(table.groups, pairwise(starts), strict=True)
    ]
    return Markup(
        '<p class="chooser" hidden><label for="{}-columns">Columns</label> '
        '<select id="{}-columns" data-table="{}"><option value="">all</option>{}</select></p>\n'
    ).format(identity, identity, identity, Markup("").join(options))
