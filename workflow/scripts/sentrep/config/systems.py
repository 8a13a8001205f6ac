"""Which models a table shows beside which printed columns: read from the models' `reported` entries."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sentrep.config.plan import Model
from sentrep.errors import unknown_name
from sentrep.evaluation.sts.sets import STANDARD
from sentrep.tables.reported import Reported, paper_of

Entry = dict[str, Any]


def headline(models: Iterable[Model], papers: Mapping[str, Reported]) -> list[Entry]:
    """Describe all models for the table of the sentence-pair sets.

    Args:
        models: in the order of the columns.
        papers: reported values by paper.

    Returns:
        {"id", "label", "floor", "seeds", "reported"} of each; ``reported`` is its first entry that prints values of
        these sets, or None.
    """
    return [
        _describe(model, next((entry for entry in model.reported if _prints_sets(entry, papers)), None))
        for model in models
    ]


def of_paper(
    models: Iterable[Model], papers: Mapping[str, Reported], paper: str, table: int | None = None
) -> list[Entry]:
    """Describe what belongs into one paper's table: its columns in its order, then the floors.

    Args:
        models: of which those that the paper prints, and floors, are taken.
        papers: reported values by paper.
        paper: its name.
        table: its number. Each column that no model fills then has an entry of its own, ``id`` None, to be
            reprinted. None: models of any of the paper's tables, in their own order.

    Raises:
        SentrepError: there is no such paper.
    """
    values = paper_of(papers, paper)
    entries = []
    for model in models:
        shown = [r for r in model.reported if r["paper"] == paper and table in (None, r["table"])]
        if shown or model.floor:
            entries.append(_describe(model, shown[0] if shown else None))
    if table is None:
        return entries
    ordered = []
    for column in values.columns(table):
        filled = [entry for entry in entries if entry["reported"] and entry["reported"]["column"] == column]
        ordered += filled or [reprinted(paper, table, column)]
    return [*ordered, *(entry for entry in entries if not entry["reported"])]


def reprinted(paper: str, table: int, column: str) -> Entry:
    """Describe a column that a paper prints and no model fills."""
    reported = {"paper": paper, "table": table, "column": column}
    return {"id": None, "label": column, "floor": False, "seeds": [], "reported": reported}


def unfilled(
    models: Iterable[Model], papers: Mapping[str, Reported], tables: Mapping[str, Iterable[int]]
) -> list[Entry]:
    """Describe the systems that papers print and no model fills, each name once.

    Args:
        models: all of them.
        papers: reported values by paper.
        tables: by paper, the tables whose columns are systems.

    Returns:
        As :func:`of_paper`; a name that a paper prints in several tables, with small or capital letters, is filled by a
        model of any of them.

    Raises:
        SentrepError: there is no such paper.
    """
    filled = {(entry["paper"], entry["column"].lower()) for model in models for entry in model.reported}
    found: dict[str, Entry] = {}
    for paper, numbers in tables.items():
        for table in numbers:
            for column in paper_of(papers, paper).columns(table):
                if (paper, column.lower()) not in filled:
                    found.setdefault(column.lower(), reprinted(paper, table, column))
    return list(found.values())


def check_reported(models: Iterable[Model], papers: Mapping[str, Reported]) -> None:
    """Check that each `reported` entry names a column that is printed.

    Raises:
        SentrepError: a paper, table or column is not known; a misspelt one would leave a table without it.
    """
    for model in models:
        where = f"models.{model.id}.reported"
        for entry in model.reported:
            values = paper_of(papers, entry["paper"], where)
            columns = values.columns(entry["table"])
            if entry["column"] not in columns:
                kind = f"column of table {entry['table']} of {entry['paper']}"
                raise unknown_name(where, kind, entry["column"], columns)


def _prints_sets(entry: Mapping[str, Any], papers: Mapping[str, Reported]) -> bool:
    values = papers[entry["paper"]]
    rows = (f"{standard.year} {standard.label}" for standard in STANDARD)
    return any(values.text(entry["table"], row, entry["column"], "pearson") for row in rows)


def _describe(model: Model, reported: Entry | None) -> Entry:
    return {
        "id": model.id,
        "label": model.label,
        "floor": model.floor,
        "seeds": list(model.seeds),
        "reported": reported,
    }
