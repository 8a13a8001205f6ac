"""What a computation over result tables says about a claim."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from sentrep.evaluation.sts.sets import STANDARD
from sentrep.tables.layout import correlation

PROTOCOL, OFFICIAL = "paper", "official"
FLOORS = ("random", "random_idf", "tfidf")
LABELS = {(standard.year, standard.dataset): f"{standard.year} {standard.label}" for standard in STANDARD}


class Untestable(Exception):  # noqa: N818 - not an error: the run lacks what the claim is about
    """The tables hold too little to compute with; the text says what is missing."""


@dataclass(frozen=True)
class Outcome:
    """Result of one test.

    Attributes:
        holds: whether the claim holds by the numbers at hand; None: they leave it open.
        ours: a sentence made from them.
        floor: the same of untrained models, where that says something.
        seeds: numbers of seeds, as ``3`` or ``1 to 3``.
        reason: why it is left open.
    """

    holds: bool | None
    ours: str
    floor: str = ""
    seeds: str = ""
    reason: str = ""


def judged(value: bool) -> bool:
    """Return a plain bool of what may be numpy's."""
    return bool(value)


def counted(seeds: Iterable[int]) -> str:
    """Say how many seeds several values are means of."""
    numbers = sorted(set(map(int, seeds)))
    return "" if not numbers else str(numbers[0]) if len(numbers) == 1 else f"{numbers[0]} to {numbers[-1]}"


def bounded(count: int, known: int, of: int, needed: float) -> tuple[bool | None, str]:
    """Judge ``count`` of ``known`` cases where the claim is about ``of`` of them, some missing.

    Args:
        count: cases that agree with the claim.
        known: cases at hand.
        of: all cases.
        needed: the claim holds if more than this many agree.

    Returns:
        True, False or, where the missing cases decide, None; and the reason of the last.
    """
    missing = max(of - known, 0)
    if count > needed:
        return True, ""
    if count + missing <= needed:
        return False, ""
    return None, f"{count} of {known} agree; {missing} missing of {of} would decide"


def wide(scores: pd.DataFrame, protocol: str = PROTOCOL) -> pd.DataFrame:
    """Return Pearson's r by set and model, means over seeds.

    Args:
        scores: the long table of scores.
        protocol: "paper" or "official".

    Returns:
        Index (year, dataset) in the paper's order, the 20 sets that have values; a column per model.
    """
    rows = scores[(scores["protocol"] == protocol) & scores["pearson"].notna()]
    table = rows.pivot_table(index=["year", "dataset"], columns="model", values="pearson", aggfunc="mean")
    return table.loc[[key for key in LABELS if key in table.index]]


def seeds_of(frame: pd.DataFrame, models: Sequence[str]) -> str:
    """Say how many seeds some models have in a long table."""
    rows = frame[frame["model"].isin(models)]
    return counted(rows.groupby("model")["seed"].nunique())


def key_of(table: pd.DataFrame, label: str) -> tuple[int, str]:
    """Return the key of a set named as in the paper's tables: ``2012 MSRvid``.

    Raises:
        Untestable: the run has no such set.
    """
    keys = [key for key, name in LABELS.items() if name == label]
    if not keys or keys[0] not in table.index:
        raise Untestable(f"this run has no scores on {label}")
    return keys[0]


def floors_on(table: pd.DataFrame, model: str) -> str:
    """Compare a model with the untrained floors over the sets of a table, as :func:`wide` returns it."""
    texts = []
    for floor in (name for name in FLOORS if name in table.columns and name != model):
        above = int((table[floor] > table[model]).sum())
        texts.append(f"{floor} mean {correlation(table[floor].mean())}, above {model} on {above} of {len(table)}")
    return "; ".join(texts)


def listed(values: Mapping[str, float]) -> str:
    """Write correlations by name: ``a .4379, b .3740``."""
    return ", ".join(f"{name} {correlation(value)}" for name, value in values.items())
