"""Make numba recompile cached functions when code that they call in other modules changes."""

from __future__ import annotations

import hashlib
import inspect
from types import ModuleType

import numpy as np
import numpy.typing as npt


def sources(*modules: ModuleType) -> npt.NDArray[np.void]:
    """Return an empty array whose numba type depends on the source code of ``modules``.

    With ``cache=True``, numba recompiles a function if the function's own file or the types of its arguments change,
    but it ignores changes in other modules whose code the function calls. If the function takes this array as an
    argument, changes in ``modules`` also cause recompilation.
    """
    digest = hashlib.sha256("\0".join(inspect.getsource(module) for module in modules).encode()).hexdigest()
    return np.empty(0, [(f"sources_{digest[:16]}", np.uint8)])
