"""The configuration: base settings, a preset over them, the user's overrides over both; then checked."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import yaml

from sentrep.errors import SentrepError, unknown_name
from sentrep.sources import WORKFLOW

PRESETS = WORKFLOW / "presets"
SCHEMA = WORKFLOW / "schemas" / "config.schema.yaml"
CORPUS_DEFAULTS = {
    "files": None,
    "reader": "books",
    "punkt_characters": 2_000_000,
    "expected_sentences": None,
    "unit": "sentence",
    "normalisation": None,
    "tokeniser": "kenter",
    "encoding_tokeniser": "kenter",
    "minimum_count": 5,
    "maximum_words": None,
    "keep_all_tokens": False,
    "fraction": 1.0,
}

# Keys whose strings stay strings: a class may be called "no" or "1".
NAMES = {"classes", "labels"}

# What makes a corpus' sentences; the rest makes its token store.
TEXT_KEYS = {"source", "files", "reader", "punkt_characters", "expected_sentences", "unit", "normalisation"}


def resolve(overrides: Mapping[str, Any]) -> dict[str, Any]:
    """Return the whole configuration for a user's overrides (config.yaml and the command line).

    Raises:
        SentrepError: the preset, a key or a value is not known; the message offers the nearest known name.
    """
    overrides = _typed(overrides)
    preset = str(overrides.get("preset", "sample"))
    presets = sorted(path.stem for path in PRESETS.glob("*.yaml") if path.stem != "base")
    if preset not in presets:
        raise unknown_name("config.yaml", "preset", preset, presets)
    config = merge(_preset(preset), overrides)
    config["preset"] = preset
    left_out = {name for name, entry in (config.get("models") or {}).items() if entry is None}
    for section in ("evaluation", "transfer", "retrieval", "nearest_sentences", "analogies", "sweeps"):
        config[section] = _without(config[section], left_out)
    # A sweep of nothing but models that are left out is left out, too.
    config["sweeps"] = {name: entry for name, entry in config["sweeps"].items() if entry and entry.get("models") != []}
    for section in ("models", "corpora", "pairs"):
        if isinstance(config.get(section), dict):
            config[section] = {name: entry for name, entry in config[section].items() if entry is not None}
    tasks = config["transfer"].get("tasks") or {}
    config["transfer"]["tasks"] = {name: entry for name, entry in tasks.items() if entry is not None}
    config["evaluation"]["sources"] = {str(y): name for y, name in config["evaluation"]["sources"].items()}
    _validate(config)
    config["corpora"] = {name: _corpus(name, config["corpora"]) for name in config["corpora"]}
    return config


def merge(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """Return ``below`` with ``above`` over it: dictionaries merge, everything else is replaced."""
    merged = dict(below)
    for key, value in above.items():
        old = merged.get(key)
        merged[key] = merge(old, value) if isinstance(value, Mapping) and isinstance(old, Mapping) else value
    return merged


def _without(value: Any, names: set[str]) -> Any:
    """Return a configuration's section with some names taken out of all its lists."""
    if isinstance(value, Mapping):
        return {key: _without(entry, names) for key, entry in value.items()}
    if isinstance(value, list):
        return [entry for entry in value if not (isinstance(entry, str) and entry in names)]
    return value


def _preset(name: str) -> dict[str, Any]:
    """Return a preset over the one that it `extends`, at the bottom of them base.yaml."""
    values = dict(_load(PRESETS / f"{name}.yaml"))
    below = values.pop("extends", "base") if name != "base" else None
    return merge(_preset(below), values) if below else values


def _typed(value: Any) -> Any:
    """Give scalars their type: nested values of Snakemake's --config arrive as strings."""
    if isinstance(value, Mapping):
        return {key: entry if key in NAMES else _typed(entry) for key, entry in value.items()}
    if isinstance(value, list):
        return [_typed(entry) for entry in value]
    if isinstance(value, str):
        typed = yaml.safe_load(value) if value and "\n" not in value and ":" not in value else value
        return typed if isinstance(typed, int | float | bool) or value in ("null", "~") else value
    return value


def _corpus(name: str, corpora: Mapping[str, Any]) -> dict[str, Any]:
    """Return a corpus with everything filled in; ``sentences`` names the corpus whose sentences it shares."""
    entry = dict(corpora[name])
    base = entry.pop("base", None)
    if base is None:
        if "source" not in entry:
            raise SentrepError(
                f"corpora.{name}", expected="`source` or `base`", found="neither", remedy="name a source"
            )
        return {**CORPUS_DEFAULTS, **entry, "sentences": name}
    if base not in corpora or base == name:
        raise unknown_name(f"corpora.{name}.base", "corpus", base, [n for n in corpora if n != name])
    if shared := TEXT_KEYS & set(entry):
        raise SentrepError(
            f"corpora.{name}",
            expected=f"the text of its base '{base}'",
            found=f"its own {', '.join(sorted(shared))}",
            remedy="take `base` out or these keys",
        )
    return {**_corpus(base, corpora), **entry}


@cache
def _load(path: Path) -> dict[str, Any]:
    return yaml.safe_load(path.read_text(encoding="utf-8")) or {}


def _validate(config: Mapping[str, Any]) -> None:
    """Check against the schema; the first finding becomes a one-line error."""
    validator = jsonschema.Draft202012Validator(_load(SCHEMA))
    findings = sorted(validator.iter_errors(config), key=lambda error: (len(error.path), str(error.path)))
    if not findings:
        return
    error = findings[0]
    where = ".".join(["config", *map(str, error.absolute_path)])
    if error.validator == "additionalProperties":
        known = list(error.schema.get("properties", {}))
        unknown = next(key for key in error.instance if key not in known)
        near = difflib.get_close_matches(unknown, known, n=1, cutoff=0.4)
        hint = f"did you mean '{near[0]}'?" if near else f"use one of {', '.join(known)}"
        raise SentrepError(where, expected="a known key", found=f"'{unknown}'", remedy=hint)
    raise SentrepError(
        where,
        expected=error.schema.get("description", error.message).rstrip("."),
        found=repr(error.instance)[:80],
        remedy=f"correct it ({error.message[:160]})",
    )
