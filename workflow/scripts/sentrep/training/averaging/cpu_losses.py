"""Compute the losses of averaging models, and the coefficients of their gradients, from inner products.

Each sentence of an example occupies a *slot*. The *anchor* is computed from the sentence vectors in one or more slots.
A loss compares the anchor with the *candidates*, which are the sentence vectors in the other slots; see
:class:`sentrep.training.averaging.objective.Objective`. Each function in this module returns the loss of one example.
The first two arguments of each function are arrays:

- products: (2, slots), the inner products of each sentence vector with the anchor (row 0) and with itself (row 1). The
  function may overwrite this array.
- coefficients: (2, slots), overwritten with the coefficients of the gradients. The gradient of candidate s is
  coefficients[0, s] times the anchor, plus coefficients[1, s] times the candidate. The gradient of the anchor is the
  sum over all candidates s of coefficients[0, s] times the candidate, plus coefficients[1, f] times the anchor, where f
  is the index of the anchor's first slot.

:mod:`sentrep.training.averaging.autograd` computes the same losses directly from the formulas in the papers.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import njit

Matrix = npt.NDArray[np.floating]

SOFTMAX_COSINE, SOFTMAX_CONTEXT = 0, 1


@njit
def softmax_cosine(products: Matrix, coefficients: Matrix) -> float:
    """Return the Siamese CBOW loss of one example (Kenter et al., 2016, section 2.1).

    The anchor is in slot 0, and the two neighbours are in slots 1 and 2. Let cos_j be the cosine between the anchor and
    the candidate in slot j, and let p be the softmax of these cosines. The loss is L = -(ln p_1 + ln p_2) / 2. With the
    target t = (1/2, 1/2, 0, ...), the gradients are dL/dcos_j = p_j - t_j and, for the anchor a and a candidate b,
    dcos(a, b)/db = a / (|a| |b|) - cos(a, b) b / |b|^2; dcos(a, b)/da is analogous. If a or b is zero, the cosine and
    its gradients are defined as 0.
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
    """Return the CBOS loss of one example (Yuan and Zhang, 2017, equations 6 and 7).

    The anchor is the context vector, which is computed from the slots ``first_anchor`` to ``end_anchor`` - 1. The
    correct class is the candidate in slot 0, the sentence in the middle of the context. Let s_j be the inner product of
    the anchor and the candidate in slot j, and let p be the softmax of these products. The loss is L = -ln p_0. Its
    gradients are dL/ds_0 = p_0 - 1 and, for the other candidates, dL/ds_j = p_j.
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
