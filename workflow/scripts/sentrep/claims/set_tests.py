"""Tests over ``scores.csv``: correlations on the sets of semantic textual similarity.

Each takes the long table of scores, the model that a claim is about and its rivals, and is easier to pass with fewer
rivals, so that failing without one of them is failing with it. Values are means over seeds under the paper's protocol,
in which pairs without a score count as 0; sentences give the official one, too.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from sentrep.claims.outcome import (
    LABELS,
    OFFICIAL,
    Outcome,
    Untestable,
    bounded,
    counted,
    floors_on,
    judged,
    key_of,
    listed,
    seeds_of,
    wide,
)
from sentrep.evaluation.sts.sets import STANDARD
from sentrep.tables.layout import correlation

PAIRS = {(standard.year, standard.dataset): standard.pairs for standard in STANDARD}


def best_on_most_sets(scores: pd.DataFrame, model: str, rivals: Sequence[str], of: int) -> Outcome:
    """The model is strictly best on more than half of ``of`` sets."""
    table, official = wide(scores), wide(scores, OFFICIAL)
    names = [model, *rivals]
    wins = {name: int((table[names].idxmax(axis=1) == name).sum()) for name in names}
    other = int((official[names].idxmax(axis=1) == model).sum())
    holds, reason = bounded(wins[model], len(table), of, of / 2)
    shown = ", ".join(f"{name} {count}" for name, count in wins.items())
    sentence = f"best on {wins[model]} of {len(table)} sets ({shown}); official protocol: {other}"
    return Outcome(holds, sentence, floors_on(table, model), seeds_of(scores, names), reason)


def higher_mean(
    scores: pd.DataFrame, model: str, rivals: Sequence[str], year: int | None = None, weighted: bool = False
) -> Outcome:
    """The mean over all sets, or one year's, is above that of every rival; ``weighted`` by numbers of pairs."""
    means, other = (_means(wide(scores, protocol), year, weighted) for protocol in ("paper", OFFICIAL))
    names = [model, *rivals]
    if means.empty:
        raise Untestable(f"this run has no sets of {year}")
    what = f"{'pair-weighted ' if weighted else ''}mean over {means.attrs['sets']} sets{f' of {year}' if year else ''}"
    sentence = f"{what}: {listed(means[names])}; official protocol: {listed(other[names])}"
    floor = listed({name: means[name] for name in ("random", "random_idf", "tfidf") if name in means})
    return Outcome(judged(means[model] > means[list(rivals)].max()), sentence, floor, seeds_of(scores, names))


def higher_every_year(scores: pd.DataFrame, model: str, rivals: Sequence[str]) -> Outcome:
    """The mean over each year's sets is above that of every rival."""
    table = wide(scores).groupby("year").mean()
    best = table[list(rivals)].max(axis=1)
    shown = "; ".join(
        f"{year} {correlation(table.loc[year, model])} (best rival {correlation(best[year])})" for year in table.index
    )
    floor = (
        "; ".join(f"{year} tfidf {correlation(r)}" for year, r in table["tfidf"].items()) if "tfidf" in table else ""
    )
    return Outcome(judged((table[model] > best).all()), shown, floor, seeds_of(scores, [model, *rivals]))


def near_on_set(scores: pd.DataFrame, model: str, rivals: Sequence[str], set: str, within: float) -> Outcome:
    """On one set the model is no more than ``within`` away from every rival."""
    table = wide(scores)
    row = table.loc[key_of(table, set)]
    gaps = (row[list(rivals)] - row[model]).abs()
    sentence = f"{set}: {listed(row[[model, *rivals]])}"
    return Outcome(judged((gaps <= within).all()), sentence, seeds=seeds_of(scores, [model, *rivals]))


def low_on_sets(scores: pd.DataFrame, model: str, rivals: Sequence[str], sets: Sequence[str]) -> Outcome:
    """On each of some sets each model is below its own mean over all sets, under both protocols."""
    names, parts, low = [model, *rivals], [], True
    for protocol in ("paper", OFFICIAL):
        table = wide(scores, protocol)[names]
        mean = table.mean()
        for label in sets:
            row = table.loc[key_of(table, label)]
            low = low and bool((row < mean).all())
            parts.append(
                f"{label} ({protocol} protocol) below the own mean for {int((row < mean).sum())} of {len(row)}"
            )
    return Outcome(low, "; ".join(parts), seeds=seeds_of(scores, names))


def best_on_sets(scores: pd.DataFrame, model: str, rivals: Sequence[str], sets: Sequence[str]) -> Outcome:
    """The model is strictly best on each of some sets."""
    table = wide(scores)
    absent = [label for label in sets if label not in {LABELS[key] for key in table.index}]
    rows = {label: table.loc[key_of(table, label)] for label in sets if label not in absent}
    won = {label: row[model] > row[list(rivals)].max() for label, row in rows.items()}
    holds = False if not all(won.values()) else None if absent else True
    sentence = "; ".join(f"{label}: {listed(row[[model, *rivals]])}" for label, row in rows.items())
    floor = "; ".join(f"{label} {listed({'tfidf': row['tfidf']})}" for label, row in rows.items() if "tfidf" in row)
    reason = f"no scores on {', '.join(absent)}" if absent else ""
    return Outcome(holds, sentence, floor, seeds_of(scores, [model, *rivals]), reason)


