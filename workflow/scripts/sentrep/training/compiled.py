"""Caching of numba functions whose code is spread over several files."""

from __future__ import annotations

import hashlib
import inspect
from types import ModuleType

import numpy as np
import numpy.typing as npt


def sources(*modules: ModuleType) -> npt.NDArray[np.void]:
    """Return an empty array whose numba type changes with the source code of the modules.

    With ``cache=True``, numba recompiles a function when its own file or the types of its arguments change, but not
    when the function calls code from another module and that module changes. If the function takes this array as an
    argument, numba recompiles it in that case, too.
    """
    digest = hashlib.sha256("\0".join(inspect.getsource(module) for module in modules).encode()).hexdigest()
    return np.empty(0, [(f"sources_{digest[:16]}", np.uint8)])
