"""Every number that a paper prints, beside ours: how many are near, and each of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from sentrep.report.folder import Folder
from sentrep.report.html import render
from sentrep.report.names import PAPERS
from sentrep.tables.layout import Cell, Row, Section, Table

COLUMNS = ("paper", "table", "row", "column", "metric", "reported", "ours", "sd", "low", "high", "difference", "class")


def part(folder: Folder) -> dict[str, Any] | None:
    """Return this part of the report: a sentence, counts, and a table per paper; None without ``deltas.csv``."""
    rows = folder.rows("deltas.csv", COLUMNS)
    if not rows:
        return None
    names = dict.fromkeys(row["paper"] for row in rows)
    papers = {paper: [row for row in rows if row["paper"] == paper] for paper in names}
    with_ours = sum(bool(row["ours"]) for row in rows)
    return {
        "sentence": f"{len(rows):,} numbers that the papers print; beside {with_ours:,} of them stands ours.",
        "counts": render(_counts(papers), "deltas-counts"),
        "papers": [
            (f"{_name(paper)}: {len(group):,} numbers", render(_numbers(paper, group), f"deltas-{paper}"))
            for paper, group in papers.items()
        ],
    }


def _name(paper: str) -> str:
    return PAPERS.get(paper, (paper, ""))[0]


def _counts(papers: Mapping[str, Sequence[Mapping[str, str]]]) -> Table:
    classes = list(dict.fromkeys(row["class"] for group in papers.values() for row in group if row["class"]))
    lines = []
    for paper, group in papers.items():
        number = Counter(row["class"] for row in group)
        lines.append(Row(Cell(_name(paper)), tuple(Cell(f"{number[name]:,}") for name in classes)))
    return Table("How near ours are", "Paper", (("", tuple(classes)),), (Section("", tuple(lines)),))


def _numbers(paper: str, rows: Sequence[Mapping[str, str]]) -> Table:
    sections: dict[str, list[Row]] = {}
    for row in rows:
        interval = f"{row['low']} to {row['high']}" if row["low"] else ""
        values = ("column", "metric", "reported", "ours", "sd")
        cells = [*(Cell(row[name]) for name in values), Cell(interval), Cell(row["difference"]), Cell(row["class"])]
        sections.setdefault(f"Table {row['table']}", []).append(Row(Cell(row["row"]), tuple(cells)))
    headings = ("column", "measure", "reported", "ours", "sd over seeds", "95% interval", "difference", "class")
    title = f"{_name(paper)}: every printed number beside ours"
    shown = tuple(Section(name, tuple(lines)) for name, lines in sections.items())
    return Table(title, "Row", (("", headings),), shown)
