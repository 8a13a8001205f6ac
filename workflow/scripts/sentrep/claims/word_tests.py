"""Tests over ``neighbours.csv`` (norms and neighbours of word vectors) and over learnt weights (figure 3)."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
from scipy import stats

from sentrep.claims.outcome import Outcome, Untestable, counted, judged

FREQUENT = "1,000 most frequent words"


def words_among(
    neighbours: pd.DataFrame, model: str, list: str, words: Sequence[str], printed: Sequence[str], at_least: int
) -> Outcome:
    """At least so many of the model's words of extreme norm are among ``words``.

    Args:
        neighbours: lists of words.
        model: whose words.
        list: "lowest norm" or "highest norm".
        words: those that fit the claim.
        printed: the paper's own list, for the sentence.
        at_least: number.
    """
    found = _words(neighbours, model, list, "all words")
    fitting = [word for word in found if word in words]
    same = [word for word in found if word in printed]
    sentence = (
        f"{list}: {', '.join(found)}; {len(fitting)} of {len(found)} fit, {len(same)} are of the paper's {len(printed)}"
    )
    others = [name for name in dict.fromkeys(neighbours["model"]) if name != model]
    floor = "; ".join(
        f"{name} ({FREQUENT}): {sum(word in words for word in _words(neighbours, name, list, FREQUENT))} fit"
        for name in others
    )
    return Outcome(len(fitting) >= at_least, sentence, floor, counted([1]))


def closely_related(neighbours: pd.DataFrame, model: str, query: str, words: Sequence[str]) -> Outcome:
    """The words above the paper's cosine are these and no others."""
    rows, count = _nearest(neighbours, model, query)
    sentence = f"{model}, {query}: {_shown(rows)}; {count} words above the cosine"
    return Outcome(count == len(words) and set(rows["word"]) == set(words), sentence, seeds=counted([1]))


def includes_related(neighbours: pd.DataFrame, models: Sequence[str], query: str, words: Sequence[str]) -> Outcome:
    """For one of the models all of these words are above the paper's cosine.

    The table lists the nearest of them only; where it stops before the last, it leaves open what it does not show.
    """
    parts, holds, cut = [], False, []
    for model in models:
        rows, count = _nearest(neighbours, model, query)
        holds = holds or set(words) <= set(rows["word"])
        cut += [f"the table lists {len(rows)} of {count:,} words of {model}"] if len(rows) < count else []
        parts.append(f"{model}, {query}: {_shown(rows)}; {count} words above the cosine")
    decided = holds or not cut
    return Outcome(holds if decided else None, "; ".join(parts), seeds=counted([1]), reason="; ".join(cut))


def nearest_is(neighbours: pd.DataFrame, models: Sequence[str], query: str, word: str) -> Outcome:
    """For one of the models the nearest word is this one."""
    found = {model: _nearest(neighbours, model, query)[0] for model in models}
    holds = any(len(rows) > 0 and rows["word"].iloc[0] == word for rows in found.values())
    sentence = "; ".join(f"{model}, {query}: {_shown(rows)}" for model, rows in found.items())
    return Outcome(holds, sentence, seeds=counted([1]))


def fewer_related(neighbours: pd.DataFrame, model: str, rivals: Sequence[str], queries: Sequence[str]) -> Outcome:
    """For every query fewer words are above the paper's cosine than for every rival."""
    counts = {q: {name: _nearest(neighbours, name, q)[1] for name in [model, *rivals]} for q in queries}
    sentence = "; ".join(f"{q}: " + ", ".join(f"{name} {n}" for name, n in of.items()) for q, of in counts.items())
    holds = all(of[model] < of[rival] for of in counts.values() for rival in rivals)
    return Outcome(holds, sentence, seeds=counted([1]))


def weights_fall(weights: pd.DataFrame, losses: Sequence[str], least: float) -> Outcome:
    """Learnt weights fall with the place in the idf order: Spearman's rho is at most ``-least``."""
    parts, holds = [], True
    for loss in losses:
        of = _weights(weights, loss)
        rho = float(stats.spearmanr(of.index, of.to_numpy())[0])
        holds = holds and rho <= -least
        parts.append(f"{loss}: {of.iloc[0]:.3f} to {of.iloc[-1]:.3f}, rank correlation with the place {rho:.3f}")
    return Outcome(holds, "; ".join(parts), seeds=counted([1]))


def weight_ratio(weights: pd.DataFrame, loss: str, index: int, at_most: float) -> Outcome:
    """The weight at one place is at most so large a part of the first."""
    of = _weights(weights, loss)
    ratio = of[index] / of[1]
    sentence = f"{loss}: weight {index} is {ratio:.2f} of the first ({of[index]:.3f} of {of[1]:.3f})"
    return Outcome(judged(ratio <= at_most), sentence, seeds=counted([1]))


def weights_near_zero(weights: pd.DataFrame, losses: Sequence[str], start: int, at_most: float) -> Outcome:
    """From one place on all weights are at most so large a part of the largest."""
    parts, holds = [], True
    for loss in losses:
        of = _weights(weights, loss)
        share = float(of[of.index >= start].abs().max() / of.abs().max())
        holds = holds and share <= at_most
        parts.append(f"{loss}: at most {share:.3f} of the largest weight from place {start} on")
    return Outcome(holds, "; ".join(parts), seeds=counted([1]))


def stops_within(weights: pd.DataFrame, losses: Sequence[str], updates: int) -> Outcome:
    """Training stops by its own rule after at most so many updates."""
    parts, holds = [], True
    for loss in losses:
        rows = weights[(weights["source"] == "ours") & (weights["loss"] == loss)]
        if rows.empty:
            raise Untestable(f"the run has no weights of the {loss} loss")
        made, stopped = int(rows["updates"].iloc[0]), str(rows["stopped"].iloc[0])
        holds = holds and stopped == "converged" and made <= updates
        parts.append(f"{loss}: {made:,} updates, {stopped.replace('_', ' ')}")
    return Outcome(holds, "; ".join(parts), seeds=counted([1]))


def _words(neighbours: pd.DataFrame, model: str, kind: str, scope: str) -> list[str]:
    rows = neighbours[
        (neighbours["model"] == model) & (neighbours["list"] == kind) & (neighbours["scope"] == scope)
    ].sort_values("rank")
    return [str(word) for word in rows["word"]]


def _nearest(neighbours: pd.DataFrame, model: str, query: str) -> tuple[pd.DataFrame, int]:
    """Return the rows of the nearest words that a table lists, and how many there are above the cosine."""
    of = neighbours[(neighbours["model"] == model) & (neighbours["list"] == "nearest")]
    if query not in set(neighbours["query"].dropna()):
        raise Untestable(f"the run has no neighbours of '{query}'")
    rows = of[(of["query"] == query) & of["word"].notna()].sort_values("rank")
    return rows, int(rows["found"].iloc[0]) if len(rows) else 0


def _shown(rows: pd.DataFrame) -> str:
    first = rows.head(5)
    return (
        ", ".join(f"{word} {cosine:.2f}" for word, cosine in zip(first["word"], first["cosine"], strict=True)) or "none"
    )


def _weights(weights: pd.DataFrame, loss: str) -> pd.Series:
    rows = weights[(weights["source"] == "ours") & (weights["loss"] == loss)]
    if rows.empty:
        raise Untestable(f"the run has no weights of the {loss} loss")
    return rows.groupby("index")["weight"].mean().sort_index()
