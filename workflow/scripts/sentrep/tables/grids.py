"""Declarations of the lines, columns and cells of tables and of csv files."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict

Coordinate = Literal["row", "column", "protocol", "system", "metric", "x"]
Patterns = dict[str, str | list[str]]


class Declaration(BaseModel):
    """Refuses unknown keys and changes."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Mark(Declaration):
    """A sign after the value of a cell, shown if another metric has a value at the same place.

    Attributes:
        metric: the other metric.
        sign: the sign; by default the text of that metric.
        below: the sign is shown only if that metric is below this number.
    """

    metric: str
    sign: str = ""
    below: float | None = None


class CellView(Declaration):
    """One cell of a line: a column of a table.

    Attributes:
        heading: heading of the column; may contain coordinates in braces, such as ``{label}``.
        metric: metric to show; empty if the cell shows a coordinate.
        show: a column of :data:`sentrep.tables.values.FIELDS`; "ours" (mean or text), "published" (as published, or as
            a number if ``digits`` is given here), "either" (ours, or what is published only), "difference"; or a
            property of the system: "seeds", "state" (trained, baseline, published), "published column". The default is
            that of the line, or "ours".
            of: owner of the value: the place of the cell, its row, its system, or the item.
        row: coordinate of the value, if neither line nor column determines it.
        column: coordinate of the value.
        protocol: coordinate of the value.
        digits: number of decimals.
        significant: number of significant digits, in place of decimals.
        style: "correlation": no zero before the decimal point; "thousands": with separators; "seconds": decimals depend
            on the magnitude.
        texts: replacements for the text of the cell.
        tail: metric shown in parentheses after the value.
        spread: number of decimals of the standard deviation over seeds, shown after ±.
        interval: number of decimals of the confidence interval, shown in brackets.
        best: which value among the systems is bold.
        mark: sign after our value.
        published_mark: sign after a published value.
        footnote: metric at the same place whose text becomes a footnote; "note": the note of the value.
        only: show the column only for systems that have such values; "seeds": several seeds; "comparable": only if the
            data are not samples.
        lines: kinds of lines that show the cell; by default all.
    """

    heading: str = ""
    metric: str = ""
    show: str | None = None
    of: Literal["place", "row", "system", "item"] = "place"
    row: str | None = None
    column: str | None = None
    protocol: str | None = None
    digits: int | None = None
    significant: int | None = None
    style: Literal["plain", "correlation", "thousands", "seconds"] = "plain"
    texts: dict[str, str] = {}
    tail: str = ""
    spread: int | None = None
    interval: int | None = None
    best: Literal["highest", "lowest"] | None = None
    mark: Mark | None = None
    published_mark: Mark | None = None
    footnote: str = ""
    only: Literal["ours", "published", "both", "seeds", "comparable"] | None = None
    lines: tuple[str, ...] = ()


class GroupView(Declaration):
    """A group of columns; with ``by``, one group per system, row or other coordinate.

    Attributes:
        heading: heading of the group; may contain coordinates in braces.
        by: coordinates that distinguish the groups.
        names: names of values of the first coordinate, as ``{name}``; if given, only these values are shown, in order.
        first: patterns of the ids of the systems that come first.
        where: patterns that the coordinates match.
        cells: the columns.
    """

    heading: str = ""
    by: tuple[Coordinate, ...] = ()
    names: dict[str, str] = {}
    first: tuple[str, ...] = ()
    where: Patterns = {}
    cells: tuple[CellView, ...]


class SectionView(Declaration):
    """Lines under a common heading.

    Attributes:
        heading: heading of the section; may contain coordinates in braces; ``{years}`` are the first words of the rows.
        by: coordinate with one section per value.
        where: patterns that the coordinates of its lines match; a pattern without wildcards sets a coordinate of the
            lines.
        at: additional coordinates of the lines.
        differing: two metrics; only rows in which they differ are shown.
        show: kinds of lines to show; by default those of the table.
    """

    heading: str = ""
    by: Coordinate | None = None
    where: Patterns = {}
    at: dict[str, str] = {}
    differing: tuple[str, str] | None = None
    show: tuple[str, ...] | None = None


class LinesView(Declaration):
    """The lines of a table.

    Attributes:
        by: coordinates that distinguish the lines.
        where: as in :class:`SectionView`.
        at: as in :class:`SectionView`.
        show: several lines for each place: "ours", "published", "difference".
        heading: heading of a line; may contain coordinates in braces; by default the label of the system, or the row.
        heading_metric: metric whose text is the heading; its note becomes a footnote.
        sections: "published" (systems under the headings of the paper, then others, then baselines) or declared
            sections.
        more: declared sections after the published ones.
        summary: patterns of rows that summarise others; they show no standard deviation over seeds.
    """

    by: tuple[Coordinate, ...]
    where: Patterns = {}
    at: dict[str, str] = {}
    show: tuple[str, ...] = ()
    heading: str = ""
    heading_metric: str = ""
    sections: Literal["published"] | tuple[SectionView, ...] = (SectionView(),)
    more: tuple[SectionView, ...] = ()
    summary: tuple[str, ...] = ()


class Grid(Declaration):
    """Lines and columns."""

    lines: LinesView
    groups: tuple[GroupView, ...]
