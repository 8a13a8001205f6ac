"""Keep numba's cache valid for functions that call code in other modules."""

from __future__ import annotations

import hashlib
import inspect
from types import ModuleType

import numpy as np
import numpy.typing as npt


def sources(*modules: ModuleType) -> npt.NDArray[np.void]:
    """Return an empty array whose numba type depends on the source code of ``modules``.

    With ``cache=True``, numba recompiles a function if its own file or the types of its arguments change, but not if
    the function calls code in another module and only that module changes. If this array is an argument of the
    function, numba recompiles the function in that case, too.
    """
    digest = hashlib.sha256("\0".join(inspect.getsource(module) for module in modules).encode()).hexdigest()
    return np.empty(0, [(f"sources_{digest[:16]}", np.uint8)])
