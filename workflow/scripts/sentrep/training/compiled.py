"""Compiled code that is kept on disk, and that comes from several files."""

from __future__ import annotations

import hashlib
import inspect
from types import ModuleType

import numpy as np
import numpy.typing as npt


def sources(*modules: ModuleType) -> npt.NDArray[np.void]:
    """Return an empty array whose type, as numba sees it, changes with the text of the modules.

    A function compiled with ``cache=True`` is kept on disk for each combination of its arguments' types, and
    compiled anew when its own file has changed, but not when a file has whose functions it calls. It is if it takes
    this array, made from the modules that it calls, as an argument.
    """
    digest = hashlib.sha256("\0".join(inspect.getsource(module) for module in modules).encode()).hexdigest()
    return np.empty(0, [(f"sources_{digest[:16]}", np.uint8)])
