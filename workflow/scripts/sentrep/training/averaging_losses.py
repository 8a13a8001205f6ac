"""Losses of averaging models in closed form: from inner products of sentences to coefficients of their gradients.

The same losses, as the papers write them, are in :mod:`sentrep.training.averaging_torch`.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import njit

Matrix = npt.NDArray[np.floating]

SOFTMAX_COSINE = 0


@njit
def softmax_cosine(products: Matrix, coefficients: Matrix) -> float:
    """Siamese CBOW's loss of one example (Kenter et al. 2016, section 2.1); the anchor is slot 0.

    p = softmax of the cosines of the anchor with each candidate; loss = -(ln p_1 + ln p_2) / 2 for the two
    positives, slots 1 and 2. With t = (1/2, 1/2, 0, ...): dL/dcos_j = p_j - t_j, and
    dcos(a, b)/db = a / (|a| |b|) - cos(a, b) b / |b|^2, likewise for a. The cosine with a vector whose norm
    is zero (which only underflow can make) counts as the constant 0.

    Args:
        products: (2, slots), inner products with the anchor, and of each sentence with itself; used up.
        coefficients: (2, slots), overwritten. The gradient of a candidate is coefficients[0, s] times the anchor plus
            coefficients[1, s] times itself; that of the anchor is the sum of coefficients[0, s] times each candidate
            plus coefficients[1, first_anchor] times itself.

    Returns:
        The loss.
    """
    real = products.dtype.type
    zero, one, half = real(0), real(1), real(0.5)
    cosines, inverse_norms, powers = products[0], products[1], coefficients[0]
    inverse_anchor = one / np.sqrt(products[1, 0]) if products[1, 0] != zero else zero
    total = zero
    for s in range(1, products.shape[1]):
        inverse_norms[s] = one / np.sqrt(products[1, s]) if products[1, s] != zero else zero
        cosines[s] *= inverse_anchor * inverse_norms[s]
        powers[s] = np.exp(cosines[s])  # cosines are at most 1: no overflow to guard against
        total += powers[s]
    along_anchor = zero
    for s in range(1, products.shape[1]):
        weight = powers[s] / total
        if s < 3:
            weight -= half
        along_anchor += weight * cosines[s]
        coefficients[0, s] = weight * inverse_anchor * inverse_norms[s]
        coefficients[1, s] = -weight * cosines[s] * inverse_norms[s] * inverse_norms[s]
    coefficients[1, 0] = -along_anchor * inverse_anchor * inverse_anchor
    return np.log(total) - half * (cosines[1] + cosines[2])
