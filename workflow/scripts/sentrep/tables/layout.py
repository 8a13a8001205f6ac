"""Represent the layout of a table (cells, rows, sections and notes) independently of the output format.

:mod:`sentrep.tables.markup` renders this layout as Markdown, LaTeX and HTML, with bold type and daggers as in a paper.
The CSV file of a table does not use this layout and contains plain numbers, because it is meant for programs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

SAMPLE_NOTE = (
    "The pairs are hand-written samples, not SemEval data, so the values cannot be compared with published values."
)


@dataclass(frozen=True)
class Cell:
    """A cell of a table.

    Attributes:
        text: the main value.
        tail: text after the main value, such as a second value in parentheses; never bold.
        bold: whether the main value is shown in bold, as the best value.
        mark: sign after the value, such as † or ‡.
        note: text of a footnote; cells with the same footnote share a letter.
    """

    text: str = ""
    tail: str = ""
    bold: bool = False
    mark: str = ""
    note: str = ""


@dataclass(frozen=True)
class Row:
    """A row of a table; ``summary`` is True if the row summarises other rows, for example by their means."""

    heading: Cell
    cells: tuple[Cell, ...]
    summary: bool = False


@dataclass(frozen=True)
class Section:
    """A group of rows of a table under a common heading."""

    heading: str
    rows: tuple[Row, ...]


@dataclass(frozen=True)
class Table:
    """A complete table that can be rendered in any format.

    Attributes:
        title: title of the table.
        stub: heading of the first column, which contains the headings of the rows.
        groups: for each group of columns, the heading of the group (may be empty) and the headings of the columns.
        sections: the rows, grouped by heading.
        notes: sentences below the table.
        sample: whether to mark the table as based on sample data, in every format.
        sample_note: description of the sample data.
        prose: whether the second column contains sentences, which are aligned left and wrapped.
        sentences: whether all cells contain sentences.
        letters: mapping from the text of each footnote to its letter.
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
        """Check that each row has one cell per column, and assign a letter to each footnote."""
        width = sum(len(columns) for _, columns in self.groups)
        for row in self.rows():
            if len(row.cells) != width:
                raise ValueError(f"row {row.heading.text!r}: expected {width} cells, found {len(row.cells)}")
            for cell in (row.heading, *row.cells):
                if cell.note and cell.note not in self.letters:
                    self.letters[cell.note] = chr(ord("a") + len(self.letters))

    def rows(self) -> Iterator[Row]:
        """Yield the rows of all sections."""
        for section in self.sections:
            yield from section.rows

    @property
    def full_title(self) -> str:
        """The title; it begins with "SAMPLE:" if the table shows sample data."""
        return f"SAMPLE: {self.title}" if self.sample else self.title

    @property
    def full_notes(self) -> tuple[str, ...]:
        """The notes; if the table shows sample data, a description of these data comes first."""
        return (self.sample_note, *self.notes) if self.sample else self.notes
