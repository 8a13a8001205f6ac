"""Cache compiled code that comes from several files."""

from __future__ import annotations

import hashlib
import inspect
from types import ModuleType

import numpy as np
import numpy.typing as npt


def sources(*modules: ModuleType) -> npt.NDArray[np.void]:
    """Return an empty array whose numba type changes with the source code of the modules.

    With ``cache=True``, numba compiles a function again when its own file has changed or its arguments have other
    types, but not when a module has changed whose functions it calls. A function that takes this array as an argument
    is compiled again in that case, too.
    """
    digest = hashlib.sha256("\0".join(inspect.getsource(module) for module in modules).encode()).hexdigest()
    return np.empty(0, [(f"sources_{digest[:16]}", np.uint8)])
