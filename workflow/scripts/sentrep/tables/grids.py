"""Define how the lines, columns and cells of tables and CSV files are declared.

Each value has the coordinates row, column, protocol, system, metric and x (see :mod:`sentrep.tables.values`). The place
of a line or column of a table consists of the coordinates that all values in the line or column share
(:class:`sentrep.tables.places.Place`). The place of a cell combines the places of its line and its column.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BeforeValidator, Discriminator, Field, Tag

from sentrep.runtime.settings import Section

Coordinate = Literal["row", "column", "protocol", "system", "metric", "x"]
Patterns = dict[str, Annotated[list[str], BeforeValidator(lambda given: [given] if isinstance(given, str) else given)]]
"""Patterns for the fields of a value, keyed by the name of the field. In YAML, a single pattern need not be a list."""


class Mark(Section):
    """A sign after the value in a cell, shown only if another metric has a value at the same place.

    Attributes:
        metric: the other metric.
        sign: sign to show; by default, the text of the other metric's value.
        below: show the sign only if the value of the other metric is below this number.
    """

    metric: str
    sign: str = ""
    below: float | None = None


class CellView(Section):
    """The declaration of a column: the value that each of its cells shows, and the format of this value.

    Attributes:
        heading: heading of the column; may contain names in braces (see :meth:`sentrep.tables.places.Place.fill`).
        metric: metric to show; if empty, the metric that the place of the cell determines.
        show: what to show of the value: "ours" (our mean or text), "published" (the published value as text or, if
            ``show`` and ``digits`` are both given, as a number), "either" (our value or, if we have none, the published
            value), "difference", or any column of :data:`sentrep.tables.values.FIELDS`. The default is the kind of the
            line, or "ours" if the line has no kind. If ``metric`` is empty, ``show`` can instead name a coordinate or
            one of these properties: "name" and "label" (of the place), "seeds" (the number of seeds), "state" (whether
            the system is trained, a baseline or only published) and "published column" (the system's column in the
            paper, if it has published values).
        of: whether the shown value describes the "place" of the cell, its "row", its "system" or the whole "item".
        row: row of the value, instead of the row that the place of the cell determines.
        column: column of the value, instead of the one that the place of the cell determines.
        protocol: protocol of the value, instead of the one that the place of the cell determines.
        digits: number of decimals.
        significant: number of significant digits, instead of ``digits``.
        style: "correlation" omits the zero before the decimal point, "thousands" adds thousands separators, and
            "seconds" chooses the number of decimals by magnitude.
        texts: mapping from texts of cells to replacement texts.
        tail: another metric, whose value is shown in parentheses after the value.
        spread: number of decimals of the standard deviation over seeds, which is shown after ±.
        interval: number of decimals of the confidence interval, which is shown in brackets.
        best: whether the "highest" or the "lowest" value is shown in bold as the best; None for no bold values.
        mark: sign after our value.
        published_mark: sign after a published value.
        footnote: metric whose value at the same place is the text of a footnote; "note" stands for the note of the
            value that the cell shows.
        only: condition for showing the column: we have values of the system ("ours"), the system has published values
            ("published"), both are true ("both"), the system has several seeds ("seeds"), or the data are not sample
            data ("comparable").
        lines: kinds of lines in which the cell is filled; all by default.
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
    texts: dict[str, str] = Field(default_factory=dict)
    tail: str = ""
    spread: int | None = None
    interval: int | None = None
    best: Literal["highest", "lowest"] | None = None
    mark: Mark | None = None
    published_mark: Mark | None = None
    footnote: str = ""
    only: Literal["ours", "published", "both", "seeds", "comparable"] | None = None
    lines: tuple[str, ...] = ()


class GroupView(Section):
    """The declaration of a group of columns, or of several similar groups.

    If ``by`` is given, there is one group for each combination of values of the coordinates in ``by``.

    Attributes:
        heading: heading of the group; may contain names in braces (see :meth:`sentrep.tables.places.Place.fill`).
        by: coordinates that distinguish the groups.
        names: display name of each value of the first coordinate in ``by``, used as ``{name}`` in headings; if given,
            values without a display name are not shown. If ``by`` has one coordinate, the values are shown in the order
            of ``names``.
        first: patterns for the ids of the systems that are shown first.
        where: patterns that the values in the group must match (see :class:`SectionView`).
        cells: the columns of the group.
    """

    heading: str = ""
    by: tuple[Coordinate, ...] = ()
    names: dict[str, str] = Field(default_factory=dict)
    first: tuple[str, ...] = ()
    where: Patterns = Field(default_factory=dict)
    cells: tuple[CellView, ...]


class SectionView(Section):
    """The declaration of a table section, that is, of a group of lines with a common heading.

    Attributes:
        heading: heading of the section; may contain coordinates in braces. ``{years}`` is replaced by the distinct
            first words of the row names, joined by "and".
        by: coordinate that divides the lines into several sections, one for each value of the coordinate.
        where: mapping from fields of a value to patterns that these fields must match (see
            :func:`sentrep.tables.places.matches`); values that do not match are left out. If the pattern for a
            coordinate other than the metric is a single text without wildcards or ``!``, this text is also the value of
            the coordinate in all lines of the section.
        at: additional coordinates of the lines.
        differing: two metrics; only lines in which the values of these metrics differ are shown.
        show: kinds of lines to show; by default, the kinds that the whole table shows.
    """

    heading: str = ""
    by: Coordinate | None = None
    where: Patterns = Field(default_factory=dict)
    at: dict[str, str] = Field(default_factory=dict)
    differing: tuple[str, str] | None = None
    show: tuple[str, ...] | None = None


class LinesView(Section):
    """The declaration of the lines of a table.

    Attributes:
        by: coordinates that distinguish the lines.
        where: patterns that the values in all lines must match (see :class:`SectionView`).
        at: additional coordinates of all lines.
        show: kinds of lines to show for each place: "ours", "published", "difference"; if empty, there is one line for
            each place.
        heading: heading of a line, which may contain coordinates in braces; by default, the label of the system or the
            name of the row.
        heading_metric: metric that provides the heading of each line: the text of its value is the heading, and the
            note of this value becomes a footnote.
        sections: declared sections, or "published". With "published", the systems in the paper's table come first,
            under the headings of the paper, followed by other trained systems and then by other baselines.
        more: declared sections at the end of the table; used only if ``sections`` is "published".
        summary: patterns for the names of rows that summarise other rows; such rows show no standard deviation over
            seeds.
    """

    by: tuple[Coordinate, ...]
    where: Patterns = Field(default_factory=dict)
    at: dict[str, str] = Field(default_factory=dict)
    show: tuple[str, ...] = ()
    heading: str = ""
    heading_metric: str = ""
    sections: Annotated[
        Annotated[Literal["published"], Tag("text")] | Annotated[tuple[SectionView, ...], Tag("list")],
        Discriminator(lambda given: "text" if isinstance(given, str) else "list"),
    ] = (SectionView(),)
    more: tuple[SectionView, ...] = ()
    summary: tuple[str, ...] = ()


class Grid(Section):
    """The declaration of the lines and the groups of columns of a table or CSV file."""

    lines: LinesView
    groups: tuple[GroupView, ...]
