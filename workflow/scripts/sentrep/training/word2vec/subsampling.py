"""Subsampling of frequent words."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt


def keep_probabilities(counts: npt.NDArray[np.int64], sample: float) -> npt.NDArray[np.float64]:
    """Return (sqrt(f / t) + 1) * t / f, at most 1, for each word of relative frequency f: (V,) float64."""
    if sample == 0:
        return np.ones(len(counts))
    ratio = counts / counts.sum() / sample
    return np.minimum((np.sqrt(ratio) + 1) / ratio, 1.0)
