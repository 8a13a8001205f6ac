"""Arrange batches in arrays with a fixed number of word slots per sentence, as in the released Siamese CBOW code.

A slot contains a word id plus one, or 0 if it is empty. The released code fills the slots incorrectly in two ways:

- Stale slots: the arrays are emptied only once per epoch, so slots that a sentence does not need may still contain
  words of longer sentences that were at the same position in earlier batches.
- 16-bit indices: the word id plus one is stored modulo 65,536. If the sum is 65,536 or more, the slot therefore
  contains another word or, if the sum is a multiple of 65,536, is empty.

The padding "stale" reproduces the first defect, and uint16 slots reproduce the second. The padding "clean" empties
unused slots. The other kinds of padding serve to test why stale slots raise a model's scores: they fill unused slots
with random tokens of the corpus ("unigram"), with random words of the vocabulary ("uniform"), or with the most frequent
word ("most_frequent").
"""

from __future__ import annotations

from typing import get_args

import numpy as np
import numpy.typing as npt
from numba import njit

from sentrep.corpora.store import Ids
from sentrep.training.parameters import Padding

_CLEAN, _STALE, _UNIGRAM, _UNIFORM, _ = range(len(get_args(Padding)))  # indices of the kinds of padding


def fill(
    slots: npt.NDArray[np.unsignedinteger],
    ids: Ids,
    sentences: npt.NDArray[np.int64],
    starts: npt.NDArray[np.int64],
    lengths: npt.NDArray[np.int32],
    padding: Padding,
    words: int,
) -> tuple[Ids, npt.NDArray[np.int32]]:
    """Write the words of a batch into its slots, and return the word ids that the slots then contain.

    Random padding depends only on the sentence and the slot, so a resumed run draws the same words as an uninterrupted
    one.

    Args:
        slots: (batch, sentences, max_tokens) uint16 or uint32 slots, changed in place.
        ids: (T,) word ids of the corpus.
        sentences: (batch, sentences) int64 sentence indices.
        starts: (batch, sentences) int64 position in ``ids`` of the first token of each sentence.
        lengths: (batch, sentences) int32 number of tokens in each sentence, at most max_tokens.
        padding: what unused slots contain.
        words: size of the vocabulary.

    Returns:
        The word ids in all slots that are not empty, as a flat array, and the number of these slots in each sentence,
        (batch, sentences) int32.
    """
    tokens = np.empty(slots.size, dtype=slots.dtype)
    kept = np.empty(starts.shape, dtype=np.int32)
    kind = get_args(Padding).index(padding)
    n = _fill(slots, ids, sentences, starts, lengths, kind, words, tokens, kept)
    return tokens[:n], kept


@njit(cache=True, nogil=True)
def _fill(
    slots: npt.NDArray[np.unsignedinteger],
    ids: Ids,
    sentences: npt.NDArray[np.int64],
    starts: npt.NDArray[np.int64],
    lengths: npt.NDArray[np.int32],
    kind: int,
    words: int,
    tokens: Ids,
    kept: npt.NDArray[np.int32],
) -> int:
    n = 0
    for b in range(starts.shape[0]):
        for s in range(starts.shape[1]):
            first = n
            row = slots[b, s]
            for t in range(lengths[b, s]):
                row[t] = ids[starts[b, s] + t] + 1
            for t in range(lengths[b, s], len(row)):
                if kind == _CLEAN:
                    row[t] = 0
                elif kind != _STALE:
                    share = _uniform(sentences[b, s] * len(row) + t)
                    if kind == _UNIGRAM:
                        row[t] = ids[int(share * len(ids))] + 1
                    elif kind == _UNIFORM:
                        row[t] = int(share * words) + 1
                    else:
                        row[t] = 1
            for t in range(len(row)):
                if row[t]:
                    tokens[n] = row[t] - 1
                    n += 1
            kept[b, s] = n - first
    return n


@njit(cache=True, inline="always")
def _uniform(counter: int) -> float:
    """Return a pseudorandom number in [0, 1) computed from ``counter`` (splitmix64; Steele et al., OOPSLA 2014)."""
    x = (np.uint64(counter) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    x ^= x >> np.uint64(31)
    return np.float64(x >> np.uint64(11)) * 2.0**-53
