"""The configuration: base settings, a preset over them, the user's overrides over both; then checked."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import yaml

from sentrep.config.papers import only_papers
from sentrep.errors import SentrepError, nearest, unknown_name
from sentrep.sources.registry import WORKFLOW

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
    config["evaluation"]["sources"] = {str(y): name for y, name in config["evaluation"]["sources"].items()}
    missing = _left_out(config["models"])
    for section in (config, config["transfer"] or {}):
        for key in {"corpora", "pairs", "tasks", "models", "sweeps"} & set(section):
            for name in _left_out(section[key]):
                del section[key][name]
    _validate(config)
    config = only_papers(config, missing)
    config["corpora"] = {name: _corpus(name, config["corpora"]) for name in config["corpora"]}
    return config


def merge(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """Return ``below`` with ``above`` over it: dictionaries merge, everything else is replaced."""
    merged = dict(below)
    for key, value in above.items():
        old = merged.get(key)
        merged[key] = merge(old, value) if isinstance(value, Mapping) and isinstance(old, Mapping) else value
    return merged


def _left_out(entries: Any) -> set[str]:
    """Return the names that are set to null."""
    return {name for name, entry in entries.items() if entry is None} if isinstance(entries, dict) else set()


def _preset(name: str) -> dict[str, Any]:
    """Return a preset over the one that it `extends`, at the bottom of them base.yaml."""
    values = copy.deepcopy(load_yaml(PRESETS / f"{name}.yaml"))
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
def load_yaml(path: Path) -> dict[str, Any]:
    """Read a YAML file of the project; an empty one is an empty dictionary."""
    # The parser in C takes a tenth of the time, where PyYAML was built with it.
    return yaml.load(path.read_text(encoding="utf-8"), getattr(yaml, "CSafeLoader", yaml.SafeLoader)) or {}


def _validate(config: Mapping[str, Any]) -> None:
    """Check against the schema; the first finding becomes a one-line error."""
    validator = jsonschema.Draft202012Validator(load_yaml(SCHEMA))
    findings = sorted(validator.iter_errors(config), key=lambda error: (len(error.path), str(error.path)))
    if not findings:
        return
    error = findings[0]
    where = ".".join(["config", *map(str, error.absolute_path)])
    if error.validator == "additionalProperties":
        known = list(error.schema.get("properties", {}))
        unknown = next(key for key in error.instance if key not in known)
        raise SentrepError(where, expected="a known key", found=f"'{unknown}'", remedy=nearest(unknown, known))
    remedy = f"correct it ({error.message[:160]})"
    if error.validator == "enum":
        remedy = nearest(str(error.instance), map(str, error.validator_value))
    raise SentrepError(
        where,
        expected=error.schema.get("description", error.message).rstrip("."),
        found=repr(error.instance)[:80],
        remedy=remedy,
    )
