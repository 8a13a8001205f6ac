"""A table as it is shown: cells, rows, sections and notes, in no format yet.

The csv file holds plain numbers for programs; the other formats hold the same numbers in the layout of a paper, with
its bold and daggers. :mod:`sentrep.tables.markup` writes them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

SAMPLE_NOTE = "Hand-written sample pairs, not SemEval data: no number here can be compared with the paper's."


@dataclass(frozen=True)
class Cell:
    """One cell.

    Attributes:
        text: the main value.
        tail: what follows it, never bold: the value in parentheses.
        bold: the row's best.
        mark: a sign after the value: † or ‡.
        note: text of a footnote; equal texts share a letter.
    """

    text: str = ""
    tail: str = ""
    bold: bool = False
    mark: str = ""
    note: str = ""


@dataclass(frozen=True)
class Row:
    """A line of a table: its heading and its cells."""

    heading: Cell
    cells: tuple[Cell, ...]
    summary: bool = False


@dataclass(frozen=True)
class Section:
    """Lines under a common heading."""

    heading: str
    rows: tuple[Row, ...]


@dataclass(frozen=True)
class Table:
    """A table as it is shown.

    Attributes:
        title: one sentence.
        stub: heading of the first column.
        groups: column groups, each a heading and its columns' headings; one empty heading for a lone column.
        sections: the lines.
        notes: sentences below the table.
        sample: made from the sample pairs; every rendering says so.
        sample_note: what these samples are.
        prose: the first column of cells holds sentences: they begin at the left and are broken into lines.
        sentences: all cells do.
    """

    title: str
    stub: str
    groups: tuple[tuple[str, tuple[str, ...]], ...]
    sections: tuple[Section, ...]
    notes: tuple[str, ...] = ()
    sample: bool = False
    sample_note: str = SAMPLE_NOTE
    prose: bool = False
    sentences: bool = False
    letters: dict[str, str] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        """Check the shape and give each footnote a letter."""
        width = sum(len(columns) for _, columns in self.groups)
        for row in self.rows():
            if len(row.cells) != width:
                raise ValueError(f"{row.heading.text}: {len(row.cells)} cells for {width} columns")
            for cell in (row.heading, *row.cells):
                if cell.note and cell.note not in self.letters:
                    self.letters[cell.note] = chr(ord("a") + len(self.letters))

    def rows(self) -> Iterator[Row]:
        """Yield all lines."""
        for section in self.sections:
            yield from section.rows

    @property
    def full_title(self) -> str:
        """The title, beginning with SAMPLE where that is what it shows."""
        return f"SAMPLE: {self.title}" if self.sample else self.title

    @property
    def full_notes(self) -> tuple[str, ...]:
        """The notes, beginning with what sample data are."""
        return (self.sample_note, *self.notes) if self.sample else self.notes
