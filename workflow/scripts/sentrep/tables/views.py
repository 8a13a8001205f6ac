"""Read ``workflow/tables.yaml``, which declares how each table and figure presents its values.

A table has lines and columns. Each line and each column determines some coordinates of a value (row, column, system,
protocol, x), and a cell shows the value at the coordinates of its line, its column and its own declaration. The csv
file of a table or figure is declared in the same way. :mod:`sentrep.tables.build` builds tables from declarations.

The values that belong to one table or figure are called an item. Several tables can show the same item.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, ValidationError

from sentrep.errors import SentrepError, unknown_name
from sentrep.io.yaml_files import read_yaml
from sentrep.tables.grids import Declaration, Grid

VIEWS = Path(__file__).resolve().parents[3] / "tables.yaml"


class NoteView(Declaration):
    """A sentence below a table. It is omitted if the item lacks a value that the sentence names in braces.

    Attributes:
        text: the sentence. A metric in braces, such as ``{pairs:,}``, is replaced by the value of this metric for the
            whole item, ``{baselines}`` by the names of the baselines, and ``{several}`` by the names of the systems
            with several seeds. The text ``{note}`` stands for all notes of the item.
        when: condition for showing the sentence, if any: the item has differences ("difference"), published values
            ("published"), sample data ("sample"), no sample data ("not sample"), or a value of the named metric.
    """

    text: str
    when: str = ""


class Brief(Grid):
    """The declaration of the brief version of a wide table. The brief version contains what most readers need.

    Attributes:
        title: title of the brief table; by default, the title of the wide table.
        notes: sentences below the brief table.
    """

    title: str = ""
    notes: tuple[NoteView, ...] = ()


class TableView(Grid):
    """The declaration of a table.

    Attributes:
        item: item whose values the table shows, ``<paper>/<item>``; by default, the item with the table's name.
        title: title of the table.
        sample_title: title to use for sample data; by default ``title``.
        stub: heading of the first column.
        systems: "lines" if each line shows a system, so that systems are compared within columns; "columns" if each
            column shows a system, so that systems are compared within lines.
        best_published: the part of a column in which the best published value is bold: the whole "table" or each
            "section"; ignored if ``systems`` is "columns".
        mark_baselines: whether baselines with a higher value than every trained system are marked with ‡.
        notes: sentences below the table.
        sample_note: sentence that describes the sample data; by default, it states that the pairs are hand-written.
        prose: whether the first column of cells contains sentences.
        brief: the part of a wide table that the report shows first; the whole table follows in a collapsed section.
        csv: lines and columns of the CSV file.
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
        """Return the declaration of the brief version of this table, or None if it has none."""
        if self.brief is None:
            return None
        own = {name: getattr(self.brief, name) for name in ("lines", "groups", "notes")}
        return self.model_copy(update={**own, "title": self.brief.title or self.title})


class FigureView(Declaration):
    """The declaration of a figure.

    Attributes:
        kind: function that draws the figure, as ``<module>.<function>`` in :mod:`sentrep.tables`.
        title: title of the figure.
        item: the item whose values the figure shows; by default, the item with the figure's name.
        baselines: another item, whose untrained baselines are also drawn.
        options: options of the function that draws the figure.
        csv: lines and columns of the CSV file.
    """

    kind: str
    title: str
    item: str = ""
    baselines: str = ""
    options: dict[str, Any] = Field(default_factory=dict)
    csv: Grid


class Views(Declaration):
    """The declarations of all tables and figures by name, ``<paper>/<item>``.

    The files of a table or figure in ``results/`` also have this name, but without ``sentrep/`` for our own items.
    """

    tables: dict[str, TableView]
    figures: dict[str, FigureView] = Field(default_factory=dict)

    def view(self, name: str) -> TableView | FigureView:
        """Return the declaration of a table or figure.

        Raises:
            SentrepError: no table or figure has this name.
        """
        known: dict[str, TableView | FigureView] = {**self.tables, **self.figures}
        if name not in known:
            raise unknown_name(VIEWS.name, "table or figure", name, known)
        return known[name]

    def item(self, name: str) -> str:
        """Return the item whose values a table or figure shows."""
        return self.view(name).item or name

    def items(self, name: str) -> list[str]:
        """Return the item that a table or figure shows, and the item in ``baselines`` if a figure declares one."""
        view = self.view(name)
        return [self.item(name), *([view.baselines] if isinstance(view, FigureView) and view.baselines else [])]

    def declaration(self, name: str) -> dict[str, Any]:
        """Return the declaration of a table or figure as plain data.

        If the declaration changes, Snakemake creates the table or figure again.
        """
        return self.view(name).model_dump(mode="json", exclude_defaults=True)

    def module(self, name: str) -> str:
        """Return the dotted name of the module that draws a figure."""
        return f"sentrep.tables.{self.figures[name].kind.split('.')[0]}"


@cache
def read_views(path: Path = VIEWS) -> Views:
    """Read the declarations of all tables and figures.

    If a declaration has the key ``extends``, settings that it lacks are taken from the declaration that this key names.

    Raises:
        SentrepError: the file is missing or is not valid YAML, or one of its declarations is not valid.
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
            path,
            expected="valid declarations of tables and figures",
            found=f"an invalid declaration ({error})",
            remedy="correct the invalid declaration",
        ) from None


def _extended(declared: dict[str, dict[str, Any]], name: str) -> dict[str, Any]:
    own = dict(declared[name])
    base = own.pop("extends", None)
    return {**_extended(declared, base), **own} if base else own
