"""Read ``workflow/tables.yaml``, which declares how each table and figure presents its values.

A table has lines and columns. Each value has coordinates (row, column, system, protocol, metric, x). The line and the
column of a cell together determine the coordinates of the value that the cell shows. The CSV file of a table or figure
also has lines and columns, which are declared in the same way. :mod:`sentrep.tables.build` builds tables from
declarations.

An item is a set of values, such as those of one table or figure of a paper. Several tables can show the same item.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, ValidationError

from sentrep.errors import unknown_name
from sentrep.io.project import WORKFLOW
from sentrep.io.yaml_files import read_yaml
from sentrep.runtime.settings import Section
from sentrep.runtime.validation_errors import one_line
from sentrep.tables.grids import Grid

VIEWS = WORKFLOW / "tables.yaml"


class NoteView(Section):
    """A sentence below a table. It is omitted if the item lacks a value that the sentence names in braces.

    Attributes:
        text: the sentence. A metric in braces, such as ``{pairs:,}``, is replaced by the value of this metric for the
            whole item, ``{baselines}`` by the labels of the baselines, and ``{several}`` by the labels of the systems
            with several seeds, each followed by its number of seeds in parentheses. If the text is only ``{note}``, all
            notes of the item are shown.
        when: condition for showing the sentence, which is always shown by default: "sample" (the values come from
            sample data) or "difference" (the item has published values, and its values do not come from sample data).
    """

    text: str
    when: Literal["", "sample", "difference"] = ""


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
        item: name of the item whose values the table shows, ``<paper>/<item>``; by default, the name of the table.
        title: title of the table.
        sample_title: title of the table for sample data; by default, ``title``.
        stub: heading of the first column, which contains the headings of the lines.
        systems: "lines" if each line shows a system, so that systems are compared within columns; "columns" if each
            column shows a system, so that systems are compared within lines.
        best_published: whether the best published value of a column, which is shown in bold, is determined for the
            whole "table" or for each "section"; ignored if ``systems`` is "columns".
        mark_baselines: whether baselines with a higher value than every trained system are marked with ‡.
        notes: sentences below the table.
        sample_note: sentence that describes the sample data; by default, it states that the pairs are hand-written.
        prose: whether the second column contains sentences.
        brief: declaration of the brief version of a wide table; None if there is none. The report shows the brief
            version, followed by the full table in a collapsed section.
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
        """Return the declaration of the brief version of this table, or None if the table has no brief version."""
        if self.brief is None:
            return None
        own = {name: getattr(self.brief, name) for name in ("lines", "groups", "notes")}
        return self.model_copy(update={**own, "title": self.brief.title or self.title})


class FigureView(Section):
    """The declaration of a figure.

    Attributes:
        kind: function that draws the figure, as ``<module>.<function>`` in :mod:`sentrep.tables`.
        title: title of the figure.
        item: name of the item whose values the figure shows, ``<paper>/<item>``; by default, the name of the figure.
        baselines: name of another item, whose untrained baselines are also drawn; "" for none.
        options: options of the function that draws the figure, and ``sample_note``, the sentence that marks a figure
            with sample data.
        csv: lines and columns of the CSV file.
    """

    kind: str
    title: str
    item: str = ""
    baselines: str = ""
    options: dict[str, Any] = Field(default_factory=dict)
    csv: Grid


class Views(Section):
    """The declarations of all tables and figures, keyed by their names, ``<paper>/<item>``.

    The files of a table or figure in ``results/`` are named after it, but without the prefix ``sentrep/``, which marks
    tables and figures that are not in any paper.
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
        """Return the name of the item whose values a table or figure shows."""
        return self.view(name).item or name

    def items(self, name: str) -> list[str]:
        """Return the names of all items whose values a table or figure shows.

        A figure shows the values of its own item and, if ``baselines`` names another item, the baselines of that item.
        """
        view = self.view(name)
        return [self.item(name), *([view.baselines] if isinstance(view, FigureView) and view.baselines else [])]

    def declaration(self, name: str) -> dict[str, Any]:
        """Return the declaration of a table or figure as plain data.

        The declaration is a parameter of the Snakemake rule for the table or figure, so Snakemake creates the table or
        figure again if the declaration changes.
        """
        return self.view(name).model_dump(mode="json", exclude_defaults=True)

    def module(self, name: str) -> str:
        """Return the dotted name of the module that draws a figure."""
        return f"sentrep.tables.{self.figures[name].kind.split('.')[0]}"


@cache
def read_views(path: Path = VIEWS) -> Views:
    """Read the declarations of all tables and figures.

    If a declaration has the key ``extends``, this key names another declaration, from which missing settings are taken.

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
        raise one_line(error, Views, f"{path}, ") from None


def _extended(declared: dict[str, dict[str, Any]], name: str) -> dict[str, Any]:
    own = dict(declared[name])
    base = own.pop("extends", None)
    return {**_extended(declared, base), **own} if base else own
