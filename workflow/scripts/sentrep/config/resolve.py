"""Load the configuration: merge the base settings, a preset and the user's overrides, and validate the result."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from sentrep.config.configuration import Configuration
from sentrep.config.papers import kept_references, only_papers
from sentrep.config.references import check
from sentrep.errors import SentrepError, unknown_name
from sentrep.io.project import WORKFLOW
from sentrep.io.yaml_files import read_yaml
from sentrep.runtime.validation_errors import one_line
from sentrep.sources.registry import read_sources

PRESETS = WORKFLOW / "presets"
# Configuration sections that consist of named entries; an entry that is set to null is removed.
NAMED = ("corpora", "pairs", "models", "sweeps")
# Keys that a model does not inherit from its base.
OWN_KEYS = {"label", "reported"}


def resolve(overrides: Mapping[str, Any]) -> Configuration:
    """Return the complete configuration, given a user's overrides from config.yaml and the command line.

    Raises:
        SentrepError: a value is invalid; a model inherits from itself; or a preset, key or name is unknown (the message
            then suggests the closest known name or lists all names).
    """
    overrides = _without_null_words(overrides)
    preset = str(overrides.get("preset", "sample"))
    presets = sorted(path.stem for path in PRESETS.glob("*.yaml") if path.stem != "base")
    if preset not in presets:
        raise unknown_name("config.preset", "preset", preset, presets)
    merged: dict[str, Any] = {}
    left_out: dict[str, set[str]] = {}
    for layer in (*_layers(preset), overrides, {"preset": preset}):
        merged = _merge_entries(merged, layer, left_out)
    if isinstance(merged.get("models"), Mapping):
        merged["models"] = {name: _inherited(name, merged["models"]) for name in merged["models"]}
    for section, names in left_out.items():
        holder = merged.get("transfer") if section == "tasks" else merged
        entries = holder.get(section) if isinstance(holder, Mapping) else None
        if isinstance(entries, dict):
            for name in names:
                entries.pop(name, None)
    try:
        config = Configuration.model_validate(merged)
    except ValidationError as error:
        raise one_line(error, Configuration, "config.") from None
    config = only_papers(config, left_out.get("models", set()))
    check(
        kept_references(config),
        {"model": config.models, "corpus": config.corpora, "pairs": config.pairs, "source": read_sources()},
    )
    return config


def merge(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """Return ``below`` overridden by ``above``: dictionaries are merged recursively, and other values are replaced."""
    merged = dict(below)
    for key, value in above.items():
        old = merged.get(key)
        merged[key] = merge(old, value) if isinstance(value, Mapping) and isinstance(old, Mapping) else value
    return merged


def _merge_entries(below: Mapping[str, Any], above: Mapping[str, Any], left_out: dict[str, set[str]]) -> dict[str, Any]:
    """Merge two layers of a configuration, and update ``left_out``.

    ``left_out`` maps each section to the names of its entries that are set to null. Names that ``above`` sets to null
    are added, and names that ``above`` defines are removed. The caller removes the entries themselves after it has
    resolved inheritance, because other models can inherit from a model that is set to null.
    """
    above = copy.deepcopy(dict(above))
    transfer = above.get("transfer")
    sections = {name: above.get(name) for name in NAMED} | {
        "tasks": transfer.get("tasks") if isinstance(transfer, Mapping) else None
    }
    for section, entries in sections.items():
        if isinstance(entries, dict):
            for name in [name for name, entry in entries.items() if entry is None]:
                del entries[name]
                left_out.setdefault(section, set()).add(name)
            left_out[section] = left_out.get(section, set()) - set(entries)
    return merge(below, above)


def _inherited(name: str, models: Mapping[str, Any], above: Sequence[str] = ()) -> Any:
    """Return the settings of a model, including those inherited from its base; omit inputs that are set to null."""
    entry = models[name]
    if not isinstance(entry, Mapping):
        return entry
    merged = merge(_inherited_from_base(name, entry, models, above), entry)
    if isinstance(merged.get("inputs"), Mapping):
        merged["inputs"] = {key: value for key, value in merged["inputs"].items() if value is not None}
    return merged


def _inherited_from_base(
    name: str, entry: Mapping[str, Any], models: Mapping[str, Any], above: Sequence[str]
) -> dict[str, Any]:
    """Return the settings that a model inherits, which are empty if it has no base."""
    base = entry.get("base")
    if base is None:
        return {}
    where = f"config.models.{name}.base"
    if base in (name, *above):
        circle = f"the cycle {' -> '.join([*above, name, str(base)])}"
        raise SentrepError(
            where, expected=f"a model that does not inherit from {name}", found=circle, remedy="correct `base`"
        )
    if not isinstance(base, str) or base not in models:
        raise unknown_name(where, "model", str(base), [n for n in models if n != name])
    below = _inherited(base, models, (*above, name))
    return {key: value for key, value in below.items() if key not in OWN_KEYS} if isinstance(below, Mapping) else {}


def _layers(name: str) -> list[dict[str, Any]]:
    """Return the contents of a preset and of the files that it extends, in order, starting with base.yaml."""
    values = dict(load_yaml(PRESETS / f"{name}.yaml"))
    below = values.pop("extends", "base") if name != "base" else None
    return [*(_layers(below) if below else []), values]


def _without_null_words(overrides: Mapping[str, Any]) -> dict[str, Any]:
    """Replace the strings "null" and "~" by None, because Snakemake passes nested values of --config as strings."""
    return {
        key: _without_null_words(value) if isinstance(value, Mapping) else None if value in ("null", "~") else value
        for key, value in overrides.items()
    }


@cache
def load_yaml(path: Path) -> dict[str, Any]:
    """Read a YAML file of the project, and cache its content; return an empty dictionary if the file is empty."""
    return read_yaml(path) or {}
