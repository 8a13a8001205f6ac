"""Tests that compare subjects with rivals, case by case or on average.

Subjects and rivals are systems, methods, or values of a parameter; the view says which, and what the cases are. Each
test is easier to pass with fewer rivals, so a claim that fails without one of them also fails with it. If there are
several systems or methods, each must be better than every rival; of several values of a parameter the best must be.

Without ``cases`` all cases count, or all sets of ``year``. ``of`` is the number of cases in the paper: if the run lacks
some that would decide, the test is undecided. ``dimension`` is the size of the paper's system: systems of another size
are not tested.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from sentrep.claims.data import Data, Grid, Names, averaged
from sentrep.claims.outcome import Outcome, Untestable, bounded


def best_on(
    data: Data, *, subjects: Names, rivals: Names, cases: Names = (), year: int = 0, of: int = 0, share: str = "most"
) -> Outcome:
    """The one subject is strictly the best on most cases (``share="most"``) or on exactly half of them ("half")."""
    grid, (subject,), names = data.grid(), subjects, [*subjects, *rivals]
    wanted = list(cases) or [case for case in grid if not year or case.startswith(f"{year} ")]
    known = _complete(data, grid, wanted, names)
    wins = _wins(data, known, names)
    of = of or len(wanted)
    holds, reason = bounded(wins[subject], len(known), of, of / 2)
    if share == "half":
        holds, reason = (2 * wins[subject] == of, "") if len(known) == of else (None, f"{len(known)} of {of} are known")
    sentence = f"best on {wins[subject]} of {len(known)} {data.view.noun}"
    if cases:
        sentence += "; " + "; ".join(f"{case}: {data.listed(row, names)}" for case, row in known.items())
        baseline = data.baselines_in(known)
    else:
        sentence += f" ({', '.join(f'{name} {wins[name]}' for name in names)})"
        baseline = data.baselines_against(known, subject)
    if data.view.other_protocol:
        other = data.grid(protocols=[data.view.other_protocol])
        other = {case: other[case] for case in known if case in other}
        sentence += f"; {data.view.other_protocol} protocol: {_wins(data, other, names)[subject]}"
    return Outcome(holds, sentence, baseline, data.seeds(names), reason)


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
    """The subjects are better than the rivals on every case, by more than a margin.

    With a negative margin they may be behind by no more than this. ``mean`` averages the cases first, as
    :func:`~sentrep.claims.data.averaged` does. With ``worst`` the subjects are worse than the rivals instead. With
    ``gaps`` the sentence says how far they are ahead, instead of listing the values.
    """
    grid, names = data.grid(), [*subjects, *rivals]
    if mean:
        chosen = {case: grid[case] for case in _present(grid, cases, data)} if cases else grid
        grid = averaged(chosen, data.view.noun, mean, year)
    wanted = list(grid) if mean else list(cases) or list(grid)
    known = _complete(data, grid, wanted, names)
    leads = {case: _lead(data, row, subjects, rivals, worst) for case, row in known.items()}
    failed = sum(lead < margin or (lead == margin and margin >= 0) for lead in leads.values())
    of = of or len(wanted)
    holds, reason = bounded(len(known) - failed, len(known), of, of - 1)
    if not (mean or cases):
        lost = ", ".join(f"{case} {data.show(-lead)}" for case, lead in leads.items() if lead <= 0) or "nowhere"
        ahead = sum(lead > 0 for lead in leads.values())
        sentence = f"ahead on {ahead} of {len(known)} {data.view.noun}, behind on {len(known) - ahead}: {lost}"
    elif gaps:
        sentence = "ahead of the best rival: " + ", ".join(f"{c} {data.show_signed(g)}" for c, g in leads.items())
    else:
        sentence = "; ".join(f"{c}: {data.compared_in(row, subjects, rivals, worst)}" for c, row in known.items())
    if len(known) == 1 and mean and data.view.other_protocol:
        other = averaged(data.grid(protocols=[data.view.other_protocol]), data.view.noun, mean, year)
        sentence += "".join(f"; {data.view.other_protocol} protocol: {data.listed(r, names)}" for r in other.values())
    in_total = gaps or not (mean or cases)
    shown = {case: row for case, row in data.grid().items() if case in cases} if cases else known
    baseline = data.baselines_against(known, subjects[0]) if in_total else data.baselines_in(shown)
    return Outcome(holds, sentence, baseline, data.seeds(names), reason)


def below_own_mean(data: Data, *, subjects: Names, rivals: Names, cases: Names) -> Outcome:
    """On each of some sets every system is below its own mean over all sets, under both protocols."""
    names, parts, holds = [*subjects, *rivals], list[str](), True
    for protocol in (*data.view.protocols, data.view.other_protocol):
        grid = data.grid(protocols=[protocol])
        (mean,) = averaged(grid, data.view.noun, "cases").values()
        data.check(mean, names)
        for case in _present(grid, cases, data):
            low = sum(grid[case][name] < mean[name] for name in names)
            holds = holds and low == len(names)
            parts.append(f"{case} ({protocol} protocol) below its own mean for {low} of {len(names)}")
    return Outcome(holds, "; ".join(parts), seeds=data.seeds(names))


def highest_at(data: Data, *, subjects: Names, best: Names, rivals: Names = (), cases: Names = ()) -> Outcome:
    """The highest of all values are those of the one subject on the cases ``best``."""
    grid, (subject,), names = data.grid(), subjects, [*subjects, *rivals]
    _present(grid, best, data)
    known = _complete(data, grid, _present(grid, cases, data) if cases else list(grid), names)
    cells = {(name, case): row[name] for case, row in known.items() for name in names}
    ranked = sorted(cells, key=lambda cell: -cells[cell])
    shown = ranked[: len(best)] if rivals else ranked
    sentence = "highest: " + ", ".join(f"{name} on {case} {data.show(cells[name, case])}" for name, case in shown)
    if rivals:
        sentence += f"; {subject} on " + ", ".join(f"{case}: {data.show(grid[case][subject])}" for case in best)
    holds = set(ranked[: len(best)]) == {(subject, case) for case in best}
    return Outcome(holds, sentence, seeds=data.seeds(names))


def at_least(data: Data, *, subjects: Names, case: str, value: float) -> Outcome:
    """The one subject's value on a case is at least ``value``."""
    row = data.row(case, subjects)
    sentence = f"{case}: {data.listed(row, subjects)}"
    return Outcome(row[subjects[0]] >= value, sentence, data.baselines_in({case: row}), data.seeds(subjects))


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
    """The one subject's value differs little from every rival's, or from a number in the paper's text.

    The largest difference, ``within``, is a share of the other value if it is ``relative``.
    """
    _check_dimension(data, subjects, dimension)
    row = data.row(case, [*subjects, *rivals])
    others = [row[name] for name in rivals] or [published]
    gaps = [abs(row[subjects[0]] - other) / (other if relative else 1.0) for other in others]
    sentence = f"{case}: {data.listed(row, [*subjects, *rivals])}"
    if published:
        sentence += f"; published {data.show(published)}"
    return Outcome(all(gap <= within for gap in gaps), sentence, seeds=data.seeds([*subjects, *rivals]))


