"""Represent the outcome of a claim's test as a margin, which is positive if the claim holds.

Tests of claims compute with arrays whose first entry is a measured value and whose other entries are the corresponding
values in the bootstrap draws. If a value has no draws, these other entries are NaN. A margin is also such an array or,
for a claim with several parts, a matrix whose columns are such arrays, one for each part.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from sentrep.evaluation.statistics.bootstrap import DRAWS, Floats

LENGTH = 1 + DRAWS
TOUCHING = 1e-9
"""Small amount that is added to a margin if the claim also holds when the value equals the threshold."""


class Untestable(Exception):  # noqa: N818 - leads to the verdict "not tested" and is not an error
    """Raised if a claim cannot be tested, for example because the run lacks data; the message gives the reason."""


@dataclass(frozen=True)
class Support:
    """A description of the data on which an interval is based.

    Attributes:
        seeds: number of seeds, as text: ``3``, or ``1 to 3`` if the compared systems have different numbers of seeds.
        items: number of test items; 0 if there are none or if their number is unknown.
        basis: what the interval is based on, such as "items and seeds, paired" or "nothing varies"; ``docs/claims.md``
            explains all entries.
    """

    seeds: str = ""
    items: int = 0
    basis: str = ""


@dataclass(frozen=True)
class Outcome:
    """The outcome of testing one claim.

    Attributes:
        margin: amount by which the values exceed the threshold of the claim if all missing values support the claim.
            The shape is (1 + DRAWS,) or, for a claim with k parts that must all hold, (1 + DRAWS, k).
        ours: a sentence that states the values on which the decision is based. They are our values, unless the test
            reads published values.
        baseline: text with the corresponding values of the untrained baselines; "" if the test reports none.
        support: the data on which the interval of the margin is based.
        short: amount by which the margin is lower if no missing value supports the claim; 0 if nothing is missing, and
            infinite if the amount is unknown.
        reason: phrase that describes the missing values; "" if nothing is missing.
    """

    margin: Floats
    ours: str
    baseline: str = ""
    support: Support = Support()
    short: float = 0.0
    reason: str = ""

    @property
    def holds(self) -> bool | None:
        """Whether the claim holds according to the measured values; None if that depends on missing values."""
        measured = float(np.min(self.margin[0]))
        return False if measured <= 0 else True if measured - self.short > 0 else None


def constant(value: float) -> Floats:
    """Return a (1 + DRAWS,) array for a value that is the same in all bootstrap draws."""
    return np.full(LENGTH, float(value))


def fact(holds: bool) -> Floats:
    """Return a margin without uncertainty: 1 in all draws if the claim holds, and -1 in all draws if it does not."""
    return constant(1.0 if holds else -1.0)


def above(value: Floats, threshold: Floats | float = 0.0) -> Floats:
    """Return 1 where a value is above a threshold, 0 where it is not, and NaN where either of them is NaN."""
    gap = value - threshold
    return np.where(np.isnan(gap), np.nan, gap > 0)


def highest(values: Iterable[Floats]) -> Floats:
    """Return the elementwise maximum of arrays, each of which contains a measured value and its bootstrap draws."""
    return np.max(np.stack(list(values)), axis=0)


def lowest(values: Iterable[Floats]) -> Floats:
    """Return the elementwise minimum of arrays, each of which contains a measured value and its bootstrap draws."""
    return np.min(np.stack(list(values)), axis=0)


def average(values: Iterable[Floats]) -> Floats:
    """Return the elementwise mean of arrays, each of which contains a measured value and its bootstrap draws."""
    return np.mean(np.stack(list(values)), axis=0)


def all_of(margins: Sequence[Floats]) -> Floats:
    """Stack the margins of a claim's k parts into a (1 + DRAWS, k) array; the claim holds only if all parts hold."""
    return np.stack(list(margins), axis=1)


def seed_range(numbers: Iterable[int]) -> str:
    """Format numbers of seeds as a number or a range, such as ``3`` or ``1 to 3``; return "" if there are none."""
    found = sorted(set(numbers))
    return "" if not found else str(found[0]) if len(found) == 1 else f"{found[0]} to {found[-1]}"


def more_than(count: Floats, needed: int, known: int, of: int) -> tuple[Floats, float, str]:
    """Return the margin of the claim that more than ``needed`` cases out of ``of`` meet a condition.

    Args:
        count: (1 + DRAWS,) number of cases that have values and meet the condition, as measured and in each draw.
        needed: the claim holds if more than this number of cases meet the condition.
        known: number of cases that have values.
        of: total number of cases, with and without values.

    Returns:
        The margin if all missing cases meet the condition; the amount by which the margin is lower if no missing case
        meets the condition; and a description of the missing cases, which is "" if no case is missing. The margin is
        never 0, because the count is compared with ``needed`` + 0.5.
    """
    missing = max(of - known, 0)
    told = f"{count[0]:.0f} of {known} cases with values agree with the claim; cases without a value: {missing} of {of}"
    reason = told if missing else ""
    return count + missing - needed - 0.5, float(missing), reason
