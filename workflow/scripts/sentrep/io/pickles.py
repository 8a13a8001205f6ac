"""Read pickles from other projects without executing the code that they name.

A pickle contains the names of functions and classes that the standard reader imports and calls. The reader in this
module calls replacements instead, such as a checked version of a function that constructs numpy arrays, or an empty
class in place of a class of the other project. A name without a replacement causes an error.

On some damaged files, numpy's functions and the C version of the standard library's pickle reader crash or hang.
Arguments are therefore checked before they are passed to numpy, and pickles are read with the pure-Python version of
the reader. Strings from Python 2 are decoded as Latin-1, which preserves every byte.
"""

from __future__ import annotations

import argparse
import math
import pickle
import struct
import tokenize
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from sentrep.errors import SentrepError

Names = Mapping[tuple[str, str], Any]


class _Class:
    """Replacement for ``numpy.ndarray``, which pickles pass to ``_reconstruct`` but do not call."""


class _Type:
    """Replacement for ``numpy.dtype`` that accepts boolean, numeric, string and object types, but no compound types."""

    def __init__(self, code: str, _align: Any = False, _copy: Any = False) -> None:
        self.dtype = np.dtype(code)
        if self.dtype.kind not in "biufcSUO" or self.dtype.itemsize > 1 << 20 or not isinstance(code, str):
            raise ValueError(f"unsupported array type {code!r}")

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        _, order, subtype, names, fields, *_ = state
        if order not in "<>|=" or not subtype is names is fields is None:
            raise ValueError("unsupported compound array type")
        self.dtype = self.dtype.newbyteorder(order)


class _Array(np.ndarray):
    """A numpy array that, when it is unpickled, checks its stored state before passing it to numpy."""

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        version, shape, kind, fortran, data = state
        dtype = kind.dtype
        if not isinstance(shape, tuple) or not all(isinstance(n, int) and n >= 0 for n in shape) or len(shape) > 32:
            raise ValueError(f"invalid array shape {shape!r}")
        data = data.encode("latin1") if isinstance(data, str) else data
        size = math.prod(shape) * (1 if dtype.hasobject else dtype.itemsize)
        if len(data) != size or not isinstance(data, list if dtype.hasobject else bytes):
            found = f"a value of type {type(data).__name__} and length {len(data)}"
            raise ValueError(f"{found} does not fit an array of shape {shape!r}")
        checked: Any = (version, shape, dtype, bool(fortran), data)
        super().__setstate__(checked)


def _array(*_: Any) -> _Array:
    """Return an empty array, as numpy's ``_reconstruct`` does; ``__setstate__`` then sets its shape and contents."""
    return np.empty(0).view(_Array)


def _number(kind: _Type, data: bytes | str) -> Any:
    """Return the numpy scalar that ``data`` represents."""
    data = data.encode("latin1") if isinstance(data, str) else data
    return np.frombuffer(data, kind.dtype)[0]


def _bytes(text: str, _encoding: str) -> bytes:
    """Return the bytes that Python 3 stored as Latin-1 text in a pickle that Python 2 can read."""
    return text.encode("latin1")


def _object(kind: Any, *_: Any) -> Any:
    """Return an instance of ``kind``, the replacement for a class that is named in a pickle.

    If ``kind`` is ``object``, return a namespace.
    """
    if kind is object:
        return argparse.Namespace()
    if not isinstance(kind, type) or kind.__module__ == "builtins":
        raise pickle.UnpicklingError(f"the pickle constructs {kind!r}, which is not allowed")
    return kind()


# The functions and classes that pickles of arrays name, in different versions of numpy and Python.
ARRAYS: Names = {
    ("numpy", "ndarray"): _Class,
    ("numpy", "dtype"): _Type,
    ("_codecs", "encode"): _bytes,
    **{
        (f"numpy.{core}.multiarray", name): function
        for core in ("core", "_core")
        for name, function in (("_reconstruct", _array), ("scalar", _number))
    },
}
OBJECTS: Names = {
    ("__builtin__", "object"): object,
    ("copy_reg", "_reconstructor"): _object,
    ("argparse", "Namespace"): argparse.Namespace,
}

# The exceptions, other than UnpicklingError, that can occur when a damaged pickle is read.
_DAMAGE = (EOFError, ArithmeticError, AssertionError, LookupError, AttributeError, ImportError, TypeError, ValueError,
           MemoryError, RecursionError, struct.error)  # fmt: skip


class _Unpickler(getattr(pickle, "_Unpickler")):  # noqa: B009 - the pure-Python reader, unknown to type checkers
    def __init__(self, stream: BinaryIO, names: Names) -> None:
        super().__init__(stream, encoding="latin1")
        self._names = names

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) not in self._names:
            raise pickle.UnpicklingError(f"the pickle uses {module}.{name}, which is not allowed")
        return self._names[module, name]


def read_pickle(stream: BinaryIO, names: Names, where: str | Path) -> Any:
    """Return the object stored in a pickle, provided that the pickle refers only to allowed functions and classes.

    Args:
        stream: binary stream, positioned at the beginning of the pickle.
        names: mapping from the (module, name) of each allowed function or class to its replacement.
        where: name of the file, for error messages.

    Raises:
        SentrepError: the pickle is damaged, or refers to a function or class that is not in ``names``.
    """
    try:
        return _Unpickler(stream, names).load()
    except (pickle.UnpicklingError, *_DAMAGE) as error:
        raise SentrepError(
            where,
            expected="a complete pickle of plain data and arrays",
            found=f"a file that cannot be read ({type(error).__name__}: {error})",
            remedy="use an undamaged file that contains only plain data and arrays",
        ) from None


def read_rows(path: str | Path) -> np.ndarray:
    """Read a matrix from an ``.npy`` file, and return it as an (n, d) float32 array, which may be memory-mapped.

    Instead of a matrix, the file may contain an array of n objects, each of which is a row of d numbers, as in the word
    tables of the released skip-thought models. Reading such a file needs about twice its size in memory.

    Raises:
        SentrepError: the file is damaged, or its rows have different lengths.
    """
    path = Path(path)
    try:
        with path.open("rb") as stream:
            version = np.lib.format.read_magic(stream)
            read_header = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}
            _, _, dtype = read_header[version](stream)
            objects = read_pickle(stream, ARRAYS, path) if dtype.hasobject else None
        if objects is None:
            matrix = np.load(path, mmap_mode="r", allow_pickle=False)
            return matrix.reshape(len(matrix), -1).astype(np.float32, copy=False)
        matrix = np.empty((len(objects), np.size(objects[0])), dtype=np.float32)
        for row, values in zip(matrix, objects, strict=True):
            row[:] = np.ravel(values)
        return matrix
    except (
        ValueError,
        KeyError,
        IndexError,
        TypeError,
        EOFError,
        SyntaxError,
        tokenize.TokenError,
        MemoryError,
    ) as error:
        raise SentrepError(
            path,
            expected="an .npy file with rows of equal length",
            found=f"a file that cannot be read ({type(error).__name__}: {error})",
            remedy="use an undamaged file in this format",
        ) from None
