"""Test whether two models give different similarities to sentence pairs, using the two-sided Wilcoxon signed-rank test.

This is the test in section 3.3 of Kenter et al. (2016). It includes pairs without a human score. Because it does not
use human scores, it tests whether the similarities differ, but not which model is better.

The method of computing the p-value is fixed here, because the default method of scipy varies between versions. Pairs to
which both models give the same similarity are dropped, as Wilcoxon proposed. If at most 50 pairs remain and no two of
them have the same absolute difference in similarity, the p-value is computed from the exact distribution. Otherwise, it
is computed from the normal approximation, with a correction for ties and without a continuity correction.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy import stats

from sentrep.errors import SentrepError
from sentrep.evaluation.sts.scoring import DECIMALS

EXACT_LIMIT = 50
PAIR_KEYS = ["year", "dataset", "pair"]


class Wilcoxon(NamedTuple):
    """The result of a Wilcoxon signed-rank test.

    Attributes:
        n: number of pairs, including the pairs that are dropped.
        zeros: number of pairs that are dropped because both models give them the same similarity.
        statistic: the smaller of the two rank sums; NaN if all pairs are dropped.
        p: two-sided p-value; 1 if all pairs are dropped.
        method: how ``p`` was computed, "exact" or "normal approximation"; "none: all equal" if all pairs are dropped.
    """

    n: int
    zeros: int
    statistic: float
    p: float
    method: str


WILCOXON_COLUMNS = ["year", "dataset", "model_a", "model_b", *Wilcoxon._fields]


def wilcoxon(a: npt.NDArray[np.float64], b: npt.NDArray[np.float64]) -> Wilcoxon:
    """Test whether the similarities of two models differ, using the two-sided Wilcoxon signed-rank test.

    Args:
        a: (n,) similarities of the first model.
        b: (n,) similarities of the second model, for the same pairs.
    """
    return _wilcoxon_rows((a - b)[None])[0]


def _wilcoxon_rows(differences: npt.NDArray[np.float64]) -> list[Wilcoxon]:
    """Apply the Wilcoxon signed-rank test to each row of a (tests, n) array of differences.

    Rows with the same number of nonzero differences and the same method (exact or normal approximation) are tested in a
    single call of scipy.
    """
    # Differences between rounded numbers are rounded again, so that rounding errors do not break ties.
    rounded = np.round(differences, DECIMALS)
    n = rounded.shape[1]
    results = [Wilcoxon(n, n, np.nan, 1.0, "none: all equal")] * len(rounded)
    of_kind: dict[tuple[int, str], list[int]] = {}
    for place, row in enumerate(rounded):
        nonzero = row[row != 0]
        if not len(nonzero):
            continue
        exact = len(nonzero) <= EXACT_LIMIT and len(np.unique(np.abs(nonzero))) == len(nonzero)
        of_kind.setdefault((len(nonzero), "exact" if exact else "normal approximation"), []).append(place)
    for (size, method), places in of_kind.items():
        chosen = rounded[places]
        outcome: Any = stats.wilcoxon(
            chosen[chosen != 0].reshape(len(places), size),
            zero_method="wilcox",
            correction=False,
            alternative="two-sided",
            method="exact" if method == "exact" else "asymptotic",
            axis=1,
        )
        for place, statistic, p in zip(places, outcome.statistic, outcome.pvalue, strict=True):
            results[place] = Wilcoxon(n, n - size, float(statistic), float(p), method)
    return results


def compare_models(similarities: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Apply the Wilcoxon signed-rank test to every pair of models on every set.

    Args:
        similarities: for each model, a table with the columns year, dataset, pair and similarity.

    Returns:
        A table with the columns :data:`WILCOXON_COLUMNS` and one row for each set and each pair of models.

    Raises:
        SentrepError: two models were not scored on the same pairs in the same order.
    """
    compared = list(combinations(similarities, 2))
    for name_a, name_b in compared:
        check_same_pairs(similarities[name_a], similarities[name_b], name_a, name_b)
    if not compared:
        return pd.DataFrame(columns=WILCOXON_COLUMNS)
    values = {name: frame["similarity"].to_numpy() for name, frame in similarities.items()}
    tests: dict[Any, list[Wilcoxon]] = {}
    for key, index in next(iter(similarities.values())).groupby(["year", "dataset"], sort=False).indices.items():
        tests[key] = _wilcoxon_rows(np.stack([values[a][index] - values[b][index] for a, b in compared]))
    rows = [(*key, *names, *of_set[place]) for place, names in enumerate(compared) for key, of_set in tests.items()]
    return pd.DataFrame(rows, columns=WILCOXON_COLUMNS)


def check_same_pairs(a: pd.DataFrame, b: pd.DataFrame, name_a: str, name_b: str) -> None:
    """Check that two models were scored on the same pairs in the same order.

    Args:
        a: similarities of the first model, with the columns year, dataset, pair and similarity.
        b: similarities of the second model, with the same columns.
        name_a: name of the first model, for error messages.
        name_b: name of the second model, for error messages.

    Raises:
        SentrepError: the pairs differ or are in a different order.
    """
    if not a[PAIR_KEYS].equals(b[PAIR_KEYS]):
        raise SentrepError(
            f"similarities of {name_a} and {name_b}",
            expected="the same pairs in the same order",
            found="different pairs or a different order",
            remedy="score both models again, on the same sets",
        )
