"""Test the rules for tweet pairs against a simple implementation, one by one, with a cap, and with too few tweets."""

from collections import Counter
from typing import get_args

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers_tweets import ONE, SIX, TWO, jaccard, tweets_of
from sentrep.errors import SentrepError
from sentrep.pairs.settings import Slots
from sentrep.pairs.twitter import rules
from sentrep.pairs.twitter.cleaning import clean, is_informative_hashtag, is_veritable
from sentrep.pairs.twitter.index import index_tweets
from sentrep.pairs.twitter.rules import mine, non_pairs
from sentrep.pairs.twitter.tweet import Tweet


def is_related(a: Tweet, b: Tweet, slots: str) -> bool:
    """Apply the rules of the paper literally to two tweets."""
    texts = [clean(tweet.text) for tweet in (a, b)]
    words = [[t for t in text if is_veritable(t)] for text in texts]
    hashtags = [{t for t in text if is_informative_hashtag(t)} for text in texts]
    if slots == "sliding":
        near = abs(a.created_at - b.created_at) <= 15 * 60 * 1000
    else:
        near = a.created_at // (15 * 60 * 1000) == b.created_at // (15 * 60 * 1000)
    return (
        near
        and min(map(len, words)) >= 5
        and jaccard(*hashtags) >= 0.5
        and jaccard(*words) < 0.5
        and bool(hashtags[0] & hashtags[1])
    )


def found(tweets: list[Tweet], **choices: object) -> set[tuple[str, str]]:
    index = index_tweets(tweets)
    related = mine(index, **choices)
    assert (related.first < related.second).all()
    pairs = [(index.ids[i], index.ids[j]) for i, j in zip(related.first, related.second, strict=True)]
    assert len(set(pairs)) == len(pairs)
    return {tuple(sorted(pair)) for pair in pairs}


words = st.lists(st.sampled_from([f"w{c}" for c in "abcdefghijkl"] + ["0", "@x", "#news"]), min_size=3, max_size=8)
hashtags = st.lists(st.sampled_from(["#p", "#q", "#r", "#s", "#p#q"]), max_size=3)
minutes = st.sampled_from([0, 0, 1, 7, 14, 14.999, 15, 15.001, 16, 29, 30, 44])
small_sets = st.lists(
    st.builds(lambda t, w, h: (t, " ".join(w + h)), minutes, words, hashtags), min_size=2, max_size=14
)


@settings(max_examples=150, deadline=None)
@given(small_sets, st.sampled_from(get_args(Slots)))
def test_rules_equal_the_plain_way(rows, slots):
    tweets = tweets_of(*rows)
    expected = {
        tuple(sorted((a.id, b.id))) for i, a in enumerate(tweets) for b in tweets[:i] if is_related(a, b, slots)
    }
    assert found(tweets, slots=slots) == expected


def test_rules_equal_the_plain_way_in_several_chunks(monkeypatch):
    dice = np.random.default_rng(1)
    rows = [
        (
            m,
            " ".join(
                [*(f"w{k}x{chr(97 + i % 7)}" for k in "abcde"), *(f"#{t}" for t in dice.choice(list("pqrstu"), 2))]
            ),
        )
        for i, m in enumerate(dice.uniform(0, 200, 400))
    ]
    tweets = tweets_of(*rows)
    whole = found(tweets)
    assert len(whole) > 500
    monkeypatch.setattr(rules, "_CHUNK", 50)
    assert found(tweets) == whole
    monkeypatch.setattr(rules, "_MOST_PAIRS", 100)
    with pytest.raises(SentrepError, match=r"at most 100 related pairs, found \d+ or more; set or reduce `cap`"):
        found(tweets)


