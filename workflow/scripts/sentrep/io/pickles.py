"""Read published pickles without running code from them.

A pickle names functions and classes to call. Only listed ones are allowed: those of numpy's arrays, and empty classes
in place of the authors' own. Anything else is an error. Strings of Python 2 are read as Latin-1, which keeps every
byte.
"""

from __future__ import annotations

import argparse
import codecs
import copyreg
import pickle
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy._core import multiarray

from sentrep.errors import SentrepError

Names = Mapping[tuple[str, str], Any]

# By all names in versions of numpy and Python; the functions only make arrays and plain objects.
ARRAYS: Names = {
    ("numpy", "ndarray"): np.ndarray,
    ("numpy", "dtype"): np.dtype,
    ("_codecs", "encode"): codecs.encode,  # how Python 3 writes bytes for Python 2
    **{
        (f"numpy.{core}.multiarray", name): getattr(multiarray, name)
        for core in ("core", "_core")
        for name in ("_reconstruct", "scalar")
    },
}
OBJECTS: Names = {
    ("__builtin__", "object"): object,
    ("copy_reg", "_reconstructor"): getattr(copyreg, "_reconstructor"),  # noqa: B009 - private, so unknown to type checkers
    ("argparse", "Namespace"): argparse.Namespace,
}

# Errors of damaged pickles besides UnpicklingError.
_DAMAGE = (EOFError, LookupError, AttributeError, ImportError, TypeError, ValueError, MemoryError, OverflowError)


class _Unpickler(pickle.Unpickler):
    def __init__(self, stream: BinaryIO, names: Names) -> None:
        super().__init__(stream, encoding="latin1")
        self._names = names

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) not in self._names:
            raise pickle.UnpicklingError(f"it wants to call {module}.{name}")
        return self._names[module, name]


def read_pickle(stream: BinaryIO, names: Names, where: str | Path) -> Any:
    """Return the content of a pickle.

    Args:
        stream: binary stream at the pickle.
        names: allowed functions and classes by module and name.
        where: name of the file, for errors.

    Raises:
        SentrepError: the file is damaged or refers to something else.
    """
    try:
        return _Unpickler(stream, names).load()
    except (pickle.UnpicklingError, *_DAMAGE) as error:
        raise SentrepError(
            where,
            expected="a complete pickle of plain data and arrays",
            found=f"{type(error).__name__}: {error}",
            remedy="get the file again",
        ) from None


def read_rows(path: str | Path) -> np.ndarray:
    """Return a matrix of numbers from an ``.npy`` file, (n, d): float32, in memory or mapped.

    Arrays of objects, each a row of d numbers, are read, too, because the word tables of the released skip-thought
    models are such arrays. They take about twice the size of the file while they are read.

    Raises:
        SentrepError: the file is damaged, or its rows are of different lengths.
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
    except (ValueError, KeyError, IndexError, TypeError, EOFError) as error:
        raise SentrepError(
            path,
            expected="an .npy file of rows of equal length",
            found=f"{type(error).__name__}: {error}",
            remedy="get the file again",
        ) from None
