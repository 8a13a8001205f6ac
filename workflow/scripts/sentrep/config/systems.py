"""The systems that a table compares: models, matched with a paper's columns by their `reported` entries."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sentrep.config.planned import Model, System
from sentrep.errors import unknown_name
from sentrep.evaluation.sts.sets import STANDARD
from sentrep.sources.published import Published, paper_of


def headline(models: Iterable[Model], papers: Mapping[str, Published]) -> list[System]:
    """Return all models as systems of the table of sentence-pair sets.

    Args:
        models: in the order of the columns.
        papers: published values by paper.

    Returns:
        One system per model; ``reported`` is its first entry with published values of these sets, or None.
    """
    return [
        _system(model, next((entry for entry in model.reported if _has_sets(entry, papers)), None)) for model in models
    ]


def of_paper(
    models: Iterable[Model], papers: Mapping[str, Published], paper: str, table: int | None = None
) -> list[System]:
    """Return the systems of one paper's table: its columns in its order, then the untrained baselines.

    Args:
        models: candidates, of which the reported ones and the baselines are used.
        papers: published values by paper.
        paper: name of the paper.
        table: number of the table; columns without a model become systems whose ``id`` is None. None returns the models
            of all tables of the paper, in their own order.

    Raises:
        SentrepError: there is no such paper.
    """
    shown = [
        (model, [r for r in model.reported if r["paper"] == paper and table in (None, r["table"])]) for model in models
    ]
    systems = [_system(model, found[0] if found else None) for model, found in shown if found or model.baseline]
    if table is None:
        return systems
    columns = paper_of(dict(papers), paper).columns(table)
    return [*_in_order(systems, paper, table, columns), *(system for system in systems if not system.reported)]


def of_models(
    models: Iterable[Model], paper: Published, name: str, table: int, others: Mapping[str, str] | None = None
) -> list[System]:
    """Return the systems of a table of scored models: columns in the paper's order, then other models.

    Args:
        models: scored models.
        paper: published values of the paper.
        name: name of the paper.
        table: number of the table.
        others: column of the paper -> id of a system that is not a model, such as an ensemble.
    """
    systems = [
        _system(model, next((r for r in model.reported if (r["paper"], r["table"]) == (name, table)), None))
        for model in models
    ]
    systems += [System(i, c, False, (1,), _entry(name, table, c)) for c, i in (others or {}).items()]
    rest = [system for system in systems if not system.reported]
    return [*_in_order(systems, name, table, paper.columns(table)), *sorted(rest, key=lambda system: system.baseline)]


def unfilled(
    models: Iterable[Model], papers: Mapping[str, Published], tables: Mapping[Any, Iterable[int]]
) -> list[System]:
    """Return the systems that papers report but no model reproduces, each name once.

    Args:
        models: all models.
        papers: published values by paper.
        tables: numbers of the tables whose columns are systems, by paper.

    Returns:
        The systems. If a paper reports a name in several tables, ignoring case, a model of any of them counts.

    Raises:
        SentrepError: there is no such paper.
    """
    filled = {(entry["paper"], entry["column"].lower()) for model in models for entry in model.reported}
    found: dict[str, System] = {}
    for paper, numbers in tables.items():
        for table in numbers:
            for column in paper_of(dict(papers), paper).columns(table):
                if (paper, column.lower()) not in filled:
                    found.setdefault(column.lower(), _published(paper, table, column))
    return list(found.values())


def check_reported(models: Iterable[Model], papers: Mapping[str, Published]) -> None:
    """Check that each `reported` entry names a published column.

    Raises:
        SentrepError: a table or column is unknown. A misspelt name would otherwise remove the model from the table.
    """
    for model in models:
        where = f"config.models.{model.id}.reported"
        for entry in model.reported:
            columns = paper_of(dict(papers), entry["paper"], where).columns(entry["table"])
            if entry["column"] not in columns:
                kind = f"column of table {entry['table']} of {entry['paper']}"
                raise unknown_name(where, kind, entry["column"], columns)


def _in_order(systems: Sequence[System], paper: str, table: int, columns: Iterable[str]) -> list[System]:
    """Return the systems in the order of a table's columns, with a published system where a column has no model."""
    ordered: list[System] = []
    for column in columns:
        filled = [system for system in systems if system.reported and system.reported["column"] == column]
        ordered += filled or [_published(paper, table, column)]
    return ordered


def _published(paper: str, table: int, column: str) -> System:
    return System(None, column, reported=_entry(paper, table, column))


def _entry(paper: str, table: int, column: str) -> dict[str, Any]:
    return {"paper": paper, "table": table, "column": column}


def _has_sets(entry: Mapping[str, Any], papers: Mapping[str, Published]) -> bool:
    values = papers[entry["paper"]]
    rows = (f"{standard.year} {standard.label}" for standard in STANDARD)
    return any(values.text(entry["table"], row, entry["column"], "pearson") for row in rows)


def _system(model: Model, reported: dict[str, Any] | None) -> System:
    return System(model.id, model.label, model.baseline, model.seeds, reported)
