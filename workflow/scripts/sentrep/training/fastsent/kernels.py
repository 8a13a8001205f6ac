"""Train FastSent with compiled code on one CPU core, one predicted word at a time.

For each sentence, the released code (fh295/SentenceRepresentation, word2vec_inner.pyx) predicts the words of the
neighbouring sentences, one after the other, from h, the sum of the sentence's word vectors. After each prediction, it
adds an error vector to the vectors of all words in the sentence, and computes h anew. This module instead updates h
itself after each prediction, and updates the word vectors only once, after the last prediction. If a word occurs m
times in the sentence, the error vector is added m times to the word's vector, which in turn counts m times in h. Each
prediction therefore changes h by the error vector times the sum of m^2 over the distinct words of the sentence.
The two methods give the same result except for rounding errors, but the cost of this module's method is linear instead
of quadratic in the length of a sentence.

All compiled code of FastSent is in this file, because numba recompiles a cached function if its file has changed, but
not if only the file of a function that it calls has changed.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import njit

from sentrep.corpora.store import Ids

Matrix = npt.NDArray[np.floating]
Vector = npt.NDArray[np.floating]

# Sums may be reordered, because vector instructions require it; NaN and infinity keep their meaning.
_REDUCE = {"reassoc", "contract", "nsz"}


@njit(cache=True, fastmath=_REDUCE)
def _predict(
    h: Vector,
    V: Matrix,
    rows: npt.NDArray[np.integer],
    signs: npt.NDArray[np.int8],
    first: int,
    last: int,
    rate: float,
    largest_score: float,
    steps: Vector,
    error: Vector,
) -> float:
    """Train the binary decisions that predict a word, and return their negative log-likelihood.

    The score of a decision is the dot product of h and the decision's row of ``V``, and the probability of the decision
    is sigmoid(sign * score). All scores are computed before any row is updated, so the update follows the exact
    gradient. With hierarchical softmax, the rows of all decisions are distinct. With negative sampling, the row of a
    noise word that is drawn twice is updated twice.

    Args:
        h: (d,) sentence vector.
        V: (n, d) target vectors, changed in place.
        rows: row index in ``V`` for each decision.
        signs: 1 or -1 for each decision; 0 skips the decision.
        first: position in ``rows`` and ``signs`` of the word's first decision.
        last: position after the word's last decision.
        rate: learning rate.
        largest_score: decisions whose score has an absolute value of at least this number are not trained.
        steps: array of at least last - first elements, overwritten.
        error: (d,) array, overwritten with the negative gradient of the loss with respect to h, times the rate.
    """
    real = h.dtype.type
    for p in range(first, last):
        row = V[rows[p]]
        score = real(0)
        for k in range(h.shape[0]):
            score += h[k] * row[k]
        steps[p - first] = score
    loss, product = 0.0, 1.0
    for p in range(first, last):
        score = np.float64(signs[p]) * steps[p - first]
        power = np.exp(-abs(score))
        if signs[p]:
            product /= 1.0 + power
            if score <= 0:  # add -log(exp(score)) directly, because exp(score) could underflow
                loss -= score
        miss = (power if score > 0 else 1.0) / (1.0 + power)
        steps[p - first] = real(rate * miss * signs[p]) if abs(score) < largest_score else real(0)
        if product < 1e-100:  # avoid underflow on long paths
            loss -= np.log(product)
            product = 1.0
    error[:] = 0
    for p in range(first, last):
        row, step = V[rows[p]], steps[p - first]
        for k in range(h.shape[0]):
            error[k] += step * row[k]
    for p in range(first, last):
        row, step = V[rows[p]], steps[p - first]
        for k in range(h.shape[0]):
            row[k] += step * h[k]
    return loss - np.log(product)


@njit(cache=True)
def random_bits(state: npt.NDArray[np.uint64]) -> np.uint64:
    """Return the next 64 random bits of SplitMix64 (Steele, Lea and Flood 2014)."""
    state[0] += np.uint64(0x9E3779B97F4A7C15)
    z = state[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@njit(cache=True)
def draw(state: npt.NDArray[np.uint64], keep: npt.NDArray[np.float64], others: npt.NDArray[np.int32]) -> int:
    """Draw a noise word, and return its id; see :class:`sentrep.training.fastsent.huffman.Noise`."""
    bits = random_bits(state)
    word = np.int64(((bits >> np.uint64(32)) * np.uint64(len(keep))) >> np.uint64(32))
    fraction = np.float64(bits & np.uint64(0xFFFFFFFF)) / 4294967296.0
    return word if fraction < keep[word] else np.int64(others[word])


@njit(cache=True, fastmath=_REDUCE)
def train_sentences(
    ids: Ids,
    offsets: npt.NDArray[np.int64],
    centres: npt.NDArray[np.int64],
    autoencode: bool,
    U: Matrix,
    V: Matrix,
    tree_starts: npt.NDArray[np.int64],
    tree_nodes: npt.NDArray[np.uint32],
    tree_signs: npt.NDArray[np.int8],
    negatives: int,
    keep: npt.NDArray[np.float64],
    others: npt.NDArray[np.int32],
    random_state: npt.NDArray[np.uint64],
    rate: float,
    divide_error: bool,
    largest_score: float,
    largest_gain: float,
    occurrences: npt.NDArray[np.int32],
    steps: Vector,
) -> tuple[float, int]:
    """Train on the sentences in ``centres`` and their neighbours, changing ``U`` and ``V`` in place.

    Args:
        ids: (T,) unsigned word ids.
        offsets: (S + 1,) int64; sentence s is ids[offsets[s]:offsets[s + 1]].
        centres: (n,) int64, indices s of the sentences whose neighbours s - 1 and s + 1 are predicted.
        autoencode: whether to also predict the words of the sentence itself.
        U: (vocabulary, d) source vectors.
        V: (rows, d) target vectors of the words or, with hierarchical softmax, of the inner nodes of the Huffman tree.
        tree_starts: attribute ``starts`` of the :class:`sentrep.training.fastsent.huffman.Tree`.
        tree_nodes: attribute ``nodes`` of the tree.
        tree_signs: attribute ``signs`` of the tree.
        negatives: number of noise words per predicted word; 0 to use hierarchical softmax instead.
        keep: attribute ``keep`` of the noise distribution, a :class:`sentrep.training.fastsent.huffman.Noise`.
        others: attribute ``others`` of the noise distribution.
        random_state: (1,) uint64 state of the random number generator, changed in place.
        rate: learning rate.
        divide_error: whether to divide the update of each source vector by the number of words in the sentence.
        largest_score: binary decisions whose score has an absolute value of at least this number are not trained.
        largest_gain: limit on the gain of a sentence. The gain is the sum of m^2 over the distinct words of the
            sentence, where m is the number of occurrences of the word. If the gain exceeds the limit, the updates of
            the source vectors are multiplied by limit / gain.
        occurrences: (vocabulary,) int32 scratch array, all zeros before and after the call.
        steps: scratch array, overwritten; its length is at least the largest number of binary decisions per word.

    Returns:
        The loss in nats, summed over all predicted words, and the number of predicted words.
    """
    real, d = U.dtype.type, U.shape[1]
    h, error, total = np.empty(d, U.dtype), np.empty(d, U.dtype), np.empty(d, U.dtype)
    drawn, labels = np.empty(1 + negatives, np.uint32), -np.ones(1 + negatives, np.int8)
    labels[0] = 1
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
        scale = min(1.0, largest_gain / squares)
        share = real(scale / (last - first)) if divide_error else real(scale)
        gain = real(squares) * share
        for t in range(offsets[centre - 1], offsets[centre + 2]):
            if first <= t < last and not autoencode:
                continue
            word = ids[t]
            if negatives:
                drawn[0] = word
                for j in range(1, 1 + negatives):
                    drawn[j] = draw(random_state, keep, others)
                    labels[j] = 0 if drawn[j] == word else -1
                loss += _predict(h, V, drawn, labels, 0, 1 + negatives, rate, largest_score, steps, error)
            else:
                begin, end = tree_starts[word], tree_starts[word + 1]
                loss += _predict(h, V, tree_nodes, tree_signs, begin, end, rate, largest_score, steps, error)
            for k in range(d):
                total[k] += error[k]
                h[k] += gain * error[k]
            predicted += 1
        for t in range(first, last):
            row = U[ids[t]]
            for k in range(d):
                row[k] += share * total[k]
    return loss, predicted