def highest_on(scores: pd.DataFrame, model: str, rivals: Sequence[str], set: str) -> Outcome:
    """Of all correlations of all these models the highest is the model's on one set."""
    names = [model, *rivals]
    table = wide(scores)[names]
    place = key_of(table, set)
    name = table.max().idxmax()
    at = table[name].idxmax()
    sentence = f"highest: {name} on {LABELS[at]}, {correlation(table.loc[at, name])}; {model} on {set}: "
    holds = judged((at, name) == (place, model))
    return Outcome(holds, sentence + correlation(table.loc[place, model]), seeds=seeds_of(scores, names))


def wins_evenly(scores: pd.DataFrame, model: str, rivals: Sequence[str], year: int) -> Outcome:
    """The model and its one rival are each best on half of a year's sets."""
    table = wide(scores).loc[[year]]
    wins = int((table[model] > table[rivals[0]]).sum())
    sentence = f"{model} better on {wins} of {len(table)} sets, {rivals[0]} on {len(table) - wins}"
    return Outcome(2 * wins == len(table), sentence, floors_on(table, model), seeds_of(scores, [model, *rivals]))


def ahead_on_sets(
    scores: pd.DataFrame, model: str, rivals: Sequence[str], sets: Sequence[str], margin: float
) -> Outcome:
    """On each of some sets the model is above every rival by more than ``margin``."""
    table = wide(scores)
    gaps = {}
    for label in sets:
        row = table.loc[key_of(table, label)]
        gaps[label] = row[model] - row[list(rivals)].max()
    sentence = ", ".join(
        f"{label} {correlation(gap) if gap < 0 else '+' + correlation(gap)}" for label, gap in gaps.items()
    )
    holds = judged(min(gaps.values()) > margin)
    floor = floors_on(table.loc[[key_of(table, label) for label in sets]], model)
    return Outcome(holds, f"ahead of the best rival: {sentence}", floor, seeds_of(scores, [model, *rivals]))


def loses_narrowly(scores: pd.DataFrame, model: str, rivals: Sequence[str], within: float) -> Outcome:
    """Where a rival is above the model, it is so by no more than ``within``."""
    table = wide(scores)
    gaps = table[list(rivals)].max(axis=1) - table[model]
    lost = gaps[gaps > 0]
    shown = ", ".join(f"{LABELS[key]} {correlation(gap)}" for key, gap in lost.items()) or "nowhere"
    holds = judged((lost <= within).all())
    return Outcome(
        holds, f"behind on {len(lost)} of {len(table)} sets: {shown}", seeds=seeds_of(scores, [model, *rivals])
    )


def at_least_on_set(scores: pd.DataFrame, model: str, set: str, value: float) -> Outcome:
    """The model's correlation on one set is at least ``value``."""
    table = wide(scores)
    key = key_of(table, set)
    floor = listed({name: table.loc[key, name] for name in ("random", "tfidf") if name in table})
    holds = judged(table.loc[key, model] >= value)
    return Outcome(holds, f"{set}: {correlation(table.loc[key, model])}", floor, seeds_of(scores, [model]))


def groups_apart(scores: pd.DataFrame, models: Sequence[str], rivals: Sequence[str], year: int) -> Outcome:
    """Every one of ``models`` has a higher pair-weighted mean over a year's sets than every rival."""
    means = _means(wide(scores), year, weighted=True)
    sentence = f"{listed(means[list(models)])}; against {listed(means[list(rivals)])}"
    floor = listed({name: means[name] for name in ("random", "tfidf") if name in means})
    holds = judged(means[list(models)].min() > means[list(rivals)].max())
    return Outcome(holds, sentence, floor, seeds_of(scores, [*models, *rivals]))


def near_best(scores: pd.DataFrame, model: str, rivals: Sequence[str], year: int, within: float) -> Outcome:
    """The pair-weighted mean over a year's sets is no more than ``within`` below the best rival's."""
    means = _means(wide(scores), year, weighted=True)
    floor = listed({name: means[name] for name in ("random", "tfidf") if name in means})
    holds = judged(means[model] >= means[list(rivals)].max() - within)
    return Outcome(holds, listed(means[[model, *rivals]]), floor, seeds_of(scores, [model, *rivals]))


def differs_on_sets(
    wilcoxon: pd.DataFrame, model: str, rivals: Sequence[str], at_least: int, threshold: float, of: int
) -> Outcome:
    """By Wilcoxon's test the similarities of model and rival differ on at least so many sets, p below ``threshold``."""
    rows = wilcoxon[
        ((wilcoxon["model_a"] == model) & wilcoxon["model_b"].isin(rivals))
        | ((wilcoxon["model_b"] == model) & wilcoxon["model_a"].isin(rivals))
    ]
    rows = rows[[key in LABELS for key in zip(rows["year"], rows["dataset"], strict=True)]]
    if rows.empty:
        raise Untestable(f"{model} and {', '.join(rivals)} were not compared")
    same = [
        LABELS[int(y), d] for y, d, p in rows[["year", "dataset", "p"]].itertuples(index=False) if not p < threshold
    ]
    count = len(rows) - len(same)
    holds, reason = bounded(count, len(rows), of, at_least - 1)
    sentence = f"p < {threshold:g} on {count} of {len(rows)} sets" + (f"; not on {', '.join(same)}" if same else "")
    return Outcome(holds, sentence, seeds=counted([1]), reason=reason)


def _means(table: pd.DataFrame, year: int | None, weighted: bool) -> pd.Series:
    rows = table if year is None else table[table.index.get_level_values("year") == year]
    weights = np.array([PAIRS[key] if weighted else 1.0 for key in rows.index])
    means = rows.mul(weights, axis=0).sum(min_count=len(rows)) / weights.sum() if len(rows) else pd.Series(dtype=float)
    means.attrs["sets"] = len(rows)
    return means
