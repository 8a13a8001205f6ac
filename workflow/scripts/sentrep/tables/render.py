"""Write tables as CSV, Markdown, LaTeX and HTML files, and figures as CSV, SVG and PDF files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path

import pandas as pd

from sentrep.io.csv_files import write_csv
from sentrep.io.files import write_text
from sentrep.provenance.published_record import check_values, update_record
from sentrep.sources.published import OURS
from sentrep.tables import style
from sentrep.tables.build import build_frame, build_table
from sentrep.tables.layout import Table
from sentrep.tables.markup import RENDERERS
from sentrep.tables.values import Value, Values
from sentrep.tables.views import TableView, read_views


def write_table(table: Table, frame: pd.DataFrame, outputs: Mapping[str, str | Path]) -> None:
    """Write a table in all requested formats.

    Args:
        table: table to write in all formats except CSV.
        frame: contents of the CSV file.
        outputs: path for each requested format: "csv", "md", "tex" or "html".
    """
    for kind, path in outputs.items():
        if kind == "csv":
            write_csv(path, frame)
        else:
            write_text(path, RENDERERS[kind](table))


def write_item(name: str, values: Sequence[Value], outputs: Mapping[str, Path]) -> None:
    """Write a declared table or figure in all requested formats.

    Args:
        name: name of the declaration, ``<paper>/<item>``.
        values: values of the items that :meth:`sentrep.tables.views.Views.items` returns for this name.
        outputs: path for each requested format: "csv", "md", "tex" or "html" for tables; "csv", "svg" or "pdf" for
            figures.

    Raises:
        SentrepError: no table or figure has this name.
    """
    views = read_views()
    view, item = views.view(name), views.item(name)
    if isinstance(view, TableView):
        write_table(build_table(view, values), build_frame(view.csv, values), outputs)
        return
    module, function = view.kind.split(".")
    draw = getattr(import_module(f"sentrep.tables.{module}"), function)
    own = [value for value in values if f"{value.paper}/{value.item}" == item]
    baselines = [value for value in values if value.baseline and f"{value.paper}/{value.item}" == view.baselines]
    sample = any(value.metric == "sample" and value.text == "True" for value in own)
    note = view.options.get("sample_note", style.SAMPLE_TEXT) if sample else ""
    drawings = {kind: path for kind, path in outputs.items() if kind != "csv"}
    style.save(draw(view, [*own, *baselines]), drawings, view.title, note)
    if "csv" in outputs:
        write_csv(outputs["csv"], build_frame(view.csv, own))


def render_folder(folder: str | Path) -> list[str]:
    """Rewrite the tables and figures in a folder from the file ``values.csv`` in this folder.

    Tables are written as CSV, Markdown and HTML files, and figures as CSV and SVG files. Tables and figures without
    values in ``values.csv`` are skipped, and so are those of papers that the run does not include.

    Args:
        folder: folder of a published run.

    Returns:
        The names of the tables and figures that were written.

    Raises:
        SentrepError: ``values.csv`` is missing or invalid, or differs from the file that the run wrote.
    """
    folder, views = Path(folder), read_views()
    check_values(folder)
    by_item: dict[str, list[Value]] = {}
    for value in Values.read(folder / "values.csv").rows():
        by_item.setdefault(f"{value.paper}/{value.item}", []).append(value)
    papers = {item.split("/")[0] for item in by_item}
    written = []
    for name in (*views.tables, *views.figures):
        if views.item(name) in by_item and name.split("/")[0] in papers:
            stem = name.removeprefix(f"{OURS}/")
            kinds = ("csv", "md", "html") if name in views.tables else ("csv", "svg")
            values = [value for needed in views.items(name) for value in by_item.get(needed, [])]
            write_item(name, values, {kind: folder / f"{stem}.{kind}" for kind in kinds})
            written.append(stem)
    update_record(folder)
    return written
