"""Losses of averaging models in closed form: coefficients of the gradients from inner products of sentences.

A loss compares the sentences of an example, or *slots*, with one vector, the anchor, see
:mod:`sentrep.training.averaging.cpu_kernels`. Each function takes

- products: (2, slots), inner products of each sentence with the anchor, and with itself; overwritten;
- coefficients: (2, slots), overwritten. The gradient of a candidate is coefficients[0, s] times the anchor plus
  coefficients[1, s] times the candidate itself; that of the anchor is the sum over candidates of coefficients[0, s]
  times the candidate, plus coefficients[1, first_anchor] times the anchor itself;

and returns the loss. The same losses, as the papers write them, are in :mod:`sentrep.training.averaging.autograd`.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import njit

Matrix = npt.NDArray[np.floating]

SOFTMAX_COSINE, SOFTMAX_CONTEXT = 0, 1


@njit
def softmax_cosine(products: Matrix, coefficients: Matrix) -> float:
    """Siamese CBOW's loss of one example (Kenter et al. 2016, section 2.1); the anchor is slot 0.

    p = softmax of the cosines of the anchor with each candidate; loss = -(ln p_1 + ln p_2) / 2 for the two
    positives, slots 1 and 2. With t = (1/2, 1/2, 0, ...): dL/dcos_j = p_j - t_j, and
    dcos(a, b)/db = a / (|a| |b|) - cos(a, b) b / |b|^2, likewise for a. The cosine with a vector whose norm
    is zero (which only underflow can produce) counts as the constant 0.
    """
    real = products.dtype.type
    zero, one, half = real(0), real(1), real(0.5)
    cosines, inverse_norms, powers = products[0], products[1], coefficients[0]
    inverse_anchor = one / np.sqrt(products[1, 0]) if products[1, 0] != zero else zero
    total = zero
    for s in range(1, products.shape[1]):
        inverse_norms[s] = one / np.sqrt(products[1, s]) if products[1, s] != zero else zero
        cosines[s] *= inverse_anchor * inverse_norms[s]
        powers[s] = np.exp(cosines[s])  # cosines are at most 1, so this cannot overflow
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


@njit
def softmax_context(products: Matrix, coefficients: Matrix, first_anchor: int, end_anchor: int) -> float:
    """CBOS's loss of one example (Yuan and Zhang, equations 6 and 7); the anchor is the context, slot 0 the positive.

    p = softmax of the inner products of the context with each candidate; loss = -ln p_0. With t = (1, 0, 0, ...):
    dL/d(product_j) = p_j - t_j.
    """
    one = products.dtype.type(1)
    scores, powers = products[0], coefficients[0]
    coefficients[:] = 0
    positive = largest = scores[0]
    for s in range(products.shape[1]):
        if not first_anchor <= s < end_anchor:
            largest = max(largest, scores[s])
    total = products.dtype.type(0)
    for s in range(products.shape[1]):
        if not first_anchor <= s < end_anchor:
            powers[s] = np.exp(scores[s] - largest)
            total += powers[s]
    for s in range(products.shape[1]):
        powers[s] /= total
    powers[0] -= one
    return np.log(total) + (largest - positive)
