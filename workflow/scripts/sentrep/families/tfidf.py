"""tf-idf: a floor without any learning but word counts of the training corpus.

A sentence is a sparse vector with one component per word: how often the word occurs in it, times ln(S / df),
where df of the S sentences of the training corpus hold the word. Words the corpus does not know are left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np
import numpy.typing as npt

from sentrep.corpora.store import TokenStore, inverse_document_frequencies
from sentrep.encoders.base import WordEncoder
from sentrep.errors import SentrepError
from sentrep.families import Run

if TYPE_CHECKING:
    from scipy.sparse import csr_array

CPU_ONLY = True


@dataclass(frozen=True)
class Parameters:
    """Settings of tf-idf.

    Attributes:
        idf: "plain" is ln(S / df), natural logarithm, no smoothing, as in De Boom et al.'s released code.
    """

    idf: Literal["plain"] = "plain"


class TfIdfEncoder(WordEncoder):
    """A sentence is its word counts times the words' inverse document frequencies.

    Args:
        idf: (V,) float32, one value per word of ``vocabulary``.
        vocabulary: V words.
        tokeniser_name: how sentences are cut into words.
        meta: provenance.

    Raises:
        SentrepError: ``idf`` and ``vocabulary`` differ in length.
    """

    def __init__(
        self,
        idf: npt.NDArray[np.float32],
        vocabulary: list[str],
        tokeniser_name: str,
        meta: dict[str, Any] | None = None,
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

    def encode(self, sentences: Sequence[str]) -> csr_array:
        """Return (n, V) float64. A word that every training sentence holds has idf 0 and is not stored."""
        vectors = self.term_counts(self.tokens(sentences))
        vectors.data *= self.idf[vectors.indices]
        vectors.eliminate_zeros()
        return vectors

    def save(self, directory: str | Path) -> None:
        """Write ``idf.safetensors``, ``vocabulary.txt`` and ``meta.json``."""
        self._write(directory, "idf", self.idf)

    @classmethod
    def load(cls, directory: str | Path) -> Self:
        """Read what :meth:`save` wrote.

        Raises:
            SentrepError: a file is missing or damaged.
        """
        idf, words, encoder, meta = cls._read(directory, "idf")
        return cls(idf, words, encoder["tokeniser"], meta)


ENCODER = TfIdfEncoder


def train(store: TokenStore, parameters: Parameters, run: Run) -> TfIdfEncoder:
    """Count in how many sentences each word occurs."""
    idf = inverse_document_frequencies(store).astype(np.float32)
    return TfIdfEncoder(idf, store.vocabulary, store.meta["encoding_tokeniser"])
