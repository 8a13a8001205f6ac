"""Choose a writable folder in which numba can cache compiled code."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


def use_writable_cache(source: Path) -> None:
    """Let numba cache compiled code in the system's temporary folder if neither of its usual folders is writable.

    numba usually stores compiled code in the folder ``__pycache__`` next to the source code, or in its own folder in
    the user's cache directory, such as ``~/.cache/numba``. If the environment variable NUMBA_CACHE_DIR is set, this
    function does nothing.

    Args:
        source: folder of the source code that numba compiles.
    """
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    if "NUMBA_CACHE_DIR" not in os.environ and not any(map(_writable, (source / "__pycache__", home / "numba"))):
        os.environ["NUMBA_CACHE_DIR"] = str(Path(tempfile.gettempdir()) / f"sentrep-numba-{os.getuid()}")


def _writable(folder: Path) -> bool:
    """Return whether files can be created in a folder, which need not exist yet."""
    while not folder.exists():
        folder = folder.parent
    return os.access(folder, os.W_OK | os.X_OK)
