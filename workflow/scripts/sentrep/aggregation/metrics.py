"""How well similarities tell related pairs from others: De Boom et al. 2016, section 5."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sentrep.errors import SentrepError

Values = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]

SPLITS_TRIED = 1001
AUTHORS_BINS, AUTHORS_RANGE = 10_000, (-1.0, 1.5)


@dataclass(frozen=True)
class Scale:
    """The linear map that takes the validation pairs' similarities to 0 ... 1; others may fall outside.

    Attributes:
        low: smallest similarity.
        high: largest similarity.
    """

    low: float
    high: float

    @classmethod
    def of(cls, similarities: Values) -> Scale:
        """Fit to the similarities of related and non-related validation pairs together.

        Raises:
            SentrepError: they are all the same, or one is not finite.
        """
        low, high = float(similarities.min()), float(similarities.max())
        if not (np.isfinite([low, high]).all() and low < high):
            raise SentrepError(
                "validation pairs",
                expected="different finite similarities",
                found=f"{low:g} to {high:g}",
                remedy="look at the word vectors and the pairs",
            )
        return cls(low, high)

    def __call__(self, similarities: Values) -> Values:
        """Map similarities."""
        return (similarities - self.low) / (self.high - self.low)


def best_split(values: Values, related: Mask) -> tuple[float, float]:
    """Return the split point with the smallest error and that error, a share of all pairs.

    A pair above the split is taken as related. 0, .001, ... 1 are tried; of equally good ones, the largest wins.
    """
    splits = np.arange(SPLITS_TRIED) / (SPLITS_TRIED - 1)
    missed = np.searchsorted(np.sort(values[related]), splits, side="right")
    others = np.sort(values[~related])
    false = len(others) - np.searchsorted(others, splits, side="right")
    errors = missed + false
    place = SPLITS_TRIED - 1 - int(np.argmin(errors[::-1]))
    return float(splits[place]), float(errors[place] / len(values))


def wrong(values: Values, related: Mask, split: float) -> Mask:
    """Return which pairs a split misjudges, (n,) bool."""
    return (values > split) != related


def class_errors(mistakes: Mask, related: Mask) -> tuple[float, float]:
    """Return the share of related and of other pairs that are misjudged; the split error is their mean."""
    return float(mistakes[related].mean()), float(mistakes[~related].mean())


def error_interval(
    mistakes: Mask, related: Mask, samples: int = 10_000, level: float = 0.95, seed: int = 0
) -> tuple[float, float]:
    """Return a bootstrap interval of the split error over test pairs, the split point being given.

    Drawing pairs of each class with replacement makes its number of mistakes binomial, so that is drawn. The choice
    of the split point on validation pairs adds uncertainty that is not in the interval.
    """
    generator = np.random.default_rng(seed)
    rates = [
        generator.binomial(mask.sum(), mistakes[mask].mean(), samples) / mask.sum() for mask in (related, ~related)
    ]
    tail = (1 - level) / 2
    low, high = np.quantile(np.mean(rates, axis=0), [tail, 1 - tail])
    return float(low), float(high)


def binomial_p(mistakes: int, trials: int, reference: float) -> float:
    """Return p of the two-tailed binomial test that the error rate behind ``mistakes`` is ``reference``."""
    from scipy.stats import binomtest

    return float(binomtest(int(mistakes), int(trials), reference).pvalue)


def js_divergence(p: Values, q: Values) -> float:
    """Return the Jensen-Shannon divergence of two distributions over the same bins, in bits."""
    middle = (p + q) / 2
    return _entropy(middle) - (_entropy(p) + _entropy(q)) / 2


def js_authors(values: Values, related: Mask) -> float:
    """Return the divergence as the authors' code has it, in bits.

    10,000 bins on [-1, 1.5], and 1 added to every bin. The 10,000 invented pairs draw the value towards 0 where real
    ones are few: see :func:`js_unbiased`.
    """
    counts = [np.histogram(values[mask], AUTHORS_BINS, AUTHORS_RANGE)[0] + 1.0 for mask in (related, ~related)]
    return js_divergence(*(count / count.sum() for count in counts))


def js_unbiased(values: Values, related: Mask, bins: int | None = None) -> float:
    """Return the divergence in bits with the bias of small samples taken out.

    Bins hold equally many of all pairs together; equal values share a bin. Each entropy gets Miller and Madow's
    first-order term; the mixture's is that of two separate samples of fixed size. May be slightly below 0 where
    the distributions are equal.

    Args:
        values: (n,) similarities.
        related: (n,) bool.
        bins: their number; by default a 50th of the pairs, 10 to 100. More bins than one in 20 pairs leave bias.
    """
    bins = bins or int(np.clip(len(values) // 50, 10, 100))
    edges = np.unique(np.quantile(values, np.arange(1, bins) / bins))
    place = np.searchsorted(edges, values, side="left")
    counts = [np.bincount(place[mask], minlength=len(edges) + 1) for mask in (related, ~related)]
    n, m = (int(count.sum()) for count in counts)
    p, q = counts[0] / n, counts[1] / m
    middle = (p + q) / 2
    filled = middle > 0
    # half of what the estimated entropies are too low, in nats: variance over twice the probability, per bin
    variance = (p * (1 - p) / n + q * (1 - q) / m) / 4
    correction_middle = (variance[filled] / middle[filled]).sum() / 2
    corrections = [(np.count_nonzero(count) - 1) / (2 * size) for count, size in zip(counts, (n, m), strict=True)]
    return js_divergence(p, q) + float(correction_middle - np.mean(corrections)) / np.log(2)


def _entropy(p: Values) -> float:
    positive = p[p > 0]
    return float(-(positive * np.log2(positive)).sum())
