"""The two passes over sentences that a token store takes, a batch of shards at a time, in worker processes.

The first cuts text into pieces at blanks, writes them down as numbers and counts words; the second turns the numbers
into word ids. A tokeniser so runs once per distinct piece of a batch and not once per token.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from sentrep.corpora.sentence_shards import read_shard, shard_documents
from sentrep.corpora.string_ids import Numbering, expand
from sentrep.corpora.tokenisers import Tokeniser, tokeniser
from sentrep.io.files import take_space

Int64 = npt.NDArray[np.int64]

# Tokenisers that treat each white-space delimited piece alone.
_PIECEWISE = frozenset({"kenter", "kenter_porter", "whitespace"})


@dataclass(frozen=True)
class Batch:
    """Some consecutive shards.

    Attributes:
        shards: their files.
        firsts: how many documents ended before each.
        name: path of what the passes write down, without suffix.
    """

    shards: list[Path]
    firsts: list[int]
    name: Path

    @property
    def pieces(self) -> Path:
        """Its text as numbers of pieces, and of which of its words each piece consists."""
        return self.name.with_suffix(".pieces.npz")

    @property
    def words(self) -> Path:
        """Which of the corpus' words its words are, and how often they occur in it."""
        return self.name.with_suffix(".words.npz")


@dataclass(frozen=True)
class Selection:
    """What of each shard is used and how it is cut.

    Attributes:
        tokeniser_name: how text is cut into words.
        fraction: of the corpus, that is used.
        by_document: whether that is whole documents, evenly spaced, or the leading part of each.
    """

    tokeniser_name: str
    fraction: float
    by_document: bool

    def count(self, batch: Batch) -> tuple[bytes, Int64, int]:
        """First pass: write down the pieces of a batch as numbers.

        Returns:
            Its distinct words, a line end after each; (words,) int64, how often they occur; its number of sentences.
        """
        pieces, vocabulary = Numbering(), Numbering()
        numbered = [pieces.number(self._text(*shard)) for shard in zip(batch.shards, batch.firsts, strict=True)]
        numbers = np.concatenate([numbers for numbers, _ in numbered])
        lengths = np.concatenate([lengths for _, lengths in numbered])
        if self._piecewise:
            words, starts = _words_of_pieces(pieces.text().decode(), tokeniser(self.tokeniser_name))
        else:
            words, starts = pieces.text(), np.arange(len(pieces) + 1)
        flat, _ = vocabulary.number(words)
        occurrences = np.bincount(numbers, minlength=len(pieces))
        counts = np.zeros(len(vocabulary), np.int64)
        np.add.at(counts, flat, np.repeat(occurrences, np.diff(starts)))
        np.savez(batch.pieces, numbers=numbers, lengths=lengths, starts=starts, words=flat)
        return vocabulary.text(), counts, int((lengths >= 0).sum())

    @property
    def _piecewise(self) -> bool:
        return self.tokeniser_name in _PIECEWISE

    def _text(self, shard: Path, first_document: int) -> bytes:
        """Return what of a shard is used, already tokenised if the tokeniser has to see whole sentences."""
        if self.fraction >= 1 and self._piecewise:
            return read_shard(shard)
        words = tokeniser(self.tokeniser_name)
        lines: list[str] = []
        for run in self._runs(shard, first_document):
            # A line with a blank is a sentence without words; one without, the end of a document.
            lines += (run if self._piecewise else [" ".join(words(s)) or " " for s in run]) if run else [""]
        return "".join(f"{line}\n" for line in lines).encode()

    def _runs(self, shard: Path, first_document: int) -> Iterator[list[str]]:
        """Yield the runs of sentences that belong to the wanted fraction; [] ends a document."""
        document = first_document
        for run in shard_documents(shard):
            if self.fraction >= 1:
                yield run
            elif not self.by_document:
                yield run[: math.ceil(len(run) * self.fraction)]
            elif math.floor((document + 1) * self.fraction) > math.floor(document * self.fraction):
                yield run
            document += not run


def _words_of_pieces(pieces: str, words: Tokeniser) -> tuple[bytes, Int64]:
    """Tokenise pieces, a line each, in one go.

    Returns:
        Their words, a line each, and (pieces + 1,) int64, where among them each piece's begin.
    """
    # A character for private use is a word to every tokeniser; one that the text lacks keeps the pieces apart.
    mark = next(character for character in map(chr, range(0xE000, 0xF900)) if character not in pieces)
    found = words(pieces.replace("\n", f" {mark} "))
    marks = np.flatnonzero([word == mark for word in found])
    text = "\n".join([*found, ""]).replace(f"{mark}\n", "")
    return text.encode(), np.concatenate(([0], marks - np.arange(len(marks))))


def write_ids(folder: Path, job: tuple[Batch, int, int]) -> tuple[Int64, int]:
    """Second pass: write the word ids and sentence offsets of a batch to their place in the store.

    Args:
        folder: the store, its arrays there in full size; ``rows.npy`` holds the id of each of the corpus' words, -1 of
            those left out.
        job: the batch; how many kept tokens and how many sentences stand before it.

    Returns:
        After which sentences, counted over all batches, documents end; and how many sentences have no word.
    """
    batch, first_token, first_sentence = job
    rows = np.load(folder / "rows.npy", mmap_mode="r")
    with np.load(batch.pieces) as pieces, np.load(batch.words) as words:
        numbers, lengths, starts = pieces["numbers"], pieces["lengths"], pieces["starts"]
        known = rows[words["numbers"]][pieces["words"]]
    # Most pieces are one word; "and/or" is two, and one that is unknown or mere punctuation is none.
    starts = np.concatenate(([0], np.cumsum(known >= 0)))[starts]
    known = known[known >= 0]
    n_ids = int(np.diff(starts)[numbers].sum())
    ends = np.flatnonzero(lengths < 0)
    n_sentences = len(lengths) - len(ends)
    ids = np.load(folder / "ids.npy", mmap_mode="r+")
    batch.pieces.unlink()
    batch.words.unlink()
    take_space(ids, first_token, first_token + n_ids)
    offsets = np.load(folder / "sentence_offsets.npy", mmap_mode="r+")
    own = offsets[first_sentence + 1 : first_sentence + 1 + n_sentences]
    expand(numbers, lengths, starts, known, ids[first_token : first_token + n_ids], own, first_token)
    empty = int((np.diff(own, prepend=first_token) == 0).sum())
    return first_sentence + ends - np.arange(len(ends)), empty
