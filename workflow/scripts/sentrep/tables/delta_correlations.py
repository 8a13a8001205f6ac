"""Our correlations for printed cells, with bootstrap intervals over sentence pairs."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from sentrep.evaluation.statistics.bootstrap import METRICS, Draws, bootstrap, interval
from sentrep.evaluation.sts.sets import STANDARD
from sentrep.tables.comparison import AVERAGE, LABELS, SetKey
from sentrep.tables.delta_values import CellKey, Ours
from sentrep.tables.quick_thoughts import OVERALL, PAIRS, YEAR
from sentrep.tables.reported import Reported

NO_SIMILARITIES = "no interval: similarities of single pairs are not at hand"


def correlation_values(
    scores: pd.DataFrame,
    models: Sequence[Mapping[str, Any]],
    papers: Mapping[str, Reported],
    similarities: Mapping[str, Sequence[pd.DataFrame]],
    gold: pd.DataFrame | None,
    seed: int,
) -> dict[CellKey, Ours]:
    """Return our value of every printed correlation, by cell: sets, means of a year and overall values.

    Args:
        scores: the long table of scores; the paper's protocol is used, in which pairs without a score count as 0.
        models: {"id", "seeds", "reported": [{paper, table, column}]} of each.
        papers: printed values.
        similarities: by model, those of each seed: year, dataset, pair, similarity.
        gold: year, dataset, pair, gold; None: no intervals.
        seed: of the bootstrap.
    """
    draws = {} if gold is None else bootstrap(similarities, gold, seed)
    table = scores[(scores["protocol"] == "paper") & scores["pearson"].notna()]
    found: dict[CellKey, Ours] = {}
    for model in models:
        rows = table[(table["model"] == model["id"]) & table["seed"].isin(model["seeds"])]
        for metric in METRICS:
            by_seed = rows.pivot_table(index=["year", "dataset"], columns="seed", values=metric)
            own = {key: row for key, row in by_seed.iterrows() if key in LABELS and row.notna().all()}
            for entry in model["reported"]:
                paper, number = papers[entry["paper"]], entry["table"]
                for row in paper.rows(number):
                    if paper.text(number, row, entry["column"], metric) is None:
                        continue
                    weights = row_weights(row)
                    if weights and set(weights) <= set(own):
                        value = _mean(model["id"], metric, own, weights, draws)
                        found[(entry["paper"], str(number), row, entry["column"], metric)] = value
    return found


def row_weights(row: str) -> dict[SetKey, float]:
    """Return the sets that a printed row is about, and their weights in its value; none for other rows."""
    by_label = {label: key for key, label in ((k, f"{k[0]} {label}") for k, label in LABELS.items())}
    if row in by_label:
        return {by_label[row]: 1.0}
    if row == OVERALL:
        return {(YEAR, name): float(pairs) for name, pairs in PAIRS.items()}
    year, _, rest = row.partition(" ")
    if rest == AVERAGE:
        return {(s.year, s.dataset): 1.0 for s in STANDARD if str(s.year) == year}
    return {}


def _mean(
    model: str, metric: str, own: Mapping[SetKey, pd.Series], weights: Mapping[SetKey, float], draws: Draws
) -> Ours:
    """Return the weighted mean over sets: over seeds, and in each draw."""
    total = sum(weights.values())
    seeds = sum(own[key].to_numpy(dtype=np.float64) * weight for key, weight in weights.items()) / total
    sd = float(np.std(seeds, ddof=1)) if len(seeds) > 1 else math.nan
    if any((model, metric, key) not in draws for key in weights):
        return Ours(model, float(np.mean(seeds)), sd, note=NO_SIMILARITIES)
    samples = sum(draws[model, metric, key] * weight for key, weight in weights.items()) / total
    return Ours(model, float(np.mean(seeds)), sd, *interval(samples))
