"""Tests over the tables of the weighted aggregation paper: errors of telling related texts from others, in percent.

A column is named as the paper's; the run's is found by the printed values that the table repeats, whatever word
vectors stand in for the paper's.
"""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
from scipy import stats

from sentrep.claims.outcome import Outcome, Untestable, counted, judged

METRIC = "split error"


def lowest_error(
    table: pd.DataFrame, reported: pd.DataFrame, column: str, methods: Sequence[str], others: Sequence[str]
) -> Outcome:
    """Each of some methods has a lower error than every other."""
    errors = errors_of(table, reported, column)
    best = errors[list(others)].idxmin()
    shown = ", ".join(f"{name} {errors[name]:.2f}" for name in methods)
    holds = judged(errors[list(methods)].max() < errors[best])
    return Outcome(holds, f"{shown}; best other: {best} {errors[best]:.2f}", seeds=counted([1]))


def highest_error(
    table: pd.DataFrame, reported: pd.DataFrame, column: str, method: str, others: Sequence[str]
) -> Outcome:
    """One method has a higher error than every other."""
    errors = errors_of(table, reported, column)
    worst = errors[list(others)].idxmax()
    sentence = f"{method} {errors[method]:.2f}; worst other: {worst} {errors[worst]:.2f}"
    return Outcome(judged(errors[method] > errors[worst]), sentence, seeds=counted([1]))


def error_gap(
    table: pd.DataFrame, reported: pd.DataFrame, column: str, better: str, worse: str, at_least: float
) -> Outcome:
    """One method's error is lower than another's by at least so many points."""
    errors = errors_of(table, reported, column)
    gap = errors[worse] - errors[better]
    printed = _printed(reported, column)
    sentence = (
        f"{better} {errors[better]:.2f}, {worse} {errors[worse]:.2f}: {gap:.2f} points, needed {at_least:g}, "
        f"the paper {printed[worse] - printed[better]:.2f}"
    )
    return Outcome(judged(gap >= at_least), sentence, seeds=counted([1]))


def not_worse(
    table: pd.DataFrame, reported: pd.DataFrame, column: str, method: str, others: Sequence[str], within: float
) -> Outcome:
    """A method's error is no more than ``within`` points above the lowest of some others."""
    errors = errors_of(table, reported, column)
    sentence = ", ".join(f"{name} {errors[name]:.2f}" for name in [method, *others])
    return Outcome(judged(errors[method] <= errors[list(others)].min() + within), sentence, seeds=counted([1]))


def higher_errors(
    table: pd.DataFrame, reported: pd.DataFrame, column: str, than: str, methods: Sequence[str]
) -> Outcome:
    """Each method has a higher error in one column than in another."""
    here, there = errors_of(table, reported, column), errors_of(table, reported, than)
    gaps = here[list(methods)] - there[list(methods)]
    sentence = "points more: " + ", ".join(f"{name} {gap:+.2f}" for name, gap in gaps.items())
    return Outcome(judged((gaps > 0).all()), sentence, seeds=counted([1]))


def significantly_lower(
    table: pd.DataFrame,
    reported: pd.DataFrame,
    column: str,
    methods: Sequence[str],
    others: Sequence[str],
    threshold: float,
) -> Outcome:
    """By the paper's two-tailed binomial test each method's error is lower than that of every other."""
    holds, parts = True, []
    for method in methods:
        found = {name: binomial(table, reported, column, method, name) for name in others}
        lower = [name for name, (less, _) in found.items() if less]
        weakest = max(found, key=lambda name: found[name][1])
        holds = holds and len(lower) == len(others) and found[weakest][1] < threshold
        largest = f"largest p {found[weakest][1]:.2g} ({weakest})"
        parts.append(f"{method} lower than {len(lower)} of {len(others)}, {largest}")
    return Outcome(holds, f"{'; '.join(parts)}; {_pairs(table, reported, column):,} pairs", seeds=counted([1]))


def not_significant(
    table: pd.DataFrame, reported: pd.DataFrame, column: str, method: str, other: str, threshold: float
) -> Outcome:
    """By the paper's test two methods' errors do not differ.

    Raises:
        Untestable: they do not, but by more points than in the paper: there are too few pairs to tell.
    """
    lower, p = binomial(table, reported, column, method, other)
    errors, printed = errors_of(table, reported, column), _printed(reported, column)
    ours, theirs = abs(errors[method] - errors[other]), abs(printed[method] - printed[other])
    if p >= threshold and ours > theirs:
        raise Untestable(
            f"a difference of {ours:.2f} points, the paper {theirs:.2f}, is not significant only for want of pairs: "
            f"p {p:.2g} over {_pairs(table, reported, column):,}"
        )
    sentence = (
        f"{method} {errors[method]:.2f}, {other} {errors[other]:.2f}: {'lower' if lower else 'not lower'}, p {p:.2g} "
        f"over {_pairs(table, reported, column):,} pairs"
    )
    return Outcome(judged(p >= threshold), sentence, seeds=counted([1]))


def binomial(table: pd.DataFrame, reported: pd.DataFrame, column: str, method: str, other: str) -> tuple[bool, float]:
    """Test a method's number of errors against another's error rate (De Boom et al. 2016, section 5).

    Returns:
        Whether the method's error is the lower, and the two-tailed p.
    """
    errors = errors_of(table, reported, column)
    pairs = _pairs(table, reported, column)
    wrong = round(errors[method] / 100 * pairs)
    p = stats.binomtest(wrong, pairs, errors[other] / 100).pvalue
    return bool(errors[method] < errors[other]), float(p)


def errors_of(table: pd.DataFrame, reported: pd.DataFrame, column: str) -> pd.Series:
    """Return our errors by method for one of the paper's columns.

    Raises:
        Untestable: the run's table has no such column.
    """
    rows = _rows(table, reported, column)
    return pd.Series(rows["error"].to_numpy(dtype=float), index=rows["method"].astype(str))


def _rows(table: pd.DataFrame, reported: pd.DataFrame, column: str) -> pd.DataFrame:
    printed = _printed(reported, column)
    known = table[table["reported_error"].notna() & table["error"].notna()]
    for _, rows in known.groupby("column", sort=False):
        pairs = zip(rows["method"], rows["reported_error"], strict=True)
        if all(abs(printed.get(method, -1.0) - float(error)) < 1e-9 for method, error in pairs):
            return rows
    raise Untestable(f"the run has no column for '{column}'")


def _pairs(table: pd.DataFrame, reported: pd.DataFrame, column: str) -> int:
    """Return the number of test pairs of one of the paper's columns."""
    return int(_rows(table, reported, column)["pairs"].iloc[0])


def _printed(reported: pd.DataFrame, column: str) -> dict[str, float]:
    rows = reported[(reported["column"] == column) & (reported["metric"] == METRIC)]
    return {str(row): float(value) for row, value in zip(rows["row"], rows["value"], strict=True)}
