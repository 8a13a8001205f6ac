"""The result of a claim's test."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


class Untestable(Exception):  # noqa: N818 - not an error: the run lacks what the claim is about
    """The run lacks a value that the test needs; the text says which."""


@dataclass(frozen=True)
class Outcome:
    """Result of one test.

    Attributes:
        holds: whether the claim holds by the available values; None if the missing ones would decide.
        ours: the values that decided, as a sentence.
        baseline: the same values of untrained baselines, where they are informative.
        seeds: number of seeds, such as ``3`` or ``1 to 3``.
        reason: why the test is undecided.
    """

    holds: bool | None
    ours: str
    baseline: str = ""
    seeds: str = ""
    reason: str = ""


def seed_range(numbers: Iterable[int]) -> str:
    """Return numbers of seeds as ``3`` or ``1 to 3``."""
    found = sorted(set(numbers))
    return "" if not found else str(found[0]) if len(found) == 1 else f"{found[0]} to {found[-1]}"


def bounded(count: int, known: int, of: int, needed: float) -> tuple[bool | None, str]:
    """Judge a claim about ``of`` cases of which only some are known.

    Args:
        count: known cases that agree with the claim.
        known: cases that have values.
        of: all cases.
        needed: the claim holds if more than this many agree.

    Returns:
        True, False, or None if the missing cases decide; and the reason of the last.
    """
    missing = max(of - known, 0)
    if count > needed:
        return True, ""
    if count + missing <= needed:
        return False, ""
    return None, f"{count} of {known} agree; {missing} missing of {of} would decide"