@pytest.mark.parametrize(
    ("one", "two", "apart", "sliding", "clock"),
    [
        (f"{ONE} #p", f"{TWO} #p", 14, True, True),
        (f"{ONE} #p", f"{TWO} #p", 15, True, False),  # at most 15 minutes
        (f"{ONE} #p", f"{TWO} #p", 15.001, False, False),
        (f"{ONE} #p", f"{TWO} #p #q", 1, True, True),  # the Jaccard similarity is 1/2
        (f"{ONE} #p", f"{TWO} #p #q #r", 1, False, False),
        (f"{ONE} #p #news", f"{TWO} #p #breaking", 1, True, True),  # these two hashtags do not count
        (f"{ONE} #news", f"{TWO} #news", 1, False, False),
        (f"{ONE}", f"{TWO}", 1, False, False),
        ("ant bee cat dog @elk 5 http://t.co/x #p", f"{TWO} #p", 1, False, False),  # four words
        ("ant ant ant ant ant #p", f"{TWO} #p", 1, True, True),  # five words, which need not be distinct
        (f"{ONE} #p", "ant bee cat x y #p", 1, True, True),  # 3 of 7 words in common
        # 4 of 8 words in common, which is not less than half
        (f"{SIX} #p", "kid lamb mole newt x y #p", 1, False, False),
        (f"{ONE} #p", f"{ONE} #p", 1, False, False),
    ],
)
def test_each_rule(one, two, apart, sliding, clock):
    tweets = tweets_of((0, one), (apart, two))
    assert (bool(found(tweets)), bool(found(tweets, slots="clock"))) == (sliding, clock)


def test_retweets_of_one_text_are_no_pair():
    assert not found(tweets_of((0, f"RT @a: {ONE} #p"), (1, f"RT @b: {ONE} http://t.co/other #p")))


def event(start: float, tag: str, n: int, first_word: int = 0) -> list[tuple[float, str]]:
    """Return n tweets about one event, which share no words."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    return [
        (
            start + i / 10,
            " ".join(f"{letters[(first_word + i) % 26]}{letters[(first_word + i) // 26]}{k}{tag}" for k in "vwxyz")
            + f" #{tag}",
        )
        for i in range(n)
    ]


class TestCap:
    def tweets(self) -> list[Tweet]:
        return tweets_of(*event(0, "p", 20), *event(600, "p", 20), *event(0, "q", 4), *event(30, "r", 2))

    def test_counts(self):
        index = index_tweets(self.tweets())
        for cap, sizes in ((None, [380, 6, 1]), (50, [50, 6, 1]), (5, [5, 5, 1]), (1, [1, 1, 1])):
            related = mine(index, cap=cap)
            assert sorted(Counter(related.keys.tolist()).values(), reverse=True) == sizes
            assert related.found == 387

    def test_choice_is_random_and_repeatable(self, monkeypatch):
        tweets = self.tweets()
        chosen = found(tweets, cap=50, seed=1)
        assert found(tweets[::-1], cap=50, seed=1) == chosen
        assert found(tweets, cap=50, seed=2) != chosen
        early = sum(int(a) < 20 for a, _ in chosen)
        assert 10 < early < 40  # the sample covers the whole period
        monkeypatch.setattr(rules, "_CHUNK", 10)
        assert found(tweets, cap=50, seed=1) == chosen

    def test_shared_hashtags_make_the_set(self):
        rows = [(0, "#p #q"), (1, "#p #q"), (2, "#p"), (3, "#p"), (4, "#p #r")]
        texts = [text for _, text in event(0, "", 5)]
        tweets = tweets_of(
            *((t, f"{text.replace('#', '')} {tags}") for (t, tags), text in zip(rows, texts, strict=True))
        )
        # {p, q} and {p} are different sets
        assert sorted(Counter(mine(index_tweets(tweets)).keys.tolist()).values()) == [1, 7]


def test_non_pairs_run_out_without_an_endless_loop():
    index = index_tweets(tweets_of((0, f"{ONE} #p"), (1, f"{TWO} #p"), (2, f"{SIX} #q")))
    first, second = non_pairs(index, np.ones(3, bool), 100, np.random.default_rng(0))
    assert sorted(zip(first.tolist(), second.tolist(), strict=True)) == [(0, 2), (1, 2)]
    for pool in (np.zeros(3, bool), np.array([True, False, False])):
        assert len(non_pairs(index, pool, 5, np.random.default_rng(0))[0]) == 0
    assert len(non_pairs(index, np.ones(3, bool), 5, np.random.default_rng(0), choice="same_slot")[0]) == 0
