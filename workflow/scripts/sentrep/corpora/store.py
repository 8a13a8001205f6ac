"""Open and check token stores, each of which contains a tokenised corpus as arrays of word ids and offsets.

A token store is a folder with the following files::

    ids.npy                 (T,) uint16 or uint32   ids of the tokens of all sentences, in order
    sentence_offsets.npy    (S + 1,) int64          sentence s is ids[offsets[s]:offsets[s + 1]] and may be empty
    document_offsets.npy    (D + 1,) int64          document d consists of sentences offsets[d] to offsets[d + 1] - 1
    vocabulary.tsv          V lines "word<TAB>count", sorted by descending count, then by word; the word on line i
                            (counted from 0) has id i
    meta.json               settings, sizes, provenance and checksums

Out-of-vocabulary tokens are omitted or, if ``meta.json`` names an ``unknown_word``, replaced by that word, which is the
last one in the vocabulary regardless of its count. A sentence without remaining tokens is kept as an empty sentence, so
that the sentences before and after it do not become neighbours.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from sentrep.errors import SentrepError
from sentrep.io.seal import check_seal, read_meta

Ids = npt.NDArray[np.unsignedinteger]
Offsets = npt.NDArray[np.int64]

_REBUILD = "delete the token store, and rebuild it with the command that created it"
_CHUNK = 1 << 24  # number of array elements that are checked at a time

ARRAYS = ("ids.npy", "sentence_offsets.npy", "document_offsets.npy")
UNKNOWN_WORD = "<unk>"  # as in the released vocabularies of skip-thought and Quick Thoughts


def id_type(vocabulary_size: int) -> np.dtype:
    """Return the integer type of word ids below ``vocabulary_size``: uint16 if it is sufficient, otherwise uint32."""
    return np.dtype(np.uint16 if vocabulary_size <= 2**16 else np.uint32)


@dataclass(frozen=True)
class TokenStore:
    """A tokenised corpus as arrays of word ids and offsets.

    Attributes:
        ids: (T,) uint16 or uint32, word ids of all sentences, concatenated.
        sentence_offsets: (S + 1,) int64, start of each sentence in ``ids``, followed by T.
        document_offsets: (D + 1,) int64, index of the first sentence of each document, followed by S.
        vocabulary: V words in descending order of frequency, with the unknown word (if any) at the end; the position of
            a word is its id.
        counts: (V,) int64, number of occurrences of each word.
        meta: ``meta.json`` as a dictionary.
    """

    ids: Ids
    sentence_offsets: Offsets
    document_offsets: Offsets
    vocabulary: list[str]
    counts: npt.NDArray[np.int64]
    meta: dict[str, Any]

    @property
    def n_tokens(self) -> int:
        """Number of tokens in the store."""
        return int(self.ids.shape[0])

    @property
    def n_sentences(self) -> int:
        """Number of sentences, including empty sentences."""
        return int(self.sentence_offsets.shape[0]) - 1

    @property
    def n_documents(self) -> int:
        """Number of documents."""
        return int(self.document_offsets.shape[0]) - 1

    @property
    def vocabulary_size(self) -> int:
        """Number of words in the vocabulary."""
        return len(self.vocabulary)

    @property
    def unknown_id(self) -> int | None:
        """Id of the unknown word, which replaces out-of-vocabulary tokens; None if such tokens are omitted."""
        return self.vocabulary_size - 1 if self.meta.get("unknown_word") else None

    @classmethod
    def open(cls, directory: str | Path) -> TokenStore:
        """Open the store in a folder and map its arrays into memory.

        The checksums of all files are compared with those in ``meta.json``. The consistency of the offsets and ids is
        also checked, because compiled code uses the offsets and ids without further checks.

        Raises:
            SentrepError: a file is missing, has changed, or is inconsistent with the other files.
        """
        directory = Path(directory)
        meta = read_meta(directory)
        try:
            check_seal(directory, meta)
            ids, sentences, documents = (np.load(directory / name, mmap_mode="r") for name in ARRAYS)
            words, counts = read_vocabulary(directory / "vocabulary.tsv")
        except (OSError, ValueError, EOFError) as error:
            raise SentrepError(
                directory,
                expected="a complete token store",
                found=f"a missing or damaged file ({error})",
                remedy=_REBUILD,
            ) from None
        store = cls(ids, sentences, documents, words, counts, meta)
        store.check(directory)
        return store

    def check(self, where: str | Path) -> None:
        """Check that the arrays and the vocabulary of the store are valid and consistent.

        Args:
            where: name of the store, for error messages.

        Raises:
            SentrepError: an array has the wrong type, or the arrays, the vocabulary and ``meta`` are inconsistent.
        """
        number = self.vocabulary_size
        largest = max((int(self.ids[i : i + _CHUNK].max()) for i in range(0, len(self.ids), _CHUNK)), default=-1)
        findings = [
            (
                self.ids.dtype in (np.uint16, np.uint32) and self.ids.ndim == 1,
                "ids",
                "a one-dimensional array of uint16 or uint32",
            ),
            (
                _are_offsets(self.sentence_offsets, len(self.ids)),
                "sentence_offsets",
                f"non-decreasing int64 offsets from 0 to {len(self.ids)}",
            ),
            (
                _are_offsets(self.document_offsets, len(self.sentence_offsets) - 1),
                "document_offsets",
                f"non-decreasing int64 offsets from 0 to {len(self.sentence_offsets) - 1}",
            ),
            (largest < number, "ids", f"ids below {number}, the number of words in vocabulary.tsv"),
            (
                number == len(set(self.vocabulary)) == self.meta.get("vocabulary", number)
                and "" not in self.vocabulary,
                "vocabulary",
                f"{self.meta.get('vocabulary', number)} distinct, non-empty words",
            ),
        ]
        for holds, name, expected in findings:
            if not holds:
                raise SentrepError(f"{where}: {name}", expected=expected, found="invalid data", remedy=_REBUILD)


def _are_offsets(offsets: npt.NDArray[Any], end: int) -> bool:
    """Return whether ``offsets`` is a one-dimensional int64 array that never decreases and goes from 0 to ``end``."""
    if offsets.dtype != np.int64 or offsets.ndim != 1 or not len(offsets) or offsets[0] != 0 or offsets[-1] != end:
        return False
    steps = (offsets[i : i + _CHUNK + 1] for i in range(0, len(offsets) - 1, _CHUNK))
    return all((part[1:] >= part[:-1]).all() for part in steps)


def read_vocabulary(path: str | Path) -> tuple[list[str], npt.NDArray[np.int64]]:
    """Read a file with one line "word<TAB>count" per word, and return the words and their counts, (V,) int64.

    Raises:
        OSError: the file cannot be read.
        ValueError: the file is not UTF-8, or a line is malformed.
    """
    rows = [line.split("\t") for line in Path(path).read_bytes().decode("utf-8").split("\n") if line]
    try:
        return [word for word, _ in rows], np.array([int(count) for _, count in rows], dtype=np.int64)
    except (ValueError, OverflowError) as error:
        raise ValueError(f"{path}: {error}") from None
