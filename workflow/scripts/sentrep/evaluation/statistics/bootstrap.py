"""Bootstrap of a correlation over sentence pairs: the percentile method, all draws at once.

Drawing n pairs with replacement is giving each pair a whole number of weight, so that Pearson's r of a draw comes from
weighted sums, and Spearman's from weighted mid-ranks. Nothing is copied pair by pair.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

DRAWS = 1000
LEVEL = 0.95
Floats = npt.NDArray[np.float64]


def draw_weights(n: int, seed: int, draws: int = DRAWS) -> Floats:
    """Return how often each of ``n`` pairs is drawn: (draws, n) float64, rows sum to n."""
    generator = np.random.default_rng([seed, n])
    picks = generator.integers(n, size=(draws, n))
    offsets = np.arange(draws)[:, None] * n
    return np.bincount((picks + offsets).ravel(), minlength=draws * n).reshape(draws, n).astype(np.float64)


def weighted_pearson(x: Floats, y: Floats, weights: Floats) -> Floats:
    """Return Pearson's r under each row of weights.

    Args:
        x: (n,) or (draws, n).
        y: (n,) or (draws, n).
        weights: (draws, n).

    Returns:
        (draws,) float64; NaN for draws in which a side is the same for all pairs.
    """
    total = weights.sum(axis=1, keepdims=True)
    x, y = np.broadcast_to(x, weights.shape), np.broadcast_to(y, weights.shape)
    x = x - (weights * x).sum(axis=1, keepdims=True) / total
    y = y - (weights * y).sum(axis=1, keepdims=True) / total
    products = (weights * x * y).sum(axis=1)
    squares = (weights * x * x).sum(axis=1) * (weights * y * y).sum(axis=1)
    return np.divide(products, np.sqrt(squares), out=np.full(len(products), np.nan), where=squares > 1e-24)


def weighted_ranks(values: Floats, weights: Floats) -> Floats:
    """Return mid-ranks of values drawn with whole-number weights: (draws, n) float64.

    A value's rank is the mean of the places that its copies, and those of equal values, take in the sorted draw.
    """
    _, group = np.unique(values, return_inverse=True)
    order = np.argsort(group, kind="stable")
    starts = np.flatnonzero(np.diff(group[order], prepend=-1))
    counts = np.add.reduceat(weights[:, order], starts, axis=1)
    before = np.cumsum(counts, axis=1) - counts
    return (before + (counts + 1) / 2)[:, group]


def weighted_spearman(x: Floats, y: Floats, weights: Floats) -> Floats:
    """Return Spearman's rho under each row of weights; as :func:`weighted_pearson`."""
    return weighted_pearson(weighted_ranks(x, weights), weighted_ranks(y, weights), weights)


def interval(samples: Floats, level: float = LEVEL) -> tuple[float, float]:
    """Return the percentile interval of bootstrap samples; NaN if a draw is undefined."""
    if not len(samples) or np.isnan(samples).any():
        return float("nan"), float("nan")
    low, high = np.quantile(samples, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)
