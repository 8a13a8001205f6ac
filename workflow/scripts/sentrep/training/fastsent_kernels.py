"""Compiled training of FastSent: one sentence after the other, one predicted word after the other, on one core.

The released code (fh295/SentenceRepresentation, word2vec_inner.pyx) predicts each context word from the sum h of the
sentence's word vectors and moves these vectors before it predicts the next one; for every context word it sums and
updates all words of the sentence. The same numbers come from moving h itself: if a word occurs m times in the
sentence, its vector receives the error m times and enters h m times, so h gains the error times the sum of m^2 over
words. The words' vectors are moved once, at the end of the sentence. That is exact but for rounding, and its work
grows with the length of a sentence, not with its square.

Compiled code stays in this file: numba's cache notices when the file of a function has changed, but not when a file
has whose functions it calls.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import njit

from sentrep.store import Ids

Matrix = npt.NDArray[np.floating]
Vector = npt.NDArray[np.floating]

# Sums may be reordered, else they cannot use vector instructions; NaN and infinity keep their meaning.
_REDUCE = {"reassoc", "contract", "nsz"}
_ELEMENTWISE = {"contract", "nsz"}


@njit(cache=True, fastmath=_REDUCE)
def _dot(a: Vector, b: Vector) -> float:
    total = a.dtype.type(0)
    for k in range(a.shape[0]):
        total += a[k] * b[k]
    return total


@njit(cache=True, fastmath=_ELEMENTWISE)
def _teach(h: Vector, row: Vector, error: Vector, step: float) -> None:
    """Move an output vector by step * h, after adding step * row to the error of h."""
    for k in range(h.shape[0]):
        old = row[k]
        error[k] += step * old
        row[k] = old + step * h[k]


@njit(cache=True)
def _decide(h: Vector, row: Vector, error: Vector, sign: float, rate: float, largest_score: float) -> float:
    """Train one binary decision, probability sigmoid(sign * h . row); return -ln of it, before the update."""
    score = sign * _dot(h, row)
    if abs(score) >= largest_score:
        return np.log1p(np.exp(-abs(score))) + max(-score, 0.0)
    power = np.exp(-abs(np.float64(score)))
    miss = power / (1.0 + power) if score > 0 else 1.0 / (1.0 + power)  # 1 - sigmoid(score)
    _teach(h, row, error, h.dtype.type(rate * miss * sign))
    return -np.log1p(-miss) if miss < 0.5 else np.log1p(power) - score


@njit(cache=True)
def _random(state: npt.NDArray[np.uint64]) -> np.uint64:
    """Return the next 64 random bits of SplitMix64 (Steele, Lea and Flood 2014)."""
    state[0] += np.uint64(0x9E3779B97F4A7C15)
    z = state[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@njit(cache=True)
def _draw(state: npt.NDArray[np.uint64], keep: npt.NDArray[np.float64], others: npt.NDArray[np.int32]) -> int:
    """Return a noise word."""
    bits = _random(state)
    word = np.int64(((bits >> np.uint64(32)) * np.uint64(len(keep))) >> np.uint64(32))
    fraction = np.float64(bits & np.uint64(0xFFFFFFFF)) / 4294967296.0
    return word if fraction < keep[word] else np.int64(others[word])


@njit(cache=True)
def train_sentences(
    ids: Ids,
    offsets: npt.NDArray[np.int64],
    centres: npt.NDArray[np.int64],
    autoencode: bool,
    U: Matrix,
    V: Matrix,
    starts: npt.NDArray[np.int64],
    nodes: npt.NDArray[np.int32],
    signs: npt.NDArray[np.int8],
    negatives: int,
    keep: npt.NDArray[np.float64],
    others: npt.NDArray[np.int32],
    random_state: npt.NDArray[np.uint64],
    rate: float,
    divide_error: bool,
    largest_score: float,
    occurrences: npt.NDArray[np.int32],
) -> tuple[float, int]:
    """Train on some sentences, in place.

    Args:
        ids: (T,) unsigned word ids.
        offsets: (S + 1,) int64, sentence s is ids[offsets[s]:offsets[s + 1]].
        centres: (n,) int64, sentences whose neighbours s - 1 and s + 1 are predicted.
        autoencode: whether a sentence's own words are predicted, too.
        U: (vocabulary, d) source vectors.
        V: (rows, d) target vectors: inner nodes of the tree, or words.
        starts: of :class:`sentrep.training.fastsent_tree.Tree`.
        nodes: of the tree.
        signs: of the tree.
        negatives: noise words per predicted word; 0: the tree is used.
        keep: of :class:`sentrep.training.fastsent_tree.Noise`.
        others: of the noise.
        random_state: (1,) uint64, changed.
        rate: learning rate.
        divide_error: divide what a sentence's words receive by the sentence's length.
        largest_score: a decision whose score is at least this far from zero is not trained.
        occurrences: (vocabulary,) int32, zeros before and after.

    Returns:
        The summed loss, natural logarithm, and the number of predicted words.
    """
    d = U.shape[1]
    h, error, total = np.empty(d, U.dtype), np.empty(d, U.dtype), np.empty(d, U.dtype)
    loss, predicted = 0.0, 0
    for centre in centres:
        first, last = offsets[centre], offsets[centre + 1]
        if first == last:
            continue
        h[:] = 0
        total[:] = 0
        squares = 0
        for t in range(first, last):
            word = ids[t]
            squares += 2 * occurrences[word] + 1
            occurrences[word] += 1
            row = U[word]
            for k in range(d):
                h[k] += row[k]
        for t in range(first, last):
            occurrences[ids[t]] = 0
        share = U.dtype.type(1.0 / (last - first)) if divide_error else U.dtype.type(1)
        gain = U.dtype.type(squares) * share
        for t in range(offsets[centre - 1], offsets[centre + 2]):
            if first <= t < last and not autoencode:
                continue
            target = np.int64(ids[t])
            error[:] = 0
            if negatives:
                loss += _decide(h, V[target], error, 1.0, rate, largest_score)
                for _ in range(negatives):
                    noise = _draw(random_state, keep, others)
                    if noise != target:
                        loss += _decide(h, V[noise], error, -1.0, rate, largest_score)
            else:
                for p in range(starts[target], starts[target + 1]):
                    loss += _decide(h, V[nodes[p]], error, np.float64(signs[p]), rate, largest_score)
            for k in range(d):
                total[k] += error[k]
                h[k] += gain * error[k]
            predicted += 1
        for t in range(first, last):
            row = U[ids[t]]
            for k in range(d):
                row[k] += share * total[k]
    return loss, predicted
