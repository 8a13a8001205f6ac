"""Tests of how values change with a parameter, with training, or with the position of a word."""

from __future__ import annotations

import math
from itertools import pairwise
from statistics import median
from typing import Any

import numpy as np
from scipy import stats

from sentrep.claims.data import SETS, Data, Names, averaged
from sentrep.claims.outcome import Outcome, Untestable, bounded

_LEAST_MOMENTS = 3  # moments that two curves must share to be compared


def little_effect(data: Data, *, within: float, of: int) -> Outcome:
    """On more than half of ``of`` sets the highest and the lowest value are no more than ``within`` apart."""
    ranges = {case: max(row.values()) - min(row.values()) for case, row in data.grid().items()}
    count = sum(size <= within for size in ranges.values())
    holds, reason = bounded(count, len(ranges), of, of / 2)
    largest = sorted(ranges, key=lambda case: -ranges[case])[:3]
    sentence = (
        f"range up to {within:g} on {count} of {len(ranges)} {data.view.noun}, median "
        f"{data.show(median(ranges.values()))}; largest: "
        f"{', '.join(f'{case} {data.show(ranges[case])}' for case in largest)}"
    )
    return Outcome(holds, sentence, seeds=data.seeds(), reason=reason)


def enough(data: Data, *, subjects: Names, margin: float, of: int = 0) -> Outcome:
    """The best of some values of the parameter is no more than ``margin`` below the best of all.

    This holds on more than half of the ``of`` sets of the paper; if ``of`` is 0, for the mean over all sets.
    """
    grid = data.grid()
    means = next(iter(averaged(grid, data.view.noun, "cases").values()))
    data.check(means, subjects)
    told = f"means by {data.view.parameter}: {data.listed(means)}"
    if not of:
        return Outcome(_suffice(means, subjects, margin), told, seeds=data.seeds())
    count = sum(_suffice(row, subjects, margin) for row in grid.values())
    holds, reason = bounded(count, len(grid), of, of / 2)
    sentence = f"within {margin:g} of the best on {count} of {len(grid)} {data.view.noun}; {told}"
    return Outcome(holds, sentence, seeds=data.seeds(), reason=reason)


def extreme_at(data: Data, *, subjects: Names, cases: Names, lowest: bool = False) -> Outcome:
    """On each of some sets the highest value, or the lowest, is at one of some values of the parameter."""
    at: dict[str, str] = {}
    for case in cases:
        row = data.row(case, subjects)
        at[case] = (min if lowest else max)(row, key=row.__getitem__)
    places = ", ".join(f"{place} ({case})" for case, place in at.items())
    sentence = f"{'lowest' if lowest else 'highest'} at {places}"
    return Outcome(all(place in subjects for place in at.values()), sentence, seeds=data.seeds())


def rises(data: Data, *, cases: Names) -> Outcome:
    """In each of some cases every larger value of the parameter gives a higher value."""
    rows = {case: data.row(case) for case in cases}
    common = sorted((x for x in rows[cases[0]] if all(x in row for row in rows.values())), key=float)
    if len(common) < 2:
        raise Untestable(f"this run has {len(common)} values of {data.view.parameter}")
    holds = all(row[larger] > row[smaller] for row in rows.values() for smaller, larger in pairwise(common))
    points = {case: ", ".join(f"{x}: {data.show(row[x])}" for x in common) for case, row in rows.items()}
    sentence = "; ".join(f"{case} {text}" for case, text in points.items())
    return Outcome(holds, sentence, seeds=data.seeds())


def trend(data: Data, *, cases: Names, direction: str, after_peak: bool = False, least: float = 0.5) -> Outcome:
    """In each of some cases values rise or fall with the parameter, by rank correlation and from start to end.

    ``least`` is the smallest absolute value of Spearman's rho. ``after_peak`` considers only what follows the highest
    value, which must not be the first.
    """
    sign, holds, parts = {"rises": 1.0, "falls": -1.0}[direction], True, list[str]()
    for case in cases:
        points = sorted((float(x), value) for x, value in data.row(case).items())
        peak = max(range(len(points)), key=lambda place: points[place][1]) if after_peak else 0
        part = points[peak:]
        rho = math.nan
        if len(part) > 2:
            result: Any = stats.spearmanr([x for x, _ in part], [value for _, value in part])
            rho = float(result.statistic)
        moved = sign * (part[-1][1] - part[0][1]) > 0
        holds = holds and sign * rho >= least and moved and (peak > 0 or not after_peak)
        at = [f"{data.show(value)} at {x:g}" for x, value in points]
        top = f", peak {at[peak]}" if after_peak else ""
        after = " after the peak" if after_peak else ""
        parts.append(f"{case}: {at[0]}{top}, {at[-1]}; rank correlation with {data.view.parameter}{after} {rho:.3f}")
    return Outcome(holds, "; ".join(parts), seeds=data.seeds())


