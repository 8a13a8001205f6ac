"""Test claims that some systems (the subjects) are better than others (the rivals), case by case or on average.

Subjects and rivals can also be methods or values of a parameter. The view of the test
(:class:`~sentrep.claims.data.View`) defines what is compared and what the cases are, for example evaluation sets. If
the subjects are systems or methods, each subject must be better than every rival. If they are values of a parameter,
only the best subject must be better than every rival. Except in :func:`best_on` with ``half_within``, additional rivals
can only make a test harder to pass. If a claim fails in a run that lacks a rival, it would therefore also fail with
this rival.

Several tests share these arguments:

- ``subjects``: names of the subjects. Tests of a single system expect a single name.
- ``cases``: the cases to use; by default all cases or, if ``year`` is given, all evaluation sets of that year.
- ``of``: the number of cases in the paper; by default, the number of cases to use. If the run lacks some of these
  cases, the claim is decided only if the missing values could not change the verdict.
- ``dimension``: the dimension of the subject's vectors in the paper. If their dimension in the run is different, the
  claim is not tested.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping

import numpy as np

from sentrep.claims.data import Data, Grid, Names, Number, Row, averaged, measured
from sentrep.claims.outcome import TOUCHING, Outcome, Untestable, above, all_of, highest, lowest, more_than


def best_on(
    data: Data,
    *,
    subjects: Names,
    rivals: Names,
    cases: Names = (),
    year: int = 0,
    of: int = 0,
    half_within: int | None = None,
) -> Outcome:
    """Test whether a system, the subject, wins on more than half of the cases.

    The subject wins on a case if it is better than all rivals on this case. If ``half_within`` is given, the subject
    must instead win on about half of the cases: its number of wins may differ from half the number of cases by at most
    ``half_within``.
    """
    grid, (subject,), names = data.grid(), subjects, [*subjects, *rivals]
    wanted = list(cases) or [case for case in grid if not year or case.startswith(f"{year} ")]
    known = complete(data, grid, wanted, names)
    wins = np.sum([above(lowest(leads_of(data, row, [subject], rivals, False))) for row in known.values()], axis=0)
    of = of or len(wanted)
    if half_within is None:
        margin, short, reason = more_than(wins, of // 2, len(known), of)
    else:
        missing = f"values are available for only {len(known)} of {of} {data.view.noun}"
        short, reason = (math.inf, missing) if len(known) < of else (0.0, "")
        margin = half_within + 0.5 - np.abs(wins - of / 2)
    counted = _wins(data, known, names)
    sentence = f"{subject} is best on {counted[subject]} of {len(known)} {data.view.noun}"
    if cases:
        sentence += "; " + "; ".join(f"{case}: {data.listed(row, names)}" for case, row in known.items())
        baseline = data.baselines_in(known)
    else:
        sentence += f"; number of wins: {', '.join(f'{name} {counted[name]}' for name in names)}"
        baseline = data.baselines_against(known, subject)
    if data.view.other_protocol:
        other = data.grid(protocols=[data.view.other_protocol])
        other = {case: other[case] for case in known if case in other}
        wins_there = _wins(data, other, names)[subject]
        under = f"under the {data.view.other_protocol} protocol"
        sentence += f"; {under}, {subject} is best on {wins_there} of {len(other)} {data.view.noun}"
    return Outcome(margin, sentence, baseline, data.support(names, known), short, reason)


def better(
    data: Data,
    *,
    subjects: Names,
    rivals: Names,
    cases: Names = (),
    mean: str = "",
    year: int = 0,
    margin: float = 0.0,
    of: int = 0,
    worst: bool = False,
    gaps: bool = False,
) -> Outcome:
    """Test whether some systems, the subjects, are better than the rivals by more than ``margin`` on every case.

    With a negative margin, the subjects may be worse than a rival by at most the absolute value of the margin. If
    ``mean`` is given, means over cases are compared; :func:`~sentrep.claims.data.averaged` describes the kinds of mean.
    With ``worst``, the test is whether the subjects are worse than the rivals. With ``gaps``, the sentence in the
    outcome does not list the values but states by how much the subjects are ahead of the best rival.
    """
    grid, names = data.grid(), [*subjects, *rivals]
    used = {case: grid[case] for case in present(grid, cases, data)} if mean and cases else grid
    if mean:
        grid = averaged(used, data.view.noun, mean, year)
    wanted = list(grid) if mean else list(cases) or list(grid)
    known = complete(data, grid, wanted, names)
    parts = {case: leads_of(data, row, subjects, rivals, worst) for case, row in known.items()}
    leads = {case: min(measured(lead) for lead in of_case) for case, of_case in parts.items()}
    margins = all_of([lead - margin + (TOUCHING if margin < 0 else 0) for of in parts.values() for lead in of])
    missing = (of or len(wanted)) - len(known)
    absent = f"the claim could fail on the {data.view.noun} without values ({missing} of {of or len(wanted)})"
    reason = absent if missing > 0 else ""
    if not (mean or cases):
        lost = ", ".join(f"by {data.show(-lead)} on {case}" for case, lead in leads.items() if lead <= 0)
        ahead = sum(lead > 0 for lead in leads.values())
        sentence = f"ahead of every rival on {ahead} of {len(known)} {data.view.noun}"
        sentence += f", and behind the best rival {lost}" if lost else ""
    elif gaps:
        sentence = "ahead of the best rival: " + ", ".join(f"{c} {data.show_signed(g)}" for c, g in leads.items())
    else:
        sentence = "; ".join(f"{c}: {data.compared_in(row, subjects, rivals, worst)}" for c, row in known.items())
    if len(known) == 1 and mean and data.view.other_protocol:
        other = averaged(data.grid(protocols=[data.view.other_protocol]), data.view.noun, mean, year)
        under = f"under the {data.view.other_protocol} protocol"
        sentence += "".join(f"; {under}: {data.listed(r, names)}" for r in other.values())
    in_total = gaps or not (mean or cases)
    shown = {case: row for case, row in data.grid().items() if case in cases} if cases else known
    baseline = data.baselines_against(known, subjects[0]) if in_total else data.baselines_in(shown)
    chosen = [case for case in used if not year or case.startswith(f"{year} ")] if mean else list(known)
    support = data.support(names, chosen)
    return Outcome(margins, sentence, baseline, support, math.inf if reason else 0.0, reason)


def below_own_mean(data: Data, *, subjects: Names, rivals: Names, cases: Names) -> Outcome:
    """Test whether all subjects and rivals score lower on each of the ``cases`` than on average over all sets.

    The condition must hold under each of the view's ``protocols`` and under its ``other_protocol``.
    """
    names, parts, margins = [*subjects, *rivals], list[str](), list[Number]()
    for protocol in (*data.view.protocols, data.view.other_protocol):
        grid = data.grid(protocols=[protocol])
        (mean,) = averaged(grid, data.view.noun, "cases").values()
        data.check(mean, names)
        for case in present(grid, cases, data):
            gaps = [mean[name] - grid[case][name] for name in names]
            margins += gaps
            low = sum(measured(gap) > 0 for gap in gaps)
            below = f"{low} of {len(names)} systems are below their own mean over all {data.view.noun}"
            parts.append(f"{case}, {protocol} protocol: {below}")
    return Outcome(all_of(margins), "; ".join(parts), support=data.support(names))


def highest_at(data: Data, *, subjects: Names, best: Names, rivals: Names = (), cases: Names = ()) -> Outcome:
    """Test whether a system's values on the cases ``best`` exceed all its other values and all values of the rivals.

    If ``cases`` is given, only the values on these cases are compared.
    """
    grid, (subject,), names = data.grid(), subjects, [*subjects, *rivals]
    present(grid, best, data)
    known = complete(data, grid, present(grid, cases, data) if cases else list(grid), names)
    cells = {(name, case): row[name] for case, row in known.items() for name in names}
    ranked = sorted(cells, key=lambda cell: -measured(cells[cell]))
    shown = ranked[: len(best)] if rivals else ranked
    sentence = "highest: " + ", ".join(f"{name} on {case} {data.show(cells[name, case])}" for name, case in shown)
    if rivals:
        sentence += f"; {subject} on " + ", ".join(f"{case}: {data.show(grid[case][subject])}" for case in best)
    first = [(subject, case) for case in best]
    margins = [cells[cell] - number for cell in first for other, number in cells.items() if other not in first]
    return Outcome(all_of(margins), sentence, support=data.support(names, known))


def at_least(data: Data, *, subjects: Names, case: str, value: float) -> Outcome:
    """Test whether the system that ``subjects`` names has a value of at least ``value`` on ``case``."""
    row = data.row(case, subjects)
    sentence = f"{case}: {data.listed(row, subjects)}"
    margin = row[subjects[0]] - value + TOUCHING
    return Outcome(margin, sentence, data.baselines_in({case: row}), data.support(subjects, [case]))


def near(
    data: Data,
    *,
    subjects: Names,
    case: str,
    within: float,
    rivals: Names = (),
    published: float = 0.0,
    relative: bool = False,
    dimension: int = 0,
) -> Outcome:
    """Test whether a system's value on ``case`` differs from the value of every rival by at most ``within``.

    Without rivals, the value is compared with ``published``, a number that the paper states or implies. If ``relative``
    is true, ``within`` is a fraction of the rival's value or of ``published``.
    """
    _check_dimension(data, subjects, dimension)
    names = [*subjects, *rivals]
    row = data.row(case, names)
    others: list[Number | float] = [row[name] for name in rivals] or [published]
    gaps = [abs(row[subjects[0]] - other) / (other if relative else 1.0) for other in others]
    sentence = f"{case}: {data.listed(row, names)}"
    if published:
        sentence += f"; published {data.show(published)}"
    margin = all_of([within - gap + TOUCHING for gap in gaps])
    return Outcome(margin, sentence, data.baselines_in({case: row}), data.support(names, [case]))


def faster(data: Data, *, subjects: Names, rivals: Names, case: str, factor: float, dimension: int = 0) -> Outcome:
    """Test whether every rival takes at least ``factor`` times as long as the subject.

    ``subjects`` names one system. ``case`` is the name of the case whose values are the times, such as "seconds per
    million sentences" or "1 pair". If the number of epochs of a system is known, the system's time is divided by it.
    """
    _check_dimension(data, subjects, dimension)
    names = [*subjects, *rivals]
    measurements, epochs = data.row(case, names), data.grid(metrics=["epochs"]).get("epochs", {})
    row = {name: measurements[name] / (measured(epochs[name]) if name in epochs else 1.0) for name in names}
    ratios = {name: row[name] / row[subjects[0]] for name in rivals}
    told = ", ".join(f"{name} takes {measured(ratio):.2f} times as long" for name, ratio in ratios.items())
    sentence = f"{case}: {data.listed(row, names)}; {told} (needed: at least {factor:g} times as long)"
    margin = all_of([ratio - factor + TOUCHING for ratio in ratios.values()])
    return Outcome(margin, sentence, support=data.support(names, [case]))


def leads_of(data: Data, row: Row, subjects: Names, rivals: Names, worst: bool) -> list[Number]:
    """Return the amounts by which each subject is better (with ``worst``, worse) than each rival on one case.

    The amounts are ordered by subject and then by rival. If the subjects are values of a parameter, only the best
    subject (with ``worst``, the worst subject) is compared with the rivals.
    """
    sign = -1.0 if data.view.lowest != worst else 1.0
    ours = [sign * row[name] for name in subjects]
    if data.view.compared == "x":
        ours = [highest(ours)]
    return [own - sign * row[rival] for own in ours for rival in rivals]


def _wins(data: Data, grid: Grid, names: Names) -> Counter[str]:
    """Count, for each system in ``names``, the cases on which its measured value is the best, without a tie.

    Systems that are not in ``names`` are ignored, and so are cases on which any system in ``names`` has no value.
    """
    wins: Counter[str] = Counter()
    for row in grid.values():
        if all(name in row for name in names):
            best = data.best_of(row, names)
            wins[best] += sum(measured(row[name]) == measured(row[best]) for name in names) == 1
    return wins


def present(grid: Mapping[str, Row], cases: Names, data: Data) -> list[str]:
    """Return the cases as a list, after checking that the run has all of them.

    Raises:
        Untestable: the run lacks a case.
    """
    absent = [case for case in cases if case not in grid]
    if absent:
        raise Untestable(f"this run lacks these {data.view.noun}: {', '.join(absent)}")
    return list(cases)


def complete(data: Data, grid: Grid, cases: Names, names: Names) -> Grid:
    """Return the rows of a grid for those ``cases`` on which all ``names`` have values.

    Raises:
        Untestable: none of the ``cases`` has values for all ``names``.
    """
    known = {case: grid[case] for case in cases if all(name in grid.get(case, {}) for name in names)}
    if not known:
        data.check([name for row in grid.values() for name in row], names)
        raise Untestable(
            f"in this run, none of the required {data.view.noun} ({', '.join(cases)}) has values for all of "
            f"{', '.join(names)}"
        )
    return known


def _check_dimension(data: Data, subjects: Names, dimension: int) -> None:
    for name in subjects if dimension else ():
        sizes = data.grid(metrics=["dimension"]).get("dimension", {})
        data.check(sizes, [name])
        if measured(sizes[name]) != dimension:
            raise Untestable(
                f"{name} has {measured(sizes[name]):,.0f} dimensions in this run, but {dimension:,} in the paper"
            )
