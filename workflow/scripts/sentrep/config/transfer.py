"""What is scored on transfer tasks: models and seeds, checked against the configuration."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from sentrep.config.plan import Model, Plan
from sentrep.errors import SentrepError, unknown_name
from sentrep.evaluation.transfer.readers import READERS
from sentrep.sources.registry import read_sources
from sentrep.tables.reported import Reported, paper_of


def scored_models(plan: Plan, settings: Mapping[str, Any]) -> list[Model]:
    """Return the models to score, with the seeds to score.

    Args:
        plan: all models.
        settings: the configuration's section `transfer`.

    Raises:
        SentrepError: a model is not known.
    """
    for key in ("models", "ensemble"):
        for name in settings[key] or []:
            if name not in plan.models:
                raise unknown_name(f"transfer.{key}", "model", name, plan.models)
    chosen = [m for m in plan.models.values() if m.column] if settings["models"] is None else []
    chosen = chosen or [plan.models[name] for name in settings["models"] or []]
    return [replace(model, seeds=model.seeds[: settings["seeds"]]) for model in chosen]


def cnn_vectors(plan: Plan, settings: Mapping[str, Any]) -> list[Model]:
    """Return the model whose word vectors Kim's network begins with; none where it is left out.

    Raises:
        SentrepError: it is not known.
    """
    if settings["cnn"] is None:
        return []
    name = settings["cnn"]["vectors"]
    if name not in plan.models:
        raise unknown_name("transfer.cnn.vectors", "model", name, plan.models)
    return [plan.models[name]]


def check_tasks(settings: Mapping[str, Any]) -> None:
    """Check what the schema cannot.

    Raises:
        SentrepError: a source or a reader is not known; a task has neither classes nor scores, or both.
    """
    sources = read_sources()
    for name, task in settings["tasks"].items():
        where = f"transfer.tasks.{name}"
        for source in task["sources"]:
            if source not in sources:
                raise unknown_name(f"{where}.sources", "source", source, sources)
        for layout in task["layouts"]:
            if layout["reader"] not in READERS:
                raise unknown_name(f"{where}.layouts", "reader", layout["reader"], READERS)
        wanted = "scores" if task["measure"] == "relatedness" else "classes"
        if wanted not in task or {"classes", "scores"} <= set(task):
            raise SentrepError(
                where,
                expected=f"`{wanted}` alone for the measure {task['measure']}",
                found=", ".join(sorted({"classes", "scores"} & set(task))) or "neither",
                remedy=f"give `{wanted}`",
            )


def systems(
    models: list[Model], paper: Reported, name: str, table: int, others: Mapping[str, str]
) -> list[dict[str, Any]]:
    """Describe the lines of a table whose systems are models: those the paper prints in its order, then others.

    Args:
        models: scored models.
        paper: its values.
        name: of the paper.
        table: its number.
        others: column of the paper -> id under which scores of it are kept that are no model's (an ensemble).

    Returns:
        {"id", "label", "floor", "seeds", "reported"} of each; ``id`` None for what is only reprinted.
    """
    shown = {m.id: next((r for r in m.reported if (r["paper"], r["table"]) == (name, table)), None) for m in models}
    entries = []
    for column in paper_of({name: paper}, name).columns(table):
        reported = {"paper": name, "table": table, "column": column}
        filled = [
            _entry(m.id, m.label, m.floor, m.seeds, reported)
            for m in models
            if (shown[m.id] or {}).get("column") == column
        ]
        if column in others:
            filled.append(_entry(others[column], column, False, (1,), reported))
        entries += filled or [_entry(None, column, False, (), reported)]
    rest = [_entry(m.id, m.label, m.floor, m.seeds, None) for m in models if shown[m.id] is None]
    return [*entries, *sorted(rest, key=lambda entry: entry["floor"])]


def _entry(
    identity: str | None, label: str, floor: bool, seeds: tuple[int, ...], reported: dict[str, Any] | None
) -> dict[str, Any]:
    return {"id": identity, "label": label, "floor": floor, "seeds": list(seeds), "reported": reported}
