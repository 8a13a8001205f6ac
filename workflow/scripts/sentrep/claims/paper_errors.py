"""Test the claims that a table or the text of a paper is wrong.

Such a claim holds if the published values show the error. The test :func:`nearer_zero_filled` also uses our values.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from sentrep.claims.data import SETS, Data, Grid, Names, measured
from sentrep.claims.outcome import Outcome, Untestable, average, fact
from sentrep.tables.numbers import fixed


def odd_ratio(data: Data, *, cases: Names, year: int, factor: float) -> Outcome:
    """Test whether, on every set in ``cases``, r exceeds ``factor`` times rho in all columns of a published table.

    All sets in ``cases`` are from ``year``. On the sets from other years, r must not exceed ``factor`` times rho in any
    column. Other sets from ``year`` are ignored.
    """
    r, rho = _numbers(data.grid(metrics=["pearson"])), _numbers(data.grid(metrics=["spearman"]))
    ratios = {
        case: [row[name] / rho[case][name] for name in row if name in rho.get(case, {})] for case, row in r.items()
    }
    odd = [ratio for case in cases for ratio in ratios[case]]
    others = [ratio for case in ratios if not case.startswith(f"{year} ") for ratio in ratios[case]]
    sentence = (
        f"r / ρ on {', '.join(cases)}: {min(odd):.2f} to {max(odd):.2f}; on all sets from other years: "
        f"{min(ratio for ratio in others if ratio > 0):.2f} to {max(others):.2f}"
    )
    return Outcome(fact(min(odd) > factor and max(others) <= factor), sentence)


def nearer_zero_filled(data: Data, *, subjects: Names, column: str, year: int) -> Outcome:
    """Test whether the published r is closer to our r if unscored pairs count as 0 than if these pairs are omitted.

    Unscored pairs are sentence pairs without a human score. The distance is the mean absolute difference over the sets
    of ``year``. Our values are those of the untrained system that ``subjects`` names, so they do not depend on
    training. The published values come from ``column`` of the paper's table.
    """
    (system,) = subjects
    grids = data.grid(), data.grid(protocols=[data.view.other_protocol])
    published = {
        value.row: value.published_value
        for value in data.cells
        if (value.column, value.metric) == (column, "pearson") and math.isfinite(value.published_value)
    }
    cases = [
        case for case in published if case.startswith(f"{year} ") and all(system in g.get(case, {}) for g in grids)
    ]
    cases = [case for case in cases if case in SETS]
    if not cases:
        raise Untestable(f"this run has no values for {system} on the sets of {year}")
    filled, dropped = ({case: grid[case][system] for case in cases} for grid in grids)
    gaps = [average(abs(published[case] - ours[case]) for case in cases) for ours in (filled, dropped)]
    shown = ", ".join(
        f"{case} {data.show(published[case])} ({data.show(filled[case])}, {data.show(dropped[case])})" for case in cases
    )
    sentence = (
        f"mean absolute difference between the published r and the r of {system}: {data.show(gaps[0])} if unscored "
        f"pairs count as 0, and {data.show(gaps[1])} if unscored pairs are omitted; for each set, the published r and, "
        f"in brackets, the r of {system} in these two cases: {shown}"
    )
    return Outcome(gaps[1] - gaps[0], sentence, support=data.support([system], cases))


def columns_swapped(data: Data, *, column: str, other_paper: str) -> Outcome:
    """Test whether one of two papers has swapped r and rho in ``column``, which both papers publish.

    In every row that the two papers have in common, r in ``other_paper`` must equal rho in the paper that the claim is
    about, and must differ from r in that paper.
    """
    values = {(v.paper == other_paper, v.row, v.metric): v.published_value for v in data.cells if v.column == column}
    common = [row for other, row, metric in values if other and metric == "pearson" and (False, row, metric) in values]
    as_r, as_rho = (
        sum(values[True, row, "pearson"] == values[False, row, metric] for row in common)
        for metric in ("pearson", "spearman")
    )
    sentence = (
        f"r in the other paper equals ρ in this paper in {as_rho} of {len(common)} rows, and equals r in this paper in "
        f"{as_r} of {len(common)} rows"
    )
    return Outcome(fact(as_rho == len(common) > 0 and as_r == 0), sentence)


def wins_depend_on_swap(data: Data, *, column: str, other: str, wins: int) -> Outcome:
    """Test whether swapping r and rho in ``column`` changes how often ``other`` has a higher r than ``column``.

    With the values as published, ``other`` must have a higher r than ``column`` in exactly ``wins`` rows.
    """
    r, rho = _numbers(data.grid(metrics=["pearson"])), _numbers(data.grid(metrics=["spearman"]))
    before = sum(row[other] > row[column] for row in r.values())
    after = sum(row[other] > rho[case][column] for case, row in r.items())
    sentence = (
        f"r of {other} is above r of {column} in {before} of {len(r)} rows as published, and in {after} rows if r and "
        f"ρ of {column} are swapped"
    )
    return Outcome(fact(before == wins and after != before), sentence)


def wrong_averages(data: Data, *, ending: str, within: float, column: str = "", weighted: bool = False) -> Outcome:
    """Test whether some published averages differ by more than ``within`` from the means of the rows that they average.

    The name of a row with averages ends in ``ending``. The text before this ending, such as a year, is the prefix of
    the names of the averaged rows, which are evaluation sets. If ``column`` is given, there must be a wrong average in
    this column and none in any other column. With ``weighted``, each set is weighted by its number of sentence pairs.
    """
    grid, gaps = _numbers(data.grid()), dict[tuple[str, str], tuple[float, float]]()
    for name in (name for name in grid if name.endswith(ending)):
        rows = [row for row in grid if row in SETS and row.startswith(name.removesuffix(ending))]
        for system, stated in grid[name].items():
            values = [(SETS[row].pairs if weighted else 1, grid[row][system]) for row in rows if system in grid[row]]
            gaps[name, system] = stated, math.fsum(w * v for w, v in values) / sum(w for w, _ in values)
    wrong = {key for key, (average, mean) in gaps.items() if abs(average - mean) > within}
    told = [
        f"{name} {system}: published {gaps[name, system][0]:g}, recomputed {gaps[name, system][1]:.4f}"
        for name, system in sorted(wrong)
    ]
    rest = {key: abs(average - mean) for key, (average, mean) in gaps.items() if key not in wrong}
    largest = max(rest, key=rest.__getitem__)
    gap = f"{rest[largest]:.4f} ({' '.join(largest)})"
    elsewhere = f"the published averages that are not listed differ from the recomputed averages by at most {gap}"
    holds = {system for _, system in wrong} == {column} if column else bool(wrong)
    return Outcome(fact(holds), "; ".join([*told, elsewhere]))


def difference_is_other(data: Data, *, case: str, column: str, other: str, stated: float, digits: int) -> Outcome:
    """Test whether the difference between two published values contradicts ``stated``, a number in the paper's text.

    On ``case``, the value in the column ``other`` is subtracted from the value in ``column``, and the result is
    multiplied by 100. This difference contradicts the text if it does not equal ``stated`` after both are rounded to
    ``digits`` decimals.
    """
    row = data.row(case, [column, other])
    found = fixed(100 * measured(row[column] - row[other]), digits)
    sentence = (
        f"{case}: {data.listed(row, [column, other])}; the difference is {found} points, and the paper's text states "
        f"{stated:g}"
    )
    return Outcome(fact(found != fixed(stated, digits)), sentence)


def not_above_everywhere(
    data: Data, *, above: Mapping[str, Names], cases: Mapping[str, Names], stated: str = ""
) -> Outcome:
    """Test whether the published values contradict the paper's statement that some columns exceed others in all rows.

    ``above`` maps a column to the columns that it exceeds according to the paper. ``cases`` maps each row to the
    metrics to compare, for which higher values are better. ``stated`` is a row that the paper itself names as an
    exception; contradictions in this row do not count.
    """
    found: list[tuple[str, str]] = []
    for column, others in above.items():
        for case, metric in ((case, metric) for case, metrics in cases.items() for metric in metrics):
            row = _numbers(data.grid(metrics=[metric]))[case]
            best = max((name for name in others if name in row), key=row.__getitem__)
            if row[column] <= row[best]:
                found.append((case, f"{case} {metric}: {column} {row[column]:g}, {best} {row[best]:g}"))
    sentence = (
        "published values that contradict the statement: " + "; ".join(text for _, text in found)
        if found
        else "no published value contradicts the statement"
    )
    return Outcome(fact(any(case != stated for case, _ in found)), sentence)


def impossible_median_ranks(data: Data, *, metric: str, cuts: Mapping[str, int]) -> Outcome:
    """Test whether some published median ranks contradict the published recall at k.

    If fewer than half of the queries have a correct result among the first k results, the median rank must be above k.
    If more than half of the queries do, the median rank must be at most k. ``metric`` is the name of the median-rank
    metric, and ``cuts`` maps the name of each recall metric, such as ``r@10``, to its k.
    """
    wrong: list[str] = []
    for name, k in cuts.items():
        recall = _numbers(data.grid(metrics=[name]))
        for case, row in _numbers(data.grid(metrics=[metric])).items():
            for column, rank in row.items():
                share = recall.get(case, {}).get(column, 50.0)
                if (share < 50 and rank <= k) or (share > 50 and rank > k):
                    wrong.append(f"{column}, {case}: median rank {rank:g}, but recall at {k} is {share:g}%")
    return Outcome(fact(bool(wrong)), "; ".join(wrong) or "all median ranks are possible")


def _numbers(grid: Grid) -> dict[str, dict[str, float]]:
    """Return the values in a grid as single numbers, without bootstrap draws."""
    return {case: {name: measured(number) for name, number in row.items()} for case, row in grid.items()}
