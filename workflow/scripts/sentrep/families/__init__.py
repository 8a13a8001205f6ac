"""Model families, one module each.

A family is a module that defines ``Parameters``, a frozen pydantic dataclass of its settings (defaults are the paper's,
ranges are types of :mod:`sentrep.training.parameters`), and ``train(store, parameters, run) -> Encoder``. A true
``CPU_ONLY`` marks a family that does not use a GPU. An encoder that is not a
:class:`sentrep.encoders.base.AveragingEncoder` is listed in :data:`sentrep.encoders.registry.CLASSES`.

Modules are imported by name on demand. They import heavy libraries (torch, numba, gensim) inside functions to keep the
reading of configurations fast.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from types import ModuleType
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from sentrep.errors import SentrepError, unknown_name

_WORDS = {
    "greater than or equal to": "at least",
    "less than or equal to": "at most",
    "greater than": "above",
    "less than": "below",
}
# Renamed parameters by family; old names are still accepted.
RENAMED = {"weighted_aggregation": {"couples": "batch_pairs"}}
FAMILIES = tuple(sorted(path.stem for path in Path(__file__).parent.glob("*.py") if not path.stem.startswith("_")))


def family(name: str) -> ModuleType:
    """Return the module of a family.

    Raises:
        SentrepError: there is no such family.
    """
    if name not in FAMILIES:
        raise unknown_name("models", "family", name, FAMILIES)
    return importlib.import_module(f"sentrep.families.{name}")


def parse_parameters(family_name: str, values: Mapping[str, Any], where: str) -> Any:
    """Return a family's ``Parameters`` built from plain values.

    Raises:
        SentrepError: a key is unknown, a value has the wrong type or is outside its range.
    """
    cls = family(family_name).Parameters
    known = [field.name for field in fields(cls)]
    values = {RENAMED.get(family_name, {}).get(key, key): value for key, value in values.items()}
    for key in values:
        if key not in known:
            raise unknown_name(where, f"parameter of {family_name}", key, known)
    try:
        return cls(**values)
    except ValidationError as invalid:
        error = invalid.errors()[0]
        inside = ".".join([where, *map(str, error["loc"])])
        remedy = "correct the configuration"
        if error["type"] == "value_error":
            expected, found = "consistent parameters", error["msg"].removeprefix("Value error, ")
        else:
            expected, found = _expected(error), repr(error["input"])
        raise SentrepError(inside, expected=expected, found=found, remedy=remedy) from None


def _expected(error: ErrorDetails) -> str:
    """Return what pydantic expected, in the wording of this project's errors."""
    if error["type"] == "literal_error":
        return "one of " + str(error.get("ctx", {})["expected"]).replace("'", "").replace(" or ", ", ")
    text = error["msg"].removeprefix("Input should be ")
    for theirs, ours in _WORDS.items():
        text = text.replace(theirs, ours)
    return text
