"""Test the signed-rank test against the enumeration of all signs, and the comparison of models."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from sentrep.errors import SentrepError
from sentrep.evaluation.statistics.wilcoxon import compare_models, wilcoxon


def enumerate_p(differences):
    """Return the two-sided p: the share of all 2^n sign patterns whose rank sum is at least as far from its mean."""
    ranks = stats.rankdata(np.abs(differences))
    centre = ranks.sum() / 2
    observed = abs(ranks[differences > 0].sum() - centre)
    sums = np.array([ranks @ signs for signs in product((0, 1), repeat=len(ranks))])
    return float(np.mean(np.abs(sums - centre) >= observed - 1e-9))


distinct_sizes = st.lists(st.integers(1, 2000), min_size=1, max_size=12, unique=True)


@given(distinct_sizes, st.integers(0, 2**12 - 1), st.integers(0, 3))
@settings(max_examples=40, deadline=None)
def test_exact_equals_enumeration(sizes, signs, zeros):
    differences = np.array([size if signs >> i & 1 else -size for i, size in enumerate(sizes)] + [0] * zeros)
    b = np.linspace(-0.3, 0.3, len(differences)).round(6)
    test = wilcoxon(b + differences / 1e6, b)
    assert test.method == "exact"
    assert (test.n, test.zeros) == (len(sizes) + zeros, zeros)
    assert test.p == pytest.approx(enumerate_p(differences[differences != 0]))


@given(st.lists(st.integers(-6, 6), min_size=1, max_size=80))
@settings(max_examples=40, deadline=None)
def test_swapping_the_models_changes_nothing(steps):
    b = np.linspace(-0.5, 0.5, len(steps)).round(6)
    a = (b + np.array(steps) / 100).round(6)
    there, back = wilcoxon(a, b), wilcoxon(b, a)
    assert there._replace(statistic=0, p=0) == back._replace(statistic=0, p=0)
    assert there.p == pytest.approx(back.p)
    assert 0 <= there.p <= 1


def test_rule_for_the_method():
    b = np.zeros(60)
    steps = np.arange(1, 61) / 1000
    assert wilcoxon(steps[:50], b[:50]).method == "exact"
    assert wilcoxon(steps[:51], b[:51]).method == "normal approximation"
    tied = np.array([0.1, -0.1, 0.2, 0.3])
    assert wilcoxon(tied, b[:4]).method == "normal approximation"
    same = wilcoxon(b, b)
    assert (same.p, same.zeros, same.method) == (1.0, 60, "none: all equal")
    assert np.isnan(same.statistic)


def test_normal_approximation_by_hand():
    differences = np.array([*range(1, 46), *range(-60, -45)]) / 1000  # 60 distinct absolute values without ties
    ranks = np.arange(1, 61)
    statistic = min(ranks[:45].sum(), ranks[45:].sum())
    z = (statistic - 60 * 61 / 4) / np.sqrt(60 * 61 * 121 / 24)
    test = wilcoxon(differences, np.zeros(60))
    assert test.statistic == statistic
    assert test.p == pytest.approx(2 * stats.norm.cdf(z))


def similarity_table(values, years=(2014, 2015)):
    rows = [(year, "images", pair, value) for year in years for pair, value in enumerate(values)]
    return pd.DataFrame(rows, columns=["year", "dataset", "pair", "similarity"])


def test_all_pairs_of_models_and_sets():
    generator = np.random.default_rng(0)
    tables = {name: similarity_table(generator.random(100).round(6)) for name in ("x", "y", "z")}
    tests = compare_models(tables)
    assert list(tests.columns[:4]) == ["year", "dataset", "model_a", "model_b"]
    assert list(tests.columns[4:]) == ["n", "zeros", "statistic", "p", "method"]
    assert tests[["model_a", "model_b", "year"]].values.tolist() == [
        [a, b, year] for a, b in (("x", "y"), ("x", "z"), ("y", "z")) for year in (2014, 2015)
    ]
    assert (tests["n"] == 100).all()


def test_models_scored_on_other_pairs():
    values = np.arange(5) / 10
    with pytest.raises(SentrepError, match="similarities of x and y: expected the same pairs"):
        compare_models({"x": similarity_table(values), "y": similarity_table(values, (2014,))})
