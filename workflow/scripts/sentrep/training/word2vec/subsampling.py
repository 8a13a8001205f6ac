"""Compute the probabilities for subsampling frequent words in word2vec."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt


def keep_probabilities(counts: npt.NDArray[np.int64], sample: float) -> npt.NDArray[np.float64]:
    """Return, for each word, the probability that subsampling keeps an occurrence of the word, (V,) float64.

    For a word with relative frequency f, the probability is (sqrt(f / sample) + 1) * sample / f, but at most 1. If
    ``sample`` is 0, all words are kept.
    """
    if sample == 0:
        return np.ones(len(counts))
    ratio = counts / counts.sum() / sample
    return np.minimum((np.sqrt(ratio) + 1) / ratio, 1.0)
