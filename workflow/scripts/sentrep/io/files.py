"""Write files atomically, read and write JSON, save arrays, and compute checksums.

If a file is written atomically, a reader sees either its complete old content or its complete new content.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
import re
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from sentrep.errors import SentrepError

MAKE_FIRST = "check the path, or run the rule or command that creates this file"
MAKE_AGAIN = "delete the file, then run the rule or command that creates it"
# The exceptions that can occur when a missing, incomplete or damaged file of arrays is read.
ARRAY_ERRORS = (OSError, ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile, zlib.error)


@contextlib.contextmanager
def atomic_file(path: str | Path) -> Iterator[Path]:
    """Yield the path of a temporary file, which replaces ``path`` at the end of the ``with`` block.

    If the block fails, the temporary file is removed, and ``path`` is not changed.

    Raises:
        SentrepError: ``path`` exists and is not a file, or the file cannot be written, for example because the disk is
            full or the folder is read-only.
    """
    path = target_of(path)
    if path.is_dir():
        raise SentrepError(path, expected="a file", found="a folder", remedy="choose another path")
    temporary = path.with_name(f".{path.name}.{os.getpid()}.part")
    with plain_os_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            yield temporary
            sync(temporary)
            temporary.replace(path)
            sync(path.parent)
        finally:
            temporary.unlink(missing_ok=True)


def target_of(path: str | Path) -> Path:
    """Return the target of a symbolic link, or the path itself if it is not a symbolic link.

    Raises:
        SentrepError: the path is a symbolic link that points to itself, directly or through other links, or the target
            is a device, a pipe or a socket.
    """
    target = Path(path)
    try:
        target = target.resolve() if target.is_symlink() else target
        loops = target.is_symlink()
    except RuntimeError:  # before Python 3.13, a link that points to itself cannot be resolved
        loops = True
    if loops:
        raise SentrepError(
            path, expected="a file or a folder", found="a symbolic link that points to itself", remedy="remove the link"
        )
    if target.exists() and not target.is_file() and not target.is_dir():
        raise SentrepError(
            path, expected="a file or a folder", found="a device, a pipe or a socket", remedy="choose another path"
        )
    return target


def check_input(path: str | Path) -> Path:
    """Check that a path is a file or does not exist, and return the path.

    Raises:
        SentrepError: the path exists and is not a file.
    """
    path = Path(path)
    if path.exists() and not path.is_file():
        found = "a folder" if path.is_dir() else "a device, a pipe or a socket"
        raise SentrepError(path, expected="a file", found=found, remedy="pass the path of a file")
    return path


def sync(path: Path) -> None:
    """Flush a file's contents or a folder's list of entries to disk, so that they survive a power failure."""
    try:
        number = os.open(path, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)
    except OSError as error:
        # EINVAL: the file system does not support fsync; EACCES: the folder is not readable.
        if error.errno not in {errno.EINVAL, errno.EACCES}:
            raise


def write_text(path: str | Path, text: str) -> None:
    """Write text to a file in UTF-8, atomically."""
    with atomic_file(path) as temporary:
        temporary.write_text(text, encoding="utf-8", newline="\n")


def write_json(path: str | Path, value: Any) -> None:
    """Write ``value`` to a file as indented JSON, atomically."""
    write_text(path, json.dumps(value, indent=2, ensure_ascii=False) + "\n")


class JsonObject(dict[str, Any]):
    """A dictionary read from a JSON file; access to a missing key raises a :class:`SentrepError`.

    Attributes:
        path: path of the file.
    """

    path: Path = Path()

    def __missing__(self, key: str) -> Any:
        raise SentrepError(self.path, expected=f"the key '{key}'", found="no such key", remedy=MAKE_AGAIN)


def read_json(path: str | Path, kind: type = dict) -> Any:
    """Read a JSON file, and return its value, in which all JSON objects are instances of :class:`JsonObject`.

    Args:
        path: path of the file.
        kind: expected type of the outermost value: ``dict``, ``list``, or ``object`` to accept any type.

    Raises:
        SentrepError: the file is missing, is not JSON, or has an outermost value of another type.
    """
    path = check_input(path)

    def as_object(pairs: list[tuple[str, Any]]) -> JsonObject:
        found = JsonObject(pairs)
        found.path = path
        return found

    try:
        value = json.loads(path.read_text(encoding="utf-8"), object_pairs_hook=as_object)
    except FileNotFoundError:
        raise SentrepError(path, expected="a JSON file", found="no file", remedy=MAKE_FIRST) from None
    except (ValueError, RecursionError) as error:
        raise SentrepError(path, expected="valid JSON", found=f"malformed data ({error})", remedy=MAKE_AGAIN) from None
    if not isinstance(value, kind):
        names = {dict: "a JSON object", list: "a JSON array"}
        raise SentrepError(
            path, expected=names[kind], found=f"a value of type {type(value).__name__}", remedy=MAKE_AGAIN
        )
    return value


def save_tensors(tensors: dict[str, npt.NDArray], path: str | Path, metadata: dict[str, str] | None = None) -> None:
    """Write arrays to a safetensors file.

    Errors of safetensors, for example on a full disk, are converted to OSError.

    Raises:
        OSError: the file cannot be written.
    """
    from safetensors import SafetensorError
    from safetensors.numpy import save_file

    # The shape is restored, because ascontiguousarray changes the shape () to (1,).
    arrays = {name: np.ascontiguousarray(values).reshape(values.shape) for name, values in tensors.items()}
    path = Path(path)
    path.touch()
    mode = path.stat().st_mode  # the mode that the umask gives; safetensors creates files that only the owner can read
    try:
        save_file(arrays, path, metadata)
        path.chmod(mode)
    except SafetensorError as error:
        number = re.search(r"os error (\d+)", str(error))
        raise OSError(int(number[1]) if number else 0, str(error), str(path)) from None


def create_array(path: str | Path, dtype: npt.DTypeLike, shape: tuple[int, ...], *, space: bool = True) -> np.memmap:
    """Create an ``.npy`` file that is filled with zeros, and return it as a writable memory-mapped array.

    Args:
        path: path of the file to create.
        dtype: data type of the elements.
        shape: shape of the array.
        space: whether to reserve disk space for the whole array. If not, call :func:`take_space` before writing to a
            part of the array.

    Raises:
        OSError: the disk has no room for the array.
    """
    array = np.lib.format.open_memmap(path, "w+", dtype, shape)
    if space:
        take_space(array, 0, len(array))
    return array


def take_space(array: np.memmap, first: int, stop: int) -> None:
    """Reserve disk space for a range of rows of a memory-mapped array.

    Writing to a memory-mapped file on a full disk kills the process (SIGBUS), whereas reserving space raises an error.

    Args:
        array: array that :func:`create_array` returned, or another memory map of the same file.
        first: index of the first row for which space is reserved.
        stop: index of the row after the last one.

    Raises:
        OSError: the disk has no room for the rows.
    """
    row = array.nbytes // max(1, len(array))
    if first < stop and row:
        with Path(str(array.filename)).open("r+b") as stream:
            os.posix_fallocate(stream.fileno(), array.offset + first * row, (stop - first) * row)


def sha256(path: str | Path) -> str:
    """Return the SHA-256 of a file's bytes as 64 hexadecimal digits.

    Raises:
        SentrepError: the path exists and is not a file.
    """
    with check_input(path).open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


@contextlib.contextmanager
def plain_os_errors(path: Path) -> Iterator[None]:
    """Convert an OSError raised in the ``with`` block into a SentrepError whose message names ``path``.

    Only errors with common causes, such as a full disk, are converted.
    """
    in_the_way = ("a path whose parents are folders", "a file where a folder should be", "move or rename the file")
    remedies = {
        errno.ENOSPC: ("free disk space", "a full disk", "free some disk space and run the same command again"),
        errno.EDQUOT: ("free disk space", "an exhausted quota", "free some disk space and run the same command again"),
        errno.EROFS: ("a writable folder", "a read-only file system", "choose another folder"),
        errno.EACCES: (
            "a writable folder",
            "no permission to write",
            "change the permissions of the folder, or choose another folder",
        ),
        errno.EEXIST: in_the_way,
        errno.ENOTDIR: in_the_way,
        errno.EFBIG: (
            "a file within the file-size limit",
            "a larger file",
            "raise the limit with `ulimit -f` and run the same command again",
        ),
    }
    try:
        yield
    except OSError as error:
        if error.errno in remedies:
            expected, found, remedy = remedies[error.errno]
            raise SentrepError(path, expected=expected, found=found, remedy=remedy) from error
        raise
