"""Compare the compiled parts of a training step with plain numpy, one by one."""

import numpy as np
import pytest
from numba import njit

from sentrep.training.averaging.cpu_gradients import Shape, U, gather, multiply, scatter
from sentrep.training.averaging.cpu_kernels import copy_tokens
from sentrep.training.averaging.cpu_losses import SOFTMAX_COSINE
from sentrep.training.averaging.simd import add, inner, load, prefetch, scale, store, width_of, zeros


def initial(rows, columns, dtype=np.float32, seed=0):
    return (np.random.default_rng(seed).standard_normal((rows, columns)) * 0.1).astype(dtype)


def shape(batch, slots, **changes):
    settings = {"first_anchor": 0, "end_anchor": 1, "anchor_weight": 1.0, "sums": False, "loss": SOFTMAX_COSINE}
    return Shape(batch, slots, **{**settings, **changes})


@njit
def on_vectors(A, B, factor, result, zero):
    for column in range(0, A.shape[1], width_of(zero)):
        a, b = load(A, 1, column, zero), load(B, 2, column, zero)
        store(result, 0, column, add(a, scale(factor, b)))
        result[1, column] = inner(a, b)
        prefetch(A, 0, column)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("width", [32, 64])
def test_vectors(dtype, width):
    A, B = initial(3, 128, dtype), initial(3, 128, dtype, seed=1)
    result = np.zeros((2, 128), dtype)
    zero = njit(lambda A: zeros(A, width))  # the width is a constant in the compiled code
    njit(lambda A, B, result: on_vectors(A, B, A.dtype.type(0.3), result, zero(A)))(A, B, result)
    np.testing.assert_allclose(result[0], A[1] + dtype(0.3) * B[2], atol=1e-7)
    sums = (A[1] * B[2]).reshape(-1, width).sum(axis=1)
    np.testing.assert_allclose(result[1, ::width], sums, atol=1e-6)


def test_tokens_are_brought_together():
    tokens = np.arange(50, dtype=np.uint16)
    starts, lengths = np.array([40, 3, 0, 47]), [2, 0, 4, 3]
    bounds = np.cumsum([0, *lengths]).astype(np.uint64)
    copy = np.full(12, 99, dtype=np.uint32)
    copy_tokens(tokens, starts, bounds, copy)
    assert copy.tolist() == [40, 41, 0, 1, 2, 3, 47, 48, 49, 99, 99, 99]


@njit
def gather_wide(tokens, begin, end, weight, W, low, high, M, row):
    gather(tokens, U(begin), U(end), weight, W, U(low), U(high), M, U(row), zeros(W, 64))


@pytest.mark.parametrize("length", range(10))
def test_gather(length):
    W = initial(20, 192)
    tokens = np.random.default_rng(length).integers(0, 20, 12).astype(np.uint32)
    M = np.full((3, 192), np.nan, dtype=np.float32)
    gather_wide(tokens, 2, 2 + length, np.float32(0.25), W, 64, 192, M, 1)
    np.testing.assert_allclose(M[1, 64:], W[tokens[2 : 2 + length], 64:].sum(axis=0) / 4, atol=1e-6)
    assert np.isnan(M[[0, 2]]).all()
    assert np.isnan(M[1, :64]).all()


@pytest.mark.parametrize(("first", "end"), [(0, 1), (1, 3)])
def test_products_and_scatter(first, end):
    rng = np.random.default_rng(end)
    its = shape(2, 5, first_anchor=first, end_anchor=end, anchor_weight=1 / (end - first))
    M, W = (rng.standard_normal((n, 96)) for n in (10, 7))
    products = np.full((5, 2, 2, 5), np.nan)
    njit(lambda M, products: multiply(M, U(5), its, U(64), U(1), products, U(2)))(M, products)
    anchor, candidates = M[5 + first : 5 + end].mean(axis=0), np.setdiff1d(np.arange(5), np.arange(first, end))
    for part in range(2):
        columns = slice(32 * part, 32 * part + 32)
        np.testing.assert_allclose(products[2 + part, 1, 0], M[5:, columns] @ anchor[columns], atol=1e-12)
        np.testing.assert_allclose(products[2 + part, 1, 1], (M[5:, columns] ** 2).sum(axis=1), atol=1e-12)
    assert np.isnan(products[[0, 1, 4]]).all()
    assert np.isnan(products[:, 0]).all()

    # some words occur in several sentences, or twice in one
    tokens = np.array([0, 3, 3, 6, 1, 3, 0, 2, 5], dtype=np.uint32)
    bounds = np.array([1, 3, 4, 4, 8, 9], dtype=np.uint64)
    shares, coefficients, before = rng.random(5), rng.standard_normal((2, 5)), W.copy()
    arguments = (tokens, bounds, shares, coefficients, its, M, U(5), W, U(32), U(96))
    njit(lambda *arguments: scatter(*arguments, zeros(arguments[7], 32)))(*arguments)
    across, along = coefficients[:, :, None]
    gradients = across * anchor + along * M[5:]
    of_anchor = (across * M[5:])[candidates].sum(axis=0) + along[first] * anchor
    gradients[first:end] = of_anchor / (end - first)
    for s in range(5):
        for word in tokens[int(bounds[s]) : int(bounds[s + 1])]:
            before[word, 32:] += shares[s] * gradients[s, 32:]
    np.testing.assert_allclose(W, before, atol=1e-12)