def faster(data: Data, *, subjects: Names, rivals: Names, case: str, factor: float, dimension: int = 0) -> Outcome:
    """Every rival takes at least ``factor`` times as long as the one subject."""
    _check_dimension(data, subjects, dimension)
    row, names = data.row(case, [*subjects, *rivals]), [*subjects, *rivals]
    ratios = {name: row[name] / row[subjects[0]] for name in rivals}
    told = ", ".join(f"{name} takes {ratio:.2f} times as long" for name, ratio in ratios.items())
    sentence = f"{case}: {data.listed(row, names)}; {told} (needed: {factor:g})"
    return Outcome(min(ratios.values()) >= factor, sentence, seeds=data.seeds(names))


def _lead(data: Data, row: Mapping[str, float], subjects: Names, rivals: Names, worst: bool) -> float:
    """Return how far the subjects are ahead of the best rival."""
    sign = -1.0 if data.view.lowest != worst else 1.0
    choose = max if data.view.compared == "x" else min
    return choose(sign * row[name] for name in subjects) - max(sign * row[name] for name in rivals)


def _wins(data: Data, grid: Grid, names: Names) -> Counter[str]:
    """Count the cases on which each system is strictly the best."""
    wins: Counter[str] = Counter()
    for row in grid.values():
        if all(name in row for name in names):
            best = data.best_of(row, names)
            wins[best] += sum(row[name] == row[best] for name in names) == 1
    return wins


def _present(grid: Grid, cases: Names, data: Data) -> list[str]:
    absent = [case for case in cases if case not in grid]
    if absent:
        raise Untestable(f"this run has no {data.view.noun} {', '.join(absent)}")
    return list(cases)


def _complete(data: Data, grid: Grid, cases: Names, names: Names) -> Grid:
    """Return the cases of which all these names have values.

    Raises:
        Untestable: there is none.
    """
    known = {case: grid[case] for case in cases if all(name in grid.get(case, {}) for name in names)}
    if not known:
        data.check([name for row in grid.values() for name in row], names)
        raise Untestable(f"this run has no values for {', '.join(cases)}")
    return known


def _check_dimension(data: Data, subjects: Names, dimension: int) -> None:
    for name in subjects if dimension else ():
        sizes = data.grid(metrics=["dimension"]).get("dimension", {})
        data.check(sizes, [name])
        if sizes[name] != dimension:
            raise Untestable(f"{name} has {sizes[name]:g} dimensions in this run, {dimension:,} in the paper")
