"""Convert pydantic's validation errors to one-line error messages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, get_args, get_origin

from pydantic import Tag, ValidationError
from pydantic_core import ErrorDetails

from sentrep.errors import SentrepError, nearest
from sentrep.runtime.settings import is_union, sections_in, without_none

_KINDS = {
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "string": "text",
    "list": "a list",
    "tuple": "a list",
    "dict": "a dictionary",
    "model": "a dictionary",
}
_LIMITS = {
    "greater_than_equal": "at least {ge}",
    "greater_than": "above {gt}",
    "less_than_equal": "at most {le}",
    "less_than": "below {lt}",
    "string_pattern_mismatch": "text that matches the regular expression {pattern}",
    "too_short": "at least {min_length} {entries}",
    "too_long": "at most {max_length} {entries}",
    "finite_number": "a finite number",
}


def one_line(error: ValidationError, root: type, prefix: str) -> SentrepError:
    """Convert a validation error to a ``SentrepError`` with a one-line message about the outermost invalid key.

    Of two errors in the same section, an unknown key comes before a missing key, because a misspelt key causes both.

    Args:
        error: validation error raised by pydantic.
        root: class that was validated, a section or a pydantic dataclass.
        prefix: text to put before the dotted path of the key.
    """
    finding = min(error.errors(), key=lambda found: (len(found["loc"]), found["type"] == "missing", str(found["loc"])))
    path, section = _resolved(finding["loc"], root)

    def where(keys: Sequence[str]) -> str:
        return f"{prefix}{'.'.join(keys)}".rstrip("., ")

    context: dict[str, Any] = finding.get("ctx") or {}
    if finding["type"] == "extra_forbidden":
        *above, key = path
        remedy = nearest(key, section.model_fields)
        return SentrepError(where(above), expected="a known key", found=f"'{key}'", remedy=remedy)
    if finding["type"] == "missing":
        *above, key = path
        return SentrepError(where(above), expected=f"the key `{key}`", found="no such key", remedy="add the key")
    if finding["type"] == "mistake":
        return SentrepError(where(path), expected=context["expected"], found=context["found"], remedy=context["remedy"])
    if finding["type"] == "value_error":
        message = finding["msg"].removeprefix("Value error, ")
        return SentrepError(
            where(path),
            expected="consistent settings",
            found=f"an inconsistency ({message})",
            remedy="correct the settings",
        )
    return SentrepError(
        where(path),
        expected=_expected(finding, context),
        found=_found(finding["input"]),
        remedy=_remedy(finding, context),
    )


def _resolved(location: Sequence[int | str], root: type) -> tuple[list[str], type[Any]]:
    """Return the path of an invalid key, and the class of the innermost section on this path.

    Args:
        location: location of the error, as reported by pydantic.
        root: class that was validated.
    """
    path: list[str] = []
    section: type[Any] = root
    hint: Any = root
    for part in location:
        hint = without_none(hint)
        if is_union(hint):  # `part` is a tag that pydantic adds to name the member of the union
            hint = next((member for member in get_args(hint) if part in _tags(member)), None)
            continue
        if part == "[key]":
            continue
        path.append(str(part))
        if sections := sections_in(hint):
            section = sections[0]
            field = section.model_fields.get(str(part))
            hint = field.annotation if field else None
        else:
            hint = next((inside for inside in reversed(get_args(hint)) if inside is not ...), None)
    return path, section


def _tags(member: Any) -> set[Any]:
    """Return the tags by which pydantic names a member of a union.

    These are its ``Tag`` or, if the member is a section, the values of its fields that are literals.
    """
    tags = {mark.tag for mark in getattr(member, "__metadata__", ()) if isinstance(mark, Tag)}
    for section in sections_in(member):
        for field in section.model_fields.values():
            if get_origin(field.annotation) is Literal:
                tags.update(get_args(field.annotation))
    return tags


def _found(value: Any) -> str:
    return repr(value)[:80]


def _choices(context: dict[str, Any]) -> list[str]:
    """Split the list of allowed values, which pydantic writes as "'a', 'b' or 'c'"."""
    return [part.strip("' ") for part in str(context["expected"]).replace(" or ", ", ").split(", ")]


def _expected(finding: ErrorDetails, context: dict[str, Any]) -> str:
    kind = finding["type"]
    if kind in ("literal_error", "enum"):
        return f"one of {', '.join(_choices(context))}"
    if kind == "union_tag_invalid":
        return f"one of {context['expected_tags']}"
    if kind in _LIMITS:
        entries = "entry" if 1 in (context.get("min_length"), context.get("max_length")) else "entries"
        plain = {name: f"{limit:g}" if isinstance(limit, float) else limit for name, limit in context.items()}
        return _LIMITS[kind].format(**plain, entries=entries)
    return _KINDS.get(kind.split("_")[0], finding["msg"].removeprefix("Input should be "))


def _remedy(finding: ErrorDetails, context: dict[str, Any]) -> str:
    if finding["type"] == "literal_error" and isinstance(finding["input"], str):
        return nearest(finding["input"], _choices(context))
    if finding["type"] in ("list_type", "tuple_type") and isinstance(finding["input"], str | int | float):
        return f"write [{finding['input']}]"
    return "correct the value"
