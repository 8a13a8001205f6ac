"""Read a table back from its HTML page, which holds all that a reader sees: the inverse of ``markup.page``."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

from sentrep.errors import SentrepError
from sentrep.tables.layout import SAMPLE_NOTE, Cell, Row, Section, Table

_SAMPLE = "SAMPLE: "
# What follows a line's heading where a system's values stand below each other.
OURS, REPORTED, REPRINTED, DIFFERENCE = "(ours)", "(reported)", "(reprinted)", "difference"


def read_page(path: str | Path) -> Table:
    """Return the table of a page that :func:`sentrep.tables.markup.page` wrote.

    Raises:
        SentrepError: the file is no such page.
    """
    text = Path(path).read_text(encoding="utf-8")
    try:
        element = ElementTree.fromstring(re.search(r"<table.*</table>", text, re.DOTALL)[0])  # type: ignore[index]
        notes = ElementTree.fromstring((re.search(r'<ul class="notes">.*</ul>', text, re.DOTALL) or ["<ul/>"])[0])
        return _table(element, notes, sample='<p class="sample">' in text)
    except (TypeError, AttributeError, ValueError, ElementTree.ParseError) as error:
        raise SentrepError(
            path, expected="a table page of this pipeline", found=str(error), remedy="make that table again"
        ) from None


def _table(element: ElementTree.Element, notes: ElementTree.Element, sample: bool) -> Table:
    lettered = {item[0].text: (item[0].tail or "")[1:] for item in notes if len(item)}
    plain = tuple(item.text or "" for item in notes if not len(item))
    title = "".join(element.find("caption").itertext())  # type: ignore[union-attr]
    head = element.find("thead")
    names = iter([_text(th) for th in head[-1] if "stub" not in th.get("class", "")])  # type: ignore[index]
    grouped = len(head) > 1  # type: ignore[arg-type]
    headings = [_text(th) for th in head[0][1:]] if grouped else []  # type: ignore[index]
    spans = [int(group.get("span", 0)) for group in element.findall("colgroup")[1:]]
    groups = tuple(
        (headings[place] if grouped else "", tuple(next(names) for _ in range(span)))
        for place, span in enumerate(spans)
    )
    return Table(
        title=title.removeprefix(_SAMPLE) if sample else title,
        stub=_text(head[0][0]).strip(),  # type: ignore[index]
        groups=groups,
        sections=tuple(_section(body, lettered) for body in element.findall("tbody")),
        notes=plain[1:] if sample else plain,
        sample=sample,
        sample_note=plain[0] if sample and plain else SAMPLE_NOTE,
        prose=element.get("class") == "prose",
    )


def _section(body: ElementTree.Element, notes: dict[str | None, str]) -> Section:
    heading = next((_text(tr) for tr in body if tr.get("class") == "section"), "")
    rows = tuple(
        Row(_cell(tr[0], notes), tuple(_cell(td, notes) for td in tr[1:]), tr.get("class") == "summary")
        for tr in body
        if tr.get("class") != "section"
    )
    return Section(heading, rows)


def _cell(element: ElementTree.Element, notes: dict[str | None, str]) -> Cell:
    bold = element.find("b")
    text = _text(bold) if bold is not None else element.text or ""
    letters = [sup.text for sup in element.findall("sup") if sup.text in notes]
    marks = [sup.text or "" for sup in element.findall("sup") if sup.text not in notes]
    tail = element.find("span[@class='tail']")
    return Cell(
        text=_hyphens(text if bold is not None else text.rstrip()),
        tail="" if tail is None else _hyphens(_text(tail)),
        bold=bold is not None,
        mark="".join(marks),
        note=notes[letters[0]] if letters else "",
    )


def _text(element: ElementTree.Element) -> str:
    return "".join(element.itertext())


def _hyphens(text: str) -> str:
    """Turn the minus signs that the page has before numbers back into hyphens."""
    return re.sub(r"(^|[\s(])−(?=\.?\d)", r"\1-", text)


def side_by_side(table: Table) -> Table:
    """Put lines of one system that stand below each other into columns: ours, reported, difference.

    So a line holds all of one system and can be sorted. A table without such lines is returned as it is.
    """
    tails = {row.heading.tail for row in table.rows()}
    if table.prose or OURS not in tails:
        return table
    sections = tuple(Section(section.heading, tuple(_merged(section.rows))) for section in table.sections)
    width = len(table.groups and [name for _, names in table.groups for name in names])
    kinds = ("ours", "reported", "difference")
    used = [
        [k for k in range(3) if any(_filled(row.cells[3 * place + k]) for s in sections for row in s.rows)]
        for place in range(width)
    ]
    labels = [f"{group} {name}".strip() for group, names in table.groups for name in names]
    kept = [place for place in range(width) if used[place]]
    return Table(
        title=table.title,
        stub=table.stub,
        groups=tuple((labels[place], tuple(kinds[k] for k in used[place])) for place in kept),
        sections=tuple(
            Section(
                section.heading,
                tuple(
                    Row(row.heading, tuple(row.cells[3 * p + k] for p in kept for k in used[p]), row.summary)
                    for row in section.rows
                ),
            )
            for section in sections
        ),
        notes=table.notes,
        sample=table.sample,
        sample_note=table.sample_note,
    )


def _merged(rows: tuple[Row, ...]) -> list[Row]:
    """Return a line per system; its cells are ours, reported, difference of the first measure, then of the next."""
    systems: list[dict[str, Row]] = []
    for row in rows:
        kind = REPORTED if row.heading.tail == REPRINTED else row.heading.tail
        follows = kind in (REPORTED, DIFFERENCE) and systems and kind not in systems[-1] and OURS in systems[-1]
        if row.heading.tail == REPRINTED or not follows:
            systems.append({})
        systems[-1][kind if kind in (OURS, REPORTED, DIFFERENCE) else OURS] = row
    merged = []
    for system in systems:
        first = next(iter(system.values()))
        printed = system.get(REPORTED)
        tail = first.heading.tail if first.heading.tail == REPRINTED else ""
        if OURS in system and printed and printed.heading.text not in ("", first.heading.text):
            tail = f"(printed as {printed.heading.text})"
        heading = Cell(first.heading.text, tail, note=first.heading.note)
        width = len(first.cells)
        cells = [
            system[kind].cells[place] if kind in system else Cell()
            for place in range(width)
            for kind in (OURS, REPORTED, DIFFERENCE)
        ]
        merged.append(Row(heading, tuple(cells), first.summary))
    return merged


def _filled(cell: Cell) -> bool:
    return bool(cell.text or cell.tail)
