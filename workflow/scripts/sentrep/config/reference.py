"""The configuration reference, docs/config.md: made from the schema, the presets' base and the families' settings.

Every sentence of it stands where the thing itself is defined: a key's in workflow/schemas/config.schema.yaml, a
parameter's in the docstring of its family's ``Parameters``. Nothing of it is written by hand, so it cannot lag behind.
"""

from __future__ import annotations

import dataclasses
import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Literal, NamedTuple, get_args, get_origin, get_type_hints

import yaml

from sentrep.config.resolve import CORPUS_DEFAULTS, PRESETS, SCHEMA
from sentrep.families import FAMILIES, family

INTRODUCTION = """\
# Configuration

<!-- Made by `sentrep config-reference`; a test compares. Change the schema or a docstring, not this page. -->

Every key of `config.yaml` and of `--config`. A value not given there comes from the preset
(`workflow/presets/<preset>.yaml`), and below that from `workflow/presets/base.yaml`, which holds the papers' settings;
the column "base" shows what stands there, or the default where nothing does. Dictionaries merge, all else is replaced;
`null` in the place of a model, corpus, sweep or task leaves it out. Names in angle brackets are yours to choose. An
unknown key or a value of the wrong kind is refused before anything runs.

On the command line nested keys are written as YAML in one word, `--config 'models={siamese_cbow: {seeds: [1, 2]}}'`,
after the targets.
"""
FAMILY_INTRODUCTION = """\
## Parameters of the families

What `models.<name>.parameters` may hold. Defaults are the papers' settings; "released" is the authors' published code.
"""

_ROLE = re.compile(r":(?:class|func|mod|data|meth):`~?([^`]+)`")
_OPENING = re.compile(r"(`[^`]*`)|<")  # outside code it would begin a tag
_SECTION = re.compile(r"^ {4}(\w+):$")


class Setting(NamedTuple):
    """A row of the reference: a key, what it may be, what it is in base.yaml or by default, what it means."""

    key: str
    values: str
    default: str
    meaning: str


def reference() -> str:
    """Return docs/config.md."""
    schema = yaml.safe_load(SCHEMA.read_text(encoding="utf-8"))
    base = yaml.safe_load((PRESETS / "base.yaml").read_text(encoding="utf-8"))
    rows = [_row(name, part, base) for name, part in schema["properties"].items() if _is_scalar(part)]
    parts = [INTRODUCTION, "## Top level\n", _table(rows, "base")]
    for name, part in schema["properties"].items():
        if not _is_scalar(part):
            inside = list(_rows(name, part, base, schema["$defs"]))
            parts += [f"## `{name}`\n", f"{part['description']}\n", _table(inside, "base")]
    parts += [*_miners(), FAMILY_INTRODUCTION]
    for name in FAMILIES:
        module = family(name)
        parts += [f"### `{name}`\n", _paragraph(module.__doc__), _settings_table(module.Parameters)]
    return "\n".join(parts).rstrip("\n") + "\n"


def _rows(path: str, part: Mapping[str, Any], base: Any, definitions: Mapping[str, Any]) -> Iterator[Setting]:
    """Yield what lies below a part of the schema, depth first."""
    for name, inside in _children(part, definitions):
        key = f"{path}.{name}"
        if inside.get("description"):
            yield _row(key, inside, base)
        yield from _rows(key, inside, base, definitions)


