"""Store related and non-related text pairs, their vocabulary and their splits in a folder.

The folder contains::

    vocabulary.txt              V words, one per line; the word in line i (counted from 0) has the id i
    document_frequencies.npy    (V,) int64, number of documents that contain each word
    train.npz, validation.npz, test.npz
        first, second           (n, L) int32, word ids of each text, in text order, padded with -1
        related                 (n,) bool, whether each pair is related
    counts.csv                  sizes of the splits, and numbers of pairs and texts left out; see :class:`Count`
    meta.json                   total number of documents (key "documents"), settings and provenance

The documents are the paragraphs of the Wikipedia corpus, even for pairs of tweets. Each paragraph is one line of the
corpus; the released docfreq.py of De Boom et al. also treats each line of its input as a document.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from sentrep.errors import SentrepError
from sentrep.io.files import ARRAY_ERRORS, read_json, write_json
from sentrep.io.folders import atomic_directory

Split = Literal["train", "validation", "test"]
SPLITS: tuple[Split, ...] = ("train", "validation", "test")
_REMEDY = "delete the folder of pairs and run `snakemake` again"


class Count(NamedTuple):
    """A row of ``counts.csv``: the number of pairs in a split, or the number of pairs or texts described in ``note``.

    The texts are Wikipedia paragraphs or tweets.

    Attributes:
        split: name of the split, or "" for pairs or texts that do not belong to a split.
        source: source of the texts, "wikipedia" or "twitter".
        related: True for related pairs, False for non-related pairs, and "" in rows that do not make this distinction.
        pairs: number of pairs or texts.
        note: "" for the pairs of a split; otherwise, a description of the counted pairs or texts, usually including
            the reason why they were left out.
    """

    split: str
    source: str
    related: bool | str
    pairs: int
    note: str = ""


@dataclass(frozen=True)
class Pairs:
    """The text pairs in one split.

    Attributes:
        first: word ids of the first text of each pair, padded with -1, (n, L) int32.
        second: word ids of the second text of each pair, padded with -1, (n, L) int32.
        related: whether each pair is related, (n,) bool.
    """

    first: npt.NDArray[np.int32]
    second: npt.NDArray[np.int32]
    related: npt.NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.related)

    def take(self, chosen: npt.NDArray[Any]) -> Pairs:
        """Return the pairs at the positions ``chosen``, or the pairs for which the mask ``chosen`` is true."""
        return Pairs(self.first[chosen], self.second[chosen], self.related[chosen])

    def check(self, where: str | Path, vocabulary_size: int) -> None:
        """Check the shapes and data types of the arrays, the range of the word ids, and the padding.

        Raises:
            SentrepError: an array is invalid.
        """
        shape = (len(self.related), self.first.shape[-1])
        for name, texts in (("first", self.first), ("second", self.second)):
            if texts.shape != shape or texts.dtype != np.int32:
                raise _mismatch(where, f"'{name}' of shape {shape} and type int32", _form(texts))
            if texts.size and not -1 <= texts.min() <= texts.max() < vocabulary_size:
                raise _mismatch(
                    where,
                    f"word ids from -1 to {vocabulary_size - 1} in '{name}'",
                    f"ids from {texts.min()} to {texts.max()}",
                )
            if ((texts[:, :-1] < 0) & (texts[:, 1:] >= 0)).any():
                raise _mismatch(where, f"-1 in '{name}' only after the last word of a text", "a word after -1")
        if self.related.ndim != 1 or self.related.dtype != np.bool_:
            raise _mismatch(where, "'related' of shape (n,) and type bool", _form(self.related))


@dataclass(frozen=True)
class PairSet:
    """A data set of text pairs with its vocabulary and splits.

    Attributes:
        vocabulary: V words; the id of a word is its position in this list.
        document_frequencies: number of documents that contain each word, (V,) int64.
        documents: total number of documents.
        splits: dictionary that maps the names "train", "validation" and "test" to the pairs in these splits.
        counts: rows of ``counts.csv``.
        meta: settings and provenance.
    """

    vocabulary: list[str]
    document_frequencies: npt.NDArray[np.int64]
    documents: int
    splits: dict[Split, Pairs]
    counts: Sequence[Count] = ()
    meta: dict[str, Any] = field(default_factory=dict)

    @property
    def train(self) -> Pairs:
        """The pairs on which word weights are trained."""
        return self.splits["train"]

    @property
    def validation(self) -> Pairs:
        """The pairs used to choose the distance threshold that separates related from non-related pairs."""
        return self.splits["validation"]

    @property
    def test(self) -> Pairs:
        """The pairs on which results are reported."""
        return self.splits["test"]

    def check(self, where: str | Path) -> None:
        """Check that the vocabulary, the document frequencies and the splits are valid and consistent.

        Raises:
            SentrepError: an array is invalid, or a split is missing or unknown.
        """
        size = len(self.vocabulary)
        frequencies = self.document_frequencies
        if frequencies.shape != (size,) or frequencies.dtype != np.int64:
            raise _mismatch(where, f"document frequencies of shape ({size},) and type int64", _form(frequencies))
        if size and not 0 <= frequencies.min() <= frequencies.max() <= self.documents:
            raise _mismatch(
                where,
                f"document frequencies from 0 to {self.documents}",
                f"values from {frequencies.min()} to {frequencies.max()}",
            )
        if set(self.splits) != set(SPLITS):
            raise _mismatch(where, f"the splits {', '.join(SPLITS)}", ", ".join(self.splits) or "no split")
        for name, pairs in self.splits.items():
            pairs.check(f"{where}/{name}.npz", size)

    def save(self, output: str | Path) -> None:
        """Write the pair set to a folder atomically.

        Raises:
            SentrepError: an array is invalid, a split is missing or unknown, or the folder cannot be written.
        """
        self.check(output)
        with atomic_directory(output) as folder:
            (folder / "vocabulary.txt").write_text("".join(f"{word}\n" for word in self.vocabulary), encoding="utf-8")
            np.save(folder / "document_frequencies.npy", self.document_frequencies)
            for name, pairs in self.splits.items():
                np.savez(folder / f"{name}.npz", first=pairs.first, second=pairs.second, related=pairs.related)
            with (folder / "counts.csv").open("w", encoding="utf-8", newline="") as stream:
                rows = csv.writer(stream, lineterminator="\n")
                rows.writerow(Count._fields)
                rows.writerows(self.counts)
            write_json(folder / "meta.json", {**self.meta, "documents": self.documents})

    @classmethod
    def load(cls, folder: str | Path) -> PairSet:
        """Load a pair set from a folder that :meth:`save` wrote.

        Raises:
            SentrepError: a file is missing or damaged, or the files are inconsistent.
        """
        folder = Path(folder)
        meta = read_json(folder / "meta.json")
        try:
            words = (folder / "vocabulary.txt").read_text(encoding="utf-8").split("\n")[:-1]
            frequencies = np.load(folder / "document_frequencies.npy")
            splits: dict[Split, Pairs] = {}
            for name in SPLITS:
                with np.load(folder / f"{name}.npz") as arrays:
                    splits[name] = Pairs(arrays["first"], arrays["second"], arrays["related"])
            with (folder / "counts.csv").open(encoding="utf-8", newline="") as stream:
                truth = {"True": True, "False": False}
                counts = [
                    Count(r["split"], r["source"], truth.get(r["related"], ""), int(r["pairs"]), r["note"])
                    for r in csv.DictReader(stream)
                ]
            found = cls(words, frequencies, int(meta["documents"]), splits, counts, meta)
        except ARRAY_ERRORS as error:
            raise _mismatch(folder, "a complete folder of pairs", f"a missing or damaged file ({error!r})") from None
        found.check(folder)
        return found


def _form(array: npt.NDArray) -> str:
    return f"shape {array.shape} and type {array.dtype}"


def _mismatch(where: str | Path, expected: str, found: str) -> SentrepError:
    return SentrepError(where, expected=expected, found=found, remedy=_REMEDY)
