"""Compute the similarity of two texts with each method in De Boom et al. (2016).

With tf-idf, the similarity of two texts is the cosine of their vectors. All other methods combine the word vectors of
each text into a single vector, and the similarity of two texts is 1 minus the Euclidean distance between their vectors.
Pairs are processed in blocks to save memory, and the word vectors of a block are gathered only once for all methods.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sentrep.aggregation.lexicon import Lexicon, Ranks
from sentrep.aggregation.options import Options
from sentrep.encoders.weighted import Divisor, length_maps
from sentrep.pairs.pair_set import Pairs

Floats = npt.NDArray[np.float32]
# The first (or second) texts of n pairs: the ranks of their known words, (n, L), and the numbers of these words, (n,).
Side = tuple[Ranks, npt.NDArray[np.int64]]

TFIDF, MEAN, MAXIMUM, MINMAX = "Tf-idf", "Mean", "Max", "Min/max"
MEAN_TOP, MAXIMUM_TOP, MINMAX_TOP = (f"{name}, top 30% idf" for name in (MEAN, MAXIMUM, MINMAX))
MEAN_IDF = "Mean, idf-weighted"
BASELINES = (TFIDF, MEAN, MAXIMUM, MINMAX, MEAN_TOP, MAXIMUM_TOP, MINMAX_TOP, MEAN_IDF)
CONTRASTIVE, MEDIAN = "Learned weights, contrastive", "Learned weights, median"


@dataclass(frozen=True)
class Weighting:
    """Trained weights for sums of word vectors.

    Attributes:
        weights: (m,) float64 trained weights; the first belongs to the word with the highest idf, and the last to the
            word with the lowest idf. They are interpolated for texts that do not have m known words.
        divisor: "n" or "sqrt_n", the divisor of the weighted sum; see :func:`sentrep.encoders.weighted.length_map`.
    """

    weights: npt.NDArray[np.float64]
    divisor: Divisor = "n"


def top_words(lengths: npt.NDArray[np.int64], top: str) -> npt.NDArray[np.int64]:
    """Return, for each text, the number of words that are kept by the methods with "top 30% idf" in their names.

    Args:
        lengths: (n,) number of known words in each text.
        top: "30%" or "third"; see :class:`~sentrep.aggregation.options.Options`.

    Returns:
        (n,) number of words kept in each text; 0 only if the text has no known words.
    """
    kept = np.floor(0.3 * lengths + 0.5 + 1e-9) if top == "30%" else lengths // 3
    return np.minimum(np.maximum(kept.astype(np.int64), 1), lengths)


def similarities(
    lexicon: Lexicon,
    pairs: Pairs,
    learnt: Mapping[str, Weighting],
    options: Options | None = None,
    block: int = 256,
    threads: int = 1,
) -> dict[str, npt.NDArray[np.float64]]:
    """Return the similarity of each pair of texts under each method.

    Args:
        lexicon: known words and their vectors.
        pairs: pairs of texts in which each word is given by its rank; see :meth:`Lexicon.rank`.
        learnt: mapping from the name of each method with trained weights to its weights.
        options: settings for the points on which the paper and its released code differ.
        block: number of pairs per block. With texts of L words and d-dimensional word vectors, a block needs about
            4 * block * L * d * 4 bytes of memory.
        threads: number of blocks to process in parallel.

    Returns:
        A mapping from the name of each method to (n,) float64 similarities. The methods are the eight baselines in the
        order of the tables in De Boom et al. (2016), followed by the methods in ``learnt``.
    """
    options = options or Options()
    names = [*BASELINES, *learnt]
    result = np.empty((len(names), len(pairs)))
    factors = _Factors(pairs.first.shape[1], learnt, options)

    def work(start: int) -> None:
        chosen = slice(start, start + block)
        first, second = pairs.first[chosen], pairs.second[chosen]
        sides = (first, lexicon.lengths(first)), (second, lexicon.lengths(second))
        part = result[:, chosen]
        part[0] = _tfidf(lexicon, *sides, options)
        for row, distance in zip(_rows(names), _distances(lexicon, sides, factors, options), strict=True):
            part[row] = 1 - distance
        if options.empty == "zero_similarity":
            part[:, (sides[0][1] == 0) | (sides[1][1] == 0)] = 0

    starts = range(0, len(pairs), block)
    if threads == 1:
        for start in starts:
            work(start)
    else:
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(work, starts))
    return dict(zip(names, result, strict=True))


def _rows(names: list[str]) -> list[int]:
    """Return the index in ``names`` of each method except tf-idf.

    The methods are in the order in which :func:`_distances` yields their distances.
    """
    linear = [MEAN, MEAN_TOP, MEAN_IDF, *names[len(BASELINES) :]]
    return [names.index(name) for name in [*linear, MAXIMUM, MINMAX, MAXIMUM_TOP, MINMAX_TOP]]


class _Factors:
    """The factors by which word vectors are multiplied, for all methods that represent a text by a weighted sum."""

    def __init__(self, longest: int, learnt: Mapping[str, Weighting], options: Options) -> None:
        self.options = options
        self.tables = []
        for weighting in learnt.values():
            weights = np.asarray(weighting.weights, dtype=np.float64)
            if options.maximum_weight_one:
                weights = weights / np.abs(weights).max()
            maps = length_maps(longest, len(weights), weighting.divisor)
            self.tables.append((maps @ weights).astype(np.float32))

    def __call__(self, lexicon: Lexicon, ranks: Ranks, lengths: npt.NDArray[np.int64]) -> Floats:
        """Return the factors by which each method multiplies the word vectors of b texts, (b, 3 + k, L) float32.

        The methods along the second axis are the mean, the mean of the words with the highest idf, the idf-weighted
        mean, and the k trained weightings. L is the number of words in a padded text.
        """
        places = np.arange(ranks.shape[1])
        n = np.maximum(lengths, 1)[:, None]
        kept = top_words(lengths, self.options.top)[:, None]
        divisor = np.maximum(kept, 1) if self.options.top_divisor == "kept" else n
        present = places < lengths[:, None]
        rows = [present / n, (places < kept) / divisor, lexicon.idf[ranks] / n]
        return np.stack([*rows, *(table[lengths] for table in self.tables)], axis=1, dtype=np.float32)


def _distances(
    lexicon: Lexicon,
    sides: tuple[Side, Side],
    factors: _Factors,
    options: Options,
) -> Iterator[npt.NDArray[np.float64]]:
    """Yield, for each method except tf-idf, the Euclidean distance between the text vectors of each of b pairs, (b,).

    The methods that represent a text by a weighted sum come first, in the order of :meth:`_Factors.__call__`. They are
    followed by the methods "Max", "Min/max", "Max, top 30% idf" and "Min/max, top 30% idf".
    """
    sums: Floats | None = None
    extremes = []
    for ranks, lengths in sides:
        # Padding repeats the first word, so maxima and minima do not change. In sums, padding has the factor 0.
        padded = np.where(np.arange(ranks.shape[1]) < lengths[:, None], ranks, ranks[:, :1])
        vectors = lexicon.vectors[padded]
        sum_of_side = factors(lexicon, ranks, lengths) @ vectors
        sums = sum_of_side if sums is None else sums - sum_of_side
        kept = top_words(lengths, options.top)
        head = vectors[:, : max(int(kept.max()), 1)]
        last = np.maximum(kept - 1, 0)
        rows = np.arange(len(ranks))
        extremes.append(
            [
                vectors.max(axis=1),
                vectors.min(axis=1),
                np.maximum.accumulate(head, axis=1)[rows, last],
                np.minimum.accumulate(head, axis=1)[rows, last],
            ]
        )
    assert sums is not None
    squares = np.einsum("bkd,bkd->kb", sums, sums, dtype=np.float64)
    yield from np.sqrt(squares)
    high, low, high_top, low_top = (
        ((a - b) ** 2).sum(axis=1, dtype=np.float64) for a, b in zip(*extremes, strict=True)
    )
    yield np.sqrt(high)
    yield np.sqrt(high + low)
    yield np.sqrt(high_top)
    yield np.sqrt(high_top + low_top)


def _tfidf(
    lexicon: Lexicon,
    first: Side,
    second: Side,
    options: Options,
) -> npt.NDArray[np.float64]:
    """Return the tf-idf similarity of the two texts in each pair, (b,); it is 0 if the texts have no word in common.

    If a word occurs tf times in the first text and tf' times in the second, it contributes tf tf' idf**2 to the dot
    product of the two tf-idf vectors. This product is therefore the sum of idf**2 over all pairs of equal tokens, one
    from each text, and is computed without sparse matrices. Padding does not contribute, because its idf is 0.
    """
    squares = [lexicon.idf[ranks] ** 2 for ranks, _ in (first, second)]
    product = ((first[0][:, :, None] == second[0][:, None, :]) * squares[0][:, :, None]).sum(axis=(1, 2))
    norms = []
    for (ranks, _), square in zip((first, second), squares, strict=True):
        counts = (ranks[:, :, None] == ranks[:, None, :]).sum(axis=2)
        # A word with c tokens contributes c**2 idf**2 to the sum over types, which is c idf**2 for each of its tokens.
        # In the norm over tokens, each of its tokens contributes c**2 idf**2.
        norms.append((counts ** (1 if options.tfidf_norm == "types" else 2) * square).sum(axis=1))
    scale = np.sqrt(norms[0] * norms[1])
    return np.divide(product, scale, out=np.zeros_like(product), where=scale > 0)
