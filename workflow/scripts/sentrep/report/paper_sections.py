"""Build the report sections on the papers, with the results listed in ``workflow/tables.yaml`` and in :data:`LISTS`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pandas as pd
from markupsafe import Markup

from sentrep.report.figure_descriptions import describe
from sentrep.report.inline_figures import inline_figure
from sentrep.report.list_tables import fragment, list_table
from sentrep.report.papers import PAPERS, number, subject
from sentrep.report.result_files import ResultFiles
from sentrep.sources.published import OURS
from sentrep.tables.build import build_frame, build_table
from sentrep.tables.layout import Table
from sentrep.tables.values import Value, Values
from sentrep.tables.views import FigureView, TableView, read_views

MOST_ROWS = 400  # if a figure has more rows of numbers than this, the report does not show them as a table
# If a figure description has more characters than this, it is used only as a text alternative, not as a caption.
MOST_LETTERS = 200
# Titles of results that tables.yaml does not declare as tables. The report shows the contents of their CSV files.
LISTS = {
    "sentrep/neighbours": "Words with the shortest or longest vectors, and nearest neighbours of words",
    "weighted_aggregation/kappa": "Cross-validation of kappa, the parameter of the median loss",
    "weighted_aggregation/pairs": "Number of text pairs for training, validation and testing, and length of the texts",
}


@dataclass(frozen=True)
class Part:
    """A table or figure shown in the report.

    Attributes:
        id: id of the HTML element.
        number: number in the paper, such as "Table 2"; empty if there is none.
        title: title of the table or figure.
        content: HTML of the table or drawing.
        sample: whether the values were computed from sample data.
        is_figure: whether the part is a figure.
        open: whether the part is initially expanded.
        caption: description of the curves in a figure; empty if there is none, or if it is too long for a caption.
        more: HTML of the collapsed section below the part, which contains the complete table or the numbers in the
            figure; None if there is no such section.
    """

    id: str
    number: str
    title: str
    content: Markup
    sample: bool = False
    is_figure: bool = False
    open: bool = False
    caption: str = ""
    more: Markup | None = None


@dataclass(frozen=True)
class Paper:
    """A report section on one paper or on all systems, with tables and figures."""

    id: str
    name: str
    authors: str
    parts: tuple[Part, ...]


def paper_sections(files: ResultFiles, values: Values) -> list[Paper]:
    """Return the report's section on all systems and its sections on the papers, in the order of the report.

    Sections for which the run has no results are omitted. In each section, the figures and the first table are
    initially expanded.
    """
    views, recorded = read_views(), files.provenance().get("results", {})
    available: dict[str, list[Value]] = {}
    for value in values.rows():
        available.setdefault(f"{value.paper}/{value.item}", []).append(value)

    def path_of(name: str, suffix: str) -> Path | None:
        """Return the path of a result; None if the file does not exist or does not belong to the run."""
        path = f"{name.removeprefix(f'{OURS}/')}{suffix}"
        of_run = (name if name in LISTS else views.item(name)) in available or f"results/{path}" in recorded
        return files.root / path if of_run and (files.root / path).exists() else None

    found = []
    for paper, (paper_name, authors) in PAPERS.items():
        parts: list[Part] = []
        for name in sorted({*views.tables, *views.figures, *LISTS}, key=_reading_order):
            if not name.startswith(f"{paper}/"):
                continue
            if name in LISTS:
                parts += [_list(name, path)] if (path := path_of(name, ".csv")) else []
                continue
            view = views.view(name)
            shown = available.get(views.item(name), [])
            if isinstance(view, FigureView):
                parts += [_figure(name, view, shown, path)] if (path := path_of(name, ".svg")) else []
            elif shown:
                parts.append(_table(name, view, shown))
        if parts:
            first = next((part for part in parts if not part.is_figure), None)
            shown_first = tuple(replace(part, open=part.is_figure or part is first) for part in parts)
            found.append(Paper(_identity(f"paper-{paper}"), paper_name, authors, shown_first))
    return found


def _table(name: str, view: TableView, values: Sequence[Value]) -> Part:
    identity, table, more = _identity(name), build_table(view, values), None
    if brief := view.shortened():
        table, more = build_table(brief, values), fragment(table, f"{identity}-whole")
    return Part(identity, number(name), subject(table.title), fragment(table, identity), table.sample, more=more)


def _figure(name: str, view: FigureView, values: Sequence[Value], drawing: Path) -> Part:
    identity, frame, title = _identity(name), build_frame(view.csv, values), subject(view.title)
    sample = any(value.metric == "sample" and value.text == "True" for value in values)
    numbers = _frame_table(f"Numbers in the figure: {title}", frame) if 0 < len(frame) <= MOST_ROWS else None
    description = describe(values, str(view.options.get("x_label", "x")))
    return Part(
        identity,
        number(name),
        title,
        inline_figure(drawing, identity, description or title),
        sample,
        is_figure=True,
        caption=description if len(description) <= MOST_LETTERS else "",
        more=fragment(numbers, f"{identity}-numbers") or None,
    )


def _list(name: str, path: Path) -> Part:
    table = _frame_table(LISTS[name], pd.read_csv(path, dtype=str, keep_default_na=False))
    return Part(_identity(name), number(name), LISTS[name], fragment(table, _identity(name)))


def _frame_table(title: str, frame: pd.DataFrame) -> Table | None:
    """Convert a data frame of texts to a table for the report; return None if the frame has no rows.

    Empty columns and the column ``preset`` are omitted, and numbers with many decimals are rounded.
    """
    used = frame.loc[:, (frame != "").any()].drop(columns="preset", errors="ignore")
    headings = [str(column).replace("_", " ") for column in used]
    return list_table(title, headings, used.map(_shortened).to_numpy().tolist())


def _reading_order(name: str) -> tuple[bool, bool, int, str]:
    """Return a sort key that puts numbered tables first, then numbered figures, and then all other results."""
    kind = name.rstrip("0123456789")
    number = name.removeprefix(kind)
    return not number, kind.endswith("figure"), int(number or 0), name


def _identity(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.lower())


def _shortened(text: str) -> str:
    """Round a number with at least four decimals to five significant digits; return any other text unchanged."""
    return f"{float(text):.5g}" if re.fullmatch(r"-?\d+\.\d{4,}(e[+-]?\d+)?", text) else text