def small_share(data: Data, *, cases: Names, subjects: Names, at_most: float, rivals: Names = ()) -> Outcome:
    """The largest magnitude at some places is at most this share of the largest at others, or at all places."""
    holds, parts = True, list[str]()
    for case in cases:
        row = data.row(case, [*subjects, *rivals])
        small, large = (max(abs(row[place]) for place in places) for places in (subjects, rivals or row))
        holds = holds and small <= at_most * large
        places = subjects[0] if len(subjects) == 1 else f"{subjects[0]} to {subjects[-1]}"
        of = f"that at {', '.join(rivals)}" if rivals else "the largest"
        shares = f"{small / large:.3f} of {of} ({data.show(small)} of {data.show(large)})"
        parts.append(f"{case}, {data.view.parameter} {places}: {shares}")
    return Outcome(holds, "; ".join(parts), seeds=data.seeds())


def converges_within(data: Data, *, cases: Names, updates: int) -> Outcome:
    """Training converges after at most this many updates."""
    holds, parts = True, list[str]()
    # reversed: the first seed counts
    found = {(value.column, value.metric): value for value in reversed(data.cells)}
    for case in cases:
        if (case, "updates") not in found or (case, "stopped") not in found:
            raise Untestable(f"this run has no training of {case}")
        made, stopped = round(found[case, "updates"].mean), found[case, "stopped"].text
        holds = holds and stopped == "converged" and made <= updates
        parts.append(f"{case}: {made:,} updates, {stopped.replace('_', ' ')}")
    return Outcome(holds, "; ".join(parts), seeds=data.seeds())


def ahead_at_equal_time(data: Data, *, subjects: Names, rivals: Names) -> Outcome:
    """Whenever a rival was evaluated during training, the mean of the one subject at that time is above the rival's.

    The subject's curve is interpolated. Times outside of it do not count.

    Raises:
        Untestable: the curves share fewer than three moments.
    """
    holds, parts = True, list[str]()
    ours = _by_time(data, subjects[0])
    for rival in rivals:
        theirs = _by_time(data, rival)
        inside = [moment for moment in theirs if min(ours, default=math.inf) <= moment <= max(ours, default=-math.inf)]
        if len(inside) < _LEAST_MOMENTS:
            raise Untestable(
                f"the curves of {subjects[0]} and {rival} have {len(inside)} moments in common, fewer than "
                f"{_LEAST_MOMENTS}"
            )
        levels = np.interp(inside, list(ours), list(ours.values()))
        ahead = sum(float(level) > theirs[moment] for level, moment in zip(levels, inside, strict=True))
        holds = holds and ahead == len(inside)
        ends = f"{list(ours.values())[-1]:.3f}, {list(theirs.values())[-1]:.3f}"
        parts.append(f"{subjects[0]} above {rival} at {ahead} of {len(inside)} moments; ends: {ends}")
    return Outcome(holds, "; ".join(parts), seeds=data.seeds([*subjects, *rivals]))


def _by_time(data: Data, system: str) -> dict[float, float]:
    """Return a system's mean over the sets by training time in seconds, in order of time."""
    means: dict[float, list[float]] = {}
    for value in data.cells:
        of_system = value.system == system and value.row in SETS and math.isfinite(value.mean)
        if of_system and value.metric == "pearson" and value.protocol in data.view.protocols:
            means.setdefault(value.x, []).append(value.mean)
    moments = {v.x: v.mean for v in data.cells if v.system == system and v.metric == "seconds"}
    return dict(sorted((moments[x], sum(found) / len(found)) for x, found in means.items() if x in moments))


def _suffice(row: dict[str, float], subjects: Names, margin: float) -> bool:
    return max(row[x] for x in subjects if x in row) >= max(row.values()) - margin
