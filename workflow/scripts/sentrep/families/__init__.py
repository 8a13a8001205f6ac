"""The model families, each of which is defined by one module.

Each of these modules defines ``Parameters`` and ``train(store, parameters, run) -> Encoder``. The token store ``store``
contains the tokenised corpus (:mod:`sentrep.corpora.store`). The object ``run`` (:class:`sentrep.training.run.Run`)
provides the seed, the device and the inputs other than the corpus. ``Parameters`` is a frozen pydantic dataclass with
the family's settings. Its defaults usually follow the paper that introduced the method, and its types
(:mod:`sentrep.training.parameters`) specify the valid ranges. ``INPUTS`` and ``OPTIONAL_INPUTS`` list the names of the
inputs that the family reads from ``run.inputs``; a model must have all inputs in ``INPUTS``. ``INPUTS`` is None if
inputs may have any names. A module that does not use a GPU sets ``CPU_ONLY`` to True, and a module whose result does
not depend on the seed sets ``DETERMINISTIC`` to True. A family whose encoder is not a
:class:`sentrep.encoders.base.AveragingEncoder` is listed in :data:`sentrep.encoders.registry.CLASSES`.

Modules are imported on demand, and import heavy libraries (torch, numba, gensim) inside functions, so that
configurations can be read quickly.
"""

from __future__ import annotations

import importlib
from collections.abc import Collection, Mapping
from dataclasses import fields
from pathlib import Path
from types import ModuleType
from typing import Any

from pydantic import ValidationError

from sentrep.errors import SentrepError, unknown_name
from sentrep.runtime.validation_errors import one_line

FAMILIES = tuple(sorted(path.stem for path in Path(__file__).parent.glob("*.py") if not path.stem.startswith("_")))


def family(name: str) -> ModuleType:
    """Import and return the module that defines a model family.

    Raises:
        SentrepError: there is no such family.
    """
    if name not in FAMILIES:
        raise unknown_name("models", "family", name, FAMILIES)
    return importlib.import_module(f"sentrep.families.{name}")


def cpu_only(name: str) -> bool:
    """Return whether a model family never uses a GPU.

    Raises:
        SentrepError: there is no such family.
    """
    return getattr(family(name), "CPU_ONLY", False)


def deterministic(name: str) -> bool:
    """Return whether training a model of a family gives the same result with every seed.

    Raises:
        SentrepError: there is no such family.
    """
    return getattr(family(name), "DETERMINISTIC", False)


def parse_parameters(family_name: str, values: Mapping[str, Any], where: str) -> Any:
    """Validate the values of a family's parameters, and return an instance of the family's ``Parameters`` class.

    Args:
        family_name: name of the family, which is the name of its module.
        values: parameter values by name.
        where: location of the values in the configuration, for error messages.

    Raises:
        SentrepError: a parameter is unknown, a value has the wrong type or is out of range, or the values are
            inconsistent.
    """
    cls = family(family_name).Parameters
    known = [field.name for field in fields(cls)]
    for key in values:
        if key not in known:
            raise unknown_name(where, f"parameter of {family_name}", key, known)
    try:
        return cls(**values)
    except ValidationError as error:
        raise one_line(error, cls, f"{where}.") from None


def check_inputs(family_name: str, names: Collection[str], where: str) -> None:
    """Check that a model has all inputs that its family requires, and no inputs that the family does not read.

    Args:
        family_name: name of the family, which is the name of its module.
        names: names of the model's inputs.
        where: location of the inputs in the configuration, for error messages.

    Raises:
        SentrepError: a required input is missing, or the family does not read one of the inputs.
    """
    module = family(family_name)
    required: tuple[str, ...] | None = getattr(module, "INPUTS", ())
    if required is None:
        return
    known = (*required, *getattr(module, "OPTIONAL_INPUTS", ()))
    for name in names:
        if not known:
            raise SentrepError(
                where,
                expected=f"no inputs, because the family {family_name} reads none",
                found=f"'{name}'",
                remedy="remove the input",
            )
        if name not in known:
            raise unknown_name(where, f"input of {family_name}", name, known)
    for name in required:
        if name not in names:
            raise SentrepError(
                where,
                expected=f"the input `{name}`, which the family {family_name} requires",
                found=", ".join(f"`{other}`" for other in names) or "no inputs",
                remedy=f"set `{name}` under the `inputs` of this model",
            )
