"""Compare the similarities that two models give to a set of pairs, with the two-sided Wilcoxon signed-rank test.

This is the test in section 3.3 of Kenter et al. (2016). It compares the similarities that two models give to all pairs
of a set, including pairs without a human score. Because it does not use human scores, it tests whether the similarities
differ, but not which model is better.

The method is fixed here because scipy's default varies between versions. Pairs with equal similarities are dropped, as
Wilcoxon proposed. If at most 50 pairs remain and no two differences have the same absolute value, p comes from the
exact distribution. Otherwise, it comes from the normal approximation, with correction for ties and without continuity
correction.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import Any, NamedTuple, cast

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
        n: number of pairs.
        zeros: number of pairs with equal similarities, which are dropped.
        statistic: the smaller of the two rank sums; NaN if all pairs are dropped.
        p: two-sided p-value; 1 if all pairs are dropped.
        method: "exact", "normal approximation" or "none: all equal".
    """

    n: int
    zeros: int
    statistic: float
    p: float
    method: str


WILCOXON_COLUMNS = ["year", "dataset", "model_a", "model_b", *Wilcoxon._fields]


def wilcoxon(a: npt.NDArray[np.float64], b: npt.NDArray[np.float64]) -> Wilcoxon:
    """Apply the Wilcoxon signed-rank test to the similarities of two models.

    Args:
        a: (n,) similarities of the first model.
        b: (n,) similarities of the second model, for the same pairs.
    """
    # Differences between rounded numbers are rounded again, so that rounding errors do not break ties.
    differences = np.round(a - b, DECIMALS)
    nonzero = differences[differences != 0]
    zeros = len(differences) - len(nonzero)
    if not len(nonzero):
        return Wilcoxon(len(a), zeros, np.nan, 1.0, "none: all equal")
    ties = len(np.unique(np.abs(nonzero))) < len(nonzero)
    exact = len(nonzero) <= EXACT_LIMIT and not ties
    outcome: Any = stats.wilcoxon(
        nonzero,
        zero_method="wilcox",
        correction=False,
        alternative="two-sided",
        method="exact" if exact else "asymptotic",
    )
    method = "exact" if exact else "normal approximation"
    return Wilcoxon(len(a), zeros, float(outcome.statistic), float(outcome.pvalue), method)


def compare_models(similarities: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Compare every pair of models on every set with the Wilcoxon signed-rank test.

    Args:
        similarities: for each model, a frame with the columns year, dataset, pair and similarity.

    Returns:
        A table with the columns :data:`WILCOXON_COLUMNS` and one row for each set and pair of models.

    Raises:
        SentrepError: two models were not scored on the same pairs.
    """
    rows = []
    for name_a, name_b in combinations(similarities, 2):
        a, b = similarities[name_a], similarities[name_b]
        check_same_pairs(a, b, name_a, name_b)
        for key, index in a.groupby(["year", "dataset"], sort=False).indices.items():
            year, dataset = cast(tuple[int, str], key)
            test = wilcoxon(a["similarity"].to_numpy()[index], b["similarity"].to_numpy()[index])
            rows.append((year, dataset, name_a, name_b, *test))
    return pd.DataFrame(rows, columns=WILCOXON_COLUMNS)


def check_same_pairs(a: pd.DataFrame, b: pd.DataFrame, name_a: str, name_b: str) -> None:
    """Check that two models were scored on the same pairs.

    Args:
        a: similarities of the first model, with the columns year, dataset, pair and similarity.
        b: similarities of the second model, with the same columns.
        name_a: name of the first model, for error messages.
        name_b: name of the second model, for error messages.

    Raises:
        SentrepError: the pairs differ.
    """
    if not a[PAIR_KEYS].equals(b[PAIR_KEYS]):
        raise SentrepError(
            f"similarities of {name_a} and {name_b}",
            expected="the same pairs in the same order",
            found="different pairs",
            remedy="score both models on the same sets again",
        )
