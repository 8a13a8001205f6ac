"""Model families by name.

A family is a module with two names: ``Parameters``, a frozen dataclass of everything that can be set (defaults are
the paper's), and ``train(store, parameters, run) -> Encoder``. ``CPU_ONLY = True`` says that it computes nothing on a
GPU. :data:`sentrep.encoders.registry.CLASSES` names the class of its encoder. Modules are imported by name, when
needed. They import heavy libraries (torch, numba, gensim) inside functions, so that reading a configuration stays
quick.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, Literal, get_args, get_origin, get_type_hints

from pydantic import TypeAdapter, ValidationError

from sentrep.errors import SentrepError, unknown_name

FAMILIES = tuple(sorted(path.stem for path in Path(__file__).parent.glob("*.py") if not path.stem.startswith("_")))


def family(name: str) -> ModuleType:
    """Return the module of a family.

    Raises:
        SentrepError: there is none of that name.
    """
    if name not in FAMILIES:
        raise unknown_name("models", "family", name, FAMILIES)
    return importlib.import_module(f"sentrep.families.{name}")


def parse_parameters(family_name: str, values: Mapping[str, Any], where: str) -> Any:
    """Build a family's ``Parameters`` from plain values.

    Raises:
        SentrepError: a key is unknown, a value has the wrong type or is outside its range.
    """
    cls = family(family_name).Parameters
    hints = get_type_hints(cls)
    typed: dict[str, Any] = {}
    for key, value in values.items():
        if key not in hints:
            raise unknown_name(where, f"parameter of {family_name}", key, hints)
        try:
            typed[key] = _validator(hints[key]).validate_python(value)
        except ValidationError:
            raise SentrepError(
                f"{where}.{key}",
                expected=_describe(hints[key]),
                found=repr(value),
                remedy="correct the configuration",
            ) from None
    try:
        return cls(**typed)
    except ValueError as error:
        raise SentrepError(
            where, expected="consistent parameters", found=str(error), remedy="correct the configuration"
        ) from None


@cache
def _validator(hint: Any) -> TypeAdapter[Any]:
    return TypeAdapter(hint)


def _describe(hint: Any) -> str:
    if get_origin(hint) is Literal:
        return f"one of {', '.join(map(str, get_args(hint)))}"
    return " or ".join(getattr(h, "__name__", str(h)) for h in (get_args(hint) or (hint,)))
