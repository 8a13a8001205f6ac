"""Reading pickles that others have published, without running what they say.

A pickle names functions and classes to call. Here only listed ones are found: numpy's arrays, and stand-ins without
behaviour where a file needs a class of its authors. Anything else in a file is an error. Files of Python 2 are read,
too: their strings are taken as Latin-1, which keeps every byte.
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

# By the names that numpy and Python have had; the right-hand sides make arrays and bare objects, nothing else.
ARRAYS: Names = {
    ("numpy", "ndarray"): np.ndarray,
    ("numpy", "dtype"): np.dtype,
    ("_codecs", "encode"): codecs.encode,  # Python 3 writes bytes so, for Python 2 to read
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


class _Unpickler(pickle.Unpickler):
    def __init__(self, stream: BinaryIO, names: Names) -> None:
        super().__init__(stream, encoding="latin1")
        self._names = names

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) not in self._names:
            raise pickle.UnpicklingError(f"it wants to call {module}.{name}")
        return self._names[module, name]


def read_pickle(stream: BinaryIO, names: Names, where: str | Path) -> Any:
    """Return what a pickle holds.

    Args:
        stream: open for reading bytes, at the pickle.
        names: what the pickle may refer to, by module and name.
        where: the file, for errors.

    Raises:
        SentrepError: the file is damaged, or refers to something else.
    """
    try:
        return _Unpickler(stream, names).load()
    except (pickle.UnpicklingError, EOFError, AttributeError, ImportError, IndexError, KeyError) as error:
        found = f"{type(error).__name__}: {error}"
    except (TypeError, ValueError, MemoryError, OverflowError) as error:
        found = f"{type(error).__name__}: {error}"
    raise SentrepError(
        where, expected="a whole pickle of plain data and arrays", found=found, remedy="get the file again"
    )


def read_rows(path: str | Path) -> np.ndarray:
    """Return a matrix of numbers from an ``.npy`` file, (n, d): float32, in memory or mapped.

    Besides plain matrices it reads arrays of objects, each a row of d numbers of any shape: so the word tables of the
    released skip-thought models were saved. These take about twice the size of the file while they are read.

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
