"""Define encoders that wrap a sentence-transformers model or a function that maps sentences to vectors."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np

from sentrep.encoders.base import Counts, Encoder, Vectors
from sentrep.encoders.model_folder import reading
from sentrep.errors import SentrepError
from sentrep.io.files import write_json
from sentrep.io.seal import check_seal, read_meta

_FOLDER = "model"
Function = Callable[[list[str]], Any]
"""A function that maps a list of n sentences to an (n, d) array, either dense or sparse in CSR format."""


class FunctionEncoder(Encoder):
    """An encoder that computes sentence vectors by calling a function.

    The function's vocabulary is unknown, so all words count as known.

    Args:
        function: function that maps a list of n sentences to an (n, d) array, either dense or sparse in CSR format.
        name: the model's name, which is stored as ``meta["family"]`` and used in error messages.
    """

    def __init__(self, function: Function, name: str = "function") -> None:
        self.meta = {"family": name}
        self._function, self._name, self._dimension = function, name, 0

    @property
    def dimension(self) -> int:
        """Number of components of a sentence vector."""
        if not self._dimension:
            self.encode(["dimension"])
        return self._dimension

    def _encode(self, sentences: Sequence[str]) -> Vectors:
        """Call the wrapped function and return its result, an (n, d) array, either dense or sparse in CSR format.

        Raises:
            SentrepError: the result is not two-dimensional, or its number of rows is not the number of sentences.
        """
        vectors = self._function(list(sentences))
        if not hasattr(vectors, "indptr"):  # an array in CSR format is returned unchanged
            vectors = np.asarray(vectors)
        if vectors.ndim != 2 or vectors.shape[0] != len(sentences):
            raise SentrepError(
                self._name,
                expected=f"an array of shape ({len(sentences)}, d), with one row for each sentence",
                found=f"an array of shape {vectors.shape}",
                remedy="change the function so that it returns one vector per sentence",
            )
        self._dimension = int(vectors.shape[1])
        return vectors

    def _count_tokens(self, sentences: Sequence[str]) -> tuple[Counts, Counts]:
        """Return the number of words in each sentence as both the number of tokens and the number of known tokens.

        Words are separated by whitespace, and all words count as known. A sentence without words counts as one word.
        """
        counts = np.array([max(1, len(sentence.split())) for sentence in sentences], dtype=np.int64)
        return counts, counts

    def write(self, directory: str | Path) -> None:  # noqa: ARG002 - required by the interface
        """Raise an error, because a function cannot be saved."""
        raise SentrepError(
            self._name,
            expected="a model that sentrep can save",
            found="a Python function",
            remedy="save the underlying model with the library that provides it",
        )

    @classmethod
    def load(cls, directory: str | Path) -> Self:
        """Raise an error, because a function cannot be loaded."""
        raise SentrepError(
            directory,
            expected="an encoder class that can load a folder",
            found=cls.__name__,
            remedy="create the encoder from a Python function instead",
        )


class SentenceTransformerEncoder(FunctionEncoder):
    """An encoder that calls a sentence-transformers model.

    Args:
        model: ``SentenceTransformer`` instance.
        folder: folder from which the model was loaded.
    """

    def __init__(self, model: Any, folder: Path) -> None:
        super().__init__(lambda sentences: model.encode(sentences, show_progress_bar=False), str(folder))
        self._model, self._folder = model, folder

    def use(self, device: str) -> None:
        """Move the model to a torch device."""
        self._model.to(device)

    def write(self, directory: str | Path) -> None:
        """Copy the model's files to the subfolder ``model``, and write ``meta.json``."""
        shutil.copytree(self._folder, Path(directory) / _FOLDER)
        write_json(Path(directory) / "meta.json", {**self.meta, "encoder": {}})

    @classmethod
    def load(cls, directory: str | Path) -> Self:
        """Load an encoder from a folder written by :meth:`save`; see :meth:`Encoder.load`."""
        directory = Path(directory)
        meta = read_meta(directory)
        with reading(directory):
            check_seal(directory, meta)
        encoder = cls(_open(directory / _FOLDER, "cpu"), directory / _FOLDER)
        encoder.meta = meta
        return encoder


def sentence_transformer(path: str | Path, device: str = "cpu") -> SentenceTransformerEncoder:
    """Load a sentence-transformers model folder as an encoder.

    Raises:
        SentrepError: the library sentence-transformers is not installed, or it cannot load the folder.
    """
    return SentenceTransformerEncoder(_open(Path(path), device), Path(path))


def _open(path: Path, device: str) -> Any:
    """Load a ``SentenceTransformer`` from a folder, and report failures as :class:`SentrepError`."""
    try:
        from sentence_transformers import SentenceTransformer
    except ImportError:
        raise SentrepError(
            path,
            expected="an installation of sentence-transformers, which this model needs",
            found="none",
            remedy="run `pip install sentence-transformers`",
        ) from None
    try:
        return SentenceTransformer(str(path), device=device)
    except Exception as error:
        raise SentrepError(
            path,
            expected="a sentence-transformers model",
            found=f"a folder that sentence-transformers cannot load ({type(error).__name__}: {error})",
            remedy="check the path and the device, or save the model again with SentenceTransformer.save",
        ) from None
