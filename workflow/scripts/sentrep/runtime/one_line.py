"""Errors of libraries and of the machine that are no defects of this project, as its one line."""

from __future__ import annotations

import contextlib
import traceback
from collections.abc import Iterator
from pathlib import Path

from sentrep.errors import SentrepError

_TOO_LARGE = ("can't allocate memory", "out of memory", "array is too big", "maximum allowed dimension")


@contextlib.contextmanager
def one_line_errors() -> Iterator[None]:
    """Turn errors that the machine or its state causes into the project's one-line error; others pass.

    Raises:
        SentrepError: memory does not suffice, or a file of compiled code in numba's cache is damaged.
    """
    try:
        yield
    except SentrepError:
        raise
    except Exception as error:
        if isinstance(error, MemoryError) or any(text in str(error) for text in _TOO_LARGE):
            raise SentrepError(
                "memory",
                expected="enough for this work",
                found=f"too little ({error or type(error).__name__})",
                remedy="give less data, smaller dimensions or more memory",
            ) from error
        if damaged := _compiled_code(error):
            for path in damaged:
                path.unlink(missing_ok=True)
            raise SentrepError(
                damaged[0],
                expected="compiled code that numba has kept",
                found=f"damage ({type(error).__name__})",
                remedy="run the same command again: the file has been removed",
            ) from error
        raise


def _compiled_code(error: BaseException) -> list[Path]:
    """Return the files of numba's cache that it failed to read with this error."""
    for frame, _ in reversed(list(traceback.walk_tb(error.__traceback__))):
        if frame.f_code.co_filename.endswith("numba/core/caching.py") and "_index_path" in vars(
            frame.f_locals.get("self", object)
        ):
            index = Path(vars(frame.f_locals["self"])["_index_path"])
            return [index, *index.parent.glob(f"{index.stem}.*.nbc")]
    return []