def _children(part: Mapping[str, Any], definitions: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for name, inside in part.get("properties", {}).items():
        yield name, _resolved(inside, definitions)
    for name, inside in (("<name>", part.get("additionalProperties")), ("[]", part.get("items"))):
        if isinstance(inside, Mapping) and not (name == "[]" and _is_scalar(part)):
            yield name, _resolved(inside, definitions)


def _resolved(part: Mapping[str, Any], definitions: Mapping[str, Any]) -> dict[str, Any]:
    return dict(definitions[part["$ref"].rsplit("/", 1)[1]] if "$ref" in part else part)


def _is_scalar(part: Mapping[str, Any]) -> bool:
    """Return whether there is nothing below it: a value, or a list of values."""
    inside = part.get("items")
    if isinstance(inside, Mapping):
        return "$ref" not in inside and _is_scalar(inside)
    return not ("properties" in part or isinstance(part.get("additionalProperties"), Mapping))


def _row(key: str, part: Mapping[str, Any], base: Any) -> Setting:
    return Setting(f"`{key}`", _kinds(part), _default(key, base), part.get("description", ""))


def _kinds(part: Mapping[str, Any]) -> str:
    """Say in words what a value may be."""
    if "enum" in part:
        return ", ".join(f"`{_written(value)}`" for value in part["enum"])
    words = {"object": "dictionary", "array": "list", "integer": "whole number", "boolean": "`true`, `false`"}
    limits = {"minimum": "from {}", "exclusiveMinimum": "above {}", "maximum": "to {}", "exclusiveMaximum": "below {}"}
    named = part.get("type", "anything")
    kinds = [named] if isinstance(named, str) else named
    said = [words.get(kind, kind) for kind in kinds if kind != "null"]
    said += [f"of {_kinds(part['items'])}"] if "enum" in part.get("items", {}) else []
    said += [word.format(part[name]) for name, word in limits.items() if name in part]
    return " ".join(said) + (" or `null`" if "null" in kinds else "")


def _default(key: str, base: Any) -> str:
    """Return what base.yaml has at a dotted path, if it is short enough to show."""
    corpus = key.removeprefix("corpora.<name>.")
    if corpus in CORPUS_DEFAULTS and corpus != key:
        return f"`{_written(CORPUS_DEFAULTS[corpus])}`"
    value = base
    for name in key.split("."):
        if not isinstance(value, Mapping) or name not in value:
            return ""
        value = value[name]
    text = _written(value)
    return f"`{text}`" if len(text) <= 60 and not (isinstance(value, Mapping) and value) else ""


def _written(value: Any) -> str:
    """Return a value as YAML writes it in one line."""
    return yaml.safe_dump(value, default_flow_style=True, width=1_000).removesuffix("...\n").strip()


def _miners() -> Iterator[str]:
    """Yield the settings of the miners of pairs."""
    from sentrep.pairs.twitter.build import Settings
    from sentrep.pairs.wikipedia import mine

    keywords = {n: p for n, p in inspect.signature(mine).parameters.items() if p.kind is p.KEYWORD_ONLY}
    described = _described(mine)
    hints = get_type_hints(mine)
    rows = [
        Setting(f"`{name}`", _hint(hints[name]), f"`{_written(_plain(parameter.default))}`", described.get(name, ""))
        for name, parameter in keywords.items()
        if name not in ("processes", "provenance")
    ]
    yield "### `pairs.<name>.settings` of the miner `wikipedia`\n"
    yield _table(rows, "default")
    yield "### `pairs.<name>.settings` of the miner `twitter`\n"
    yield _settings_table(Settings)


def _settings_table(cls: type) -> str:
    """Return the table of a settings dataclass."""
    hints, described = get_type_hints(cls), _described(cls)
    rows = [
        Setting(
            f"`{field.name}`",
            _hint(hints[field.name]),
            f"`{_written(_field_default(field))}`",
            described.get(field.name, ""),
        )
        for field in dataclasses.fields(cls)
    ]
    return _table(rows, "default") if rows else "There is nothing to set.\n"


def _field_default(field: dataclasses.Field[Any]) -> Any:
    return field.default if field.default_factory is dataclasses.MISSING else field.default_factory()


def _plain(value: Any) -> Any:
    return dict(value) if isinstance(value, Mapping) else value


def _hint(hint: Any) -> str:
    """Say in words what a type hint allows."""
    words = {int: "whole number", float: "number", bool: "`true`, `false`", str: "name", list: "list"}
    words[type(None)] = "`null`"
    if get_origin(hint) is Literal:
        return ", ".join(f"`{value}`" for value in get_args(hint))
    if hint in words:
        return words[hint]
    origin = get_origin(hint)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return "dictionary"
    if isinstance(origin, type) and issubclass(origin, Iterable):
        return "list"
    return " or ".join(_hint(each) for each in get_args(hint))


def _described(documented: type | Callable[..., Any]) -> dict[str, str]:
    """Return what a Google-style docstring says of each attribute or argument."""
    described: dict[str, str] = {}
    section, name = "", ""
    for line in (documented.__doc__ or "").splitlines():
        if found := _SECTION.match(line):
            section = found[1]
        elif section in ("Attributes", "Args") and line.startswith(" " * 8):
            if not line.startswith(" " * 9):
                name, _, line = line.strip().partition(": ")
                described[name] = ""
            described[name] = f"{described[name]} {line.strip()}".strip()
    return {name: _sentence(_markdown(text)) for name, text in described.items()}


def _paragraph(docstring: str | None) -> str:
    """Return the first paragraph of a docstring."""
    return _markdown(" ".join((docstring or "").split("\n\n")[0].split())) + "\n"


def _markdown(text: str) -> str:
    """Return a docstring's markup as Markdown's."""
    return _ROLE.sub(lambda found: f"`{found[1]}`", text).replace("``", "`")


def _sentence(text: str) -> str:
    """Return a text with a capital, unless it begins with a symbol such as f or p_o."""
    return text[:1].upper() + text[1:] if re.match(r"[a-z]{2}", text) and not re.match(r"\w*_", text) else text


def _table(rows: Iterable[Setting], default: str) -> str:
    """Return a Markdown table."""
    lines = [f"| key | values | {default} | meaning |", "|---|---|---|---|"]
    for row in rows:
        cells = [cell.replace("|", "\\|") for cell in row]
        cells[-1] = _OPENING.sub(lambda found: found[1] or "&lt;", cells[-1])
        lines.append(f"| {' | '.join(cells)} |".replace("|  |", "| |"))
    return "\n".join(lines) + "\n"
