"""Count the number of sentences in which each word occurs, using a compiled loop."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import njit


@njit(cache=True)
def count_sentences(
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
