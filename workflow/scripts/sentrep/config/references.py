"""Find and check references to models, corpora, pairs and sources in a configuration.

A reference is a string whose type is annotated with :class:`sentrep.config.base.Reference`. If models are removed from
a configuration, :func:`without_models` also removes references to these models.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from types import NoneType
from typing import Any, NamedTuple, get_args, get_origin

from sentrep.config.base import Reference
from sentrep.errors import unknown_name
from sentrep.runtime.settings import Section, unwrapped


class Found(NamedTuple):
    """A reference in the configuration: its dotted path, and the kind and name of the entry to which it refers."""

    where: str
    kind: str
    name: str


def references(value: Any, hint: Any, where: str) -> Iterator[Found]:
    """Yield the references in a section or field of the configuration.

    Args:
        value: a section, or the value of a field.
        hint: class of the section, or annotated type of the field.
        where: dotted path of the value.
    """
    reference, hint = _unwrapped(hint)
    if isinstance(value, Section):
        for name, inside in _hints(type(value)).items():
            yield from references(getattr(value, name), inside, f"{where}.{name}")
    elif reference and isinstance(value, str):
        yield Found(where, reference.kind, value)
    elif get_origin(hint) is list and value is not None:
        for entry in value:  # pyright: ignore[reportUnknownVariableType]
            yield from references(entry, get_args(hint)[0], where)
    elif get_origin(hint) is dict and value is not None:
        keys, values = get_args(hint)
        for key, entry in value.items():  # pyright: ignore[reportUnknownVariableType]
            yield from references(key, keys, where)
            yield from references(entry, values, f"{where}.{key}")


def without_models(value: Any, hint: Any, gone: set[str]) -> Any:
    """Return a copy of a section or field of the configuration without references to removed models.

    List entries and dictionary keys that name one of these models are removed, the keys together with their values.
    Optional fields that name one of the models are set to None. Required fields are unchanged, so that :func:`check`
    reports them.

    Args:
        value: a section, or the value of a field.
        hint: class of the section, or annotated type of the field.
        gone: names of the removed models.
    """
    optional = NoneType in get_args(_unwrapped(hint, optional=True)[1])
    reference, hint = _unwrapped(hint)
    if isinstance(value, Section):
        changed = {n: without_models(getattr(value, n), inside, gone) for n, inside in _hints(type(value)).items()}
        given = value.model_fields_set
        return value.model_copy(update={n: v for n, v in changed.items() if n in given or v != getattr(value, n)})
    if reference:
        return None if optional and _is_gone(reference, value, gone) else value
    if get_origin(hint) is list and value is not None:
        (inside,) = get_args(hint)
        kept = [e for e in value if not _is_gone(_unwrapped(inside)[0], e, gone)]  # pyright: ignore[reportUnknownVariableType]
        return [without_models(entry, inside, gone) for entry in kept]
    if get_origin(hint) is dict and value is not None:
        keys, values = get_args(hint)
        kept = {k: e for k, e in value.items() if not _is_gone(_unwrapped(keys)[0], k, gone)}  # pyright: ignore[reportUnknownVariableType]
        return {key: without_models(entry, values, gone) for key, entry in kept.items()}
    return value


def check(found: Iterator[Found], known: Mapping[str, Mapping[str, Any]]) -> None:
    """Check that every reference names an existing entry.

    Args:
        found: the references to check, from :func:`references`.
        known: existing entries, keyed by kind and then by name.

    Raises:
        SentrepError: a reference names an entry that does not exist; the message suggests the closest known name or
            lists all names.
    """
    for reference in found:
        if reference.name not in known[reference.kind]:
            raise unknown_name(reference.where, reference.kind, reference.name, known[reference.kind])


def _is_gone(reference: Reference | None, name: Any, gone: set[str]) -> bool:
    return reference is not None and reference.kind == "model" and name in gone


@cache
def _hints(section: type[Section]) -> dict[str, Any]:
    return {name: field.rebuild_annotation() for name, field in section.model_fields.items()}


def _unwrapped(hint: Any, optional: bool = False) -> tuple[Reference | None, Any]:
    """Return the :class:`Reference` annotation of a type (None if it has none) and the type without annotations.

    Unless ``optional`` is true, a type ``X | None`` is also reduced to ``X``.
    """
    marks, hint = unwrapped(hint, optional)
    return next((mark for mark in reversed(marks) if isinstance(mark, Reference)), None), hint
