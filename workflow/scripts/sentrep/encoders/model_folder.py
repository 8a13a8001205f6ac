"""Read and check the files in the folder of a trained model."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy.typing as npt

from sentrep.errors import SentrepError
from sentrep.io.seal import check_seal, read_meta


@contextlib.contextmanager
def reading(directory: str | Path) -> Iterator[None]:
    """Return a context manager that turns errors raised while reading a model folder into a :class:`SentrepError`.

    Raises:
        SentrepError: a file is missing or damaged.
    """
    from safetensors import SafetensorError

    try:
        yield
    except (OSError, SafetensorError, LookupError, RuntimeError, TypeError, ValueError, AttributeError) as error:
        raise SentrepError(
            directory,
            expected="a complete model folder",
            found=f"a folder that cannot be read ({type(error).__name__}: {error})",
            remedy="train the model again, or use an undamaged copy of the folder",
        ) from None


@dataclass(frozen=True)
class ModelFiles:
    """The contents of the model folder of a :class:`sentrep.encoders.base.WordEncoder`.

    Attributes:
        tensors: arrays of the model, by name.
        vocabulary: words, in the order of their row indices.
        settings: settings of the encoder, such as the name of its tokeniser; the same as ``meta["encoder"]``.
        meta: content of ``meta.json``.
    """

    tensors: dict[str, npt.NDArray[Any]]
    vocabulary: list[str]
    settings: dict[str, Any]
    meta: dict[str, Any]


def read_model(directory: str | Path, file: str) -> ModelFiles:
    """Read the model folder of a :class:`sentrep.encoders.base.WordEncoder` and check its files.

    Args:
        directory: path of the model folder.
        file: name of the file that contains the tensors, without the suffix ``.safetensors``.

    Raises:
        SentrepError: a file is missing or damaged.
    """
    from safetensors.numpy import load_file

    directory = Path(directory)
    meta = read_meta(directory)
    with reading(directory):
        check_seal(directory, meta)
        tensors = load_file(directory / f"{file}.safetensors")
        text = (directory / "vocabulary.txt").read_bytes().decode("utf-8")
        if text[-1:] != "\n":
            raise ValueError("vocabulary.txt does not end with a line break")
        words = text.split("\n")[:-1]
        if words[0].startswith("\ufeff"):
            raise ValueError("vocabulary.txt starts with a byte order mark")
        return ModelFiles(tensors, words, meta["encoder"], meta)
