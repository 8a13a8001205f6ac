"""Pairs of tweets: the paper's rules against the plainest way, splits, non-related pairs, the folder."""

import json
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers_store import make_store
from sentrep.errors import SentrepError
from sentrep.files import write_json
from sentrep.pairs import tweet_rules, twitter
from sentrep.pairs.format import SPLITS, PairSet
from sentrep.pairs.sample_tweets import write as write_sample
from sentrep.pairs.tweet_cleaning import clean, is_informative_hashtag, is_veritable, jaccard
from sentrep.pairs.tweet_index import TweetIndex, index_tweets
from sentrep.pairs.tweet_record import Tweet
from sentrep.pairs.tweet_rules import WINDOW, mine, non_pairs
from sentrep.pairs.tweet_splits import SHARES, split_nodes
from sentrep.pairs.tweets import Reading, read_tweets
from sentrep.pairs.twitter import Settings, build_twitter_pairs, make_pairs

BEGIN = 1_428_000_000_000 // WINDOW * WINDOW


def tweets_of(*rows: tuple[float, str]) -> list[Tweet]:
    """Make tweets from (minutes, text)."""
    return [Tweet(str(i), "sample_news_1", BEGIN + int(t * 60_000), text) for i, (t, text) in enumerate(rows)]


def is_related(a: Tweet, b: Tweet, slots: str) -> bool:
    """Apply the paper's rules to two tweets, word for word."""
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
@given(small_sets, st.sampled_from(tweet_rules.SLOTS))
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
    monkeypatch.setattr(tweet_rules, "_CHUNK", 50)
    assert found(tweets) == whole
    monkeypatch.setattr(tweet_rules, "_MOST_PAIRS", 100)
    with pytest.raises(SentrepError, match="expected at most 100 related pairs, found more; set a cap"):
        found(tweets)


ONE, TWO, SIX = "ant bee cat dog elk", "fox gnu hen ibis jay", "kid lamb mole newt owl pug"


@pytest.mark.parametrize(
    ("one", "two", "apart", "sliding", "clock"),
    [
        (f"{ONE} #p", f"{TWO} #p", 14, True, True),
        (f"{ONE} #p", f"{TWO} #p", 15, True, False),  # no more than 15 minutes
        (f"{ONE} #p", f"{TWO} #p", 15.001, False, False),
        (f"{ONE} #p", f"{TWO} #p #q", 1, True, True),  # Jaccard 1/2
        (f"{ONE} #p", f"{TWO} #p #q #r", 1, False, False),
        (f"{ONE} #p #news", f"{TWO} #p #breaking", 1, True, True),  # these two do not count
        (f"{ONE} #news", f"{TWO} #news", 1, False, False),
        (f"{ONE}", f"{TWO}", 1, False, False),
        ("ant bee cat dog @elk 5 http://t.co/x #p", f"{TWO} #p", 1, False, False),  # four words
        ("ant ant ant ant ant #p", f"{TWO} #p", 1, True, True),  # five words, if not different ones
        (f"{ONE} #p", "ant bee cat x y #p", 1, True, True),  # 3 of 7
        (f"{SIX} #p", "kid lamb mole newt x y #p", 1, False, False),  # 4 of 8: not less than half
        (f"{ONE} #p", f"{ONE} #p", 1, False, False),
    ],
)
def test_each_rule(one, two, apart, sliding, clock):
    tweets = tweets_of((0, one), (apart, two))
    assert (bool(found(tweets)), bool(found(tweets, slots="clock"))) == (sliding, clock)


def test_retweets_of_one_text_are_no_pair():
    assert not found(tweets_of((0, f"RT @a: {ONE} #p"), (1, f"RT @b: {ONE} http://t.co/other #p")))


def event(start: float, tag: str, n: int, first_word: int = 0) -> list[tuple[float, str]]:
    """Return n tweets of one event, all of different words."""
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
        assert 10 < early < 40  # over the whole period
        monkeypatch.setattr(tweet_rules, "_CHUNK", 10)
        assert found(tweets, cap=50, seed=1) == chosen

    def test_shared_hashtags_make_the_set(self):
        rows = [(0, "#p #q"), (1, "#p #q"), (2, "#p"), (3, "#p"), (4, "#p #r")]
        texts = [text for _, text in event(0, "", 5)]
        tweets = tweets_of(
            *((t, f"{text.replace('#', '')} {tags}") for (t, tags), text in zip(rows, texts, strict=True))
        )
        assert sorted(Counter(mine(index_tweets(tweets)).keys.tolist()).values()) == [1, 7]  # {p, q} and {p}


