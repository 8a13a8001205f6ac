"""Bootstrap confidence intervals of correlations over sentence pairs (percentile method).

Drawing n pairs with replacement is the same as giving each pair a whole-number weight. Pearson's r of a draw is then a
ratio of weighted sums, and Spearman's rho the same on weighted mid-ranks, so all draws are computed at once and no
pair is copied.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
import pandas as pd

from sentrep.evaluation.sts.sets import STANDARD, YEARS

DRAWS = 1000
LEVEL = 0.95
AVERAGE = "average"
"""Dataset name of the mean over all sets of a year."""
OVERALL = "overall"
"""Dataset name of the mean over the sets of 2014, weighted by their numbers of pairs (Quick Thoughts)."""
OVERALL_YEAR = 2014
INTERVAL_COLUMNS = ["model", "protocol", "year", "dataset", "metric", "low", "high"]
Floats = npt.NDArray[np.float64]
SetKey = tuple[int, str]
Draws = dict[tuple[str, str, SetKey], Floats]
"""Correlation in each draw by model, metric and (year, dataset)."""


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
        (draws,) float64; NaN for draws in which one side is constant.
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

    The rank of a value is the mean position of all copies of it, and of equal values, in the sorted draw.
    """
    _, group = np.unique(values, return_inverse=True)
    order = np.argsort(group, kind="stable")
    starts = np.flatnonzero(np.diff(group[order], prepend=-1))
    counts = np.add.reduceat(weights[:, order], starts, axis=1)
    before = np.cumsum(counts, axis=1) - counts
    return (before + (counts + 1) / 2)[:, group]


def weighted_spearman(x: Floats, y: Floats, weights: Floats) -> Floats:
    """Return Spearman's rho under each row of weights; arguments as for :func:`weighted_pearson`."""
    return weighted_pearson(weighted_ranks(x, weights), weighted_ranks(y, weights), weights)


def column_correlations(values: Floats, target: Floats, weights: Floats) -> Floats:
    """Return Pearson's r of each column with the target under each row of weights.

    Args:
        values: (n, k) similarities.
        target: (n,) human scores.
        weights: (draws, n), how often each item is drawn.

    Returns:
        (draws, k) float64; NaN where one side is constant.
    """
    x, y = values - values.mean(axis=0), (target - target.mean())[:, None]
    total = weights.sum(axis=1, keepdims=True)
    mean_x, mean_y = weights @ x / total, weights @ y / total
    covariance = weights @ (x * y) / total - mean_x * mean_y
    spread = (weights @ x**2 / total - mean_x**2) * (weights @ y**2 / total - mean_y**2)
    return np.divide(covariance, np.sqrt(spread.clip(0)), out=np.full(spread.shape, np.nan), where=spread > 1e-24)


def correlation_draws(values: Floats, target: Floats, seed: int) -> tuple[Floats, Floats]:
    """Return Pearson's r of each column with the target: (k,) for all items and (DRAWS, k) in each draw of items."""
    weights = draw_weights(len(target), seed)
    return column_correlations(values, target, np.ones((1, len(target))))[0], column_correlations(
        values, target, weights
    )


def over_seeds(draws: Floats) -> Floats:
    """Also draw seeds with replacement, and return the mean over the drawn seeds: (DRAWS,).

    Equally many seeds are drawn in the same way, which pairs systems by seed. Deviations from the mean over all n seeds
    are multiplied by the root of n / (n - 1), because a sample of n varies less around its own mean than around that of
    all seeds.

    Args:
        draws: (DRAWS, n), the value of each seed in each draw of items.
    """
    n = draws.shape[1]
    mean = draws.mean(axis=1)
    if n == 1:
        return mean
    picks = np.random.default_rng(n).integers(n, size=draws.shape)
    return mean + np.sqrt(n / (n - 1)) * (np.take_along_axis(draws, picks, axis=1).mean(axis=1) - mean)


METRICS = {"pearson": weighted_pearson, "spearman": weighted_spearman}


