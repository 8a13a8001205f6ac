"""The tables and figures of a paper as parts of the report."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from sentrep.report.describe import describe
from sentrep.report.figures import inline, read_title
from sentrep.report.folder import Folder
from sentrep.report.html import render
from sentrep.report.names import PAPERS, heading, identity
from sentrep.report.pages import read_page, side_by_side
from sentrep.tables.layout import Cell, Row, Section, Table

MOST_LINES = 400  # of a CSV file that is shown whole
# Files with parts of their own, or of interest to programs only.
_APART = {"claims", "deltas", "costs", "steps", "scores", "wilcoxon", "williams", "transfer"}
_TITLES = {
    "models": "All models: family, size, training time, state",
    "neighbours": "Words with extreme norms, and nearest words",
    "weighted_aggregation/kappa": "Cross-validation of kappa, the median loss's parameter",
    "weighted_aggregation/pairs": "Pairs of texts that weights are learnt and tested on",
}


@dataclass(frozen=True)
class Part:
    """One table or figure.

    Attributes:
        id: name of its elements.
        kind: "table" or "figure".
        heading: "Table 2".
        title: what it shows.
        content: the drawing or the table.
        sample: made from sample data.
        description: the course of a figure's curves.
        numbers: a figure's numbers as a table, or "".
        folded: behind a line that opens it.
    """

    id: str
    kind: str
    heading: str
    title: str
    content: Markup
    sample: bool
    description: str = ""
    numbers: Markup | str = ""
    folded: bool = False


@dataclass(frozen=True)
class Paper:
    """One paper's parts."""

    id: str
    name: str
    authors: str
    parts: tuple[Part, ...]


def papers_of(folder: Folder, sample: bool) -> list[Paper]:
    """Return the papers that the folder holds something of.

    Args:
        folder: the results.
        sample: the run is one of sample data, for parts that do not say so themselves.
    """
    found = []
    for key, (name, authors) in PAPERS.items():
        parts = [
            *[_table(folder, stem) for stem in folder.stems(key, ".html") if stem not in _APART],
            *[_figure(folder, stem) for stem in folder.stems(key, ".svg")],
            *[_numbers(folder, stem, sample) for stem in folder.stems(key, ".csv") if _stands_alone(folder, stem)],
        ]
        if parts:
            found.append(Paper(identity(f"paper/{key or 'all'}"), name, authors, tuple(parts)))
    return found


def records_table(rows: Sequence[Mapping[str, str]], title: str) -> Table:
    """Return the lines of a CSV file as a table; columns in which nothing stands are left out.

    A line is named by the first column that no line leaves empty.
    """
    columns = [name for name in rows[0] if name != "preset" and any(row[name] for row in rows)]
    first = next((name for name in columns if all(row[name] for row in rows)), columns[0])
    others = [name for name in columns if name != first]
    lines = tuple(Row(Cell(row[first]), tuple(Cell(_short(row[name])) for name in others)) for row in rows)
    headings = tuple(name.replace("_", " ") for name in others)
    return Table(title, first.replace("_", " "), (("", headings),), (Section("", lines),))


def _table(folder: Folder, stem: str) -> Part:
    table = side_by_side(read_page(folder.path(f"{stem}.html")))
    name = identity(f"results/{stem}")
    return Part(name, "table", heading(stem), table.title, render(table, name), table.sample)


def _figure(folder: Folder, stem: str) -> Part:
    path = folder.path(f"{stem}.svg")
    warning, title = read_title(path)
    rows = folder.rows(f"{stem}.csv")
    description = describe(folder.path(f"{stem}.csv")) if rows else ""
    name = identity(f"results/{stem}")
    numbers: Markup | str = ""
    if 0 < len(rows) <= MOST_LINES:
        numbers = render(records_table(rows, f"Numbers of: {title}"), f"{name}-numbers")
    drawing = inline(path, name, description or title)
    return Part(name, "figure", heading(stem), title, drawing, bool(warning), description, numbers)


def _numbers(folder: Folder, stem: str, sample: bool) -> Part:
    rows = folder.rows(f"{stem}.csv")
    title = _TITLES.get(stem, heading(stem))
    name = identity(f"results/{stem}")
    return Part(name, "table", heading(stem), title, render(records_table(rows, title), name), sample, folded=True)


def _stands_alone(folder: Folder, stem: str) -> bool:
    if stem in _APART or folder.has(f"{stem}.html") or folder.has(f"{stem}.svg"):
        return False
    return 0 < len(folder.rows(f"{stem}.csv")) <= MOST_LINES


def _short(text: str) -> str:
    """Write a decimal number with at most five digits that count."""
    if re.fullmatch(r"-?\d+\.\d{4,}(e[+-]?\d+)?", text):
        return f"{float(text):.5g}"
    return text
