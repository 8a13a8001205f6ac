"""Tests over the data of figures: how correlations on each set change with one parameter or with training.

A figure's table has a row per protocol, set and value of ``parameter``. The paper's protocol is used.
"""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
from scipy import stats

from sentrep.claims.outcome import LABELS, PROTOCOL, Outcome, Untestable, bounded, counted, judged, key_of
from sentrep.tables.layout import correlation


def little_effect(figure: pd.DataFrame, parameter: str, within: float, of: int) -> Outcome:
    """On more than half of ``of`` sets highest and lowest value are no more than ``within`` apart."""
    table = curves(figure, parameter)
    ranges = table.max(axis=1) - table.min(axis=1)
    count = int((ranges <= within).sum())
    holds, reason = bounded(count, len(table), of, of / 2)
    most = ", ".join(f"{LABELS[key]} {correlation(gap)}" for key, gap in ranges.nlargest(3).items())
    sentence = (
        f"range up to {within:g} on {count} of {len(table)} sets, median {correlation(ranges.median())}; "
        f"largest: {most}"
    )
    return Outcome(holds, sentence, seeds=_seeds(figure), reason=reason)


def trend(
    figure: pd.DataFrame, parameter: str, set: str, direction: str, after_peak: bool = False, least: float = 0.5
) -> Outcome:
    """On one set values rise or fall: Spearman's rho with the parameter is at least ``least``, and so does the end.

    Args:
        figure: the figure's data.
        parameter: its column.
        set: as in the paper's tables.
        direction: "rises" or "falls".
        after_peak: look at what follows the highest value only.
        least: absolute rho.
    """
    table = curves(figure, parameter)
    whole = table.loc[key_of(table, set)].dropna()
    part = whole[whole.index >= whole.idxmax()] if after_peak else whole
    sign = {"rises": 1, "falls": -1}[direction]
    rho = float(stats.spearmanr(part.index, part.to_numpy())[0]) if len(part) > 2 else float("nan")
    holds = judged(sign * rho >= least and sign * (part.iloc[-1] - part.iloc[0]) > 0)
    if after_peak:  # a peak at the very beginning has nothing before it
        holds = holds and bool(whole.idxmax() > whole.index[0])
    peak = f", peak {correlation(whole.max())} at {whole.idxmax():g}" if after_peak else ""
    sentence = (
        f"{set}: {correlation(whole.iloc[0])} at {whole.index[0]:g}{peak}, {correlation(whole.iloc[-1])} at "
        f"{whole.index[-1]:g}; rank correlation with {parameter}{' after the peak' if after_peak else ''} {rho:.2f}"
    )
    return Outcome(holds, sentence, seeds=_seeds(figure))


def few_suffice(figure: pd.DataFrame, parameter: str, few: Sequence[float], margin: float, of: int) -> Outcome:
    """On more than half of ``of`` sets the best of few values is no more than ``margin`` below the best of all."""
    table = curves(figure, parameter, few)
    count = int((table[list(few)].max(axis=1) >= table.max(axis=1) - margin).sum())
    holds, reason = bounded(count, len(table), of, of / 2)
    means = _points(table.mean())
    sentence = f"within {margin:g} of the best on {count} of {len(table)} sets; means by {parameter}: {means}"
    return Outcome(holds, sentence, seeds=_seeds(figure), reason=reason)


def better_at(
    figure: pd.DataFrame, parameter: str, set: str, values: Sequence[float], than: Sequence[float], margin: float = 0.0
) -> Outcome:
    """On one set the best of some values is above the best of others by more than ``margin``."""
    table = curves(figure, parameter, [*values, *than])
    row = table.loc[key_of(table, set)]
    sentence = f"{set}: " + _points(row)
    return Outcome(judged(row[list(values)].max() - row[list(than)].max() > margin), sentence, seeds=_seeds(figure))


def rises_at_each_step(figure: pd.DataFrame, parameter: str, sets: Sequence[str]) -> Outcome:
    """On each of some sets every larger value of the parameter gives a higher correlation."""
    table = curves(figure, parameter)
    rows = {label: table.loc[key_of(table, label)] for label in sets}
    holds = all(bool((row.diff().dropna() > 0).all()) for row in rows.values())
    sentence = "; ".join(f"{label} " + _points(row) for label, row in rows.items())
    return Outcome(holds, sentence, seeds=_seeds(figure))


def inferior_everywhere(
    figure: pd.DataFrame, parameter: str, values: Sequence[float], than: Sequence[float], of: int
) -> Outcome:
    """On every set the best of some values is below the best of others."""
    table = curves(figure, parameter, [*values, *than])
    lower = table[list(values)].max(axis=1) < table[list(than)].max(axis=1)
    holds, reason = bounded(int(lower.sum()), len(table), of, of - 1)
    not_so = ", ".join(LABELS[key] for key in lower.index[~lower]) or "none"
    sentence = f"lower on {int(lower.sum())} of {len(table)} sets; not on: {not_so}"
    return Outcome(holds, sentence, seeds=_seeds(figure), reason=reason)


def best_among(figure: pd.DataFrame, parameter: str, sets: Sequence[str], values: Sequence[float]) -> Outcome:
    """On each of some sets the highest correlation is at one of ``values``."""
    return _extreme(figure, parameter, sets, values, highest=True)


def worst_among(figure: pd.DataFrame, parameter: str, sets: Sequence[str], values: Sequence[float]) -> Outcome:
    """On each of some sets the lowest correlation is at one of ``values``."""
    return _extreme(figure, parameter, sets, values, highest=False)


def enough_on_average(figure: pd.DataFrame, parameter: str, values: Sequence[float], margin: float) -> Outcome:
    """The mean over all sets at the best of some values is no more than ``margin`` below the best mean."""
    means = curves(figure, parameter, values).mean()
    sentence = f"means by {parameter}: " + _points(means)
    return Outcome(judged(means[list(values)].max() >= means.max() - margin), sentence, seeds=_seeds(figure))


def curves(figure: pd.DataFrame, parameter: str, needed: Sequence[float] = ()) -> pd.DataFrame:
    """Return Pearson's r by set (paper's order) and value of the parameter.

    Raises:
        Untestable: a value that the claim names is not among those of the run.
    """
    rows = figure[(figure["protocol"] == PROTOCOL) & figure["pearson"].notna()]
    table = rows.pivot_table(index=["year", "dataset"], columns=parameter, values="pearson", aggfunc="mean")
    absent = [value for value in needed if value not in table.columns]
    if absent:
        raise Untestable(f"the run has no {parameter} {', '.join(f'{value:g}' for value in absent)}")
    return table.loc[[key for key in LABELS if key in table.index]]


def _extreme(
    figure: pd.DataFrame, parameter: str, sets: Sequence[str], values: Sequence[float], highest: bool
) -> Outcome:
    table = curves(figure, parameter, values)
    at = {}
    for label in sets:
        row = table.loc[key_of(table, label)]
        at[label] = row.idxmax() if highest else row.idxmin()
    word = "highest" if highest else "lowest"
    sentence = f"{word} at " + ", ".join(f"{value:g} ({label})" for label, value in at.items())
    return Outcome(all(value in values for value in at.values()), sentence, seeds=_seeds(figure))


def _points(row: pd.Series) -> str:
    return ", ".join(f"{value:g}: {correlation(r)}" for value, r in row.items())


def _seeds(figure: pd.DataFrame) -> str:
    return counted(figure["seeds"].dropna()) if "seeds" in figure.columns else ""
