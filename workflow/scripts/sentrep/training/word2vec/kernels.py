"""Train word2vec with negative sampling in compiled code, one prediction at a time on one CPU core.

The algorithm is that of the original tool (word2vec.c v0.1c), with three main differences:

- The sigmoid is exact, whereas the tool reads it from a table for scores between -6 and 6, and rounds it to 0 or 1
  for all other scores.
- A prediction computes all of its scores before it updates any output vector, whereas the tool updates each output
  vector as soon as its score is computed.
- Sentences are never split, whereas the tool splits them after every 1,000 words.

Frequent words are omitted at random. Each remaining word is the centre of a window whose radius is drawn at random. The
other words in the window are the context words. With skip-gram, the vector of each context word predicts the centre.
With CBOW, the mean of the vectors of all context words predicts the centre. The error of this mean (the gradient of the
loss, multiplied by minus the learning rate) is added to the vector of every context word and is not divided by the
number of context words. Each prediction updates the vectors before the next prediction is made.

Memory access limits performance. With 300 dimensions and 5 noise words, a prediction reads and writes six output
vectors of 1.2 KB each. The vectors of rare words are usually not in the cache, so the noise words of a centre are
drawn, and their vectors are prefetched, before the first prediction of this centre.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import njit

from sentrep.corpora.store import Ids
from sentrep.training import compiled
from sentrep.training.averaging import simd
from sentrep.training.averaging.simd import add, load, multiply, prefetch, scale, store, total, zeros
from sentrep.training.fastsent import kernels as fastsent_kernels
from sentrep.training.fastsent.kernels import random_bits

Matrix = npt.NDArray[np.floating]
Vector = npt.NDArray[np.floating]
Rows = npt.NDArray[np.uint64]

WIDTH = 16  # number of columns processed at once; the number of columns of every matrix is a multiple of WIDTH
_FREQUENT = 256  # number of most frequent words whose vectors are assumed to be in the cache

U = np.uint64  # unsigned indices avoid checks for negative values

# numba caches compiled code on disk and checks only this file for changes. Because of SOURCES, numba also checks the
# modules that are listed here.
SOURCES = compiled.sources(simd, fastsent_kernels)


@njit
def _uniform(state: npt.NDArray[np.uint64]) -> float:
    """Return a random number in [0, 1)."""
    return np.float64(random_bits(state) >> U(11)) * 2.0**-53


@njit
def _noise_word(state: npt.NDArray[np.uint64], noise: npt.NDArray[np.uint64]) -> int:
    """Draw a noise word from a table that :func:`sentrep.training.word2vec.cpu.noise_table` returned."""
    bits = random_bits(state)
    word = ((bits >> U(32)) * U(len(noise))) >> U(32)
    entry = noise[word]
    return word if (bits & U(0xFFFFFFFF)) < (entry & U(0xFFFFFFFF)) else entry >> U(32)


@njit
def _ask_for(matrix: Matrix, row: int) -> None:
    """Prefetch the vector ``matrix[row]`` unless its word is one of the ``_FREQUENT`` most frequent words."""
    if row >= U(_FREQUENT):
        for column in range(U(0), U(matrix.shape[1]), U(64 // matrix.itemsize)):
            prefetch(matrix, row, column)


@njit
def _predict(
    H: Matrix, hidden: int, V: Matrix, rows: Rows, negatives: int, rate: float, steps: Vector, E: Matrix, error: int
) -> float:
    """Train output vectors to distinguish the true word from noise words; add the error of H[hidden] to E[error].

    The error of a vector is the gradient of the loss with respect to the vector, multiplied by -``rate``.

    Args:
        H: (n, width) matrix that contains the predicting vector.
        hidden: index of the row of ``H`` that contains the predicting vector.
        V: (words, width) output vectors of all words, changed in place.
        rows: (1 + negatives,) ids of the true word and of the noise words; noise words that equal the true word
            are ignored.
        negatives: number of noise words.
        rate: learning rate.
        steps: (1 + negatives,) buffer, which is overwritten.
        E: (m, width) matrix to which the error is added; may be ``H``.
        error: index of the row of ``E`` to which the error is added.

    Returns:
        The loss before the update, as defined in :func:`sentrep.training.word2vec.gpu.update_outputs`.
    """
    real, zero = H.dtype.type, zeros(H, WIDTH)
    columns, predicted = U(H.shape[1]), U(1 + negatives)
    loss, product = 0.0, 1.0
    for p in range(predicted):
        sums = zero
        for column in range(U(0), columns, U(WIDTH)):
            sums = add(sums, multiply(load(H, hidden, column, zero), load(V, rows[p], column, zero)))
        steps[p] = total(sums)
    for p in range(predicted):
        sign = 1.0 if p == U(0) else -1.0
        score = sign * np.float64(steps[p])
        if p > U(0) and rows[p] == rows[0]:
            steps[p] = real(0)
            continue
        power = np.exp(-abs(score))
        if score <= 0:  # log(1 + exp(-score)) = log(1 + exp(score)) - score; exp(-score) could overflow
            loss -= score
        product *= 1.0 + power  # the factor is at most 2
        steps[p] = real(rate * sign * (power if score > 0 else 1.0) / (1.0 + power))
        if product > 1e100:
            loss += np.log(product)
            product = 1.0
    for column in range(U(0), columns, U(WIDTH)):
        h, change = load(H, hidden, column, zero), zero
        for p in range(predicted):
            row = load(V, rows[p], column, zero)
            change = add(change, scale(steps[p], row))
            store(V, rows[p], column, add(row, scale(steps[p], h)))
        store(E, error, column, add(load(E, error, column, zero), change))
    return loss + np.log(product)


@njit
def _mean(words: Rows, centre: int, low: int, high: int, vectors: Matrix, H: Matrix) -> None:
    """Set H[0] to the mean vector of words[low:high] except the word at position ``centre``, and set H[1] to zero."""
    zero, share = zeros(H, WIDTH), H.dtype.type(1) / H.dtype.type(high - low - U(1))
    for column in range(U(0), U(H.shape[1]), U(WIDTH)):
        sums = zero
        for t in range(low, high):
            if t != centre:
                sums = add(sums, load(vectors, words[t], column, zero))
        store(H, U(0), column, scale(share, sums))
        store(H, U(1), column, zero)


@njit
def _spread(words: Rows, centre: int, low: int, high: int, vectors: Matrix, H: Matrix) -> None:
    """Add the error H[1] to the vector of each word in words[low:high] except the word at position ``centre``."""
    zero = zeros(H, WIDTH)
    for column in range(U(0), U(H.shape[1]), U(WIDTH)):
        change = load(H, U(1), column, zero)
        for t in range(low, high):
            if t != centre:
                store(vectors, words[t], column, add(load(vectors, words[t], column, zero), change))


@njit
def _subsample(
    ids: Ids, begin: int, end: int, keep: npt.NDArray[np.float64], state: npt.NDArray[np.uint64], words: Rows
) -> int:
    """Subsample ids[begin:end], copy the remaining ids to the beginning of ``words``, and return their number."""
    n = U(0)
    for t in range(begin, end):
        share = keep[ids[t]]
        if share >= 1 or _uniform(state) < share:
            words[n] = ids[t]
            n += U(1)
    return n


@njit(cache=True)
def train_sentences(
    ids: Ids,
    offsets: npt.NDArray[np.int64],
    skipgram: bool,
    vectors: Matrix,
    outputs: Matrix,
    window: int,
    negatives: int,
    keep: npt.NDArray[np.float64],
    noise: npt.NDArray[np.uint64],
    state: npt.NDArray[np.uint64],
    rate: float,
    sources: npt.NDArray[np.void],
) -> tuple[float, int]:
    """Train ``vectors`` and ``outputs`` in place on a block of sentences.

    Args:
        ids: (T,) unsigned word ids.
        offsets: (S + 1,) positions in ``ids``; sentence s is ids[offsets[s]:offsets[s + 1]].
        skipgram: True for skip-gram, False for CBOW.
        vectors: (V, width) input vectors; the width is a multiple of WIDTH.
        outputs: (V, width) output vectors.
        window: maximum radius of a window.
        negatives: number of noise words per prediction.
        keep: (V,); for each word, the probability that subsampling keeps an occurrence of the word.
        noise: (V,) table of noise words; see :func:`sentrep.training.word2vec.cpu.noise_table`.
        state: (1,) state of the random number generator, updated in place.
        rate: learning rate.
        sources: not read; see :func:`sentrep.training.compiled.sources`.

    Returns:
        The sum of the losses of all predictions, and the number of predictions.
    """
    longest = 0
    for s in range(len(offsets) - 1):
        longest = max(longest, offsets[s + 1] - offsets[s])
    words = np.empty(longest, np.uint64)
    most = 2 * window if skipgram else 1
    rows = np.empty((most, 1 + negatives), np.uint64)
    steps = np.empty(1 + negatives, vectors.dtype)
    H = np.empty((2, vectors.shape[1]), vectors.dtype)
    loss, predictions = 0.0, 0
    for s in range(len(offsets) - 1):
        n = _subsample(ids, offsets[s], offsets[s + 1], keep, state, words)
        for t in range(n):
            _ask_for(vectors, words[t])
            _ask_for(outputs, words[t])
        for centre in range(n):
            radius = U(1) + U(_uniform(state) * window)
            low, high = centre - min(radius, centre), min(centre + radius + U(1), n)
            around = high - low - U(1)
            if around == U(0):
                continue
            drawn = around if skipgram else U(1)
            for pair in range(drawn):
                rows[pair, 0] = words[centre]
                for j in range(1, 1 + negatives):
                    rows[pair, j] = _noise_word(state, noise)
                    _ask_for(outputs, rows[pair, j])
            if skipgram:
                pair = U(0)
                for t in range(low, high):
                    if t != centre:
                        word = words[t]
                        loss += _predict(vectors, word, outputs, rows[pair], negatives, rate, steps, vectors, word)
                        pair += U(1)
            else:
                _mean(words, centre, low, high, vectors, H)
                loss += _predict(H, U(0), outputs, rows[U(0)], negatives, rate, steps, H, U(1))
                _spread(words, centre, low, high, vectors, H)
            predictions += np.int64(drawn)
    return loss, predictions
