"""Test whether two models differ in their correlation with human scores, using Williams' test and Holm's correction.

Wilcoxon's test, which Kenter et al. (2016) use, shows only whether two models give different similarities. With
hundreds of pairs, the similarities nearly always differ significantly. Williams' test compares two correlations that
share a variable and were measured on the same pairs (Williams 1959; T2 in Steiger 1980)::

    t = (r_a - r_b) sqrt((n - 1)(1 + r_ab) / (2 (n - 1)/(n - 3) |R| + ((r_a + r_b)/2)^2 (1 - r_ab)^3))

    |R| = 1 - r_a^2 - r_b^2 - r_ab^2 + 2 r_a r_b r_ab

Here n is the number of pairs, r_a and r_b are the Pearson correlations of the two models with the human scores, and
r_ab is the correlation between the similarities of the two models. The statistic t has n - 3 degrees of freedom.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import NamedTuple, cast

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy import stats

from sentrep.evaluation.statistics.wilcoxon import PAIR_KEYS, check_same_pairs
from sentrep.evaluation.sts.scoring import PROTOCOLS

COLUMNS = [
    "protocol",
    "year",
    "dataset",
    "model_a",
    "model_b",
    "n",
    "r_a",
    "r_b",
    "r_ab",
    "t",
    "p",
    "p_holm",
    "wilcoxon_p",
    "wilcoxon_p_holm",
]


class Williams(NamedTuple):
    """The result of Williams' test.

    Attributes:
        t: test statistic, positive if the first correlation is higher; NaN if undefined.
        p: two-sided p-value; NaN if ``t`` is NaN.
    """

    t: float
    p: float


def williams(r_a: float, r_b: float, r_ab: float, n: int) -> Williams:
    """Apply Williams' test to two correlations that share a variable.

    Args:
        r_a: correlation of the first model with the human scores.
        r_b: correlation of the second model with the human scores.
        r_ab: correlation between the similarities of the two models.
        n: number of pairs.

    Returns:
        The statistic and the p-value. Both are NaN if there are fewer than four pairs or the formula is undefined, with
        two exceptions. If r_a equals r_b and r_ab is 1, the statistic is 0 and the p-value is 1. The result is the same
        if r_a and r_b are 0, r_ab is -1, and there are at least four pairs.
    """
    if r_ab >= 1 and r_a == r_b:
        return Williams(0.0, 1.0)
    determinant = 1 - r_a**2 - r_b**2 - r_ab**2 + 2 * r_a * r_b * r_ab
    if n < 4 or not np.isfinite(determinant):
        return Williams(np.nan, np.nan)
    # Rounding errors may make a determinant of zero slightly negative.
    spread = 2 * (n - 1) / (n - 3) * max(determinant, 0.0) + ((r_a + r_b) / 2) ** 2 * (1 - r_ab) ** 3
    if spread <= 0:
        return Williams(0.0, 1.0) if r_a == r_b else Williams(np.nan, np.nan)
    t = (r_a - r_b) * np.sqrt((n - 1) * (1 + r_ab) / spread)
    return Williams(float(t), float(2 * stats.t.sf(abs(t), n - 3)))


def holm(p: Sequence[float] | npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Apply Holm's step-down correction (Holm 1979) to the p-values of a family of tests.

    Args:
        p: (m,) p-values; NaN marks a missing test and stays NaN.

    Returns:
        (m,) adjusted p-values. Rejecting the hypotheses whose adjusted p is at most alpha keeps the family-wise error
        rate at or below alpha.
    """
    values = np.asarray(p, dtype=np.float64)
    adjusted = np.full_like(values, np.nan)
    tested = np.flatnonzero(~np.isnan(values))
    order = tested[np.argsort(values[tested], kind="stable")]
    factors = np.arange(len(order), 0, -1)
    adjusted[order] = np.minimum(np.maximum.accumulate(values[order] * factors), 1.0)
    return adjusted


def compare_correlations(
    similarities: Mapping[str, pd.DataFrame], gold: pd.DataFrame, wilcoxon: pd.DataFrame
) -> pd.DataFrame:
    """Apply Williams' test to every pair of models on every set, and add the p-values of Wilcoxon's test.

    Holm's correction is applied across all sets, separately for each pair of models and each protocol.

    Args:
        similarities: for each model, a table with the columns year, dataset, pair and similarity.
        gold: a table with the columns year, dataset, pair and gold; ``gold`` is NaN for pairs without a human score.
        wilcoxon: results of :func:`sentrep.evaluation.statistics.wilcoxon.compare_models`.

    Returns:
        A table with the columns :data:`COLUMNS`. The protocol "paper" counts missing human scores as 0. The protocol
        "official" drops pairs without a human score; only sets that contain such pairs have rows for this protocol.

    Raises:
        SentrepError: two models were not scored on the same pairs in the same order.
    """
    names = list(similarities)
    if not names:
        return pd.DataFrame(columns=COLUMNS)
    first = similarities[names[0]]
    scores = first[PAIR_KEYS].merge(gold, on=PAIR_KEYS, how="left")["gold"].to_numpy(dtype=np.float64)
    for name in names[1:]:
        check_same_pairs(first, similarities[name], names[0], name)
    values = np.column_stack([similarities[name]["similarity"].to_numpy(dtype=np.float64) for name in names])
    rows = []
    for key, index in first.groupby(["year", "dataset"], sort=False).indices.items():
        year, dataset = cast(tuple[int, str], key)
        for protocol in PROTOCOLS:
            scored = np.isfinite(scores[index])
            if protocol != PROTOCOLS[0] and scored.all():
                continue
            of = index if protocol == PROTOCOLS[0] else index[scored]
            target = np.nan_to_num(scores[of], nan=0.0)
            matrix = _correlations(np.column_stack([target, values[of]]))
            for a, b in combinations(range(len(names)), 2):
                r = float(matrix[0, a + 1]), float(matrix[0, b + 1]), float(matrix[a + 1, b + 1])
                rows.append((protocol, year, dataset, names[a], names[b], len(of), *r, *williams(*r, len(of))))
    frame = pd.DataFrame(rows, columns=COLUMNS[: COLUMNS.index("p_holm")])
    tests = wilcoxon.rename(columns={"p": "wilcoxon_p"})
    on = ["year", "dataset", "model_a", "model_b"]
    frame = frame.merge(tests[[*on, "wilcoxon_p"]], on=on, how="left")
    families = frame.groupby(["protocol", "model_a", "model_b"], sort=False)
    frame["p_holm"] = families["p"].transform(lambda p: holm(p.to_numpy()))
    frame["wilcoxon_p_holm"] = families["wilcoxon_p"].transform(lambda p: holm(p.to_numpy()))
    return frame.reindex(columns=COLUMNS)


def _correlations(columns: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return the correlation matrix of the columns of a matrix; the correlations of constant columns are NaN."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.clip(np.corrcoef(columns, rowvar=False), -1.0, 1.0)
