"""Declarations of tables and figures, ``workflow/tables.yaml``: the arrangement of an item's values.

A table has lines and columns. Each line and each column names some coordinates of a value (row, column, system,
protocol, x), and a cell shows the value at the coordinates of its line, its column and its own declaration. The csv
file of a table is declared in the same way. :mod:`sentrep.tables.build` makes tables from declarations.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from sentrep.errors import SentrepError, unknown_name
from sentrep.io.yaml_files import read_yaml

VIEWS = Path(__file__).resolve().parents[3] / "tables.yaml"
Coordinate = Literal["row", "column", "protocol", "system", "metric", "x"]
Patterns = dict[str, str | list[str]]


class _Declaration(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Mark(_Declaration):
    """A sign after the value of a cell, shown if another metric has a value at the same place.

    Attributes:
        metric: the other metric.
        sign: the sign; by default the text of that metric.
        below: the sign is shown only if that metric is below this number.
    """

    metric: str
    sign: str = ""
    below: float | None = None


class CellView(_Declaration):
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


class GroupView(_Declaration):
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


class SectionView(_Declaration):
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


class LinesView(_Declaration):
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


class Grid(_Declaration):
    """Lines and columns."""

    lines: LinesView
    groups: tuple[GroupView, ...]


class NoteView(_Declaration):
    """A sentence below a table; omitted if a fact in braces is missing.

    Attributes:
        text: the sentence; facts of the item are written in braces, such as ``{pairs:,}``.
        when: condition for showing it: "difference", "published", "sample", "not sample", or a metric.
    """

    text: str
    when: str = ""


class Brief(Grid):
    """The part of a wide table that most readers look for, with its own notes; ``title``, if not the table's."""

    title: str = ""
    notes: tuple[NoteView, ...] = ()


class TableView(Grid):
    """A table.

    Attributes:
        item: the item whose values it shows, ``<paper>/<item>``; by default the item of the same name.
        title: one sentence.
        sample_title: the title, if the data are samples.
        stub: heading of the first column.
        systems: whether systems are lines or columns; the best systems are bold.
        best_published: lines among which the best published value is bold.
        mark_baselines: mark baselines above every trained system by ‡.
        notes: sentences below the table.
        sample_note: description of the samples, if they are not sentence pairs.
        prose: whether the first column of cells contains sentences.
        brief: the part that the report shows in place of a wide table; the whole table follows it, folded.
        csv: lines and columns of the csv file.
    """

    item: str = ""
    title: str
    sample_title: str = ""
    stub: str = ""
    systems: Literal["lines", "columns"]
    best_published: Literal["table", "section"] = "table"
    mark_baselines: bool = False
    notes: tuple[NoteView, ...] = ()
    sample_note: str = ""
    prose: bool = False
    brief: Brief | None = None
    csv: Grid

    def shortened(self) -> TableView | None:
        """Return the declaration of the brief table; None if there is none."""
        if self.brief is None:
            return None
        own = {name: getattr(self.brief, name) for name in ("lines", "groups", "notes")}
        return self.model_copy(update={**own, "title": self.brief.title or self.title})


class FigureView(_Declaration):
    """A figure.

    Attributes:
        kind: function that draws it, as ``<module>.<function>`` in :mod:`sentrep.tables`.
        title: one sentence.
        item: the item whose values it shows; by default the item of the same name.
        options: options of that function.
        csv: lines and columns of the csv file.
    """

    kind: str
    title: str
    item: str = ""
    options: dict[str, Any] = {}
    csv: Grid


class Views(_Declaration):
    """All tables and figures by name, ``<paper>/<item>``: the path of the files below ``results/``."""

    tables: dict[str, TableView]
    figures: dict[str, FigureView] = Field(default_factory=dict)

    def view(self, name: str) -> TableView | FigureView:
        """Return a table or figure by name.

        Raises:
            SentrepError: the table or figure does not exist.
        """
        known: dict[str, TableView | FigureView] = {**self.tables, **self.figures}
        if name not in known:
            raise unknown_name(VIEWS.name, "table or figure", name, known)
        return known[name]

    def item(self, name: str) -> str:
        """Return the item whose values a table or figure shows."""
        return self.view(name).item or name

    def declaration(self, name: str) -> dict[str, Any]:
        """Return the declaration of a table or figure; a change triggers its rule."""
        return self.view(name).model_dump(mode="json", exclude_defaults=True)

    def module(self, name: str) -> str:
        """Return the module that draws a figure."""
        return f"sentrep.tables.{self.figures[name].kind.split('.')[0]}"


@cache
def read_views(path: Path = VIEWS) -> Views:
    """Read the declarations.

    A declaration with ``extends`` inherits the settings of another one that it does not override.

    Raises:
        SentrepError: the file is missing or violates the schema.
    """
    try:
        raw = read_yaml(path)
        raw.pop("templates", None)
        for declared in raw.values():
            for name in declared:
                declared[name] = _extended(declared, name)
        return Views.model_validate(raw)
    except ValidationError as error:
        raise SentrepError(
            path, expected="valid declarations", found=" ".join(str(error).split()), remedy="correct the declaration"
        ) from None


def _extended(declared: dict[str, dict[str, Any]], name: str) -> dict[str, Any]:
    own = dict(declared[name])
    base = own.pop("extends", None)
    return {**_extended(declared, base), **own} if base else own
