"""Compare models on sets of sentence pairs: mean correlations, differences, intervals, and a verdict in words.

The draws are those of :mod:`sentrep.evaluation.statistics.bootstrap`: all models share the drawn pairs of a set.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

import numpy as np
import pandas as pd

from sentrep.evaluation.statistics.bootstrap import Floats, correlation_draws, interval
from sentrep.evaluation.sts.sets import STANDARD

SetKey = tuple[int, str]


class Difference(NamedTuple):
    """The difference of two models' mean correlations.

    Attributes:
        model_a: the first model.
        model_b: the second model.
        difference: mean of the first minus that of the second.
        low: lower end of its 95% interval.
        high: upper end of its 95% interval.
    """

    model_a: str
    model_b: str
    difference: float
    low: float
    high: float

    @property
    def significant(self) -> bool:
        """Whether the interval excludes zero."""
        return self.low > 0 or self.high < 0


@dataclass(frozen=True)
class Paired:
    """Pearson correlations of models on the same sets, as measured and in each draw.

    Attributes:
        models: k names.
        sets: s keys.
        measured: (s, k) correlations.
        draws: (s, draws, k) correlations.
    """

    models: list[str]
    sets: list[SetKey]
    measured: Floats
    draws: Floats

    def of_set(self, key: SetKey, model: str) -> tuple[float, float, float]:
        """Return the correlation of a model on a set and the ends of its 95% interval."""
        row, column = self.sets.index(key), self.models.index(model)
        return (float(self.measured[row, column]), *interval(self.draws[row, :, column]))

    def mean(self, model: str) -> tuple[float, float, float]:
        """Return the mean correlation of a model over the sets and the ends of its 95% interval."""
        column = self.models.index(model)
        return (float(self.measured[:, column].mean()), *interval(self.draws[:, :, column].mean(axis=0)))

    def differences(self) -> list[Difference]:
        """Return the differences of the means of all pairs of models."""
        means, draws = self.measured.mean(axis=0), self.draws.mean(axis=0)
        return [
            Difference(self.models[a], self.models[b], float(means[a] - means[b]), *interval(draws[:, a] - draws[:, b]))
            for a, b in combinations(range(len(self.models)), 2)
        ]


def compare(similarities: Mapping[str, pd.DataFrame], gold: pd.DataFrame, protocol: str, seed: int = 1) -> Paired:
    """Correlate the similarities of models with human scores.

    Args:
        similarities: year, dataset, pair, similarity by model, the same pairs in the same order for all.
        gold: year, dataset, pair, gold, in that order.
        protocol: "paper" counts pairs without a human score as 0, "official" drops them.
        seed: seed of the draws; 1 gives the intervals of a run's tables.
    """
    values = np.column_stack([frame["similarity"].to_numpy(np.float64) for frame in similarities.values()])
    scores = gold["gold"].to_numpy(np.float64)
    places = {(standard.year, standard.dataset): place for place, standard in enumerate(STANDARD)}
    keys = list(dict.fromkeys(zip(gold["year"].tolist(), gold["dataset"].tolist(), strict=True)))
    results = []
    for number, key in enumerate(keys):
        used = ((gold["year"] == key[0]) & (gold["dataset"] == key[1])).to_numpy()
        if protocol == "official":
            used = used & np.isfinite(scores)
        target = np.nan_to_num(scores[used])
        of_set = seed * 1000 + places.get(key, len(STANDARD) + number)
        results.append(correlation_draws(values[used], target, of_set))
    return Paired(list(similarities), keys, *(np.array(part) for part in zip(*results, strict=True)))


def verdict(differences: Sequence[Difference], models: Sequence[str], baselines: Sequence[str], where: str) -> str:
    """Return a sentence that says which differences between models, and to baselines, are significant.

    Args:
        differences: differences of all pairs.
        models: the models to compare.
        baselines: the untrained baselines.
        where: description of the means.
    """
    by_pair = {(d.model_a, d.model_b): d for d in differences}
    clauses = []
    for number, model in enumerate(models):
        others = [*models[number + 1 :], *baselines]
        found = {other: by_pair[model, other] for other in others if (model, other) in by_pair}
        groups = {
            "above": [other for other, d in found.items() if d.low > 0],
            "below": [other for other, d in found.items() if d.high < 0],
            "not distinguishable from": [other for other, d in found.items() if d.low <= 0 <= d.high],
            "of undefined difference to": [other for other, d in found.items() if math.isnan(d.low)],
        }
        parts = [
            f"{'significantly ' if word in ('above', 'below') else ''}{word} {_listed(names)}"
            for word, names in groups.items()
            if names
        ]
        if parts:
            clauses.append(f"{model} is {', '.join(parts)}")
    if not clauses:
        return ""
    return f"By {where}: {'; '.join(clauses)} (95% bootstrap intervals over sentence pairs)."


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
