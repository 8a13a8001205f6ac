"""Compiled training of averaging models on the CPU: exact mini-batch steps without a dense gradient.

Three pieces: :func:`gather_mean` averages word vectors, a loss such as :func:`softmax_cosine` turns sentence
vectors into their gradients in closed form, and :func:`link_words` with a scatter function adds them to the
matrix. A model is one loop of these, see :func:`train_siamese_cbow`, which
:class:`sentrep.training.numba_trainer.NumbaTrainer` drives.

Within a batch, examples are worked on in parallel while the matrix is fixed, then words are: each word that
occurs in the batch collects its sentences' gradients in the order of the batch and is owned by one thread.
The result is therefore the same, bit by bit, for any number of threads.

Compiled code stays in this file (but for prefetching): numba's cache notices when the file of a function has
changed, but not when a file has whose functions it calls.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import njit, prange

from sentrep.store import Ids
from sentrep.training.prefetch import prefetch_row

Matrix = npt.NDArray[np.floating]
Vector = npt.NDArray[np.floating]
Positions = npt.NDArray[np.uint32]

# Sums may be reordered, else they cannot use vector instructions; NaN and infinity keep their meaning.
_REDUCE = {"reassoc", "contract", "nsz"}
_ELEMENTWISE = {"contract", "nsz"}

# How far ahead rows are prefetched: measured on a drawn corpus of 300,000 words and on novels.
_AHEAD_TOKENS, _AHEAD_WORDS = 12, 8


@njit(cache=True, fastmath=_ELEMENTWISE)
def gather_mean(tokens: Ids, start: int, length: int, W: Matrix, mean: Vector) -> None:
    """Write the mean vector of the words tokens[start:start + length] into ``mean`` (d,); zeros if none."""
    for k in range(mean.shape[0]):
        mean[k] = 0
    if length == 0:
        return
    middle = start + length % 4
    for t in range(start, middle):
        a = W[tokens[t]]
        for k in range(mean.shape[0]):
            mean[k] += a[k]
    for t in range(middle, start + length, 4):  # four rows at once: a quarter of the traffic on `mean`
        a, b, c, d = W[tokens[t]], W[tokens[t + 1]], W[tokens[t + 2]], W[tokens[t + 3]]
        for k in range(mean.shape[0]):
            mean[k] += (a[k] + b[k]) + (c[k] + d[k])
    scale = mean.dtype.type(1) / mean.dtype.type(length)
    for k in range(mean.shape[0]):
        mean[k] *= scale


@njit(cache=True, fastmath=_REDUCE)
def dot(a: Vector, b: Vector) -> float:
    """Return the inner product of two (d,) vectors."""
    total = a.dtype.type(0)
    for k in range(a.shape[0]):
        total += a[k] * b[k]
    return total


@njit(cache=True, fastmath=_ELEMENTWISE)
def softmax_cosine(vectors: Matrix, gradients: Matrix, scratch: Matrix) -> float:
    """Siamese CBOW's loss of one example, and its gradient (Kenter et al. 2016, section 2.1).

    p = softmax of the cosines of the centre with each candidate; loss = -(ln p_1 + ln p_2) / 2 for the two
    positives. With t = (1/2, 1/2, 0, ...): dL/dcos_j = p_j - t_j, and
    dcos(a, b)/db = a / (|a| |b|) - cos(a, b) b / |b|^2, likewise for a. The cosine with a vector whose norm
    is zero (which only underflow can make) counts as the constant 0.

    Args:
        vectors: (1 + candidates, d), the centre, the two positives, the negatives.
        gradients: (1 + candidates, d), overwritten with dL/dvectors.
        scratch: (3, candidates), overwritten.

    Returns:
        The loss.
    """
    real = vectors.dtype.type
    zero, one, half = real(0), real(1), real(0.5)
    n, d = vectors.shape[0] - 1, vectors.shape[1]
    cosines, inverse_norms, powers = scratch[0], scratch[1], scratch[2]
    centre = vectors[0]
    square = dot(centre, centre)
    inverse_centre = one / np.sqrt(square) if square != zero else zero
    total = zero
    for j in range(n):
        square = dot(vectors[j + 1], vectors[j + 1])
        inverse_norms[j] = one / np.sqrt(square) if square != zero else zero
        cosines[j] = dot(centre, vectors[j + 1]) * inverse_centre * inverse_norms[j]
        powers[j] = np.exp(cosines[j])  # cosines are at most 1: no overflow to guard against
        total += powers[j]
    loss = np.log(total) - half * (cosines[0] + cosines[1])

    gradient = gradients[0]
    along_centre = zero
    for k in range(d):
        gradient[k] = 0
    for j in range(n):
        weight = powers[j] / total
        if j < 2:
            weight -= half
        candidate, its_gradient = vectors[j + 1], gradients[j + 1]
        across = weight * inverse_centre * inverse_norms[j]
        along = weight * cosines[j] * inverse_norms[j] * inverse_norms[j]
        along_centre += weight * cosines[j]
        for k in range(d):
            its_gradient[k] = across * centre[k] - along * candidate[k]
            gradient[k] += across * candidate[k]
    along_centre *= inverse_centre * inverse_centre
    for k in range(d):
        gradient[k] -= along_centre * centre[k]
    return loss


@njit(cache=True)
def link_words(
    tokens: Ids,
    starts: npt.NDArray[np.int64],
    lengths: npt.NDArray[np.int32],
    head: Positions,
    following: Positions,
    owner: Positions,
    words: Positions,
) -> int:
    """Chain the tokens of a batch by word; return the number of distinct words.

    Token number p = 1, 2, ... of the batch belongs to sentence ``owner[p]`` (row of a (batch * slots, d)
    array); ``head[w]`` is the first token of word w, ``following[p]`` the next token of the same word, 0 ends
    a chain.

    Args:
        tokens: (T,) word ids.
        starts: (batch, slots), where the batch's sentences begin in ``tokens``.
        lengths: (batch, slots), their numbers of tokens.
        head: (V,) uint32, all zeros; filled.
        following: (tokens of the batch + 1,) uint32, overwritten; following[0] must be 0.
        owner: (tokens of the batch + 1,) uint32, overwritten.
        words: (tokens of the batch + 1,) uint32, overwritten; its beginning lists the distinct words.
    """
    slots = starts.shape[1]
    distinct, p = np.uint64(0), np.uint32(0)
    for sentence in range(starts.size - 1, -1, -1):  # backwards, so that chains run forwards
        i, slot = sentence // slots, sentence % slots
        for t in range(starts[i, slot] + lengths[i, slot] - 1, starts[i, slot] - 1, -1):
            p += np.uint32(1)
            word = tokens[t]
            first = head[word]
            owner[p] = sentence
            following[p] = first
            head[word] = p
            words[distinct] = word  # stays only if the word is new; cheaper than a branch
            distinct += np.uint64(first == 0)
    return distinct


@njit(cache=True, fastmath=_ELEMENTWISE)
def add_chain(target: Vector, p: int, following: Positions, owner: Positions, G: Matrix) -> None:
    """Add the rows of G that own the tokens p, following[p], ... to ``target`` (d,), in this order."""
    while p != 0:
        q = following[p]
        r = following[q]
        s = following[r]
        a = G[owner[p]]
        if s == 0:  # fewer than four left
            for k in range(target.shape[0]):
                target[k] += a[k]
            p = q
            continue
        b, c, d = G[owner[q]], G[owner[r]], G[owner[s]]
        for k in range(target.shape[0]):
            target[k] = (((target[k] + a[k]) + b[k]) + c[k]) + d[k]
        p = following[s]


@njit(cache=True, fastmath=_ELEMENTWISE)
def adadelta_row(
    w: Vector,
    gradient: Vector,
    squares: Vector,
    updates: Vector,
    rate: float,
    idle: int,
    rho: float,
    epsilon: float,
) -> None:
    """Update one row (d,) by AdaDelta, as lasagne.updates.adadelta does for every row at every batch.

    A row without a gradient only sees its two running means multiplied by rho, so ``idle`` such batches since
    its last update are made up for here, by rho^idle.
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


