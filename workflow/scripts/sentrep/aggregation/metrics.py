"""Measure how well similarities separate related from non-related pairs (De Boom et al., 2016, section 5)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sentrep.errors import SentrepError

Values = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]

SPLITS_TRIED = 1001
AUTHORS_BINS, AUTHORS_RANGE = 10_000, (-1.0, 1.5)
_SAMPLES, _LEVEL = 10_000, 0.95  # number of bootstrap samples, and confidence level


@dataclass(frozen=True)
class Scale:
    """A linear map that scales the similarities of a set of pairs, such as validation pairs, to [0, 1].

    The scaled similarities of other pairs may lie outside this range.

    Attributes:
        low: similarity that is mapped to 0.
        high: similarity that is mapped to 1.
    """

    low: float
    high: float

    @classmethod
    def of(cls, similarities: Values) -> Scale:
        """Return the map that scales the given similarities to [0, 1].

        Args:
            similarities: (n,) similarities of related and non-related pairs.

        Raises:
            SentrepError: all similarities are equal, or one is not finite.
        """
        low, high = float(similarities.min()), float(similarities.max())
        if not (np.isfinite([low, high]).all() and low < high):
            raise SentrepError(
                "text pairs",
                expected="finite similarities that are not all equal",
                found=f"similarities from {low:g} to {high:g}",
                remedy="check that the word vectors are finite and cover the words of the pairs",
            )
        return cls(low, high)

    def __call__(self, similarities: Values) -> Values:
        """Apply this map to similarities, and return the scaled similarities."""
        return (similarities - self.low) / (self.high - self.low)


def best_split(values: Values, related: Mask) -> tuple[float, float]:
    """Return the split point that misclassifies the fewest pairs, and the fraction of pairs that it misclassifies.

    Pairs with similarities above the split point are classified as related. The split point is one of the numbers 0,
    0.001, ..., 1. If several of these numbers are equally good, the largest is chosen.

    Args:
        values: (n,) scaled similarities.
        related: (n,) bool, whether each pair is related.
    """
    splits = np.arange(SPLITS_TRIED) / (SPLITS_TRIED - 1)
    missed = np.searchsorted(np.sort(values[related]), splits, side="right")
    others = np.sort(values[~related])
    false = len(others) - np.searchsorted(others, splits, side="right")
    errors = missed + false
    place = SPLITS_TRIED - 1 - int(np.argmin(errors[::-1]))
    return float(splits[place]), float(errors[place] / len(values))


def wrong(values: Values, related: Mask, split: float) -> Mask:
    """Return a mask of the pairs that a split point misclassifies, (n,) bool."""
    return (values > split) != related


def class_errors(mistakes: Mask, related: Mask) -> tuple[float, float]:
    """Return the error rate on related pairs and the error rate on non-related pairs.

    The mean of the two rates is the split error.
    """
    return float(mistakes[related].mean()), float(mistakes[~related].mean())


def error_interval(mistakes: Mask, related: Mask) -> tuple[float, float]:
    """Return the lower and upper bounds of the 95% bootstrap confidence interval for the split error on test pairs.

    Related and non-related pairs are resampled separately, with replacement. The number of misclassified pairs of each
    kind in a sample therefore has a binomial distribution, from which it is drawn directly. The split point is fixed,
    so the interval does not include the uncertainty of choosing this point on validation pairs.

    Args:
        mistakes: (n,) bool, whether each test pair is misclassified.
        related: (n,) bool, whether each pair is related.
    """
    generator = np.random.default_rng(0)
    rates = [
        generator.binomial(mask.sum(), mistakes[mask].mean(), _SAMPLES) / mask.sum() for mask in (related, ~related)
    ]
    tail = (1 - _LEVEL) / 2
    low, high = np.quantile(np.mean(rates, axis=0), [tail, 1 - tail])
    return float(low), float(high)


def binomial_p(mistakes: int, trials: int, reference: float) -> float:
    """Return the p-value of a two-tailed binomial test of the hypothesis that the error rate is ``reference``."""
    from scipy.stats import binomtest

    return float(binomtest(int(mistakes), int(trials), reference).pvalue)


def js_divergence(p: Values, q: Values) -> float:
    """Return the Jensen-Shannon divergence, in bits, between two distributions over the same bins."""
    middle = (p + q) / 2
    return _entropy(middle) - (_entropy(p) + _entropy(q)) / 2


def js_authors(values: Values, related: Mask) -> float:
    """Return the Jensen-Shannon divergence between the similarity distributions of related and non-related pairs.

    The divergence is in bits. As in the code released by De Boom et al. (2016), each distribution is estimated from a
    histogram with 10,000 bins on [-1, 1.5], and 1 is added to the count of every bin. If there are few pairs, these
    pseudo-counts bias the divergence towards 0. :func:`js_unbiased` avoids this bias.
    """
    counts = [np.histogram(values[mask], AUTHORS_BINS, AUTHORS_RANGE)[0] + 1.0 for mask in (related, ~related)]
    return js_divergence(*(count / count.sum() for count in counts))


def js_unbiased(values: Values, related: Mask, bins: int | None = None) -> float:
    """Return an estimate of the Jensen-Shannon divergence that is corrected for the bias of small samples.

    As in :func:`js_authors`, the divergence is in bits and compares the similarity distributions of related and
    non-related pairs. The edges of the bins are quantiles of all similarities, so all bins contain roughly the same
    number of pairs unless many similarities are equal. Equal similarities are always in the same bin.

    The divergence is the entropy of the mixture of the two distributions minus the mean of their entropies. The
    first-order bias correction of Miller and Madow is applied to each of these three entropies. For the mixture, the
    correction assumes that related and non-related pairs are separate samples of fixed size. If the two distributions
    are equal, the result may be slightly below 0.

    Args:
        values: (n,) similarities.
        related: (n,) bool, whether each pair is related.
        bins: number of bins; by default one per 50 pairs, but at least 10 and at most 100. With more than one bin per
            20 pairs, some bias remains.
    """
    bins = bins or int(np.clip(len(values) // 50, 10, 100))
    edges = np.unique(np.quantile(values, np.arange(1, bins) / bins))
    place = np.searchsorted(edges, values, side="left")
    counts = [np.bincount(place[mask], minlength=len(edges) + 1) for mask in (related, ~related)]
    n, m = (int(count.sum()) for count in counts)
    p, q = counts[0] / n, counts[1] / m
    middle = (p + q) / 2
    filled = middle > 0
    # An entropy that is estimated from counts is too low on average. To first order, each bin lowers the entropy, in
    # nats, by the variance of the bin's estimated probability divided by twice this probability.
    variance = (p * (1 - p) / n + q * (1 - q) / m) / 4
    correction_middle = (variance[filled] / middle[filled]).sum() / 2
    corrections = [(np.count_nonzero(count) - 1) / (2 * size) for count, size in zip(counts, (n, m), strict=True)]
    return js_divergence(p, q) + float(correction_middle - np.mean(corrections)) / np.log(2)


def _entropy(p: Values) -> float:
    positive = p[p > 0]
    return float(-(positive * np.log2(positive)).sum())
