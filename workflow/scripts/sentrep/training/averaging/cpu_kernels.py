"""Train averaging models on the CPU in exact mini-batch steps that access only the vectors of the batch's words.

The vector of a sentence is the mean or the sum of its word vectors. In each example, the loss compares one vector, the
*anchor* (one sentence vector, or the mean or sum of several), with the remaining sentence vectors, the *candidates*.
The loss depends only on inner products of these vectors. The gradient of each sentence vector is therefore a linear
combination of the anchor and the candidates. A training step has three parts:

1. :func:`gather` sums word vectors into sentence vectors, and :func:`multiply` computes inner products, both for a few
   columns at a time.
2. A loss function such as :func:`softmax_cosine` converts the inner products of an example into the coefficients of
   its gradients.
3. :func:`scatter` combines sentence vectors into gradients, scales the gradients, and adds them to the word vectors
   (or, for AdaDelta, to the gradients of the words), again for a few columns at a time.

The columns are divided among the threads, but the examples are not. Each thread performs parts 1 and 3 for its own
columns, and part 2 for all examples. Threads wait for each other only between parts 1 and 2. The order of additions,
and hence the result, does not depend on the number of threads.

The following measurements were made on the corpus of the preset ``novels`` (91,512 distinct words) with 300 dimensions,
which are padded to 320 columns, and batches of 100 examples. An example has 2 negatives and, on average, 73 words. Part
1 reads 94 KB of word vectors per example, and part 3 reads and writes the same vectors. On one core with 512-bit SIMD
registers, a batch takes 370 microseconds, including 135 microseconds for summing word vectors and 17 for inner products
(part 1), 185 for part 3, and 17 for copying the tokens. Two thirds of all tokens are occurrences of the 256 most
frequent words, whose vectors stay in the second-level cache. If all vectors stayed there, a batch would still take 265
microseconds, because the core can add only one cache line per cycle and write only one every two cycles. The rest of
the 370 microseconds is spent waiting for the third-level cache and for memory. Two cores are 1.6 times as fast as one,
provided that waiting threads spin instead of sleeping.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from numba import njit, prange

from sentrep.corpora.store import Ids
from sentrep.training import compiled
from sentrep.training.averaging import cpu_gradients, cpu_losses, simd
from sentrep.training.averaging.cpu_gradients import (
    PART,
    Matrix,
    Positions,
    Products,
    Shape,
    U,
    adadelta_row,
    ask_for,
    gather,
    multiply,
    scatter,
)
from sentrep.training.averaging.cpu_losses import SOFTMAX_COSINE, softmax_context, softmax_cosine
from sentrep.training.averaging.simd import zeros

_WIDE = 64  # number of columns processed at once where possible, to reduce the loop overhead per word
AHEAD = 64  # number of tokens between prefetching a word's vector and adding it; values from 32 to 128 are equally fast

# numba caches the compiled functions on disk and recompiles them only if this file changes. Because of SOURCES, they
# are also recompiled if one of the modules listed here changes.
SOURCES = compiled.sources(cpu_gradients, cpu_losses, simd)

Blocks = npt.NDArray[np.floating]


class Memory(NamedTuple):
    """The state of AdaDelta. If another optimiser is used, all arrays are empty.

    Attributes:
        squares: (blocks, V, width), running means of squared gradients.
        updates: (blocks, V, width), running means of squared steps.
        gradients: (blocks, V, width), gradients of the current batch; zero before and after the batch.
        last: (blocks, V) int64, index of the last batch that updated each word, or -1 if there is no such batch.
    """

    squares: Blocks
    updates: Blocks
    gradients: Blocks
    last: npt.NDArray[np.int64]


@njit(cache=True, parallel=True)
def copy_tokens(tokens: Ids, starts: npt.NDArray[np.int64], bounds: Positions, copy: npt.NDArray[np.uint32]) -> None:
    """Copy n sentences into ``copy``, one after the other; sentence i becomes copy[bounds[i]:bounds[i + 1]].

    Args:
        tokens: (T,) unsigned word ids; the sentences may be anywhere in this array.
        starts: (n,), offsets of the sentences in ``tokens``.
        bounds: (n + 1,), offsets of the sentences in ``copy``.
        copy: array of at least bounds[n] word ids, overwritten.
    """
    for i in prange(len(starts)):
        source = U(starts[i])
        for t in range(bounds[i], bounds[i + 1]):
            copy[t] = tokens[source]
            source += U(1)


@njit
def gather_batch(
    tokens: Ids, bounds: Positions, shape: Shape, W: Matrix, columns: int, M: Matrix, products: Products, first: int
) -> None:
    """Perform part 1 of a training step (see the module's docstring) for all examples and the columns of one block.

    ``first`` is the index of the block's first group of PART columns.
    """
    real = W.dtype.type
    slots, middle = U(shape.slots), columns - columns % U(_WIDE)
    for i in range(U(shape.batch)):
        for row in range(i * slots, (i + U(1)) * slots):
            begin, end = bounds[row], bounds[row + U(1)]
            weight = real(1) if shape.sums else real(1) / real(max(end - begin, U(1)))
            ask_for(tokens, begin + U(AHEAD), end + U(AHEAD), W, U(0), columns)
            gather(tokens, begin, end, weight, W, U(0), middle, M, row, zeros(W, _WIDE))
            gather(tokens, begin, end, weight, W, middle, columns, M, row, zeros(W, PART))
        multiply(M, i * slots, shape, columns, i, products, first)


@njit
def scatter_batch(
    tokens: Ids,
    bounds: Positions,
    shape: Shape,
    products: Products,
    step: float,
    M: Matrix,
    target: Matrix,
    columns: int,
) -> float:
    """Perform part 2 of a training step for all examples, and part 3 for the first ``columns`` columns of ``target``.

    The docstring of this module describes these parts. Examples are processed in reverse order, because the word
    vectors of the last examples are still in the cache.

    Returns:
        The sum of the examples' losses.
    """
    real = M.dtype.type
    batch, slots, middle = U(shape.batch), U(shape.slots), columns - columns % U(_WIDE)
    totals, coefficients = np.empty((2, shape.slots), M.dtype), np.zeros((2, shape.slots), M.dtype)
    shares = np.empty(shape.slots, M.dtype)
    losses = 0.0
    for back in range(batch):
        i = batch - U(1) - back
        for kind in range(U(2)):
            for s in range(slots):
                total = real(0)
                for part in range(products.shape[0]):
                    total += products[part, i, kind, s]
                totals[kind, s] = total
        if shape.loss == SOFTMAX_COSINE:
            losses += softmax_cosine(totals, coefficients)
        else:
            losses += softmax_context(totals, coefficients, shape.first_anchor, shape.end_anchor)
        row = i * slots
        its_bounds = bounds[row : row + slots + U(1)]
        for s in range(slots):
            length = U(1) if shape.sums else max(its_bounds[s + U(1)] - its_bounds[s], U(1))
            shares[s] = step / real(length)
        scatter(tokens, its_bounds, shares, coefficients, shape, M, row, target, U(0), middle, zeros(M, _WIDE))
        scatter(tokens, its_bounds, shares, coefficients, shape, M, row, target, middle, columns, zeros(M, PART))
    return losses


@njit
def adadelta_batch(
    tokens: Ids, begin: int, end: int, now: int, rate: float, memory: Memory, block: int, W: Matrix, columns: int
) -> None:
    """Apply an AdaDelta update to the vector of each distinct word in a batch.

    ``W`` contains block ``block`` of the word vectors; only its first ``columns`` columns are updated. ``now`` is the
    index of the batch, and tokens[begin:end] are its words.
    """
    squares, updates, gradients = memory.squares[block], memory.updates[block], memory.gradients[block]
    last = memory.last[block]
    for t in range(begin, end):
        word = tokens[t]
        if last[word] < now:
            idle = now - last[word] - 1
            last[word] = now
            adadelta_row(
                *(W[word, :columns], gradients[word, :columns]),
                *(squares[word, :columns], updates[word, :columns], rate, idle, 0.95, 1e-6),
            )


@njit(cache=True, parallel=True)
def train(
    tokens: npt.NDArray[np.uint32],
    bounds: Positions,
    shape: Shape,
    W: Blocks,
    dimension: int,
    rates: npt.NDArray[np.float64],
    threads: int,
    adadelta: bool,
    memory: Memory,
    first_batch: int,
    losses: npt.NDArray[np.float64],
    sources: npt.NDArray[np.void],
) -> None:
    """Train on n consecutive batches, with one exact gradient step per batch.

    Args:
        tokens: (T + AHEAD or more,) word ids of the T tokens, sentence after sentence, followed by arbitrary ids.
        bounds: (n * batch * slots + 1,), offsets of the sentences in ``tokens``, batch by batch and example by example.
        shape: layout of every batch.
        W: (blocks, V, width) word vectors in blocks of columns, changed in place; the width is a multiple of PART.
        dimension: number of columns of the word vectors. Any further columns in the last blocks are zero; at most
            PART - 1 of them are processed.
        rates: (n,) learning rates.
        threads: number of threads that share the blocks.
        adadelta: whether to use AdaDelta instead of plain gradient descent.
        memory: state of AdaDelta.
        first_batch: index of the first of the n batches, counted from the start of training.
        losses: (n,), overwritten with the mean loss of each batch.
        sources: not used; see :func:`sentrep.training.compiled.sources`.
    """
    real, n, sentences = W.dtype.type, len(rates), shape.batch * shape.slots
    blocks, width, parts = W.shape[0], W.shape[2], -(-dimension // PART)
    M = np.empty((blocks, sentences, width), W.dtype)
    products = np.empty((2, parts, shape.batch, 2, shape.slots), W.dtype)  # two batches are in progress at a time
    for b in range(n + 1):
        for thread in prange(threads):
            for block in range(thread, blocks, threads):
                columns = U(min(max(parts * PART - block * width, 0), width))
                if b > 0:
                    done = b - 1
                    its_bounds = bounds[done * sentences : b * sentences + 1]
                    step = real(1.0 / shape.batch) if adadelta else real(-rates[done] / shape.batch)
                    target = memory.gradients[block] if adadelta else W[block]
                    total = scatter_batch(
                        tokens, its_bounds, shape, products[done % 2], step, M[block], target, columns
                    )
                    if adadelta:
                        now, rate = first_batch + done, real(rates[done])
                        its_words = its_bounds[0], its_bounds[-1]
                        adadelta_batch(tokens, *its_words, now, rate, memory, block, W[block], columns)
                    if block == 0:
                        losses[done] = total / shape.batch
                if b < n:
                    its_bounds = bounds[b * sentences : (b + 1) * sentences + 1]
                    first = U(block * width // PART)
                    gather_batch(tokens, its_bounds, shape, W[block], columns, M[block], products[b % 2], first)
