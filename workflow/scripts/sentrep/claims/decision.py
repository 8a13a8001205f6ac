"""Decide, from the bootstrap distribution of a claim's margin, whether the claim holds, fails or is undecided.

The 95% interval of a margin is symmetric around the measured margin, and its half-width is the distance from the
measured margin within which 95% of the draws lie. If a margin is a maximum, a range or a count, its draws are biased:
most of them are on the same side of the measured margin. This bias makes the interval wider.

A claim with several parts holds only if all parts hold, and does not hold if one part fails. The ends of the claim's
interval follow from the intervals of the parts:

- The lower end is the lowest of the parts' lower ends, because every part must be shown to hold.
- The upper end is the lowest of the parts' upper ends. Because the margin of one of many parts can be below 0 by
  chance, the upper ends are first raised until, with 95% probability, no true margin is above the upper end of its
  interval.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from sentrep.claims.outcome import Outcome
from sentrep.evaluation.statistics.bootstrap import LEVEL, Floats

HOLDS, FAILS, UNDECIDED, UNTESTED = "holds", "does not hold", "undecided", "not tested"
VERDICTS = (HOLDS, FAILS, UNDECIDED, UNTESTED)
MOST_DATA = 1000
"""Largest factor by which the amount of data in a run could realistically be increased."""
# Draws whose spread, divided by max(1, abs(margin)), is at most this value differ only by rounding errors.
_LEAST = 1e-12


@dataclass(frozen=True)
class Decision:
    """The verdict that follows from a margin, with the interval and the p-value of the margin.

    Attributes:
        verdict: "holds", "does not hold" or "undecided".
        margin: the measured margin; for a claim with several parts, the lowest of their measured margins.
        low: lower end of the 95% interval of the margin; -inf if a part of the claim has no bootstrap draws.
        high: upper end of the 95% interval of the margin; inf if no part of the claim has bootstrap draws.
        p: p-value for the null hypothesis that the margin is 0. If a part has no draws, p is NaN unless the margin is
            at most 0 and the draws of another part vary.
    """

    verdict: str
    margin: float
    low: float
    high: float
    p: float


def decide(margin: Floats) -> Decision:
    """Return the verdict that follows from the 95% interval of a margin, together with this interval and the p-value.

    Args:
        margin: the measured margin, followed by the margin in each bootstrap draw. The shape is (1 + draws,) or, for a
            claim with k parts, (1 + draws, k).
    """
    margin = margin.reshape(len(margin), -1)
    measured, deviations = margin[0], np.abs(margin[1:] - margin[0])
    lowest = float(np.min(measured))
    known = np.isfinite(deviations).all(axis=0)
    deviations = np.where(known, deviations, 0.0)
    spread = np.sqrt(np.mean(deviations**2, axis=0))
    varying = known & (spread > _LEAST * np.maximum(np.abs(measured), 1))
    unknown = np.where(known, 0.0, np.inf)
    low = float(np.min(measured - np.quantile(deviations, LEVEL, axis=0) - unknown))
    furthest = np.max(deviations[:, varying] / spread[varying], axis=1, initial=0.0)
    high = float(np.min(measured + np.quantile(furthest, LEVEL) * spread + unknown))
    verdict = HOLDS if low > 0 else FAILS if high < 0 else UNDECIDED
    p = math.nan
    if known.all() and not varying.any():
        p = _share(deviations[:, 0], abs(lowest))
    elif varying.any() and lowest <= 0:
        p = _share(furthest, float(np.max(-measured[varying] / spread[varying])))
    elif varying.any() and known.all():
        p = max(_share(deviations[:, part], measured[part]) for part in np.flatnonzero(varying))
    return Decision(verdict, lowest, low, high, p)


def missing_data(decision: Decision, basis: str) -> str:
    """Return a phrase that says which data would decide an undecided claim.

    The phrase gives the factor by which the number of test items or seeds would have to increase, provided that the
    margin remains the same. The width of an interval is assumed to be inversely proportional to the square root of this
    number. If the factor is above :data:`MOST_DATA`, the phrase says that no realistic number would suffice. If the end
    of the interval on the side of 0 is infinite, the phrase asks for at least two seeds. If the claim is undecided only
    because values are missing, the phrase asks for these values.

    Args:
        decision: the decision on the undecided claim, as returned by :func:`verdict_of`.
        basis: names of the resampled units, such as "items and seeds, paired".
    """
    margin = decision.margin
    distance = margin - decision.low if margin > 0 else decision.high - margin
    if math.isinf(distance):
        return "at least two seeds"
    factor = math.inf if margin == 0 else (distance / abs(margin)) ** 2
    units = " and ".join(name for key, name in (("items", "test items"), ("seeds", "seeds")) if key in basis)
    units = units or "repetitions"
    if decision.verdict != UNDECIDED:
        return "values for the missing cases"
    if factor > MOST_DATA:
        return f"no realistic number of {units}, because the margin is very small compared with its interval"
    times = f"{factor:.0f}" if factor >= 10 else f"{max(factor, 1.1):.1f}"
    return f"about {times} times as many {units}, if the margin remains the same"


def verdict_of(outcome: Outcome) -> tuple[str, Decision]:
    """Return the verdict on a claim, and the decision that would follow if all missing values supported the claim.

    If the claim would hold in that case, but would fail if no missing value supported it, the verdict is "not tested".
    """
    favourable = decide(outcome.margin)
    if not outcome.short or favourable.verdict == FAILS:
        return favourable.verdict, favourable
    against = FAILS if math.isinf(outcome.short) else decide(outcome.margin - outcome.short).verdict
    if (favourable.verdict, against) == (HOLDS, FAILS):
        return UNTESTED, favourable
    return (HOLDS if against == HOLDS else UNDECIDED), favourable


def _share(deviations: Floats, distance: float) -> float:
    """Return a p-value: (1 + number of ``deviations`` of at least ``distance``) / (1 + number of ``deviations``)."""
    return float((1 + np.sum(deviations >= distance)) / (1 + len(deviations)))
