"""Encode sentences as tf-idf vectors: word counts multiplied by inverse document frequencies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import numpy.typing as npt

from sentrep.encoders.base import WordEncoder
from sentrep.encoders.model_folder import read_model, reading
from sentrep.errors import SentrepError

if TYPE_CHECKING:
    from scipy.sparse import csr_array


class TfIdfEncoder(WordEncoder):
    """An encoder that represents a sentence by its tf-idf vector, with one component for each word of the vocabulary.

    The component of a word is the number of times that the word occurs in the sentence, multiplied by the inverse
    document frequency (idf) of the word in the training corpus.

    Args:
        idf: idf of each word of ``vocabulary``, (V,) float32.
        vocabulary: V distinct words, in the order of ``idf``.
        tokeniser_name: name of the tokeniser that is applied to sentences.
        meta: the model's provenance, which is written to ``meta.json``.

    Raises:
        SentrepError: ``idf`` and ``vocabulary`` differ in length, or the vocabulary or tokeniser is invalid (see
            :class:`sentrep.encoders.base.WordEncoder`).
    """

    def __init__(
        self,
        idf: npt.NDArray[np.floating],
        vocabulary: list[str],
        tokeniser_name: str,
        meta: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(vocabulary, tokeniser_name, meta)
        if idf.shape != (len(vocabulary),):
            raise SentrepError(
                "idf",
                expected=f"{len(vocabulary)} idf values, one per word of the vocabulary",
                found=f"an array of shape {idf.shape}",
                remedy="train the model again",
            )
        self.idf = idf.astype(np.float32)

    @property
    def dimension(self) -> int:
        """Number of components of a sentence vector, which is the number of words in the vocabulary."""
        return len(self.vocabulary)

    def _encode(self, sentences: Sequence[str]) -> csr_array:
        """Return the sentence vectors as a sparse (n, V) float64 array.

        Words that occur in every training sentence have an idf of 0, so their components are not stored.
        """
        vectors = self.term_counts(self.tokens(sentences))
        vectors.data *= self.idf[vectors.indices]
        vectors.eliminate_zeros()
        return vectors

    def write(self, directory: str | Path) -> None:
        """Write ``idf.safetensors``, ``vocabulary.txt`` and ``meta.json``."""
        self._write(directory, "idf", {"idf": self.idf})

    @classmethod
    def load(cls, directory: str | Path) -> Self:
        """Load an encoder from a folder written by :meth:`save`; see :meth:`Encoder.load`."""
        files = read_model(directory, "idf")
        with reading(directory):
            return cls(files.tensors["idf"], files.vocabulary, files.settings["tokeniser"], files.meta)