class TestSplits:
    def test_components_stay_whole_in_the_papers_proportions(self):
        dice = np.random.default_rng(0)
        first = np.repeat(np.arange(0, 4000, 4), 3)
        second = first + np.tile([1, 2, 3], 1000)
        side = split_nodes(first, second, np.arange(5000), dice)
        assert (side[first] == side[second]).all()
        assert np.bincount(side[first]) / 3000 == pytest.approx(SHARES, abs=0.002)
        assert np.bincount(side[4000:]) / 1000 == pytest.approx(SHARES, abs=0.05)  # tweets of no pair

    def test_a_giant_is_cut_where_it_costs_least(self):
        # A chain of 50 knots of 10 tweets, neighbours tied by one pair.
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
    Settings(),
    Settings(cap=2),
    Settings(slots="clock", non_pairs="same_slot"),
    Settings(non_pair_hashtags="required"),
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
            assert not sides[0] & sides[1] and not sides[0] & sides[2] and not sides[1] & sides[2]

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
                assert min(map(len, counted)) >= 5 and jaccard(*counted) < 0.5
                assert (jaccard(*tags) >= 0.5) if related else not tags[0] & tags[1]
                assert i < j and (i, j) not in seen
                seen.add((i, j))
                slots = sample.times[i] // WINDOW, sample.times[j] // WINDOW
                assert choice.non_pairs == "any_time" or slots[0] == slots[1]
                assert choice.non_pair_hashtags == "any" or all(tags)

    def test_words_keep_their_order_and_unknown_ones_go(self, sample):
        vocabulary = all_words(sample)[::2]
        made = make_pairs(sample, vocabulary, Settings(), "here")
        pairs, tweets = made.splits["train"], made.tweets["train"]
        for rows, tweet in zip(pairs.first, tweets[:, 0], strict=True):
            expected = [word for word in sample.text(tweet) if word in set(vocabulary)]
            assert [vocabulary[row] for row in rows if row >= 0] == expected

    def test_hashtags_that_both_have_go(self, sample):
        vocabulary = all_words(sample) + [word for word in sample.words if word[0] == "#"]
        made = make_pairs(sample, vocabulary, Settings(), "here")
        kept = 0
        for pairs in made.splits.values():
            for first, second in zip(pairs.first.tolist(), pairs.second.tolist(), strict=True):
                tags = [
                    {vocabulary[row] for row in rows if row >= 0 and vocabulary[row][0] == "#"}
                    for rows in (first, second)
                ]
                assert not tags[0] & tags[1]
                kept += sum(map(len, tags))
        assert kept > 100  # the others stay

    def test_same_seed_same_pairs(self, sample):
        one, two, other = (make_pairs(sample, all_words(sample), Settings(seed=s), "here") for s in (1, 1, 2))
        assert np.array_equal(one.tweets["train"], two.tweets["train"])
        assert not np.array_equal(one.tweets["test"], other.tweets["test"])

    def test_counts_add_up(self, sample):
        made = make_pairs(sample, all_words(sample), Settings(cap=2), "here")
        related = [count for count in made.counts if count.related is True]
        assert sum(count.pairs for count in related) == mine(sample).found
        assert {count.note for count in made.counts} >= {"", "left out: beyond the cap"}

    def test_text_without_a_known_word(self, sample):
        vocabulary = all_words(sample)[::20]
        made = make_pairs(sample, vocabulary, Settings(), "here")
        lost = {count.note: count.pairs for count in made.counts}["left out: no known word in a text"]
        assert 0 < lost < mine(sample).found
        assert all((texts[:, 0] >= 0).all() for pairs in made.splits.values() for texts in (pairs.first, pairs.second))


