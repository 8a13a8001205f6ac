"""Test claims about values that change with a parameter, during training, or with the idf rank of a word."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from statistics import median

import numpy as np
import numpy.typing as npt
from scipy import stats

from sentrep.claims.data import SETS, Data, Names, Number, Row, averaged, measured
from sentrep.claims.outcome import (
    TOUCHING,
    Outcome,
    Untestable,
    above,
    all_of,
    average,
    highest,
    lowest,
    more_than,
)
from sentrep.tables.values import Value

_LEAST_MOMENTS = 3  # minimum number of points in time that are needed to compare two curves


def little_effect(data: Data, *, within: float, of: int) -> Outcome:
    """Test whether, on more than half of the sets, a parameter changes the results by at most ``within``.

    The change on a set is the difference between the highest and the lowest result on this set. ``of`` is the number of
    sets in the paper.
    """
    grid = data.grid()
    ranges = {case: highest(row.values()) - lowest(row.values()) for case, row in grid.items()}
    count = np.sum([above(within + TOUCHING - size) for size in ranges.values()], axis=0)
    margin, short, reason = more_than(count, of // 2, len(ranges), of)
    largest = sorted(ranges, key=lambda case: -measured(ranges[case]))[:3]
    sentence = (
        f"values vary by at most {within:g} on {measured(count):.0f} of {len(ranges)} {data.view.noun}; median range "
        f"{data.show(median(map(measured, ranges.values())))}; largest ranges: "
        f"{', '.join(f'{case} {data.show(ranges[case])}' for case in largest)}"
    )
    return Outcome(margin, sentence, support=data.support(), short=short, reason=reason)


def enough(data: Data, *, subjects: Names, margin: float, of: int = 0) -> Outcome:
    """Test whether one of the given parameter values is enough to come within ``margin`` of the best result.

    The best result at the parameter values ``subjects`` may be at most ``margin`` below the best result at any
    parameter value. The condition must hold on more than half of the ``of`` sets in the paper or, if ``of`` is 0, for
    the mean over all sets.
    """
    grid = data.grid()
    means = next(iter(averaged(grid, data.view.noun, "cases").values()))
    data.check(means, subjects)
    told = f"means by {data.view.parameter}: {data.listed(means)}"
    if not of:
        return Outcome(_reserve(means, subjects, margin), told, support=data.support())
    count = np.sum([above(_reserve(row, subjects, margin)) for row in grid.values()], axis=0)
    found, short, reason = more_than(count, of // 2, len(grid), of)
    sentence = (
        f"{data.view.parameter} {' or '.join(subjects)}: within {margin:g} of the best value on "
        f"{measured(count):.0f} of {len(grid)} {data.view.noun}; {told}"
    )
    return Outcome(found, sentence, support=data.support(), short=short, reason=reason)


def extreme_at(data: Data, *, subjects: Names, cases: Names, lowest: bool = False) -> Outcome:
    """Test whether, on each of the ``cases``, one of the parameter values ``subjects`` gives the highest result.

    With ``lowest``, the test is whether one of these parameter values gives the lowest result.
    """
    at, margins, sign = dict[str, str](), list[Number](), -1.0 if lowest else 1.0
    for case in cases:
        row = data.row(case, subjects)
        best = highest(sign * row[x] for x in subjects)
        others = [sign * number for x, number in row.items() if x not in subjects]
        if not others:
            raise Untestable(f"for {case}, this run has values only at {data.view.parameter} {', '.join(row)}")
        margins += [best - other for other in others]
        at[case] = max(row, key=lambda x: sign * measured(row[x]))
    places = ", ".join(f"{place} on {case}" for case, place in at.items())
    sentence = f"the {data.view.parameter} with the {'lowest' if lowest else 'highest'} result is {places}"
    return Outcome(all_of(margins), sentence, support=data.support(cases=cases))


def rises(data: Data, *, cases: Names) -> Outcome:
    """Test whether results rise with every increase in the parameter, for each of the ``cases``.

    Values of the parameter for which one of the cases has no result are ignored.
    """
    rows = {case: data.row(case) for case in cases}
    common = sorted((x for x in rows[cases[0]] if all(x in row for row in rows.values())), key=float)
    if len(common) < 2:
        needed = f"at least 2 values of {data.view.parameter} for which every case has a result"
        raise Untestable(f"the test needs {needed}, but this run has {len(common)}")
    margins = [row[larger] - row[smaller] for row in rows.values() for smaller, larger in pairwise(common)]
    points = {case: ", ".join(f"{x}: {data.show(row[x])}" for x in common) for case, row in rows.items()}
    sentence = "; ".join(f"{case} {text}" for case, text in points.items())
    return Outcome(all_of(margins), sentence, support=data.support(cases=cases))


def trend(data: Data, *, cases: Names, direction: str, after_peak: bool = False, least: float = 0.5) -> Outcome:
    """Test whether values rise or fall with the parameter, for each of the ``cases``.

    If ``direction`` is "rises", Spearman's rho between the values and the parameter must be at least ``least``, and the
    last value must be above the first one. If ``direction`` is "falls", rho must be at most ``-least``, and the last
    value must be below the first one. With ``after_peak``, only the highest value and the values after it are
    considered, and the highest value must not be the first of all values.
    """
    sign, margins, parts = {"rises": 1.0, "falls": -1.0}[direction], list[Number](), list[str]()
    for case in cases:
        points = sorted((float(x), number) for x, number in data.row(case).items())
        curve = np.stack([number for _, number in points], axis=1)
        peaks = curve.argmax(axis=1) if after_peak else np.zeros(len(curve), np.int64)
        rho = rank_correlations(curve, peaks)
        start = np.take_along_axis(curve, peaks[:, None], axis=1)[:, 0]
        margins += [sign * rho - least + TOUCHING, sign * (curve[:, -1] - start)]
        margins += [start - curve[:, 0]] if after_peak else []
        at = [f"{data.show(number)} at {x:g}" for x, number in points]
        top = f", peak {at[int(peaks[0])]}" if after_peak else ""
        after = " after the peak" if after_peak else ""
        correlation = f"rank correlation with {data.view.parameter}{after}: {rho[0]:.3f}"
        parts.append(f"{case}: {at[0]}{top}, {at[-1]}; {correlation}")
    return Outcome(all_of(margins), "; ".join(parts), support=data.support(cases=cases))


def settles_by(data: Data, *, cases: Names, x: float, within: float) -> Outcome:
    """Test whether each curve differs from its last value by at most ``within`` once the parameter has reached ``x``.

    There is one curve for each of the ``cases``.
    """
    margins, parts = list[Number](), list[str]()
    for case in cases:
        points = sorted((float(place), number) for place, number in data.row(case).items())
        late = [(place, number) for place, number in points if place >= x]
        if len(late) < 2:
            raise Untestable(f"for {case}, this run has fewer than 2 values at {data.view.parameter} >= {x:g}")
        gaps = {place: abs(number - late[-1][1]) for place, number in late[:-1]}
        margins += [within + TOUCHING - gap for gap in gaps.values()]
        at = ", ".join(f"{place:g}: {data.show(number)}" for place, number in late)
        parts.append(f"{case}, {data.view.parameter} >= {x:g}: {at}")
    return Outcome(all_of(margins), "; ".join(parts), support=data.support(cases=cases))


def small_share(data: Data, *, cases: Names, subjects: Names, at_most: float, rivals: Names = ()) -> Outcome:
    """Test whether the largest absolute value at ``subjects`` is at most ``at_most`` times the largest at ``rivals``.

    ``subjects`` and ``rivals`` are positions on the horizontal axis of a figure, such as idf ranks. Without rivals, the
    comparison is with the largest absolute value at any position. The condition must hold for each of the ``cases``.
    """
    margins, parts = list[Number](), list[str]()
    for case in cases:
        row = data.row(case, [*subjects, *rivals])
        small, large = (highest(abs(row[place]) for place in places) for places in (subjects, rivals or row))
        margins.append(at_most * large - small + TOUCHING)
        places = subjects[0] if len(subjects) == 1 else f"{subjects[0]} to {subjects[-1]}"
        of = f"the value at {', '.join(rivals)}" if rivals else "the largest value"
        most = "" if len(subjects) == 1 else "at most "
        share = f"{measured(small) / measured(large):.3f} times {of} ({data.show(large)})"
        parts.append(f"{case}, {data.view.parameter} {places}: {most}{data.show(small)}, which is {share}")
    return Outcome(all_of(margins), "; ".join(parts), support=data.support(cases=cases))


def shape_settles(data: Data, *, cases: Names, within: float) -> Outcome:
    """Test whether the weights of weighted aggregation change by at most ``within`` late in training.

    The final weights are compared with the weights at the end of the first epoch that ended after at least 30,000
    updates, which is the length of an epoch in De Boom et al. (2016). If training had fewer than 60,000 updates, the
    first epoch that ended after at least half of the updates is used instead. Each weight vector is first divided by
    its largest absolute weight. The condition must hold for the weights trained with each loss in ``cases``.
    """
    margins, parts = list[Number](), list[str]()
    for case in cases:
        found = [value.mean for value in data.cells if (value.metric, value.column) == ("shape change", case)]
        if not found:
            raise Untestable(f"this run did not record how the learned weights changed during training ({case})")
        change = data.samples.of_seeds(found)
        margins.append(within - change + TOUCHING)
        parts.append(f"{case}: the largest change in a weight is {measured(change):.3f} times the largest weight")
    return Outcome(all_of(margins), "; ".join(parts), support=data.support(cases=cases))


def ahead_at_equal_time(data: Data, *, subjects: Names, rivals: Names) -> Outcome:
    """Test whether a system's mean over sets or tasks is above every rival's mean after the same training time.

    ``subjects`` contains the name of the system. The system is compared with each rival at the times at which the rival
    was evaluated. The system's mean at these times is interpolated linearly between evaluations of the system. Times
    before the first or after the last evaluation of the system are ignored.

    Raises:
        Untestable: fewer than three evaluations of a rival are between the first and the last evaluation of the system.
    """
    margins, parts = list[Number](), list[str]()
    ours = _by_time(data, subjects[0])
    for rival in rivals:
        theirs = _by_time(data, rival)
        inside = [moment for moment in theirs if min(ours, default=math.inf) <= moment <= max(ours, default=-math.inf)]
        if len(inside) < _LEAST_MOMENTS:
            raise Untestable(
                f"the test needs at least {_LEAST_MOMENTS} evaluations of {rival} at training times between the first "
                f"and the last evaluation of {subjects[0]}, but this run has {len(inside)}"
            )
        gaps = [_interpolated(ours, moment) - theirs[moment] for moment in inside]
        margins += gaps
        finals = {subjects[0]: list(ours.values())[-1], rival: list(theirs.values())[-1]}
        ends = ", ".join(f"{name} {measured(final):.3f}" for name, final in finals.items())
        ahead = sum(measured(gap) > 0 for gap in gaps)
        told = f"{subjects[0]} is above {rival} at {ahead} of {len(inside)} points in time"
        parts.append(f"{told}; final values: {ends}")
    return Outcome(all_of(margins), "; ".join(parts), support=data.support([*subjects, *rivals]))


def rank_correlations(curves: npt.NDArray[np.float64], starts: npt.NDArray[np.int64]) -> Number:
    """Return Spearman's rank correlation between the values of each curve and their positions in the curve.

    Args:
        curves: (m, n), one curve per row.
        starts: (m,) for each curve, the index of the first point that is used.

    Returns:
        (m,) correlations: NaN if a curve contains NaN, and 0 if fewer than three of its points are used or if all
        used points have the same value.
    """
    known = np.isfinite(curves).all(axis=1)
    found = np.where(known, 0.0, np.nan)
    for start in np.unique(starts):
        rows = known & (starts == start)
        part = curves[rows, start:]
        if part.shape[1] > 2:
            ranks, places = stats.rankdata(part, axis=1), np.arange(part.shape[1])
            centred = ranks - ranks.mean(axis=1, keepdims=True)
            away = places - places.mean()
            length = np.sqrt((centred**2).sum(axis=1) * (away**2).sum())
            found[rows] = np.divide(centred @ away, length, out=np.zeros(len(part)), where=length > 0)
    return found


def _by_time(data: Data, system: str) -> dict[float, Number]:
    """Return a system's mean scores over sets or tasks, keyed by training time in seconds, in order of time."""
    means: dict[float, list[Number]] = {}
    for value in data.cells:
        if value.system == system and _is_score(data, value):
            means.setdefault(value.x, []).append(data.samples.of(value))
    moments = {v.x: v.mean for v in data.cells if v.system == system and v.metric == "seconds"}
    return dict(sorted((moments[x], average(found)) for x, found in means.items() if x in moments))


def _is_score(data: Data, value: Value) -> bool:
    chosen = value.metric in data.view.metrics and value.protocol in data.view.protocols and math.isfinite(value.mean)
    return chosen and (data.view.noun != "sets" or value.row in SETS)


def _interpolated(curve: Mapping[float, Number], moment: float) -> Number:
    """Return the linearly interpolated value of a curve at a time between its first and its last point."""
    moments: Sequence[float] = list(curve)
    after = next(place for place, found in enumerate(moments) if found >= moment)
    if moments[after] == moment:
        return curve[moment]
    first, last = moments[after - 1], moments[after]
    share = (moment - first) / (last - first)
    return (1 - share) * curve[first] + share * curve[last]


def _reserve(row: Row, subjects: Names, margin: float) -> Number:
    """Return ``margin`` minus the amount by which the best value at ``subjects`` is below the best value in ``row``."""
    return margin + TOUCHING - (highest(row.values()) - highest(row[x] for x in subjects if x in row))
