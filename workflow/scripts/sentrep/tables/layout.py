"""Tables: one description, written as CSV, Markdown, LaTeX and HTML.

The CSV holds plain numbers for programs; the other three hold the same numbers in the layout of a paper,
with its bold and daggers. Whoever builds a table describes cells; how they look in each language is in
:mod:`sentrep.tables.markup`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path

import pandas as pd

from sentrep.io.csv_files import write_csv
from sentrep.io.files import atomic_file

DIGITS = 4
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


def correlation(value: float, digits: int = DIGITS) -> str:
    """Write a correlation as the paper does, without the zero before the point: ``.4379``.

    The decimal number is rounded half up, away from zero; the empty string stands for NaN.
    """
    if math.isnan(value):
        return ""
    # round() first: a mean of four-digit numbers such as .12345 is stored as .12344999...
    exact = Decimal(repr(round(float(value), 10))).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP)
    text = f"{abs(exact):f}".removeprefix("0")
    return f"-{text}" if exact < 0 else text


def difference(value: float, digits: int = DIGITS) -> str:
    """Write a difference with its sign: ``+.0123``."""
    text = correlation(value, digits)
    return text if not text or text.startswith("-") or not text.strip(".0") else f"+{text}"


def pair_cell(r: float, rho: float, bold: bool = False, mark: str = "", spread: float = math.nan) -> Cell:
    """Return the cell ``r (rho)``; a spread over seeds follows r as ``±.012``."""
    if math.isnan(r):
        return Cell()
    text = correlation(r) + ("" if math.isnan(spread) else f" ±{correlation(spread, 3)}")
    return Cell(text, f"({correlation(rho)})" if not math.isnan(rho) else "", bold, mark)


def best(values: Mapping[str, float]) -> set[str]:
    """Return the keys of the highest value as printed; all of them where several print alike."""
    printed = {
        key: Decimal(correlation(value).replace("-.", "-0.")) for key, value in values.items() if not math.isnan(value)
    }
    return {key for key, value in printed.items() if value == max(printed.values())}


def write_table(table: Table, data: pd.DataFrame, outputs: Mapping[str, str | Path]) -> None:
    """Write a table in every format asked for.

    Args:
        table: the table as shown.
        data: its numbers, for the CSV; columns that hold correlations are floats and get four digits.
        outputs: path by format: "csv", "md", "tex", "html".
    """
    from sentrep.tables.markup import RENDERERS

    for kind, path in outputs.items():
        if kind == "csv":
            write_csv(path, data, float_format=f"%.{DIGITS}f")
            continue
        with atomic_file(path) as temporary:
            temporary.write_text(RENDERERS[kind](table), encoding="utf-8")
