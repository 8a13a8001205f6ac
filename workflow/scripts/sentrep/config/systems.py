"""List the systems in each table by matching models with the published columns that their ``reported`` entries name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sentrep.config.planned import Model, System
from sentrep.errors import unknown_name
from sentrep.evaluation.sts.sets import STANDARD
from sentrep.sources.published import Published


def headline(models: Iterable[Model], papers: Mapping[str, Published]) -> list[System]:
    """Return the systems in results/table1, the table of sentence-pair scores.

    Args:
        models: models to show, in the order of the columns.
        papers: published values, by paper.

    Returns:
        One system per model. Its ``reported`` attribute is the first of the model's ``reported`` entries that names a
        column with published scores on sentence-pair sets, or None if no entry does.
    """
    return [
        _system(model, next((entry for entry in model.reported if _has_sets(entry, papers)), None)) for model in models
    ]


def of_paper(
    models: Iterable[Model], papers: Mapping[str, Published], paper: str, table: int | None = None
) -> list[System]:
    """Return the systems in a table of a paper: the table's columns in order, then the untrained baselines.

    Args:
        models: models of the run. The models for which the table reports values become systems, and so do the untrained
            baselines.
        papers: published values, by paper.
        paper: name of the paper that contains the table.
        table: number of the table. Columns that no model reproduces become systems with the id None. If ``table`` is
            None, the systems are the untrained baselines and the models for which any table of the paper reports
            values, in the order of ``models``.
    """
    shown = [
        (model, [r for r in model.reported if r["paper"] == paper and table in (None, r["table"])]) for model in models
    ]
    systems = [_system(model, found[0] if found else None) for model, found in shown if found or model.baseline]
    if table is None:
        return systems
    columns = papers[paper].columns(table)
    return [*_in_order(systems, paper, table, columns), *(system for system in systems if not system.reported)]


def of_models(
    models: Iterable[Model], paper: Published, name: str, table: int, others: Mapping[str, str] | None = None
) -> list[System]:
    """Return the systems in a table of scores: first the columns of the paper's table in order, then the other models.

    A column with neither a model nor an entry in ``others`` becomes a system that has only published values. Untrained
    baselines come last.

    Args:
        models: models for which the run has scores.
        paper: published values of the paper that contains the table.
        name: name of the paper.
        table: number of the table in the paper.
        others: mapping from columns of the table to the ids of systems that are not models, such as an ensemble.
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
    """Return the systems for which papers report values, but which no model reproduces.

    Args:
        models: all models of the run.
        papers: published values, by paper.
        tables: for each paper, the numbers of the tables whose columns are systems.

    Returns:
        One system for each distinct name, ignoring case. A system that is a column of several tables of a paper counts
        as reproduced if a model reproduces it in at least one of these tables.
    """
    filled = {(entry["paper"], entry["column"].lower()) for model in models for entry in model.reported}
    found: dict[str, System] = {}
    for paper, numbers in tables.items():
        for table in numbers:
            for column in papers[paper].columns(table):
                if (paper, column.lower()) not in filled:
                    found.setdefault(column.lower(), _published(paper, table, column))
    return list(found.values())


def check_reported(models: Iterable[Model], papers: Mapping[str, Published]) -> None:
    """Check that each ``reported`` entry names a published column.

    Without this check, a misspelt name in an entry would silently remove the model from the paper's table.

    Raises:
        SentrepError: a table or column is unknown.
    """
    for model in models:
        where = f"config.models.{model.id}.reported"
        for entry in model.reported:
            columns = papers[entry["paper"]].columns(entry["table"])
            if entry["column"] not in columns:
                kind = f"column of table {entry['table']} of {entry['paper']}"
                raise unknown_name(where, kind, entry["column"], columns)


def _in_order(systems: Sequence[System], paper: str, table: int, columns: Iterable[str]) -> list[System]:
    """Return the systems that have a column in a table, in the order of the columns.

    For a column without a system, the list contains a new system that has only published values.
    """
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
