"""Test whether models differ in their mean correlation with human scores, using bootstrap confidence intervals.

The mean is over several sets of sentence pairs. In each bootstrap draw (see
:mod:`sentrep.evaluation.statistics.bootstrap`), the same pairs are drawn for all models.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

import numpy as np
import pandas as pd

from sentrep.evaluation.statistics.bootstrap import SET_SEED, Floats, correlation_draws, interval
from sentrep.evaluation.sts.sets import STANDARD

SetKey = tuple[int, str]


class Difference(NamedTuple):
    """The difference between the mean correlations of two models.

    Attributes:
        model_a: name of the first model.
        model_b: name of the second model.
        difference: mean correlation of the first model minus mean correlation of the second.
        low: lower end of the 95% confidence interval of the difference.
        high: upper end of the 95% confidence interval of the difference.
    """

    model_a: str
    model_b: str
    difference: float
    low: float
    high: float

    @property
    def significant(self) -> bool:
        """Whether the confidence interval excludes zero."""
        return self.low > 0 or self.high < 0


@dataclass(frozen=True)
class Paired:
    """The Pearson correlations of k models with the human scores of s sets, over all pairs and in each bootstrap draw.

    Attributes:
        models: names of the k models.
        sets: year and name of the s sets.
        measured: (s, k) correlations over all pairs.
        draws: (s, DRAWS, k) correlations over the drawn pairs.
    """

    models: list[str]
    sets: list[SetKey]
    measured: Floats
    draws: Floats

    def of_set(self, key: SetKey, model: str) -> tuple[float, float, float]:
        """Return the correlation of a model on a set, and both ends of its 95% confidence interval."""
        row, column = self.sets.index(key), self.models.index(model)
        return (float(self.measured[row, column]), *interval(self.draws[row, :, column]))

    def mean(self, model: str) -> tuple[float, float, float]:
        """Return the mean correlation of a model over the sets, and both ends of its 95% confidence interval."""
        column = self.models.index(model)
        return (float(self.measured[:, column].mean()), *interval(self.draws[:, :, column].mean(axis=0)))

    def differences(self) -> list[Difference]:
        """Return, for each pair of models, the difference between their mean correlations."""
        means, draws = self.measured.mean(axis=0), self.draws.mean(axis=0)
        return [
            Difference(self.models[a], self.models[b], float(means[a] - means[b]), *interval(draws[:, a] - draws[:, b]))
            for a, b in combinations(range(len(self.models)), 2)
        ]


def compare(similarities: Mapping[str, pd.DataFrame], gold: pd.DataFrame, protocol: str) -> Paired:
    """Return the correlations of models with the human scores of each set, over all pairs and in each bootstrap draw.

    The draws for the SemEval sets are those that the workflow uses.

    Args:
        similarities: for each model, a table with the columns year, dataset, pair and similarity. All tables have the
            same pairs in the same order.
        gold: a table with the columns year, dataset, pair and gold. It has the same pairs as the tables in
            ``similarities``, in the same order.
        protocol: "paper" counts missing human scores as 0, and "official" drops pairs without a human score.
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
        place = places.get(key, len(STANDARD) + number)
        results.append(correlation_draws(values[used], target, SET_SEED + place))
    return Paired(list(similarities), keys, *(np.array(part) for part in zip(*results, strict=True)))


def verdict(differences: Sequence[Difference], models: Sequence[str], baselines: Sequence[str], where: str) -> str:
    """Return a sentence that states which models differ significantly from each other and from untrained baselines.

    The sentence is empty if ``differences`` contains no comparison of a model with another model or with a baseline.

    Args:
        differences: differences between two models, between two baselines, or between a model and a baseline.
        models: names of the models to compare.
        baselines: names of the untrained baselines.
        where: name of the compared quantity, such as "mean Pearson's r over 20 sets".
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
            "not comparable with": [other for other, d in found.items() if math.isnan(d.low)],
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
    basis = "based on 95% confidence intervals from a bootstrap over sentence pairs"
    return f"Comparison by {where}: {'; '.join(clauses)} ({basis})."


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
