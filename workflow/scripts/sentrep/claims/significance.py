"""Tests that compare the errors of methods on pairs of texts, and tests of significance."""

from __future__ import annotations

from scipy import stats

from sentrep.claims.data import Data, Names
from sentrep.claims.outcome import Outcome, Untestable, bounded


def differs_on(data: Data, *, subjects: Names, rivals: Names, count: int, threshold: float, of: int) -> Outcome:
    """By Wilcoxon's test the one subject and the rival, the table's baseline, differ on at least this many sets."""
    compared = {value.text for value in data.cells if value.metric == "baseline"}
    found = {case: row[subjects[0]] for case, row in data.grid().items() if subjects[0] in row}
    if not found or not any(value.system == rivals[0] and value.label in compared for value in data.cells):
        raise Untestable(f"{subjects[0]} and {rivals[0]} were not compared")
    same = [name for name, p in found.items() if not p < threshold]
    differing = len(found) - len(same)
    holds, reason = bounded(differing, len(found), of, count - 1)
    sentence = f"p < {threshold:g} on {differing} of {len(found)} sets"
    sentence += f"; not on {', '.join(same)}" if same else ""
    return Outcome(holds, sentence, seeds="1", reason=reason)  # the first seeds are compared


def error_gap(data: Data, *, subjects: Names, rivals: Names, case: str, points: float) -> Outcome:
    """One method's error is lower than another's by at least this many points."""
    (better,), (worse,) = subjects, rivals
    row, paper = data.row(case, [better, worse]), data.grid(published=True)[case]
    gap = row[worse] - row[better]
    sentence = (
        f"{data.listed(row, [better, worse])}: {gap:.2f} points, needed: {points:g}, published: "
        f"{paper[worse] - paper[better]:.2f}"
    )
    return Outcome(gap >= points, sentence, seeds=data.seeds([better, worse]))


def significantly_lower(data: Data, *, subjects: Names, rivals: Names, case: str, threshold: float) -> Outcome:
    """By the paper's two-tailed binomial test the error of each method is lower than that of every rival."""
    holds, parts = True, list[str]()
    for method in subjects:
        found = {name: binomial(data, case, method, name) for name in rivals}
        lower = sum(less for less, _ in found.values())
        weakest = max(found, key=lambda name: found[name][1])
        holds = holds and lower == len(rivals) and found[weakest][1] < threshold
        parts.append(f"{method} lower than {lower} of {len(rivals)}, largest p {found[weakest][1]:.2g} ({weakest})")
    sentence = f"{'; '.join(parts)}; {_pairs(data, case, subjects[0]):,} pairs"
    return Outcome(holds, sentence, seeds=data.seeds([*subjects, *rivals]))


def not_significant(data: Data, *, subjects: Names, rivals: Names, case: str, threshold: float) -> Outcome:
    """By the paper's test the errors of two methods do not differ.

    Raises:
        Untestable: they differ by more points than in the paper, but there are too few pairs to show it.
    """
    (method,), (other,) = subjects, rivals
    lower, p = binomial(data, case, method, other)
    row, paper = data.row(case), data.grid(published=True)[case]
    ours, theirs = abs(row[method] - row[other]), abs(paper[method] - paper[other])
    pairs = _pairs(data, case, method)
    if p >= threshold and ours > theirs:
        raise Untestable(
            f"a difference of {ours:.2f} points (published: {theirs:.2f}) is not significant because there are few "
            f"pairs: p {p:.2g} over {pairs:,}"
        )
    told = f"{'lower' if lower else 'not lower'}, p {p:.2g} over {pairs:,} pairs"
    return Outcome(p >= threshold, f"{data.listed(row, [method, other])}: {told}", seeds=data.seeds([method, other]))


def binomial(data: Data, case: str, method: str, other: str) -> tuple[bool, float]:
    """Test a method's number of errors against another's error rate (De Boom et al. 2016, section 5).

    Returns:
        Whether the method's error is lower, and the two-tailed p.
    """
    row, pairs = data.row(case, [method, other]), _pairs(data, case, method)
    wrong = round(row[method] / 100 * pairs)
    return row[method] < row[other], float(stats.binomtest(wrong, pairs, row[other] / 100).pvalue)


def _pairs(data: Data, case: str, method: str) -> int:
    """Return the number of test pairs."""
    row = data.grid(metrics=["pairs"]).get(case, {})
    data.check(row, [method], f": its number of pairs for {case}")
    return round(row[method])
