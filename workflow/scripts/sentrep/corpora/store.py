"""The token store: a corpus as memory-mapped word ids, which all models are trained on.

A store is a folder::

    ids.npy                 (T,) uint16 or uint32   in-vocabulary tokens of all sentences, in order
    sentence_offsets.npy    (S + 1,) int64          sentence s is ids[offsets[s]:offsets[s + 1]]; may be empty
    document_offsets.npy    (D + 1,) int64          document d is sentences offsets[d] to offsets[d + 1] - 1
    vocabulary.tsv          V lines "word<TAB>count", descending count, ties by the word; the row is the id
    meta.json               settings, sizes and provenance

Out-of-vocabulary tokens are omitted or, if ``meta.json`` names an ``unknown_word``, replaced by that word: the last of
the vocabulary, whatever its count. A sentence that loses all its tokens keeps its (empty) place, so that its neighbours
do not become each other's neighbours.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from sentrep.errors import SentrepError
from sentrep.io.files import read_json

Ids = npt.NDArray[np.unsignedinteger]
Offsets = npt.NDArray[np.int64]

UNKNOWN_WORD = "<unk>"  # as the released skip-thought and Quick Thoughts vocabularies call it


def id_type(vocabulary_size: int) -> np.dtype:
    """Return the smallest unsigned integer type that holds every id below ``vocabulary_size``."""
    return np.dtype(np.uint16 if vocabulary_size <= 2**16 else np.uint32)


@dataclass(frozen=True)
class TokenStore:
    """A corpus as arrays.

    Attributes:
        ids: (T,) uint16 or uint32, word ids of all sentences one after the other.
        sentence_offsets: (S + 1,) int64, where each sentence begins in ``ids``.
        document_offsets: (D + 1,) int64, where each document begins in the sentences.
        vocabulary: V words; a word's position is its id; most frequent first.
        counts: (V,) int64, occurrences of each word.
        meta: provenance of the store.
    """

    ids: Ids
    sentence_offsets: Offsets
    document_offsets: Offsets
    vocabulary: list[str]
    counts: npt.NDArray[np.int64]
    meta: dict[str, Any]

    @property
    def n_tokens(self) -> int:
        """Number of in-vocabulary tokens."""
        return int(self.ids.shape[0])

    @property
    def n_sentences(self) -> int:
        """Number of sentences, empty ones included."""
        return int(self.sentence_offsets.shape[0]) - 1

    @property
    def n_documents(self) -> int:
        """Number of documents."""
        return int(self.document_offsets.shape[0]) - 1

    @property
    def vocabulary_size(self) -> int:
        """Number of words."""
        return len(self.vocabulary)

    @property
    def unknown_id(self) -> int | None:
        """Id of every out-of-vocabulary token; None if they were omitted."""
        return self.vocabulary_size - 1 if self.meta.get("unknown_word") else None

    @classmethod
    def open(cls, directory: str | Path) -> TokenStore:
        """Open a store without reading its tokens into memory.

        Raises:
            SentrepError: a file is missing, or the sizes are inconsistent.
        """
        directory = Path(directory)
        meta = read_json(directory / "meta.json")
        try:
            ids, sentences, documents = (
                np.load(directory / f"{name}.npy", mmap_mode="r")
                for name in ("ids", "sentence_offsets", "document_offsets")
            )
        except (OSError, ValueError) as error:
            raise SentrepError(
                directory, expected="a complete token store", found=str(error), remedy="rebuild the store"
            ) from None
        if sentences[-1] != ids.shape[0] or documents[-1] != sentences.shape[0] - 1:
            raise SentrepError(
                directory,
                expected=f"{sentences[-1]} tokens in {documents[-1]} sentences",
                found=f"{ids.shape[0]} in {sentences.shape[0] - 1}",
                remedy="rebuild the store",
            )
        words, counts = read_vocabulary(directory / "vocabulary.tsv")
        return cls(ids, sentences, documents, words, counts, meta)


def read_vocabulary(path: str | Path) -> tuple[list[str], npt.NDArray[np.int64]]:
    """Read "word<TAB>count" lines; return the words and their counts, (V,) int64."""
    rows = [line.split("\t") for line in Path(path).read_text(encoding="utf-8").split("\n") if line]
    return [word for word, _ in rows], np.array([int(count) for _, count in rows], dtype=np.int64)


def document_frequencies(store: TokenStore) -> npt.NDArray[np.int64]:
    """Return the number of documents that hold each word, (V,) int64, where a document is one sentence of the store."""
    from sentrep.corpora.frequency_kernels import count_sentences  # numba takes a while to import

    frequencies = np.zeros(store.vocabulary_size, dtype=np.int64)
    count_sentences(np.asarray(store.ids), np.asarray(store.sentence_offsets), frequencies)
    return frequencies


def inverse_document_frequencies(store: TokenStore) -> npt.NDArray[np.float64]:
    """Return ln(S / df) of each word, (V,) float64, with S sentences as documents and df at least 1."""
    return np.log(store.n_sentences / np.maximum(document_frequencies(store), 1))
