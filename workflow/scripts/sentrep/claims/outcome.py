"""The result of the test of a claim: a margin that is positive if the claim holds.

All numbers of claims are arrays: the measured value, followed by the value in each draw of the bootstrap. Arithmetic on
them gives the margin in the same form. Unknown draws are NaN.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from sentrep.evaluation.statistics.bootstrap import DRAWS, Floats

LENGTH = 1 + DRAWS
TOUCHING = 1e-9
"""Added to the margins of claims that also hold at equality."""


class Untestable(Exception):  # noqa: N818 - not an error: the run lacks the data of the claim
    """The run lacks a value that the test needs; the message names it."""


@dataclass(frozen=True)
class Support:
    """The basis of an interval.

    Attributes:
        seeds: number of seeds, such as ``3`` or ``1 to 3``.
        items: number of test items; 0 if unknown.
        basis: units that were resampled, such as "items and seeds, paired".
    """

    seeds: str = ""
    items: int = 0
    basis: str = ""


@dataclass(frozen=True)
class Outcome:
    """Result of one test.

    Attributes:
        margin: (1 + DRAWS,), or (1 + DRAWS, k) for a claim of k parts that must all hold: by how much the claim passes
            its threshold if all missing values agree with it.
        ours: the deciding values, as a sentence.
        baseline: the same values of untrained baselines, if they are informative.
        support: basis of the interval.
        short: how much lower the margin is if no missing value agrees with the claim; 0 if nothing is missing.
        reason: description of missing values.
    """

    margin: Floats
    ours: str
    baseline: str = ""
    support: Support = Support()
    short: float = 0.0
    reason: str = ""

    @property
    def holds(self) -> bool | None:
        """Whether the claim holds by the measured values; None if that depends on missing values."""
        measured = float(np.min(self.margin[0]))
        return False if measured <= 0 else True if measured - self.short > 0 else None


def constant(value: float) -> Floats:
    """Return a number that does not vary."""
    return np.full(LENGTH, float(value))


def fact(holds: bool) -> Floats:
    """Return the margin of a claim that is true or false without uncertainty."""
    return constant(1.0 if holds else -1.0)


def above(value: Floats, threshold: Floats | float = 0.0) -> Floats:
    """Return 1 where a value is above a threshold, 0 where it is not, and NaN where it is unknown."""
    gap = value - threshold
    return np.where(np.isnan(gap), np.nan, gap > 0)


def highest(values: Iterable[Floats]) -> Floats:
    """Return the maximum of several numbers in each draw."""
    return np.max(np.stack(list(values)), axis=0)


def lowest(values: Iterable[Floats]) -> Floats:
    """Return the minimum of several numbers in each draw."""
    return np.min(np.stack(list(values)), axis=0)


def average(values: Iterable[Floats]) -> Floats:
    """Return the mean of several numbers in each draw."""
    return np.mean(np.stack(list(values)), axis=0)


def all_of(margins: Sequence[Floats]) -> Floats:
    """Return the margins of parts that must all hold, (1 + DRAWS, k)."""
    return np.stack(list(margins), axis=1)


def seed_range(numbers: Iterable[int]) -> str:
    """Format numbers of seeds as ``3`` or ``1 to 3``."""
    found = sorted(set(numbers))
    return "" if not found else str(found[0]) if len(found) == 1 else f"{found[0]} to {found[-1]}"


def more_than(count: Floats, needed: int, known: int, of: int) -> tuple[Floats, float, str]:
    """Return the margin of a claim that more than ``needed`` of ``of`` cases agree, of which only some are known.

    Args:
        count: known cases that agree with the claim.
        needed: number of cases that must be exceeded.
        known: number of cases that have values.
        of: number of all cases.

    Returns:
        The margin, which is never 0 because the threshold is between two integers; how much lower it is if no missing
        case agrees; and a description of the missing cases.
    """
    missing = max(of - known, 0)
    reason = f"{count[0]:.0f} of {known} agree; the result depends on {missing} missing of {of}" if missing else ""
    return count + missing - needed - 0.5, float(missing), reason
