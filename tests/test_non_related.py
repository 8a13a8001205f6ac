"""Test non-related pairs: partners from other articles, and the pool of the released code."""

from collections import Counter

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from sentrep.pairs.non_related import from_other_articles, from_pool, surplus


class TestNonRelated:
    @settings(max_examples=80, deadline=None)
    @given(st.lists(st.integers(1, 8), min_size=1, max_size=12), st.integers(0, 1000))
    def test_partners_are_of_other_articles(self, sizes, seed):
        article = np.repeat(np.arange(len(sizes)), sizes)
        kept = article[~surplus(article)]
        assert len(kept) == min(sum(sizes), 2 * (sum(sizes) - max(sizes)))
        partner = from_other_articles(kept, np.random.default_rng(seed)) if len(kept) else np.zeros(0, np.int64)
        assert sorted(partner) == list(range(len(kept)))
        assert (kept[partner] != kept).all()

    def test_rotation_where_no_shuffle_can_be_mended(self, monkeypatch):
        monkeypatch.setattr("sentrep.pairs.non_related.TRIES", 0)
        article = np.array([0, 1, 0, 2, 0, 1])
        partner = from_other_articles(article, np.random.default_rng(0))
        assert sorted(partner) == list(range(6))
        assert (article[partner] != article).all()

    def test_partners_are_random(self):
        article = np.arange(5000) // 10
        partner = from_other_articles(article, np.random.default_rng(1))
        assert abs(np.corrcoef(np.arange(5000), partner)[0, 1]) < 0.05

    def test_pool_as_released(self):
        left, right = from_pool(2000, np.random.default_rng(0))
        assert len(left) == len(right) == 2 * 990
        used = Counter((left // 2).tolist()) + Counter((right // 2).tolist())
        assert set(used) == set(range(0, 2000, 10))
        assert {(t % 2, t // 2 % 20) for t in np.concatenate([left, right]).tolist()} == {(0, 0), (1, 10)}
        assert set((left[:990] // 2).tolist()) == set(range(0, 1000, 10))
        assert (left[1:99] == right[:98]).all()  # neighbours in the same shuffle
        assert all(10 <= n <= 20 for n in used.values())  # 20 except at the ends of shuffles

    def test_small_pools(self):
        assert [len(from_pool(n, np.random.default_rng(0))[0]) for n in (0, 1, 10, 11, 25)] == [0, 0, 0, 10, 20]
