"""Declarations of the lines, columns and cells of tables and of csv files."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict

Coordinate = Literal["row", "column", "protocol", "system", "metric", "x"]
Patterns = dict[str, str | list[str]]


class Declaration(BaseModel):
    """Base class of declarations, which refuse unknown keys and are immutable."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Mark(Declaration):
    """A sign after the value of a cell, shown if another metric has a value at the same place.

    Attributes:
        metric: the other metric.
        sign: the sign; by default the text of the other metric.
        below: show the sign only if the other metric is below this number.
    """

    metric: str
    sign: str = ""
    below: float | None = None


class CellView(Declaration):
    """One cell of a line: a column of a table.

    Attributes:
        heading: heading of the column; may contain coordinates in braces, such as ``{label}``.
        metric: metric to show; empty if the cell shows a coordinate.
        show: what the cell shows of the value: "ours" (mean or text), "published" (as published, or as a number if
            ``digits`` is given here), "either" (ours, or the published value if there is none of ours), "difference",
            or any column of :data:`sentrep.tables.values.FIELDS`. It can also be a property of the system: "seeds",
            "state" (trained, baseline or published) or "published column". The default is the kind of the line, or
            "ours".
        of: what the value describes: the place of the cell, its row, its system, or the whole item.
        row: row of the value, if neither the line nor the column of the table determines it.
        column: column of the value, likewise.
        protocol: protocol of the value, likewise.
        digits: number of decimals.
        significant: number of significant digits, instead of ``digits``.
        style: "correlation" omits the zero before the decimal point, "thousands" adds separators, and "seconds" chooses
            the number of decimals by magnitude.
        texts: replacements for the text of the cell.
        tail: metric shown in parentheses after the value.
        spread: number of decimals of the standard deviation over seeds, which is shown after ±.
        interval: number of decimals of the confidence interval, which is shown in brackets.
        best: whether the highest or the lowest value among the systems is bold.
        mark: sign after our value.
        published_mark: sign after a published value.
        footnote: metric at the same place whose text becomes a footnote, or "note" for the note of the value.
        only: condition for showing the column: the system has a value of ours, a published value, both, or several
            seeds; or "comparable", if the data are not samples.
        lines: kinds of lines that show the cell; all by default.
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
        names: display name of each value of the first coordinate in ``by``, used as ``{name}`` in headings; if given,
            only these values are shown, in this order.
        first: patterns for the ids of the systems that are shown first.
        where: patterns that the coordinates must match.
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
        heading: heading of the section; may contain coordinates in braces. ``{years}`` is replaced by the first words
            of the rows, joined by "and".
        by: coordinate of which each value gets its own section.
        where: patterns that the coordinates of the lines must match; a pattern without wildcards also sets that
            coordinate.
        at: additional coordinates of the lines.
        differing: two metrics; only rows in which these differ are shown.
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
        show: kinds of lines to show for each place: "ours", "published", "difference"; if empty, there is one line for
            each place.
        heading: heading of a line; may contain coordinates in braces; by default the label of the system, or the row.
        heading_metric: metric whose text is the heading of the line, and whose note becomes a footnote.
        sections: declared sections, or "published", which lists the systems under the headings of the paper, then
            systems that are not in the paper's table, then baselines.
        more: declared sections that follow the published ones.
        summary: patterns for rows that summarise others; these rows show no standard deviation over seeds.
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
    """The lines and the groups of columns of a table or a csv file."""

    lines: LinesView
    groups: tuple[GroupView, ...]
