"""Compute features of pairs of texts from their vectors."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from sentrep.evaluation.encoding import Features


def pair_features(first: Features, second: Features) -> Features:
    """Return the concatenation of |u - v| and the element-wise product u * v for each pair of vectors u and v, (n, 2d).

    Tai et al. (2015), Kiros et al. (2015) and SentEval use these features.

    Args:
        first: (n, d) vectors u.
        second: (n, d) vectors v.
    """
    if isinstance(first, sp.csr_array):
        return sp.csr_array(sp.hstack([abs(first - second), first.multiply(second)], format="csr"))
    return np.hstack([np.abs(first - second), first * second])
