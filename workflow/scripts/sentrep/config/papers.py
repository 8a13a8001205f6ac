"""Which papers are replicated: what belongs to the others alone is left out of the configuration."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

# Sections of the configuration that serve one paper.
SECTIONS = {
    "aggregation": "weighted_aggregation",
    "transfer": "quick_thoughts",
    "retrieval": "quick_thoughts",
    "nearest_sentences": "quick_thoughts",
    "analogies": "quick_thoughts",
}


def only_papers(config: Mapping[str, Any], missing: set[str]) -> dict[str, Any]:
    """Return the configuration of the papers it names under ``papers``.

    A model stays if it belongs to one of them (its `paper`, or a table that prints it), to no paper at all, or if what
    stays names it. Sections of other papers become None, their sweeps and tables go. Lists of models, and sweeps of
    nothing else, lose the models that went.

    Args:
        config: valid, by the schema.
        missing: names of models that were left out before.
    """
    papers = set(config["papers"])
    kept = dict(config)
    kept |= {section: None for section, paper in SECTIONS.items() if paper not in papers}
    kept["sweeps"] = {n: sweep for n, sweep in config["sweeps"].items() if sweep.get("paper") in {*papers, None}}
    kept["tables"] = {
        kind: {paper: table for paper, table in tables.items() if paper in papers}
        for kind, tables in config["tables"].items()
    }
    models = config["models"]
    named = {name for section in (*SECTIONS, "sweeps") for name in strings(kept[section])}
    wanted = {name for name, model in models.items() if name in named or _belongs(model, papers)}
    wanted = _with_inputs(wanted, models)
    kept["models"] = {name: model for name, model in models.items() if name in wanted}
    gone = missing | (set(models) - wanted)
    for section in ("evaluation", "sweeps", *SECTIONS):
        kept[section] = _without(kept[section], gone)
    kept["sweeps"] = {name: sweep for name, sweep in kept["sweeps"].items() if sweep["models"]}
    return kept


def _belongs(model: Mapping[str, Any], papers: set[str]) -> bool:
    """Whether a model is one of these papers', or nobody's: a floor, or a user's own."""
    owners = {entry["paper"] for entry in [model, *model.get("reported", [])] if "paper" in entry}
    return not owners or bool(owners & papers)


def _with_inputs(names: Iterable[str], models: Mapping[str, Mapping[str, Any]]) -> set[str]:
    """Return models and all that they are built on, directly or not."""
    found: set[str] = set()
    queue = [name for name in names if name in models]
    while queue:
        found.add(name := queue.pop())
        inputs = (models[name].get("inputs") or {}).values()
        queue += {reference["model"] for reference in inputs if reference.get("model") in models} - found
    return found


def strings(value: Any) -> Iterable[str]:
    """Yield all strings in a section, keys of its mappings, too."""
    if isinstance(value, Mapping):
        for key, entry in value.items():
            yield from strings(key)
            yield from strings(entry)
    elif isinstance(value, list):
        for entry in value:
            yield from strings(entry)
    elif isinstance(value, str):
        yield value


def _without(value: Any, names: set[str]) -> Any:
    """Return a section with some names taken out of all its lists."""
    if isinstance(value, Mapping):
        return {key: _without(entry, names) for key, entry in value.items()}
    if isinstance(value, list):
        return [entry for entry in value if not (isinstance(entry, str) and entry in names)]
    return value
