"""Tests over the printed numbers themselves: errors in the papers. A test holds if the numbers show the error."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from sentrep.claims.outcome import LABELS, OFFICIAL, Outcome, Untestable, judged, seeds_of, wide
from sentrep.evaluation.sts.sets import STANDARD
from sentrep.tables.beside import fixed
from sentrep.tables.layout import correlation

PAIRS = {f"{standard.year} {standard.label}": standard.pairs for standard in STANDARD}
OVERALL, AVERAGE = "Overall", "average"


def odd_ratio(reported: pd.DataFrame, table: int, rows: Sequence[str], year: int, above: float) -> Outcome:
    """In every column Pearson's r is more than ``above`` times Spearman's rho on these rows, on none of other years."""
    r, rho = (printed(reported, table, metric) for metric in ("pearson", "spearman"))
    ratio = r / rho
    others = ratio[[not row.startswith(str(year)) for row in ratio.index]]
    odd = ratio.loc[list(rows)]
    sentence = (
        f"r / rho on {', '.join(rows)}: {odd.min(axis=None):.2f} to {odd.max(axis=None):.2f}; on all sets of other "
        f"years {others[others > 0].min(axis=None):.2f} to {others.max(axis=None):.2f}"
    )
    return Outcome(judged((odd > above).all(axis=None) and (others <= above).all(axis=None)), sentence)


def nearer_zero_filled(
    scores: pd.DataFrame, reported: pd.DataFrame, table: int, column: str, model: str, year: int
) -> Outcome:
    """On a year's sets printed r are on average nearer to ours with unscored pairs as 0 than to ours without them.

    Args:
        scores: ours.
        reported: the paper's.
        table: number.
        column: of the paper.
        model: ours to compare with: an untrained one, so that training plays no part.
        year: of the sets.
    """
    values = printed(reported, table, "pearson")[column]
    filled, dropped = wide(scores)[model], wide(scores, OFFICIAL)[model]
    keys = [key for key in filled.index if key[0] == year]
    if not keys:
        raise Untestable(f"this run has no sets of {year}")
    gaps = {
        name: sum(abs(values[LABELS[k]] - ours[k]) for k in keys) / len(keys)
        for name, ours in (("as 0", filled), ("dropped", dropped))
    }
    shown = ", ".join(
        f"{LABELS[k]} {correlation(values[LABELS[k]])} ({correlation(filled[k])}, {correlation(dropped[k])})"
        for k in keys
    )
    sentence = (
        f"mean distance of the printed r from {model}'s with unscored pairs as 0 {correlation(gaps['as 0'])}, without "
        f"them {correlation(gaps['dropped'])}; printed (as 0, without): {shown}"
    )
    return Outcome(judged(gaps["as 0"] < gaps["dropped"]), sentence, seeds=seeds_of(scores, [model]))


def columns_swapped(
    reported: pd.DataFrame, other: pd.DataFrame, table: int, column: str, other_table: int, other_column: str
) -> Outcome:
    """What another paper prints as Pearson's r is here Spearman's rho on every shared row, and r on none."""
    r, rho = (printed(reported, table, metric)[column] for metric in ("pearson", "spearman"))
    theirs = printed(other, other_table, "pearson")[other_column].reindex(r.index).dropna()
    as_rho = int((theirs == rho[theirs.index]).sum())
    as_r = int((theirs == r[theirs.index]).sum())
    sentence = f"of {len(theirs)} rows the other paper's r equals rho here on {as_rho}, r here on {as_r}"
    return Outcome(as_rho == len(theirs) and as_r == 0, sentence)


def wins_depend_on_swap(reported: pd.DataFrame, table: int, column: str, other: str, printed_wins: int) -> Outcome:
    """With the first column's r and rho exchanged, the other column no longer wins as often as printed."""
    r, rho = (printed(reported, table, metric) for metric in ("pearson", "spearman"))
    before = int((r[other] > r[column]).sum())
    after = int((r[other] > rho[column]).sum())
    sentence = (
        f"{other} is above {column} on {before} of {len(r)} as printed and on {after} with {column}'s columns exchanged"
    )
    return Outcome(before == printed_wins and after != before, sentence)


def overall_is_no_mean(reported: pd.DataFrame, table: int, column: str, within: float) -> Outcome:
    """One column's printed overall value is not its pair-weighted mean, which it is, to ``within``, in all others."""
    values = printed(reported, table, "pearson")
    rows = [row for row in values.index if row != OVERALL]
    weights = pd.Series({row: PAIRS[row] for row in rows})
    means = values.loc[rows].mul(weights, axis=0).sum() / weights.sum()
    gaps = (values.loc[OVERALL] - means).abs()
    rest = gaps.drop(column)
    sentence = (
        f"{column}: printed {values.loc[OVERALL, column]:.2f}, weighted mean {means[column]:.3f}; largest gap "
        f"elsewhere {rest.max():.3f} ({rest.idxmax()})"
    )
    return Outcome(judged(gaps[column] > within and (rest <= within).all()), sentence)


