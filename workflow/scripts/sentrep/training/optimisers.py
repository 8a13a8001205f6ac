"""Define optimisers that do not import torch's compiler, but otherwise behave like torch's optimisers."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar, cast

import torch

P = ParamSpec("P")
Optimiser = TypeVar("Optimiser", bound=torch.optim.Optimizer)


def without_compiler(kind: Callable[P, Optimiser]) -> Callable[P, Optimiser]:
    """Return a subclass of the optimiser class ``kind`` that makes the same updates without importing torch's compiler.

    torch wraps the methods ``add_param_group``, ``zero_grad`` and ``step`` of optimisers in functions that control
    ``torch.compile``. On first use, these functions import torch's compiler, ``torch._dynamo``. The import takes about
    two seconds of processor time, which is longer than many small models take to train.
    """
    base = cast("type[Any]", kind)
    methods = {name: inspect.unwrap(getattr(base, name)) for name in ("add_param_group", "zero_grad")}
    step = torch.no_grad()(inspect.unwrap(base.step))
    return cast("Callable[P, Optimiser]", type(base.__name__, (base,), {**methods, "step": step}))
