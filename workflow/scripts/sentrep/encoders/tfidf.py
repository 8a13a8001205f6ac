"""tf-idf vectors: word counts times inverse document frequencies."""

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
    """Encode a sentence as its word counts times the words' inverse document frequencies.

    Args:
        idf: (V,) float32, one value per word of ``vocabulary``.
        vocabulary: V words.
        tokeniser_name: tokeniser of sentences.
        meta: provenance.

    Raises:
        SentrepError: ``idf`` and ``vocabulary`` differ in length.
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
                expected=f"{len(vocabulary)} values, one per word",
                found=f"shape {idf.shape}",
                remedy="train the model again",
            )
        self.idf = idf.astype(np.float32)

    @property
    def dimension(self) -> int:
        """Length of a sentence vector: the number of words."""
        return len(self.vocabulary)

    def _encode(self, sentences: Sequence[str]) -> csr_array:
        """Return (n, V) float64. A word that occurs in every training sentence has idf 0 and is not stored."""
        vectors = self.term_counts(self.tokens(sentences))
        vectors.data *= self.idf[vectors.indices]
        vectors.eliminate_zeros()
        return vectors

    def write(self, directory: str | Path) -> None:
        """Write ``idf.safetensors``, ``vocabulary.txt`` and ``meta.json``."""
        self._write(directory, "idf", {"idf": self.idf})

    @classmethod
    def load(cls, directory: str | Path) -> Self:
        """Read what :meth:`save` wrote; see :meth:`Encoder.load`."""
        files = read_model(directory, "idf")
        with reading(directory):
            return cls(files.tensors["idf"], files.vocabulary, files.settings["tokeniser"], files.meta)
