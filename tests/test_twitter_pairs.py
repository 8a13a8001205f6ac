"""Test pairs of tweets: splits, related and non-related pairs, and the folder of pairs."""

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from helpers_evaluation import run_script
from helpers_store import make_store
from helpers_tweets import BEGIN, ONE, TWO, jaccard, tweets_of
from sentrep.errors import SentrepError
from sentrep.io.files import write_json
from sentrep.pairs.pair_set import SPLITS, PairSet
from sentrep.pairs.settings import TwitterSettings
from sentrep.pairs.twitter.build import build_twitter_pairs, make_pairs
from sentrep.pairs.twitter.cleaning import is_informative_hashtag, is_veritable
from sentrep.pairs.twitter.index import TweetIndex, index_tweets
from sentrep.pairs.twitter.reading import Reading, read_tweets
from sentrep.pairs.twitter.rules import WINDOW, mine
from sentrep.pairs.twitter.sample import write as write_sample
from sentrep.pairs.twitter.splits import SHARES, split_nodes


class TestSplits:
    def test_components_stay_whole_in_the_papers_proportions(self):
        dice = np.random.default_rng(0)
        first = np.repeat(np.arange(0, 4000, 4), 3)
        second = first + np.tile([1, 2, 3], 1000)
        side = split_nodes(first, second, np.arange(5000), dice)
        assert (side[first] == side[second]).all()
        assert np.bincount(side[first]) / 3000 == pytest.approx(SHARES, abs=0.002)
        assert np.bincount(side[4000:]) / 1000 == pytest.approx(SHARES, abs=0.05)  # tweets without pairs

    def test_a_giant_is_cut_where_it_costs_least(self):
        # The component is a chain of 50 groups of 10 tweets, in which neighbouring groups are connected by one pair.
        first, second = np.array(
            [(k * 10 + i, k * 10 + j) for k in range(50) for i in range(10) for j in range(i)]
            + [(k * 10 + 9, k * 10 + 10) for k in range(49)]
        ).T
        side = split_nodes(first, second, np.arange(500), np.random.default_rng(0))
        lost = (side[first] != side[second]).sum()
        assert 0 < lost < 10
        assert np.bincount(side[first]) / len(first) == pytest.approx(SHARES, abs=0.15)

    def test_a_storm_is_cut_in_time(self):
        first, second = np.triu_indices(100, 1)
        side = split_nodes(first, second, np.arange(100), np.random.default_rng(0))
        assert set(side) == {0, 1, 2}


def sample_index(folder: Path) -> TweetIndex:
    write_sample(folder / "tweets.jsonl")
    return index_tweets(read_tweets(folder / "tweets.jsonl", Reading()))


def all_words(index: TweetIndex) -> list[str]:
    return sorted(word for word in index.words if word[0] not in "#@")


@pytest.fixture(scope="module")
def sample(tmp_path_factory) -> TweetIndex:
    return sample_index(tmp_path_factory.mktemp("sample"))


CHOICES = [
    TwitterSettings(),
    TwitterSettings(cap=2),
    TwitterSettings(slots="clock", non_pairs="same_slot"),
    TwitterSettings(non_pair_hashtags="required"),
]


