"""The layout of a table: cells, rows, sections and notes, independent of the output format.

The csv file contains plain numbers for programs. The other formats contain the same numbers in the layout of a paper,
with bold type and daggers, and are written by :mod:`sentrep.tables.markup`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

SAMPLE_NOTE = "Hand-written sample pairs, not SemEval data: these numbers cannot be compared with the paper's."


@dataclass(frozen=True)
class Cell:
    """One cell.

    Attributes:
        text: the main value.
        tail: text after it, such as the value in parentheses; never bold.
        bold: whether it is the best of its row.
        mark: sign after the value: † or ‡.
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
    """A table to be rendered.

    Attributes:
        title: one sentence.
        stub: heading of the first column.
        groups: column groups, each with a heading and the headings of its columns; a single column may have an empty
            heading.
        sections: the lines.
        notes: sentences below the table.
        sample: whether it is made from sample data; every format states this.
        sample_note: description of the samples.
        prose: whether the first column of cells contains sentences, which are aligned left and wrapped.
        sentences: whether all cells contain sentences.
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
        """Check the shape and assign a letter to each footnote."""
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
        """The title, which begins with SAMPLE if the table shows sample data."""
        return f"SAMPLE: {self.title}" if self.sample else self.title

    @property
    def full_notes(self) -> tuple[str, ...]:
        """The notes, which begin with a description of the sample data if there are any."""
        return (self.sample_note, *self.notes) if self.sample else self.notes