def averages_are_no_means(reported: pd.DataFrame, table: int, within: float) -> Outcome:
    """At least one printed average of a year is not the mean of the year's rows to ``within``."""
    values = printed(reported, table, "pearson")
    wrong = []
    for row in (row for row in values.index if row.endswith(f" {AVERAGE}")):
        year = row.split()[0]
        mean = values[[name.startswith(year) and name != row for name in values.index]].mean()
        wrong += [
            f"{year} {column} {values.loc[row, column]:.4f} (mean {mean[column]:.4f})"
            for column in values.columns
            if abs(values.loc[row, column] - mean[column]) > within
        ]
    return Outcome(bool(wrong), "; ".join(wrong) or "all averages are means of their rows")


def difference_is_other(
    reported: pd.DataFrame, table: int, row: str, column: str, other: str, stated: float, digits: int
) -> Outcome:
    """The text's difference of two printed values, in percent, is not theirs."""
    values = printed(reported, table, "pearson").loc[row]
    found = 100 * (values[column] - values[other])
    sentence = (
        f"{row}: {column} {values[column]:.4f}, {other} {values[other]:.4f}: {fixed(found, digits)}, stated {stated:g}"
    )
    return Outcome(fixed(found, digits) != fixed(stated, digits), sentence)


def not_improved_everywhere(
    reported: pd.DataFrame, table: int, pairs: Mapping[str, str], metrics: Mapping[str, Sequence[str]], stated: str
) -> Outcome:
    """Values that are said to improve, from one column to another, in all rows but one, do not.

    Args:
        reported: the paper's.
        table: number.
        pairs: column before -> column after.
        metrics: rows -> metrics that are better when higher.
        stated: the row that is said to be the only exception.
    """
    found = []
    for before, after in pairs.items():
        for row, names in metrics.items():
            for metric in names:
                values = printed(reported, table, metric).loc[row]
                if not values[after] > values[before]:
                    found.append((row, f"{row} {metric}: {before} {values[before]:g}, {after} {values[after]:g}"))
    sentence = "not improved: " + "; ".join(text for _, text in found) if found else "improved everywhere"
    return Outcome(any(row != stated for row, _ in found), sentence)


def impossible_median_ranks(reported: pd.DataFrame, table: int, metric: str, cuts: Mapping[str, int]) -> Outcome:
    """Some median rank contradicts the share found among the first k.

    With fewer than half among the first k the median rank is above k; with more than half it is at most k.

    Args:
        reported: the paper's.
        table: number.
        metric: of median ranks.
        cuts: metric of recall in percent -> k.
    """
    ranks = printed(reported, table, metric)
    wrong = []
    for name, k in cuts.items():
        recall = printed(reported, table, name).reindex(index=ranks.index, columns=ranks.columns)
        for row in ranks.index:
            for column in ranks.columns:
                share, rank = recall.loc[row, column], ranks.loc[row, column]
                if (share < 50 and rank <= k) or (share > 50 and rank > k):
                    wrong.append(f"{column}, {row}: median rank {rank:g}, but {share:g}% among the first {k}")
    return Outcome(bool(wrong), "; ".join(wrong) or "all median ranks are possible")


def not_above_everywhere(
    reported: pd.DataFrame, table: int, column: str, others: Sequence[str], metrics: Mapping[str, Sequence[str]]
) -> Outcome:
    """A column that is said to be above all others is not so in every row."""
    found = []
    for row, names in metrics.items():
        for metric in names:
            values = printed(reported, table, metric).loc[row]
            best = values[[name for name in others if pd.notna(values.get(name))]]
            if not values[column] > best.max():
                found.append(f"{row} {metric}: {column} {values[column]:g}, {best.idxmax()} {best.max():g}")
    return Outcome(bool(found), "; ".join(found) or f"{column} is above all others everywhere")


def printed(reported: pd.DataFrame, table: int, metric: str) -> pd.DataFrame:
    """Return one table's printed numbers of one metric by row and column."""
    chosen = reported[(reported["table"].astype(str) == str(table)) & (reported["metric"] == metric)]
    values = pd.to_numeric(chosen["value"].astype(str).str.replace(",", ""), errors="coerce")
    order = list(dict.fromkeys(chosen["row"].astype(str))), list(dict.fromkeys(chosen["column"].astype(str)))
    keyed = chosen.assign(value=values, row=chosen["row"].astype(str), column=chosen["column"].astype(str))
    return keyed.pivot_table(index="row", columns="column", values="value").reindex(index=order[0], columns=order[1])