def test_non_pairs_run_out_without_an_endless_loop():
    index = index_tweets(tweets_of((0, f"{ONE} #p"), (1, f"{TWO} #p"), (2, f"{SIX} #q")))
    first, second = non_pairs(index, np.ones(3, bool), 100, np.random.default_rng(0))
    assert sorted(zip(first.tolist(), second.tolist(), strict=True)) == [(0, 2), (1, 2)]
    for pool in (np.zeros(3, bool), np.array([True, False, False])):
        assert len(non_pairs(index, pool, 5, np.random.default_rng(0))[0]) == 0
    assert len(non_pairs(index, np.ones(3, bool), 5, np.random.default_rng(0), choice="same_slot")[0]) == 0


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
        build_twitter_pairs(tweets, self.store(folder, words), folder / "pairs", Settings(**choices), sample=True)
        return PairSet.load(folder / "pairs")

    def test_whole_way(self, tmp_path, sample):
        write_sample(tmp_path / "t.jsonl")
        words = all_words(sample)
        pairs = self.run(tmp_path, tmp_path / "t.jsonl", words, cap=2)
        assert pairs.vocabulary == words
        assert pairs.document_frequencies.tolist() == [2, 2] + [1] * (len(words) - 2)
        assert pairs.documents == len(words) + 1
        assert pairs.meta["sample"] is True and pairs.meta["settings"]["cap"] == 2
        assert pairs.meta["tweets"] == 1619
        for name in SPLITS:
            rows = {count.related: count.pairs for count in pairs.counts if (count.split, count.note) == (name, "")}
            assert rows == {True: len(pairs.splits[name]) // 2, False: len(pairs.splits[name]) // 2}

    @pytest.mark.parametrize(
        ("rows", "message"),
        [
            (
                [(0, ONE), (1, f"{TWO} #news")],
                r"t\.jsonl: expected tweets with hashtags, .*found 2 tweets and no infor",
            ),
            (
                [(0, f"{ONE} #p"), (60, f"{TWO} #p")],
                r"t\.jsonl: expected tweets of 5 words .* no such pair among 2 tweets",
            ),
            (
                [(0, f"{ONE} #p"), (1, f"{TWO} #p")],
                r"t\.jsonl: expected related and non-related pairs .*give tweets of more events",
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
        assert "no informative hashtag in any tweet of sample_news_quiet" in caplog.text
        notes = {count.note: count.pairs for count in pairs.counts if count.split == ""}
        assert notes["tweets of sample_news_quiet: no hashtag"] == 1
        assert notes["tweets left out: duplicate id"] == 1
        assert notes["tweets left out: neither JSON nor id|date|text"] == 1

    @pytest.mark.parametrize("key", ["slots", "non_pairs", "non_pair_hashtags", "cleaning", "url_token"])
    def test_unknown_choices(self, tmp_path, key):
        write_sample(tmp_path / "t.jsonl")
        with pytest.raises(SentrepError, match="found 'nonsense'; use one of"):
            self.run(tmp_path, tmp_path / "t.jsonl", ["the", "a"], **{key: "nonsense"})


class Parameters(dict):
    """What Snakemake hands to a script as `params`: by attribute, and with `get`."""

    __getattr__ = dict.__getitem__


def test_scripts(tmp_path):
    """The rules' scripts do what they say with what Snakemake hands them."""
    folder = Path(twitter.__file__).parents[2]
    tweets = tmp_path / "tweets.jsonl"

    def call(name: str, **rule: object) -> None:
        snakemake = SimpleNamespace(**{"input": [], "log": [], "threads": 1, **rule})
        exec(compile((folder / name).read_text(), name, "exec"), {"snakemake": snakemake, "__name__": "__main__"})

    call("sample_tweets.py", output=[str(tweets)], params={"seed": 1})
    index = index_tweets(read_tweets(tweets, Reading()))
    store = TestFolder().store(tmp_path, all_words(index))

    call(
        "twitter_pairs.py",
        input=Parameters(tweets=str(tweets), store=str(store)),
        output=[str(tmp_path / "pairs")],
        params=Parameters(settings={"cap": 3}, sample=True),
    )
    assert len(PairSet.load(tmp_path / "pairs").train) > 100


@pytest.mark.mirror
def test_uci_health_news(mirror: Path):
    """About 13,000 related pairs by the paper's rules, most of them from one account's chats."""
    index = index_tweets(read_tweets(mirror / "tweets" / "uci-health-news.jsonl.xz", Reading()))
    related = mine(index)
    assert 12_800 < related.found < 13_100
    senders = Counter(index.users[i] for i in related.first)
    assert senders.most_common(1)[0][0] == "everydayhealth"
    assert senders["everydayhealth"] > 0.7 * related.found
    made = make_pairs(index, all_words(index), Settings(), "here")
    lost = sum(c.pairs for c in made.counts if c.note == "left out: its tweets are in different splits")
    assert lost < 0.03 * related.found
