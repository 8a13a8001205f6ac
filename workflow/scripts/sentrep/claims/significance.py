"""Test claims about statistical significance, and about the errors of methods on pairs of texts.

In :func:`significantly_lower`, the margin is the amount by which the test statistic exceeds its critical value. The
statistic is computed from the measured values and again from the values in each bootstrap draw.
"""

from __future__ import annotations

import numpy as np
from scipy import stats

from sentrep.claims.data import Data, Names, Number, Row, measured
from sentrep.claims.outcome import TOUCHING, Outcome, Support, Untestable, all_of, constant, more_than


def differs_on(
    data: Data, *, subjects: Names, rivals: Names, untrained: Names, count: int, threshold: float, of: int
) -> Outcome:
    """Test whether the subject differs significantly from the rival on at least ``count`` evaluation sets.

    ``subjects`` and ``rivals`` each name one system. The rival must be the model with which the table compares all
    other models. ``of`` is the number of evaluation sets in the paper.

    Two systems differ significantly on a set if the p-value of Wilcoxon's signed-rank test on their similarities is
    below ``threshold``. With enough sentence pairs, this is true of nearly any two systems. The claim therefore also
    requires that each system in ``untrained`` differs from the rival on fewer sets than the subject does; otherwise,
    the differences would not be evidence of an effect of training.
    """
    compared = {value.text for value in data.cells if value.metric == "baseline"}
    grid, names = data.grid(metrics=[*data.view.metrics, "wilcoxon p of the untrained"]), [*subjects, *untrained]
    found = {case: row for case, row in grid.items() if all(name in row for name in names)}
    if not found or not any(value.system == rivals[0] and value.label in compared for value in data.cells):
        raise Untestable(f"this run has no results of Wilcoxon's test for {' and '.join(names)} against {rivals[0]}")
    same = {name: [case for case, row in found.items() if not measured(row[name]) < threshold] for name in names}
    differing = {name: len(found) - len(same[name]) for name in names}
    ours = differing[subjects[0]]
    margin, short, reason = more_than(constant(ours), count - 1, len(found), of)
    fewer = [constant(ours - differing[name] - 0.5) for name in untrained]
    sentence = f"{subjects[0]} differs from {rivals[0]} (p < {threshold:g}) on {ours} of {len(found)} sets"
    sentence += f", but not on {', '.join(same[subjects[0]])}" if same[subjects[0]] else ""
    for name in untrained:
        sentence += f"; {name} differs from {rivals[0]} on {differing[name]} of {len(found)} sets"
    items = sum(data.support([subjects[0]], [case]).items for case in found)
    support = Support("1", items, "nothing: Wilcoxon's test gives p-values")
    return Outcome(all_of([margin, *fewer]), sentence, support=support, short=short, reason=reason)


def error_gap(data: Data, *, subjects: Names, rivals: Names, case: str, points: float) -> Outcome:
    """Test whether a method's error on ``case`` is at least ``points`` percentage points lower than the rival's error.

    ``subjects`` and ``rivals`` each name one method.
    """
    (better,), (worse,) = subjects, rivals
    row, paper = data.row(case, [better, worse]), data.grid(published=True)[case]
    gap = row[worse] - row[better]
    sentence = (
        f"{data.listed(row, [better, worse])}: a difference of {measured(gap):.2f} points "
        f"(needed: at least {points:g}, published: {measured(paper[worse] - paper[better]):.2f})"
    )
    return Outcome(gap - points + TOUCHING, sentence, support=data.support([better, worse], [case]))


def significantly_lower(data: Data, *, subjects: Names, rivals: Names, case: str, threshold: float) -> Outcome:
    """Test whether each method in ``subjects`` has a significantly lower error on ``case`` than each of the ``rivals``.

    The two-tailed binomial test of De Boom et al. (2016), in its normal approximation, must be significant at the level
    ``threshold``.
    """
    parts, margins = list[str](), list[Number]()
    row, pairs = data.row(case, [*subjects, *rivals]), _pairs(data, case, subjects[0])
    for method in subjects:
        found = {name: binomial(row, pairs, method, name) for name in rivals}
        lower = sum(measured(row[method]) < measured(row[name]) for name in rivals)
        weakest = max(found, key=lambda name: found[name][1])
        margins += [statistic - _needed(threshold) for statistic, _ in found.values()]
        largest = f"the largest p-value is {found[weakest][1]:.2g} (in the comparison with {weakest})"
        parts.append(f"{method} has a lower error than {lower} of {len(rivals)} methods, and {largest}")
    sentence = f"{'; '.join(parts)}; number of test pairs: {pairs:,}"
    return Outcome(all_of(margins), sentence, support=data.support([*subjects, *rivals], [case]))


def not_significant(data: Data, *, subjects: Names, rivals: Names, case: str, threshold: float, pairs: int) -> Outcome:
    """Test whether the difference between the errors of two methods on ``case`` is too small to be significant.

    The claim holds if the difference is smaller than the smallest difference that would be significant at the level
    ``threshold`` with as many test pairs as in the paper (``pairs``). If the number of pairs in our run were used
    instead, the claim could hold merely because our run has fewer pairs.
    """
    (method,), (other,) = subjects, rivals
    row, ours = data.row(case, [method, other]), _pairs(data, case, method)
    rate = row[other] / 100
    bound = 100 * _needed(threshold) * np.sqrt(rate * (1 - rate) / pairs)
    _, p = binomial(row, ours, method, other)
    gap = abs(row[method] - row[other])
    sentence = (
        f"{data.listed(row, [method, other])}: the errors differ by {measured(gap):.2f} points (p = {p:.2g} on "
        f"{ours:,} pairs); with as many pairs as in the paper ({pairs:,}), a difference of at least "
        f"{measured(bound):.2f} points would be significant"
    )
    return Outcome(bound - gap, sentence, support=data.support([method, other], [case]))


def binomial(row: Row, pairs: int, method: str, other: str) -> tuple[Number, float]:
    """Compare the error rates of two methods with a binomial test (De Boom et al. 2016, section 5).

    Args:
        row: error of each method in percent.
        pairs: number of test pairs on which the errors were measured.
        method: method whose number of errors is tested.
        other: method whose error rate is the expected error rate under the null hypothesis.

    Returns:
        The test statistic in the normal approximation (positive if the error of ``method`` is lower than the error of
        ``other``), and the two-tailed p-value of the exact test. The p-value is computed for the measured errors only,
        without bootstrap draws.
    """
    rate = row[other] / 100
    statistic = (rate - row[method] / 100) / np.sqrt(rate * (1 - rate) / pairs)
    wrong = round(measured(row[method]) / 100 * pairs)
    return statistic, float(stats.binomtest(wrong, pairs, measured(rate)).pvalue)


def _needed(threshold: float) -> float:
    """Return the critical value of a two-tailed z-test at a significance level."""
    return float(stats.norm.isf(threshold / 2))


def _pairs(data: Data, case: str, method: str) -> int:
    """Return the number of test pairs from which the error of ``method`` on ``case`` was computed.

    Raises:
        Untestable: the run does not state the number of test pairs.
    """
    row = data.grid(metrics=["pairs"]).get(case, {})
    if method not in row:
        raise Untestable(f"this run does not record the number of test pairs for {method} on {case}")
    return round(measured(row[method]))
