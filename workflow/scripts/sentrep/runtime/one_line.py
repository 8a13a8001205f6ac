"""Report insufficient memory, unusable paths and damaged cache files as one-line errors."""

from __future__ import annotations

import contextlib
import os
import traceback
from collections.abc import Iterator
from pathlib import Path

from sentrep.errors import SentrepError

_TOO_LARGE = ("can't allocate memory", "out of memory", "array is too big", "maximum allowed dimension")


@contextlib.contextmanager
def one_line_errors() -> Iterator[None]:
    """Raise a one-line error if a ``with`` block fails because of low memory, an unusable path or damaged cache files.

    Other errors are raised unchanged. Damaged files in numba's cache are deleted, so that the next run compiles the
    code again.

    Raises:
        SentrepError: memory is insufficient, the operating system refuses to open a file or folder, or a file of
            compiled code in numba's cache is damaged.
    """
    try:
        yield
    except SentrepError:
        raise
    except Exception as error:
        if isinstance(error, MemoryError) or any(text in str(error) for text in _TOO_LARGE):
            raise SentrepError(
                "memory",
                expected="enough memory for this job",
                found=f"too little memory ({error or type(error).__name__})",
                remedy="use less data, a smaller model or a machine with more memory",
            ) from error
        if isinstance(error, OSError) and error.filename is not None:
            raise SentrepError(
                os.fsdecode(error.filename),
                expected="an accessible file or folder",
                found=f"the error '{error.strerror or type(error).__name__}'",
                remedy="check the path and its permissions",
            ) from error
        if not isinstance(error, OSError) and (damaged := _compiled_code(error)):  # not, for example, a full disk
            for path in damaged:
                path.unlink(missing_ok=True)
            raise SentrepError(
                damaged[0],
                expected="an undamaged file in numba's cache of compiled code",
                found=f"a damaged file ({type(error).__name__})",
                remedy="run the same command again; the file has been deleted, so the code will be compiled again",
            ) from error
        raise


def _compiled_code(error: BaseException) -> list[Path]:
    """Return the cache files of the function that numba failed to load from its cache.

    The list is empty if ``error`` was not caused by such a failure.
    """
    for frame, _ in reversed(list(traceback.walk_tb(error.__traceback__))):
        if frame.f_code.co_filename.endswith("numba/core/caching.py") and "_index_path" in vars(
            frame.f_locals.get("self", object)
        ):
            index = Path(vars(frame.f_locals["self"])["_index_path"])
            return [index, *index.parent.glob(f"{index.stem}.*.nbc")]
    return []
