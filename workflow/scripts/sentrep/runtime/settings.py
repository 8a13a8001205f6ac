"""Define the base class of all configuration sections, and functions that examine the types of their fields.

Each setting is declared once, with its default, unit and description, next to the code that uses it, and the
configuration schema includes these declarations. Modules that declare settings import no large libraries, so that
reading a configuration is fast.
"""

from __future__ import annotations

from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin

from pydantic import BaseModel, ConfigDict, Field

Seed = Annotated[int, Field(ge=0)]
PositiveCount = Annotated[int, Field(ge=1)]


class Section(BaseModel):
    """Base class of all configuration sections; sections are immutable and reject unknown keys."""

    model_config = ConfigDict(extra="forbid", frozen=True)


def measured_in(name: str) -> dict[str, Any]:
    """Return a JSON schema entry that states the unit of a setting, such as ``{"unit": "words"}``."""
    return {"unit": name}


def unwrapped(hint: Any, optional: bool = False) -> tuple[list[Any], Any]:
    """Return the ``Annotated`` metadata of a type hint, from the outside in, and the hint without it.

    Unless ``optional`` is true, a type ``X | None`` is also reduced to ``X``.
    """
    marks: list[Any] = []
    while True:
        if get_origin(hint) is Annotated:
            hint, *inside = get_args(hint)
            marks += inside
        elif not optional and is_union(hint) and NoneType in get_args(hint):
            hint = next(part for part in get_args(hint) if part is not NoneType)
        else:
            return marks, hint


def without_none(hint: Any) -> Any:
    """Return a type hint without its ``Annotated`` metadata and, if it is optional, without None."""
    return unwrapped(hint)[1]


def sections_in(hint: Any) -> list[type[Section]]:
    """Return the section classes that a type permits: none, one or, for a union of sections, several."""
    hint = without_none(hint)
    parts = get_args(hint) if is_union(hint) else (hint,)
    return [part for part in parts if isinstance(part, type) and issubclass(part, Section)]


def is_union(hint: Any) -> bool:
    """Return whether a type hint is a union of types."""
    return get_origin(hint) in (Union, UnionType)
