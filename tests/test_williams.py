"""Test Williams' test and Holm's correction against independent formulas and definitions."""

from itertools import combinations, permutations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from sentrep.errors import SentrepError
from sentrep.evaluation.statistics.wilcoxon import compare_models
from sentrep.evaluation.statistics.williams import COLUMNS, compare_correlations, holm, williams
from sentrep.evaluation.sts.sets import StsSet, gold_scores

RNG = np.random.default_rng(7)


def by_matrix(r_a, r_b, r_ab, n):
    """Compute the statistic from the determinant of the correlation matrix, term by term."""
    matrix = np.array([[1, r_a, r_b], [r_a, 1, r_ab], [r_b, r_ab, 1]])
    mean = (r_a + r_b) / 2
    numerator = (n - 1) * (1 + r_ab)
    denominator = 2 * ((n - 1) / (n - 3)) * np.linalg.det(matrix) + mean**2 * (1 - r_ab) ** 3
    t = (r_a - r_b) * np.sqrt(numerator / denominator)
    return t, 2 * stats.t(n - 3).cdf(-abs(t))


@pytest.mark.parametrize(("n", "r"), [(103, (0.4, 0.5, 0.1)), (750, (0.61, 0.58, 0.9)), (26, (-0.2, 0.3, 0.4))])
def test_formula(n, r):
    assert williams(*r, n) == pytest.approx(by_matrix(*r, n), rel=1e-9)


def test_published_example():
    """Check case A of Steiger 1980: the R package psych gives t = -0.89, p < 0.37 for r.test(103, .4, .5, .1)."""
    test = williams(0.4, 0.5, 0.1, 103)
    assert (round(test.t, 2), round(test.p, 2)) == (-0.89, 0.37)


def test_symmetry_and_edges():
    forwards, backwards = williams(0.5, 0.4, 0.3, 50), williams(0.4, 0.5, 0.3, 50)
    assert forwards.t == -backwards.t
    assert forwards.p == backwards.p
    assert williams(0.5, 0.5, 1.0, 50) == (0.0, 1.0)
    assert np.isnan(williams(0.5, 0.4, 0.3, 3)).all()
    assert np.isnan(williams(np.nan, 0.4, 0.3, 30)).all()


def test_p_is_uniform_where_the_correlations_are_equal():
    """In 2,000 samples of three normal variables with r_a = r_b, p is below .05 in 5%, within three standard errors."""
    covariance = [[1, 0.5, 0.5], [0.5, 1, 0.6], [0.5, 0.6, 1]]
    p = []
    for _ in range(2000):
        r = np.corrcoef(RNG.multivariate_normal(np.zeros(3), covariance, size=40), rowvar=False)
        p.append(williams(r[0, 1], r[0, 2], r[1, 2], 40).p)
    share = np.mean(np.array(p) < 0.05)
    assert abs(share - 0.05) < 3 * np.sqrt(0.05 * 0.95 / 2000)
    assert stats.kstest(p, "uniform").pvalue > 0.001


def by_closed_test(p):
    """Return Holm's adjusted p: the largest Bonferroni p over all subsets that contain the hypothesis."""
    adjusted = []
    for i in range(len(p)):
        others = [j for j in range(len(p)) if j != i]
        subsets = [(i, *chosen) for size in range(len(p)) for chosen in combinations(others, size)]
        adjusted.append(max(min(1.0, len(subset) * min(p[j] for j in subset)) for subset in subsets))
    return adjusted


@given(st.lists(st.floats(0, 1), min_size=1, max_size=6))
def test_holm_is_the_closed_bonferroni_test(p):
    assert holm(p) == pytest.approx(by_closed_test(p), abs=1e-12)


def test_holm_by_hand():
    # 4 x .01, 3 x .02, then never below an earlier value: 2 x .022 = .044 becomes .06; the last is .9
    assert holm([0.9, 0.01, 0.022, 0.02]) == pytest.approx([0.9, 0.04, 0.06, 0.06])
    for order in permutations(range(3)):
        values = np.array([0.03, 0.5, 0.01])[list(order)]
        assert holm(values) == pytest.approx(np.array([0.06, 0.5, 0.03])[list(order)])
    with_gap = holm([0.01, np.nan, 0.04])
    assert np.isnan(with_gap[1])
    assert with_gap[[0, 2]] == pytest.approx([0.02, 0.04])


def sets():
    gold = RNG.uniform(0, 5, 30)
    partly = np.where(np.arange(40) % 2, np.nan, RNG.uniform(0, 5, 40))
    return [StsSet(2014, "images", [""] * 30, [""] * 30, gold), StsSet(2015, "belief", [""] * 40, [""] * 40, partly)]


def similarity(found, noise):
    """Return similarities that follow the gold scores more closely if there is less noise."""
    frames = []
    for sts in found:
        values = np.nan_to_num(sts.gold) / 5 + noise * RNG.normal(size=sts.pairs)
        frames.append(
            pd.DataFrame({"year": sts.year, "dataset": sts.dataset, "pair": range(sts.pairs), "similarity": values})
        )
    return pd.concat(frames, ignore_index=True)


def test_models_are_compared_on_every_set():
    found = sets()
    similarities = {"a": similarity(found, 0.1), "b": similarity(found, 1.0), "c": similarity(found, 1.0)}
    frame = compare_correlations(similarities, gold_scores(found), compare_models(similarities))
    assert list(frame.columns) == COLUMNS
    places = set(zip(frame["protocol"], frame["dataset"], strict=True))
    assert places == {("paper", "images"), ("paper", "belief"), ("official", "belief")}
    assert len(frame) == 9
    assert set(frame.loc[frame["protocol"] == "official", "n"]) == {20}
    for row in frame.itertuples():
        sts = found[0] if row.dataset == "images" else found[1]
        kept = np.isfinite(sts.gold) if row.protocol == "official" else np.ones(sts.pairs, bool)
        gold = np.nan_to_num(sts.gold)[kept]
        a, b = (
            f.loc[f["dataset"] == row.dataset, "similarity"].to_numpy()[kept]
            for f in (similarities[row.model_a], similarities[row.model_b])
        )
        r = [stats.pearsonr(x, y)[0] for x, y in ((a, gold), (b, gold), (a, b))]
        assert [row.r_a, row.r_b, row.r_ab] == pytest.approx(r)
        assert (row.t, row.p) == pytest.approx(by_matrix(*r, len(gold)), rel=1e-6)
    of_pair = frame[(frame["model_a"] == "a") & (frame["model_b"] == "b") & (frame["protocol"] == "paper")]
    assert of_pair["p_holm"].to_numpy() == pytest.approx(holm(of_pair["p"].to_numpy()))
    assert of_pair["wilcoxon_p_holm"].to_numpy() == pytest.approx(holm(of_pair["wilcoxon_p"].to_numpy()))
    assert (of_pair["t"] > 0).all()
    assert (of_pair["p"] < 0.01).all()


def test_models_of_other_pairs_are_refused():
    found = sets()
    a, b = similarity(found, 1.0), similarity(found[:1], 1.0)
    with pytest.raises(SentrepError, match="similarities of a and b"):
        compare_correlations({"a": a, "b": b}, gold_scores(found), pd.DataFrame())
