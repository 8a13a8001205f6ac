"""Compute percentile bootstrap confidence intervals of correlations and of shares of correct answers.

Drawing n sentence pairs with replacement is equivalent to giving each pair an integer weight. Pearson's r in a draw is
then a ratio of weighted sums, and Spearman's rho is the same ratio for weighted mid-ranks. The correlations in all
draws can therefore be computed at once, without copying pairs.
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
SET_SEED = 1000
"""Seed for drawing the pairs of the first set in ``STANDARD``; the seeds of the other sets are the next integers."""
AVERAGE = "average"
"""Dataset name for the mean over all sets of a year."""
OVERALL = "overall"
"""Dataset name for the mean over the sets of 2014, weighted by their numbers of pairs (used for Quick Thoughts)."""
OVERALL_YEAR = 2014
INTERVAL_COLUMNS = ["model", "protocol", "year", "dataset", "metric", "low", "high"]
Floats = npt.NDArray[np.float64]
SetKey = tuple[int, str]
Draws = dict[tuple[str, str, SetKey], Floats]
"""Correlations in all bootstrap draws, as (DRAWS,) arrays, keyed by (model, metric, (year, dataset))."""


def draw_weights(n: int, seed: int, draws: int = DRAWS) -> Floats:
    """Return how often each of ``n`` pairs occurs in each bootstrap draw, (draws, n) float64; every row sums to n."""
    generator = np.random.default_rng([seed, n])
    picks = generator.integers(n, size=(draws, n))
    offsets = np.arange(draws)[:, None] * n
    return np.bincount((picks + offsets).ravel(), minlength=draws * n).reshape(draws, n).astype(np.float64)


def weighted_pearson(x: Floats, y: Floats, weights: Floats) -> Floats:
    """Return the weighted Pearson correlation of two variables for each row of weights.

    Args:
        x: (n,) or (draws, n) values of the first variable.
        y: (n,) or (draws, n) values of the second variable.
        weights: (draws, n) weights.

    Returns:
        (draws,) float64; NaN for draws in which a variable is constant.
    """
    total = weights.sum(axis=1, keepdims=True)
    x, y = np.broadcast_to(x, weights.shape), np.broadcast_to(y, weights.shape)
    x = x - (weights * x).sum(axis=1, keepdims=True) / total
    y = y - (weights * y).sum(axis=1, keepdims=True) / total
    products = (weights * x * y).sum(axis=1)
    squares = (weights * x * x).sum(axis=1) * (weights * y * y).sum(axis=1)
    return np.divide(products, np.sqrt(squares), out=np.full(len(products), np.nan), where=squares > 1e-24)


def weighted_ranks(values: Floats, weights: Floats) -> Floats:
    """Return the mid-ranks of n values in each bootstrap draw, (draws, n) float64.

    The rank of a value is the mean position, in the sorted draw, of all drawn values that are equal to this value.

    Args:
        values: (n,) values.
        weights: (draws, n) number of times that each value is drawn.
    """
    _, group = np.unique(values, return_inverse=True)
    order = np.argsort(group, kind="stable")
    starts = np.flatnonzero(np.diff(group[order], prepend=-1))
    counts = np.add.reduceat(weights[:, order], starts, axis=1)
    before = np.cumsum(counts, axis=1) - counts
    return (before + (counts + 1) / 2)[:, group]


def weighted_spearman(x: Floats, y: Floats, weights: Floats) -> Floats:
    """Return the weighted Spearman correlation of two variables for each row of weights.

    Args:
        x: (n,) values of the first variable.
        y: (n,) values of the second variable.
        weights: (draws, n) number of times that each pair of values is drawn.

    Returns:
        (draws,) float64; NaN for draws in which a variable is constant.
    """
    return weighted_pearson(weighted_ranks(x, weights), weighted_ranks(y, weights), weights)


def column_correlations(values: Floats, target: Floats, weights: Floats) -> Floats:
    """Return the weighted Pearson correlation of each column of values with the target, for each row of weights.

    Args:
        values: (n, k) similarities.
        target: (n,) human scores.
        weights: (draws, n) number of times that each pair is drawn.

    Returns:
        (draws, k) float64; NaN where the column or the target is constant.
    """
    x, y = values - values.mean(axis=0), (target - target.mean())[:, None]
    total = weights.sum(axis=1, keepdims=True)
    mean_x, mean_y = weights @ x / total, weights @ y / total
    covariance = weights @ (x * y) / total - mean_x * mean_y
    spread = (weights @ x**2 / total - mean_x**2) * (weights @ y**2 / total - mean_y**2)
    return np.divide(covariance, np.sqrt(spread.clip(0)), out=np.full(spread.shape, np.nan), where=spread > 1e-24)


def correlation_draws(values: Floats, target: Floats, seed: int) -> tuple[Floats, Floats]:
    """Return Pearson's r between each column of values and the target, over all pairs and in each bootstrap draw.

    Args:
        values: (n, k) similarities.
        target: (n,) human scores.
        seed: seed for drawing pairs.

    Returns:
        (k,) correlations over all pairs, and (DRAWS, k) correlations over the drawn pairs.
    """
    weights = draw_weights(len(target), seed)
    return column_correlations(values, target, np.ones((1, len(target))))[0], column_correlations(
        values, target, weights
    )


def over_seeds(draws: Floats) -> Floats:
    """Resample the seeds in each bootstrap draw, and return the mean value over the resampled seeds, (DRAWS,).

    The resampled seeds depend only on the number of seeds, so systems with the same number of seeds are paired by seed.
    The deviation of the resampled mean from the mean over all n seeds is multiplied by the square root of n / (n - 1),
    because the values for n seeds vary less around their own mean than around the mean over all possible seeds.

    Args:
        draws: (DRAWS, n) values, one for each bootstrap draw of test items and each seed.
    """
    n = draws.shape[1]
    mean = draws.mean(axis=1)
    if n == 1:
        return mean
    picks = np.random.default_rng(n).integers(n, size=draws.shape)
    return mean + np.sqrt(n / (n - 1)) * (np.take_along_axis(draws, picks, axis=1).mean(axis=1) - mean)


def seed_coefficients(seeds: int) -> Floats:
    """Return random coefficients for simulating the sampling error of a mean over n seeds.

    Let x_1, ..., x_n be the values for the seeds, m their mean, and c_1, ..., c_n a row of coefficients. The sum of
    c_s (x_s - m) over all seeds s is then the standard error of m, multiplied by a random number that is t-distributed
    with n - 1 degrees of freedom. Resampling the seeds instead would underestimate the error: with three seeds, only
    about three quarters of the 95% intervals would contain the true mean. The coefficients depend only on the number of
    seeds, so systems with the same number of seeds are paired by seed.

    Args:
        seeds: number of seeds n, at least 2.

    Returns:
        (DRAWS, n) coefficients.
    """
    generator = np.random.default_rng(seeds)
    normal = generator.standard_normal((DRAWS, seeds))
    normal -= normal.mean(axis=1, keepdims=True)
    scale = np.sqrt(generator.chisquare(seeds - 1, (DRAWS, 1)) / (seeds - 1))
    return normal / scale / math.sqrt(seeds * (seeds - 1))


METRICS = {"pearson": weighted_pearson, "spearman": weighted_spearman}


def interval(samples: Floats) -> tuple[float, float]:
    """Return both ends of the 95% percentile interval of bootstrap samples; NaN if there are none or any is NaN."""
    if not len(samples) or np.isnan(samples).any():
        return float("nan"), float("nan")
    low, high = np.quantile(samples, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(low), float(high)


def share_interval(share: float, items: float) -> tuple[float, float]:
    """Return the 95% bootstrap confidence interval of the share of test items that are answered correctly.

    The number of correct answers among n items drawn with replacement is binomially distributed, so the answers to
    individual items are not needed. If the share is a mean over several seeds, the interval is that of a single seed
    with this share.

    Args:
        share: share of correct answers, from 0 to 1.
        items: number of test items.

    Returns:
        Both ends of the interval; NaN if the share or the number of items is NaN, or the share is below 0 or above 1.
    """
    if math.isnan(share) or math.isnan(items) or not 0 <= share <= 1:
        return math.nan, math.nan
    n = int(items)
    return interval(np.random.default_rng([1, n]).binomial(n, share, DRAWS) / n)


def bootstrap(similarities: Mapping[str, Sequence[pd.DataFrame]], gold: pd.DataFrame) -> Draws:
    """Return, for each bootstrap draw of sentence pairs, the correlations between similarities and human scores.

    The same pairs are drawn for all models, and each set has its own random stream. The correlation of a model in a
    draw is the mean over its seeds.

    Args:
        similarities: for each model, one table per seed, with the columns year, dataset, pair and similarity.
        gold: a table with the columns year, dataset, pair and gold. A missing human score (NaN) counts as 0, as in the
            protocol "paper".

    Returns:
        (DRAWS,) correlations, keyed by (model, metric, (year, dataset)). A set is omitted for a model if the number of
        similarities for any seed differs from the number of pairs in the set.
    """
    draws: Draws = {}
    for place, standard in enumerate(STANDARD):
        key = (standard.year, standard.dataset)
        target = np.nan_to_num(_of_set(gold, key, "gold"), nan=0.0)
        if not len(target):
            continue
        weights = draw_weights(len(target), SET_SEED + place)
        for model, of_seeds in similarities.items():
            values = [_of_set(frame, key, "similarity") for frame in of_seeds]
            if any(len(value) != len(target) for value in values):
                continue
            for metric, correlate in METRICS.items():
                draws[model, metric, key] = np.mean([correlate(value, target, weights) for value in values], axis=0)
    return draws


def average_weights() -> dict[SetKey, dict[SetKey, float]]:
    """Return the relative weight of each set in each average over sets.

    The average for each year, with the key (year, :data:`AVERAGE`), weights its sets equally. An additional average for
    2014, with the key (2014, :data:`OVERALL`), weights each set by its number of pairs.
    """
    averages: dict[SetKey, dict[SetKey, float]] = {
        (year, AVERAGE): {(s.year, s.dataset): 1.0 for s in STANDARD if s.year == year} for year in YEARS
    }
    overall = {(s.year, s.dataset): float(s.pairs) for s in STANDARD if s.year == OVERALL_YEAR}
    return {**averages, (OVERALL_YEAR, OVERALL): overall}


def intervals(similarities: Mapping[str, Sequence[pd.DataFrame]], gold: pd.DataFrame) -> pd.DataFrame:
    """Return the 95% confidence intervals of the correlations of each model, for each set and for averages over sets.

    Args:
        similarities: for each model, one table per seed, with the columns year, dataset, pair and similarity.
        gold: human scores, as returned by :func:`sentrep.evaluation.sts.sets.gold_scores`.

    Returns:
        A table with the columns :data:`INTERVAL_COLUMNS`. ``protocol`` is "paper". ``dataset`` is the name of a set,
        :data:`AVERAGE` or :data:`OVERALL`. Sets that :func:`bootstrap` omits for a model are omitted, and so are
        averages that include these sets. ``low`` and ``high`` are NaN if the correlation is undefined in any draw.
    """
    draws = bootstrap(similarities, gold)
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
    """Return the values in a column for one set, (n,) float64, in the order of the pairs."""
    rows = frame.loc[(frame["year"] == key[0]) & (frame["dataset"] == key[1])].sort_values(by="pair")
    return rows[column].to_numpy(dtype=np.float64)