class TestPairs:
    @pytest.mark.parametrize("choice", CHOICES)
    def test_no_tweet_and_no_text_is_on_two_sides(self, sample, choice):
        made = make_pairs(sample, all_words(sample), choice, "here")
        assert sum(len(pairs) for pairs in made.splits.values()) > 500
        tweets = [set(made.tweets[split].ravel().tolist()) for split in SPLITS]
        texts = [
            {text.tobytes() for texts in (made.splits[split].first, made.splits[split].second) for text in texts}
            for split in SPLITS
        ]
        for sides in (tweets, texts):
            assert not sides[0] & sides[1]
            assert not sides[0] & sides[2]
            assert not sides[1] & sides[2]

    @pytest.mark.parametrize("choice", CHOICES)
    def test_pairs_are_what_the_rules_say(self, sample, choice):
        made = make_pairs(sample, all_words(sample), choice, "here")
        for split in SPLITS:
            pairs = made.splits[split]
            assert pairs.related.tolist() == [True, False] * (len(pairs) // 2)
            seen = set()
            for (i, j), related in zip(made.tweets[split].tolist(), pairs.related, strict=True):
                a, b = sample.text(i), sample.text(j)
                tags = [{t for t in text if is_informative_hashtag(t)} for text in (a, b)]
                counted = [[t for t in text if is_veritable(t)] for text in (a, b)]
                assert min(map(len, counted)) >= 5
                assert jaccard(*counted) < 0.5
                assert (jaccard(*tags) >= 0.5) if related else not tags[0] & tags[1]
                assert i < j
                assert (i, j) not in seen
                seen.add((i, j))
                slots = sample.times[i] // WINDOW, sample.times[j] // WINDOW
                assert choice.non_pairs == "any_time" or slots[0] == slots[1]
                assert choice.non_pair_hashtags == "any" or all(tags)

    def test_words_keep_their_order_and_unknown_ones_go(self, sample):
        vocabulary = all_words(sample)[::2]
        made = make_pairs(sample, vocabulary, TwitterSettings(), "here")
        pairs, tweets = made.splits["train"], made.tweets["train"]
        for rows, tweet in zip(pairs.first, tweets[:, 0], strict=True):
            expected = [word for word in sample.text(tweet) if word in set(vocabulary)]
            assert [vocabulary[row] for row in rows if row >= 0] == expected

    def test_hashtags_that_both_have_go(self, sample):
        vocabulary = all_words(sample) + [word for word in sample.words if word[0] == "#"]
        made = make_pairs(sample, vocabulary, TwitterSettings(), "here")
        kept = 0
        for pairs in made.splits.values():
            for first, second in zip(pairs.first.tolist(), pairs.second.tolist(), strict=True):
                tags = [
                    {vocabulary[row] for row in rows if row >= 0 and vocabulary[row][0] == "#"}
                    for rows in (first, second)
                ]
                assert not tags[0] & tags[1]
                kept += sum(map(len, tags))
        assert kept > 100  # other hashtags are kept

    def test_same_seed_same_pairs(self, sample):
        one, two, other = (make_pairs(sample, all_words(sample), TwitterSettings(seed=s), "here") for s in (1, 1, 2))
        assert np.array_equal(one.tweets["train"], two.tweets["train"])
        assert not np.array_equal(one.tweets["test"], other.tweets["test"])

    def test_counts_add_up(self, sample):
        made = make_pairs(sample, all_words(sample), TwitterSettings(cap=2), "here")
        related = [count for count in made.counts if count.related is True]
        assert sum(count.pairs for count in related) == mine(sample).found
        assert {count.note for count in made.counts} >= {"", "left out: beyond the cap"}

    def test_text_without_a_known_word(self, sample):
        vocabulary = all_words(sample)[::20]
        made = make_pairs(sample, vocabulary, TwitterSettings(), "here")
        lost = {count.note: count.pairs for count in made.counts}["left out: no known word in a text"]
        assert 0 < lost < mine(sample).found
        assert all((texts[:, 0] >= 0).all() for pairs in made.splits.values() for texts in (pairs.first, pairs.second))


class TestFolder:
    def store(self, folder: Path, words: list[str]) -> Path:
        store = make_store([[i] for i in range(len(words))] + [[0, 0, 1]], len(words))
        (folder / "store").mkdir()
        for name in ("ids", "sentence_offsets", "document_offsets"):
            np.save(folder / "store" / f"{name}.npy", getattr(store, name))
        (folder / "store" / "vocabulary.tsv").write_text("".join(f"{word}\t1\n" for word in words), encoding="utf-8")
        write_json(folder / "store" / "meta.json", {})
        return folder / "store"

    def run(self, folder: Path, tweets: Path, words: list[str], **choices: object) -> PairSet:
        build_twitter_pairs(tweets, self.store(folder, words), folder / "pairs", sample=True, **choices)
        return PairSet.load(folder / "pairs")

    def test_whole_way(self, tmp_path, sample):
        write_sample(tmp_path / "t.jsonl")
        words = all_words(sample)
        pairs = self.run(tmp_path, tmp_path / "t.jsonl", words, cap=2)
        assert pairs.vocabulary == words
        assert pairs.document_frequencies.tolist() == [2, 2] + [1] * (len(words) - 2)
        assert pairs.documents == len(words) + 1
        assert pairs.meta["sample"] is True
        assert pairs.meta["settings"]["cap"] == 2
        assert pairs.meta["tweets"] == 1619
        for name in SPLITS:
            rows = {count.related: count.pairs for count in pairs.counts if (count.split, count.note) == (name, "")}
            assert rows == {True: len(pairs.splits[name]) // 2, False: len(pairs.splits[name]) // 2}

    @pytest.mark.parametrize(
        ("rows", "message"),
        [
            (
                [(0, ONE), (1, f"{TWO} #news")],
                r"t\.jsonl: expected tweets with informative hashtags.*no such tweets \(number of tweets searched: 2\)",
            ),
            (
                [(0, f"{ONE} #p"), (60, f"{TWO} #p")],
                r"t\.jsonl: expected pairs of tweets.*at least 5 words.*no such pairs \(number of tweets searched: 2\)",
            ),
            (
                [(0, f"{ONE} #p"), (1, f"{TWO} #p")],
                r"t\.jsonl: expected related and non-related pairs .*use tweets about more events",
            ),
        ],
    )
    def test_too_little(self, tmp_path, rows, message):
        records = [{"id": t.id, "user": t.user, "created_at": t.created_at, "text": t.text} for t in tweets_of(*rows)]
        (tmp_path / "t.jsonl").write_text("\n".join(map(json.dumps, records)))
        with pytest.raises(SentrepError, match=message):
            self.run(tmp_path, tmp_path / "t.jsonl", ["ant", "fox", "kid"])
        assert not list(tmp_path.glob("*pairs*"))

    def test_accounts_without_hashtags_are_named(self, tmp_path, sample, caplog):
        write_sample(tmp_path / "t.jsonl")
        with (tmp_path / "t.jsonl").open("a") as stream:
            record = {"id": "x", "user": "sample_news_quiet", "created_at": BEGIN, "text": "no hashtag here"}
            stream.write(json.dumps(record) + "\n" + json.dumps(record) + "\nbroken\n")
        pairs = self.run(tmp_path, tmp_path / "t.jsonl", all_words(sample))
        assert "form no related pairs: sample_news_quiet" in caplog.text
        notes = {count.note: count.pairs for count in pairs.counts if count.split == ""}
        assert notes["tweets of sample_news_quiet: no hashtag"] == 1
        assert notes["tweets left out: duplicate id"] == 1
        assert notes["tweets left out: neither JSON nor id|date|text"] == 1


def test_jobs(tmp_path):
    """Run the functions that the rules call, with the arguments that Snakemake passes."""
    tweets = tmp_path / "tweets.jsonl"
    run_script("sentrep.pairs.twitter.sample.write", input={}, output={"path": str(tweets)})
    index = index_tweets(read_tweets(tweets, Reading()))
    store = TestFolder().store(tmp_path, all_words(index))
    run_script(
        "sentrep.pairs.twitter.build.build_twitter_pairs",
        input={"tweets": str(tweets), "store": str(store)},
        output={"output": str(tmp_path / "pairs")},
        params={"keywords": {"cap": 3}, "sample": True, "code": "0123"},
    )
    pairs = PairSet.load(tmp_path / "pairs")
    assert len(pairs.train) > 100
    assert pairs.meta["code"] == "0123"


@pytest.mark.mirror
def test_uci_health_news(mirror: Path):
    """The paper's rules give about 13,000 related pairs, most of them from chats of one account."""
    index = index_tweets(read_tweets(mirror / "tweets" / "uci-health-news.jsonl.xz", Reading()))
    related = mine(index)
    assert 12_800 < related.found < 13_100
    senders = Counter(index.users[i] for i in related.first)
    assert senders.most_common(1)[0][0] == "everydayhealth"
    assert senders["everydayhealth"] > 0.7 * related.found
    made = make_pairs(index, all_words(index), TwitterSettings(), "here")
    lost = sum(c.pairs for c in made.counts if c.note == "left out: tweets in different splits")
    assert lost < 0.03 * related.found
