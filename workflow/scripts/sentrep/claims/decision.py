"""Decide on a claim by the distribution of its margin: it holds, does not hold, or is undecided.

The 95% interval of a margin is symmetric: the measured margin plus and minus the distance within which 95% of the draws
lie. A margin that is biased in the draws, such as a maximum, range or count, therefore has a wider interval. A claim of
several parts holds only if each part does, and does not hold if one part fails:

- the lower end of its interval is the lowest of the parts' lower ends, because each part must be shown;
- the upper end is the lowest of the parts' upper ends, which are widened to hold simultaneously, because the worst of
  many parts can be below 0 by chance.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from sentrep.claims.outcome import Outcome
from sentrep.evaluation.statistics.bootstrap import LEVEL, Floats

HOLDS, FAILS, UNDECIDED, UNTESTED = "holds", "does not hold", "undecided", "not tested"
VERDICTS = (HOLDS, FAILS, UNDECIDED, UNTESTED)
_LEAST = 1e-12  # relative to the margin; smaller deviations are rounding errors


@dataclass(frozen=True)
class Decision:
    """The decision on a margin.

    Attributes:
        verdict: holds, does not hold or undecided.
        margin: lowest margin of the parts.
        low: lower end of its 95% interval; -inf without an interval.
        high: upper end; inf without an interval.
        p: p-value for a margin of 0; NaN without an interval, and if nothing varies.
    """

    verdict: str
    margin: float
    low: float
    high: float
    p: float


def decide(margin: Floats) -> Decision:
    """Return the decision on a margin, (1 + draws,) or (1 + draws, k)."""
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
    if varying.any() and lowest <= 0:
        p = _share(furthest, float(np.max(-measured[varying] / spread[varying])))
    elif varying.any() and known.all():
        p = max(_share(deviations[:, part], measured[part]) for part in np.flatnonzero(varying))
    return Decision(verdict, lowest, low, high, p)


def verdict_of(outcome: Outcome) -> tuple[str, Decision]:
    """Return the verdict on a claim, and the decision under the assumption that all missing values agree with it.

    If a claim holds with all missing values in favour and fails with all of them against it, it is not tested.
    """
    favourable = decide(outcome.margin)
    if not outcome.short or favourable.verdict == FAILS:
        return favourable.verdict, favourable
    against = FAILS if math.isinf(outcome.short) else decide(outcome.margin - outcome.short).verdict
    if (favourable.verdict, against) == (HOLDS, FAILS):
        return UNTESTED, favourable
    return (HOLDS if against == HOLDS else UNDECIDED), favourable


def _share(deviations: Floats, distance: float) -> float:
    """Return the fraction of draws at least this far from the measured value, which counts as one draw."""
    return float((1 + np.sum(deviations >= distance)) / (1 + len(deviations)))
