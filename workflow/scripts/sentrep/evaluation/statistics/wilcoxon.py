"""Do two models give different similarities? Wilcoxon's signed-rank test, two-sided, set by set.

The test of Kenter et al. (2016, section 3.3): it compares the similarities of two models for the same
pairs, all pairs of a set, scored or not. It says whether outputs differ, not which are better; the human
scores play no part.

The method is pinned, as scipy's own choice varies between versions. Pairs with equal similarities are left
out (Wilcoxon's rule). With at most 50 left and no two differences of equal size the exact distribution is
used, else the normal approximation with the correction for ties and without correction for continuity.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy import stats

from sentrep.errors import SentrepError
from sentrep.evaluation.sts.scoring import DECIMALS

EXACT_LIMIT = 50
THRESHOLD = 0.0001  # the paper's


class Wilcoxon(NamedTuple):
    """Outcome of one test.

    Attributes:
        n: pairs compared.
        zeros: pairs with equal similarities, which are left out.
        statistic: the smaller of the two rank sums; NaN if all are equal.
        p: two-sided; 1 if all are equal.
        method: "exact", "normal approximation" or "none: all equal".
    """

    n: int
    zeros: int
    statistic: float
    p: float
    method: str


def wilcoxon(a: npt.NDArray[np.float64], b: npt.NDArray[np.float64]) -> Wilcoxon:
    """Test whether paired values differ.

    Args:
        a: (n,) similarities of one model.
        b: (n,) similarities of the other, for the same pairs.
    """
    # rounded again: a difference of six-decimal numbers is not one, and ties would be broken by noise
    differences = np.round(a - b, DECIMALS)
    nonzero = differences[differences != 0]
    zeros = len(differences) - len(nonzero)
    if not len(nonzero):
        return Wilcoxon(len(a), zeros, np.nan, 1.0, "none: all equal")
    ties = len(np.unique(np.abs(nonzero))) < len(nonzero)
    exact = len(nonzero) <= EXACT_LIMIT and not ties
    outcome = stats.wilcoxon(
        nonzero,
        zero_method="wilcox",
        correction=False,
        alternative="two-sided",
        method="exact" if exact else "asymptotic",
    )
    method = "exact" if exact else "normal approximation"
    return Wilcoxon(len(a), zeros, float(outcome.statistic), float(outcome.pvalue), method)


def compare_models(similarities: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Test every pair of models on every set.

    Args:
        similarities: per model, a table with columns year, dataset, pair, similarity.

    Returns:
        A row per set and pair of models: year, dataset, model_a, model_b, n, zeros, statistic, p, method.

    Raises:
        SentrepError: two models were not scored on the same pairs.
    """
    keys = ["year", "dataset", "pair"]
    rows = []
    for name_a, name_b in combinations(similarities, 2):
        a, b = similarities[name_a], similarities[name_b]
        if not a[keys].equals(b[keys]):
            raise SentrepError(
                f"similarities of {name_a} and {name_b}",
                expected="the same pairs in the same order",
                found="different ones",
                remedy="score both models again on the same sets",
            )
        for (year, dataset), index in a.groupby(["year", "dataset"], sort=False).indices.items():
            test = wilcoxon(a["similarity"].to_numpy()[index], b["similarity"].to_numpy()[index])
            rows.append((year, dataset, name_a, name_b, *test))
    return pd.DataFrame(rows, columns=["year", "dataset", "model_a", "model_b", *Wilcoxon._fields])