@njit(cache=True, parallel=True)
def train_siamese_cbow(
    tokens: Ids,
    starts: npt.NDArray[np.int64],
    lengths: npt.NDArray[np.int32],
    W: Matrix,
    rates: npt.NDArray[np.float64],
    head: Positions,
    threads: int,
    adadelta: bool,
    squares: Matrix,
    updates: Matrix,
    last: npt.NDArray[np.int64],
    first_batch: int,
    losses: npt.NDArray[np.float64],
) -> None:
    """Train consecutive batches in place; each step is the gradient of the batch's mean loss at fixed W.

    Args:
        tokens: (T,) unsigned word ids, read-only.
        starts: (n, batch, slots) int64.
        lengths: (n, batch, slots) int32.
        W: (V, d) float, changed in place.
        rates: (n,) float64, learning rates.
        head: (V,) uint32, zeros before and after.
        threads: number of shares into which a batch's words are split.
        adadelta: use AdaDelta instead of plain gradient descent.
        squares: (V, d), AdaDelta's running mean of squared gradients; (0, d) without.
        updates: (V, d), its running mean of squared steps; (0, d) without.
        last: (V,) int64, batch of each word's last update; (0,) without.
        first_batch: number of the first batch here, counted over all training.
        losses: (n,) float64, overwritten with the mean loss of each batch.
    """
    n, batch, slots = starts.shape
    d = W.shape[1]
    real = W.dtype.type
    G = np.empty((batch * slots, d), dtype=W.dtype)
    example_losses = np.empty(batch, dtype=np.float64)
    distinct = np.zeros(1, dtype=np.int64)
    for b in range(n):
        size = 1 + lengths[b].sum()
        following = np.empty(size, dtype=np.uint32)
        owner = np.empty(size, dtype=np.uint32)
        words = np.empty(size, dtype=np.uint32)
        following[0] = 0
        step = real(1.0 / batch) if adadelta else real(-rates[b] / batch)
        for i in prange(batch + 1):
            if i == 0:
                distinct[0] = link_words(tokens, starts[b], lengths[b], head, following, owner, words)
            else:
                e = i - 1
                vectors = np.empty((slots, d), dtype=W.dtype)
                scratch = np.empty((3, slots), dtype=W.dtype)
                for s in range(slots):
                    ahead = e * slots + s + 1  # the sentence after this one
                    if ahead < batch * slots:
                        first = starts[b, ahead // slots, ahead % slots]
                        length = lengths[b, ahead // slots, ahead % slots]
                        for t in range(first, first + min(length, _AHEAD_TOKENS)):
                            prefetch_row(W, tokens[t])
                    gather_mean(tokens, starts[b, e, s], lengths[b, e, s], W, vectors[s])
                gradients = G[e * slots : (e + 1) * slots]
                example_losses[e] = softmax_cosine(vectors, gradients, scratch)
                for s in range(slots):
                    share = step / real(max(lengths[b, e, s], 1))
                    row = gradients[s]
                    for k in range(d):
                        row[k] *= share
        for thread in prange(threads):
            gradient = np.empty(d, dtype=W.dtype)
            for q in range(thread, distinct[0], threads):  # frequent words come early: deal them out in turn
                if q + _AHEAD_WORDS * threads < distinct[0]:
                    prefetch_row(W, words[q + _AHEAD_WORDS * threads])
                word = words[q]
                p = head[word]
                head[word] = 0
                if adadelta:
                    gradient[:] = 0
                    add_chain(gradient, p, following, owner, G)
                    now = first_batch + b
                    idle = now - last[word] - 1
                    last[word] = now
                    adadelta_row(W[word], gradient, squares[word], updates[word], real(rates[b]), idle, 0.95, 1e-6)
                else:
                    add_chain(W[word], p, following, owner, G)
        total = 0.0
        for e in range(batch):
            total += example_losses[e]
        losses[b] = total / batch
