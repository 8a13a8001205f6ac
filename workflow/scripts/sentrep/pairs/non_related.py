"""Form non-related pairs of texts as in the paper or as in the released code of De Boom et al. (2016).

In the paper, the two texts of a pair are from different articles (:func:`from_other_articles`). The released code draws
the texts from pools that may contain several texts from one article (:func:`from_pool`).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Indices = npt.NDArray[np.int64]

# As in the released code, the pools contain the first texts of pairs 0, 20, 40, ... and the second texts of pairs 10,
# 30, 50, ...
_EVERY = 20
_POOL = 100  # number of texts in a pool
_ROUNDS = 10  # number of times that each pool is shuffled
TRIES = 100


def surplus(article: Indices) -> npt.NDArray[np.bool_]:
    """Return a mask, (n,) bool, of pairs to drop so that no article has more than half of the remaining pairs.

    Args:
        article: index of each pair's article, (n,) int64.
    """
    drop = np.zeros(len(article), dtype=bool)
    if len(article):
        articles, sizes = np.unique(article, return_counts=True)
        largest = sizes.argmax()
        others = len(article) - sizes[largest]
        drop[np.flatnonzero(article == articles[largest])[others:]] = True
    return drop


def from_other_articles(article: Indices, dice: np.random.Generator) -> Indices:
    """Return a random permutation, (n,) int64, that assigns to each related pair a partner from a different article.

    The partner is also a related pair: the first text of a pair and the second text of its partner form a non-related
    pair.

    Partners are first assigned by shuffling. In each of up to :data:`TRIES` rounds, every pair whose partner is from
    the same article exchanges partners with a random pair, unless one of these two pairs would then have a partner from
    its own article. If the last round still finds partners from the same article, all pairs are instead ordered by
    article, and partners are assigned by rotating this order by k positions, where k is the largest number of pairs
    from one article.

    Args:
        article: index of each pair's article, (n,) int64; no article may have more than half of the pairs.
        dice: random number generator.
    """
    size = len(article)
    partner = dice.permutation(size)
    for _ in range(TRIES):
        clashes = np.flatnonzero(article[partner] == article)
        if not len(clashes):
            return partner
        for i, j in zip(clashes, dice.integers(size, size=len(clashes)), strict=True):
            if article[partner[i]] != article[j] and article[partner[j]] != article[i]:
                partner[[i, j]] = partner[[j, i]]
    order = np.argsort(article, kind="stable")
    partner[order] = np.roll(order, -np.unique(article, return_counts=True)[1].max())
    return partner


def from_pool(pairs: int, dice: np.random.Generator) -> tuple[Indices, Indices]:
    """Draw the texts of non-related pairs from pools, as in the released code of De Boom et al. (2016).

    The docstring of :mod:`sentrep.pairs.wikipedia` describes the pools. In contrast to the released code, the last pool
    is used even if it is not full.

    Args:
        pairs: number n of related pairs.
        dice: random number generator.

    Returns:
        The indices of the first and second texts of m non-related pairs, as two (m,) int64 arrays. For large n, m is
        about 0.99 n. Index 2i refers to the first text of related pair i, and index 2i + 1 refers to the second text of
        this pair.
    """
    firsts, seconds = np.arange(0, pairs, _EVERY), np.arange(_EVERY // 2, pairs, _EVERY)
    texts = np.sort(np.concatenate([2 * firsts, 2 * seconds + 1]))
    left, right = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for start in range(0, len(texts), _POOL):
        for _ in range(_ROUNDS):
            shuffled = dice.permutation(texts[start : start + _POOL])
            left.append(shuffled[:-1])
            right.append(shuffled[1:])
    return np.concatenate(left), np.concatenate(right)
