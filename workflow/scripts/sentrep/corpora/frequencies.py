"""Compute the document frequencies of the words of a corpus, with each sentence counted as a document."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import njit

from sentrep.corpora.store import TokenStore


def document_frequencies(store: TokenStore) -> npt.NDArray[np.int64]:
    """Return the document frequency of each word, (V,) int64."""
    frequencies = np.zeros(store.vocabulary_size, dtype=np.int64)
    _count_sentences(np.asarray(store.ids), np.asarray(store.sentence_offsets), frequencies)
    return frequencies


def inverse_document_frequencies(store: TokenStore) -> npt.NDArray[np.float64]:
    """Return the inverse document frequency ln(S / df) of each word, (V,) float64.

    S is the number of sentences, and df is the number of sentences that contain the word, or 1 if there are none.
    """
    return np.log(store.n_sentences / np.maximum(document_frequencies(store), 1))


@njit(cache=True)
def _count_sentences(
    ids: npt.NDArray[np.unsignedinteger], offsets: npt.NDArray[np.int64], counts: npt.NDArray[np.int64]
) -> None:
    """Count the number of sentences in which each word occurs.

    Args:
        ids: (T,) uint16 or uint32, word ids of all sentences.
        offsets: (S + 1,) int64, start of each sentence in ``ids``, followed by T.
        counts: (V,) int64, a count for each word id, which is increased in place by the number of sentences that
            contain the word.
    """
    last = np.full(counts.shape[0], -1, np.int64)  # for each word, the last sentence that contained it
    for sentence in range(offsets.shape[0] - 1):
        for place in range(offsets[sentence], offsets[sentence + 1]):
            word = ids[place]
            if last[word] != sentence:
                last[word] = sentence
                counts[word] += 1
