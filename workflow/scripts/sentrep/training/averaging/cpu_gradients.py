"""Compute sentence vectors, inner products and gradients of averaging models with compiled functions.

Each function processes a range of columns of the matrices. :mod:`sentrep.training.averaging.cpu_kernels` explains how
a training step uses these functions.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from numba import njit

from sentrep.corpora.store import Ids
from sentrep.training.averaging.simd import add, inner, load, prefetch, scale, store, width_of, zeros

Matrix = npt.NDArray[np.floating]
Vector = npt.NDArray[np.floating]
Products = npt.NDArray[np.floating]
Positions = npt.NDArray[np.uint64]

PART = 32  # columns are assigned to threads in groups of this size, and the widths of matrices are multiples of it
# The vectors of this number of most frequent words are assumed to be in the cache. On the corpus of the preset
# `novels`, training is equally fast with all values from 256 to 3,000.
FREQUENT = 1000

U = np.uint64  # unsigned indices avoid checks for negative values


class Shape(NamedTuple):
    """The layout of a batch and the loss to compute.

    :class:`sentrep.training.averaging.objective.Objective` explains slots, anchors and candidates.

    Attributes:
        batch: number of examples.
        slots: number of sentences per example.
        first_anchor, end_anchor: the index of the anchor's first slot, and the index after its last slot; all slots
            outside this range contain candidates.
        anchor_weight: factor by which the sum of the sentence vectors in the anchor's slots is multiplied.
        sums: whether a sentence vector is the sum of its word vectors instead of their mean.
        loss: constant that selects a loss in :mod:`sentrep.training.averaging.cpu_losses`.
    """

    batch: int
    slots: int
    first_anchor: int
    end_anchor: int
    anchor_weight: float
    sums: bool
    loss: int


@njit
def ask_for(tokens: Ids, begin: int, end: int, W: Matrix, low: int, high: int) -> None:
    """Prefetch the word vectors of tokens[begin:end], except those of the most frequent words.

    Only the columns from ``low`` to ``high`` - 1 are prefetched.
    """
    line = U(64 // W.itemsize)
    for t in range(begin, end):
        word = tokens[t]
        if word >= FREQUENT:
            for column in range(low, high, line):
                prefetch(W, word, column)


@njit
def gather(
    tokens: Ids, begin: int, end: int, weight: float, W: Matrix, low: int, high: int, M: Matrix, row: int, zero: Vector
) -> None:
    """Write ``weight`` times the sum of the word vectors of tokens[begin:end] to M[row].

    Only the columns from ``low`` to ``high`` - 1 are computed and written. The width of ``zero`` is the number of
    columns processed at once; it must divide high - low.
    """
    for column in range(low, high, width_of(zero)):
        total = zero
        for t in range(begin, end):
            total = add(total, load(W, tokens[t], column, zero))
        store(M, row, column, scale(weight, total))


@njit
def anchor(M: Matrix, row: int, shape: Shape, column: int, zero: Vector) -> Vector:
    """Return n components of an example's anchor, beginning with component ``column``; n is the width of ``zero``.

    The sentence vectors of the example begin at row ``row`` of ``M``.
    """
    first = row + U(shape.first_anchor)
    total = load(M, first, column, zero)
    for other in range(first + U(1), row + U(shape.end_anchor)):
        total = add(total, load(M, other, column, zero))
    return scale(M.dtype.type(shape.anchor_weight), total)


@njit
def multiply(M: Matrix, row: int, shape: Shape, columns: int, example: int, products: Products, first: int) -> None:
    """Compute, for each sentence of an example, the inner products of its vector with the anchor and with itself.

    Each inner product is stored as several partial sums, one for each group of PART columns.

    Args:
        M: (batch * slots, columns or more) sentence vectors.
        row: row of ``M`` at which the example begins.
        shape: layout of the batch.
        columns: number of columns to process, a multiple of PART.
        example: index of the example in the batch.
        products: (parts, batch, 2, slots), overwritten for this example and the processed groups of columns. On the
            third axis, products with the anchor have index 0, and products of a sentence with itself have index 1.
        first: index of the first group of columns on the first axis of ``products``.
    """
    zero = zeros(M, PART)
    for column in range(U(0), columns, U(PART)):
        together, part = anchor(M, row, shape, column, zero), first + column // U(PART)
        for s in range(U(shape.slots)):
            sentence = load(M, row + s, column, zero)
            products[part, example, 0, s] = inner(together, sentence)
            products[part, example, 1, s] = inner(sentence, sentence)


@njit
def add_to_words(tokens: Ids, begin: int, end: int, target: Matrix, column: int, change: Vector) -> None:
    """Add ``change``, a vector of width n, to target[word, column:column + n] for each word in tokens[begin:end]."""
    for t in range(begin, end):
        word = tokens[t]
        store(target, word, column, add(load(target, word, column, change), change))


@njit
def scatter(
    tokens: Ids,
    bounds: Positions,
    shares: Vector,
    coefficients: Matrix,
    shape: Shape,
    M: Matrix,
    row: int,
    target: Matrix,
    low: int,
    high: int,
    zero: Vector,
) -> None:
    """Add the gradients of an example to the rows of its words in ``target``.

    Only the columns from ``low`` to ``high`` - 1 are changed.

    Args:
        tokens: word ids.
        bounds: (slots + 1,), offsets of the example's sentences in ``tokens``.
        shares: (slots,), factors by which the gradient of each sentence is multiplied before it is added to the rows of
            the sentence's words.
        coefficients: (2, slots) coefficients of the gradients; see :mod:`sentrep.training.averaging.cpu_losses`.
        shape: layout of the batch.
        M: (batch * slots, d) sentence vectors.
        row: row of ``M`` at which the example begins.
        target: (V, d) matrix to which the gradients are added.
        low: first column.
        high: column after the last one.
        zero: vector of zeros; its width is the number of columns processed at once and must divide high - low.
    """
    first, end = U(shape.first_anchor), U(shape.end_anchor)
    weight = M.dtype.type(shape.anchor_weight)
    for column in range(low, high, width_of(zero)):
        together = anchor(M, row, shape, column, zero)
        gradient = scale(coefficients[1, first], together)
        for s in range(U(shape.slots)):
            if s < first or s >= end:
                across, along = coefficients[0, s], coefficients[1, s]
                sentence = load(M, row + s, column, zero)
                gradient = add(gradient, scale(across, sentence))
                change = scale(shares[s], add(scale(across, together), scale(along, sentence)))
                add_to_words(tokens, bounds[s], bounds[s + U(1)], target, column, change)
        for s in range(first, end):
            change = scale(shares[s] * weight, gradient)
            add_to_words(tokens, bounds[s], bounds[s + U(1)], target, column, change)


@njit(fastmath={"contract", "nsz"}, error_model="numpy")  # checks for zero divisors would prevent vectorisation
def adadelta_row(
    w: Vector, gradient: Vector, squares: Vector, updates: Vector, rate: float, idle: int, rho: float, epsilon: float
) -> None:
    """Apply an AdaDelta update to a word vector, or to some of its components, and set ``gradient`` to zero.

    The result is the same as with lasagne.updates.adadelta, which updates every word vector in every batch. If a batch
    does not contain a word, such an update only multiplies two running means of the word by rho: those of the squared
    gradients (``squares``) and of the squared steps (``updates``). This function is therefore called only for the words
    in a batch. It first multiplies the running means by rho^idle, where ``idle`` is the number of batches without the
    word since the word's last update.
    """
    one = w.dtype.type(1)
    faded = w.dtype.type(rho**idle)
    rho, epsilon = w.dtype.type(rho), w.dtype.type(epsilon)
    for k in range(w.shape[0]):
        square = rho * (faded * squares[k]) + (one - rho) * gradient[k] * gradient[k]
        update = faded * updates[k]
        step = gradient[k] * np.sqrt(update + epsilon) / np.sqrt(square + epsilon)
        squares[k] = square
        updates[k] = rho * update + (one - rho) * step * step
        w[k] -= rate * step
        gradient[k] = 0