def interval(samples: Floats, level: float = LEVEL) -> tuple[float, float]:
    """Return the percentile interval of bootstrap samples; NaN if a draw is undefined."""
    if not len(samples) or np.isnan(samples).any():
        return float("nan"), float("nan")
    low, high = np.quantile(samples, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def share_interval(share: float, items: float, seed: int = 1) -> tuple[float, float]:
    """Return the percentile interval of a share of correct answers, over items drawn with replacement.

    The number of correct answers among n items drawn from n is binomial, so single answers are not needed. For the mean
    share of several seeds, this is the interval of a single run.

    Args:
        share: share of correct answers, from 0 to 1.
        items: number of items.
        seed: seed of the draws.

    Returns:
        The ends of the interval; NaN if the share or the number of items is unknown.
    """
    if math.isnan(share) or math.isnan(items) or not 0 <= share <= 1:
        return math.nan, math.nan
    n = int(items)
    return interval(np.random.default_rng([seed, n]).binomial(n, share, DRAWS) / n)


def bootstrap(similarities: Mapping[str, Sequence[pd.DataFrame]], gold: pd.DataFrame, seed: int = 1) -> Draws:
    """Draw the pairs of each standard set with replacement and correlate similarities with human scores.

    All models share the draws of a set, and each set has its own random stream. A model's value in a draw is the mean
    over its seeds.

    Args:
        similarities: one frame per seed by model: year, dataset, pair, similarity.
        gold: year, dataset, pair, gold. Pairs without a human score (NaN) count as 0, as in the paper protocol.
        seed: seed of the draws.

    Returns:
        (draws,) correlations; a model without similarities of exactly the pairs of a set has none for it.
    """
    draws: Draws = {}
    for place, standard in enumerate(STANDARD):
        key = (standard.year, standard.dataset)
        target = np.nan_to_num(_of_set(gold, key, "gold"), nan=0.0)
        if not len(target):
            continue
        weights = draw_weights(len(target), seed * 1000 + place)
        for model, of_seeds in similarities.items():
            values = [_of_set(frame, key, "similarity") for frame in of_seeds]
            if any(len(value) != len(target) for value in values):
                continue
            for metric, correlate in METRICS.items():
                draws[model, metric, key] = np.mean([correlate(value, target, weights) for value in values], axis=0)
    return draws


def average_weights() -> dict[SetKey, dict[SetKey, float]]:
    """Return the sets of each average and their weights: the mean of every year, and the weighted mean of 2014."""
    averages: dict[SetKey, dict[SetKey, float]] = {
        (year, AVERAGE): {(s.year, s.dataset): 1.0 for s in STANDARD if s.year == year} for year in YEARS
    }
    overall = {(s.year, s.dataset): float(s.pairs) for s in STANDARD if s.year == OVERALL_YEAR}
    return {**averages, (OVERALL_YEAR, OVERALL): overall}


def intervals(similarities: Mapping[str, Sequence[pd.DataFrame]], gold: pd.DataFrame, seed: int = 1) -> pd.DataFrame:
    """Return 95% percentile intervals of every model's correlations, set by set and for the averages over sets.

    Args:
        similarities: one frame per seed by model: year, dataset, pair, similarity.
        gold: year, dataset, pair, gold, as :func:`sentrep.evaluation.sts.sets.gold_scores` returns it.
        seed: seed of the draws; 1 gives the intervals of ``results/deltas.csv``.

    Returns:
        Rows with :data:`INTERVAL_COLUMNS`. ``protocol`` is "paper"; ``dataset`` is a set, :data:`AVERAGE` (mean over
        all sets of the year) or :data:`OVERALL`. An average is omitted if the model lacks one of its sets. ``low`` and
        ``high`` are NaN if a draw has no defined correlation.
    """
    draws = bootstrap(similarities, gold, seed)
    singles = {(s.year, s.dataset): {(s.year, s.dataset): 1.0} for s in STANDARD}
    rows = []
    for model in similarities:
        for (year, dataset), weights in {**singles, **average_weights()}.items():
            for metric in METRICS:
                if all((model, metric, key) in draws for key in weights):
                    samples = sum(draws[model, metric, key] * weight for key, weight in weights.items())
                    bounds = interval(np.asarray(samples / sum(weights.values())))
                    rows.append((model, "paper", year, dataset, metric, *bounds))
    return pd.DataFrame(rows, columns=INTERVAL_COLUMNS)


def _of_set(frame: pd.DataFrame, key: SetKey, column: str) -> Floats:
    """Return a column of the rows of one set, (n,) float64 in the order of the pairs."""
    rows = frame.loc[(frame["year"] == key[0]) & (frame["dataset"] == key[1])].sort_values(by="pair")
    return rows[column].to_numpy(dtype=np.float64)
