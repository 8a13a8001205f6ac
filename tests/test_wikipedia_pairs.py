"""Test pairs from Wikipedia: the construction against a plain loop, and splits that share no articles or texts."""

import random
from collections import Counter
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers_evaluation import run_script
from sentrep.corpora.build_store import build_store
from sentrep.corpora.sentence_shards import shard_paths, write_shard
from sentrep.corpora.sentences import build_sentences
from sentrep.errors import SentrepError
from sentrep.io.files import write_json
from sentrep.pairs.pair_set import SPLITS, PairSet
from sentrep.pairs.paragraphs import Mined, article_keys, related_pairs, without_repetitions
from sentrep.pairs.wikipedia import divide, mine


def corpus(folder: Path, articles: list[list[str]], minimum_count: int = 1, **settings: object) -> tuple[Path, Path]:
    """Write articles of paragraphs as a folder of normalised sentences, and build its store."""
    (folder / "t.txt").write_text("\n\n".join("\n".join(article) for article in articles) + "\n")
    write_json(folder / "m.json", {"name": "wiki", "files": [{"path": str(folder / "t.txt"), "sha256": ""}]})
    settings = {"unit": "paragraph", "normalisation": "paper", **settings}
    build_sentences(folder / "m.json", "sentences", folder / "s", **settings)
    build_store(folder / "s", folder / "v", tokeniser_name="whitespace", minimum_count=minimum_count)
    return folder / "s", folder / "v"


def wiki(articles: int, paragraphs: int, words: int = 60, seed: int = 0) -> list[list[str]]:
    """Return articles whose words identify them: "ab" and "ac" belong to the same article, "bb" to another one."""
    dice = random.Random(seed)
    name = [f"{chr(97 + a // 26 % 26)}{chr(97 + a % 26)}x" for a in range(articles)]
    return [[" ".join(n + chr(97 + dice.randrange(26)) for _ in range(words)) for _ in range(paragraphs)] for n in name]


def texts(rows: np.ndarray, vocabulary: list[str]) -> list[str]:
    return [" ".join(vocabulary[i] for i in row if i >= 0) for row in rows]


def loop_pairs(paragraph: str, vocabulary: set[str], n: int, m: int) -> tuple[str, str] | None:
    """Construct pairs as in the released script extract_pairs.py."""
    words = paragraph.split()
    if len(words) < 1.25 * (n + m):
        return None
    first, second = [], []
    while len(first) < n and words:
        word = words.pop(0)
        if word in vocabulary:
            first.append(word)
    words = words[2:]
    while len(second) < m and words:
        word = words.pop(0)
        if word in vocabulary:
            second.append(word)
    return (" ".join(first), " ".join(second)) if (len(first), len(second)) == (n, m) else None


class TestRelated:
    def shard(self, tmp_path, articles) -> Path:
        write_shard(tmp_path, 0, "".join("".join(f"{p}\n" for p in article) + "\n" for article in articles))
        return tmp_path / "shard-00000.txt.zst"

    @settings(max_examples=60, deadline=None)
    @given(st.integers(0, 10**6), st.integers(1, 6))
    def test_fixed_length_equals_the_loop(self, tmp_path_factory, seed, n):
        dice = random.Random(seed)
        vocabulary = [f"w{i}" for i in range(8)]
        lengths = [0, 1, 2, 3] + [int(2.5 * n) + d for d in range(-2, 12)]
        articles = [
            [" ".join(f"w{dice.randrange(11)}" for _ in range(max(1, dice.choice(lengths)))) for _ in range(4)]
            for _ in range(10)
        ]
        shard = self.shard(tmp_path_factory.mktemp("s"), articles)
        found, dropped = related_pairs([shard], vocabulary, (n, n), 1)
        expected = [(a, loop_pairs(p, set(vocabulary), n, n)) for a, ps in enumerate(articles) for p in ps]
        assert found.article.tolist() == [a for a, pair in expected if pair]
        assert list(zip(texts(found.first, vocabulary), texts(found.second, vocabulary), strict=True)) == [
            pair for _, pair in expected if pair
        ]
        assert sum(dropped.values()) + len(found) == 40
        short = sum(len(p.split()) < 2.5 * n for ps in articles for p in ps)
        assert dropped == {"paragraph too short": short, "too few known words": 40 - short - len(found)}

    def test_paper_length(self, tmp_path):
        words = [f"w{i}" for i in range(60)]
        shard = self.shard(tmp_path, [[" ".join(words[:49]), " ".join(words[:50])]])
        found, dropped = related_pairs([shard], words, (20, 20), 1)
        assert found.first.tolist() == [list(range(20))]
        assert found.second.tolist() == [list(range(22, 42))]
        assert (found.first.dtype, dropped["paragraph too short"]) == (np.int32, 1)

    def test_skipped_words_are_raw_ones(self, tmp_path):
        shard = self.shard(tmp_path, [["a zz b zz zz c zz d zz"]])
        found, _ = related_pairs([shard], ["a", "b", "c", "d"], (2, 2), 1)
        assert (found.first.tolist(), found.second.tolist()) == ([[0, 1]], [[2, 3]])
        shard = self.shard(tmp_path, [["a b zz c d c zz d zz"]])  # "zz" and "c" are skipped
        found, _ = related_pairs([shard], ["a", "b", "c", "d"], (2, 2), 1)
        assert found.second.tolist() == [[3, 2]]

    def test_variable_length(self, tmp_path):
        words = [f"w{i}" for i in range(90)]
        dice = random.Random(0)
        articles = [[" ".join(words[: dice.randrange(20, 90)])] for _ in range(4000)]
        found, dropped = related_pairs([self.shard(tmp_path, articles)], words, (10, 30), 5)
        n, m = (found.first >= 0).sum(axis=1), (found.second >= 0).sum(axis=1)
        assert (n.min(), n.max(), m.min(), m.max()) == (10, 30, 10, 30)
        assert found.first.shape == found.second.shape == (len(found), 30)
        length = np.array([len(articles[a][0].split()) for a in found.article])
        assert (length >= 1.25 * (n + m)).all()
        for row in range(0, len(found), 97):
            expected = loop_pairs(articles[found.article[row]][0], set(words), n[row], m[row])
            assert (texts(found.first, words)[row], texts(found.second, words)[row]) == expected
        assert dropped["too few known words"] == 0
        long = [[" ".join(words)]] * 4000  # every length fits, so lengths are uniformly distributed
        n = (related_pairs([self.shard(tmp_path, long)], words, (10, 30), 5)[0].first >= 0).sum(axis=1)
        assert np.bincount(n)[10:].min() > 4000 / 21 * 0.7

    def test_articles_over_shards_and_processes(self, tmp_path):
        articles = wiki(200, 3)
        lines = [line for article in articles for line in [*article, ""]]
        words = sorted({word for article in articles for p in article for word in p.split()})
        whole = self.shard(tmp_path, articles)
        one, _ = related_pairs([whole], words, (20, 20), 1)
        cuts = [0, 1, 2, 5, 300, 301, 302, 700, len(lines)]  # some cuts lie within articles
        for number, (a, b) in enumerate(pairwise(cuts)):
            write_shard(tmp_path, number, "".join(f"{line}\n" for line in lines[a:b]))
        shards = shard_paths(tmp_path)
        for processes in (1, 2):
            many, _ = related_pairs(shards, words, (20, 20), 1, processes=processes)
            assert all(np.array_equal(a, b) for a, b in zip(one, many, strict=True))

    @pytest.mark.parametrize("maximum", [1, 10, 100, 599, 600, 10_000])
    def test_maximum(self, tmp_path, maximum):
        articles = wiki(200, 3)
        words = sorted({word for article in articles for p in article for word in p.split()})
        for i in range(10):
            part = articles[20 * i : 20 * i + 20]
            write_shard(tmp_path, i, "".join("".join(f"{p}\n" for p in a) + "\n" for a in part))
        shards = shard_paths(tmp_path)
        everything, _ = related_pairs(shards, words, (20, 20), 7)
        found, dropped = related_pairs(shards, words, (20, 20), 7, maximum)
        assert len(found) == min(maximum, 600)
        assert dropped["beyond maximum_pairs"] == 600 - len(found)
        order = np.argsort(article_keys(everything.article, 7), kind="stable")[:maximum]
        assert np.array_equal(found.first, everything.first[np.sort(order)])
        assert len(np.unique(found.article)) == -(-len(found) // 3)  # all articles are complete except one

    def test_repeated_texts(self):
        first = np.array([[1], [2], [3], [1], [5], [6], [7]], np.int32)
        second = np.array([[11], [12], [3], [14], [12], [16], [6]], np.int32)
        kept = without_repetitions(Mined(first, second, np.arange(7)))
        assert kept.article.tolist() == [0, 1, 5]


class TestMine:
    @pytest.mark.parametrize("words", [20, [10, 30]])
    @pytest.mark.parametrize("way", ["other_article", "released_code"])
    def test_folder(self, tmp_path, words, way):
        articles = wiki(120, 10, 80)
        sentences, store = corpus(tmp_path, articles)
        meta = mine(sentences, store, tmp_path / "p", words=words, non_related=way, seed=3)
        found = PairSet.load(tmp_path / "p")
        assert found.documents == meta["documents"] == 1200
        lines = [line for article in articles for line in article]
        frequencies = Counter(word for line in lines for word in set(line.split()))
        assert found.document_frequencies.tolist() == [frequencies[word] for word in found.vocabulary]
        seen: dict[str, str] = {}
        seen_articles: dict[str, str] = {}
        for name in SPLITS:
            pairs = found.splits[name]
            assert pairs.first.shape == (len(pairs), 20 if words == 20 else 30)
            assert pairs.related.sum() * 2 == len(pairs)
            assert np.array_equal(pairs.related, np.arange(len(pairs)) % 2 == 0)
            first, second = texts(pairs.first, found.vocabulary), texts(pairs.second, found.vocabulary)
            for a, b, related in zip(first, second, pairs.related, strict=True):
                assert len({w[:3] for w in a.split()}) == 1  # all words of a text belong to one article
                if related:
                    assert a[:3] == b[:3]
                    assert any(a in line and b in line[line.index(a) + len(a) :] for line in lines)
                elif way == "other_article":
                    assert a[:3] != b[:3]
                for text in (a, b):
                    assert seen.setdefault(text, name) == name  # no text occurs in two splits
                    assert seen_articles.setdefault(text[:3], name) == name  # no article occurs in two splits
            if way == "other_article":
                assert Counter(np.array(first)[pairs.related]) == Counter(np.array(first)[~pairs.related])
                assert Counter(np.array(second)[pairs.related]) == Counter(np.array(second)[~pairs.related])
        total = sum(meta["pairs"].values())
        assert total == 2400 if way == "other_article" and words == 20 else 2000 < total <= 2400
        shares = np.array([meta["pairs"][name] for name in SPLITS]) / total
        assert np.allclose(shares, np.array([1.5, 1.9, 1.5]) / 4.9, atol=0.02)
        kept = {(c.split, c.related): c.pairs for c in found.counts if not c.note}
        assert kept == {(n, r): len(found.splits[n]) // 2 for n in SPLITS for r in (True, False)}

    def test_seed_and_processes(self, tmp_path):
        sentences, store = corpus(tmp_path, wiki(60, 4, 80))
        for name, seed, processes in (("a", 1, 1), ("b", 1, 2), ("c", 2, 1)):
            mine(sentences, store, tmp_path / name, words=(10, 30), seed=seed, processes=processes)
        a, b, c = (PairSet.load(tmp_path / name).train for name in "abc")
        assert np.array_equal(a.first, b.first)
        assert np.array_equal(a.second, b.second)
        assert a.first.shape != c.first.shape or not np.array_equal(a.first, c.first)

    def test_texts_shared_by_articles(self, tmp_path):
        articles = wiki(60, 3)
        stub = " ".join(f"stub{chr(97 + i)}" for i in range(10)) + " of the same words " * 12
        sentences, store = corpus(tmp_path, [[stub, *article] for article in articles])
        mine(sentences, store, tmp_path / "p")
        found = PairSet.load(tmp_path / "p")
        assert {c.note: c.pairs for c in found.counts}["left out: text occurred before"] == 59
        sides = [{t for p in (s.first, s.second) for t in texts(p, found.vocabulary)} for s in found.splits.values()]
        assert not sides[0] & sides[1]
        assert not sides[0] & sides[2]
        assert not sides[1] & sides[2]

    def test_one_article_larger_than_the_rest(self, tmp_path):
        sentences, store = corpus(tmp_path, [*wiki(60, 2), wiki(61, 45)[60]])
        mine(sentences, store, tmp_path / "p")
        found = PairSet.load(tmp_path / "p")
        assert "left out: no partner in its split" in {c.note for c in found.counts}

    def test_sentences_are_refused(self, tmp_path):
        sentences, store = corpus(tmp_path, wiki(10, 3), normalisation=None)
        with pytest.raises(SentrepError, match=r"expected normalised paragraphs, found .*; set `unit: paragraph`"):
            mine(sentences, store, tmp_path / "p")

    def test_no_pair(self, tmp_path):
        sentences, store = corpus(tmp_path, [["too short a text"], ["and another"]])
        with pytest.raises(
            SentrepError, match=r"of 50 words or more, found no pairs in 2 paragraphs \(paragraph too short: 2"
        ):
            mine(sentences, store, tmp_path / "p")
        assert not (tmp_path / "p").exists()

    def test_too_few_articles(self, tmp_path):
        sentences, store = corpus(tmp_path, wiki(2, 9))
        message = r"expected enough related pairs in the split '\w+' .* at least two articles"
        with pytest.raises(SentrepError, match=message):
            mine(sentences, store, tmp_path / "p")
        assert not (tmp_path / "p").exists()

    def test_wrong_words(self, tmp_path):
        sentences, store = corpus(tmp_path, wiki(4, 2))
        with pytest.raises(SentrepError, match="expected `words` as \\[low, high\\]"):
            mine(sentences, store, tmp_path / "p", words=[30, 10])

    def test_script(self, tmp_path):
        sentences, store = corpus(tmp_path, wiki(40, 4))
        settings = {"words": 20, "seed": 1}
        run_script(
            "sentrep.pairs.wikipedia.mine",
            input={"sentences": sentences, "store": store},
            output={"output": tmp_path / "p"},
            params={"keywords": settings, "code": "c"},
        )
        assert PairSet.load(tmp_path / "p").meta["code"] == "c"


def test_divide_keeps_articles_whole():
    dice = np.random.default_rng(0)
    article = np.sort(dice.integers(0, 3000, 40_000))
    rows = np.arange(40_000, dtype=np.int32)[:, None]
    parts = divide(Mined(rows, rows, article), {"train": 1, "validation": 1, "test": 2}, 1)
    assert sum(map(len, parts.values())) == 40_000
    assert np.allclose([len(parts[s]) / 40_000 for s in SPLITS], [0.25, 0.25, 0.5], atol=0.002)
    assert len(set.union(*(set(p.article) for p in parts.values()))) == sum(len(set(p.article)) for p in parts.values())
    assert all((np.diff(p.first[:, 0]) > 0).all() for p in parts.values())  # pairs are in the order of the corpus


@pytest.mark.mirror
def test_real_fragment(mirror, tmp_path):
    path = mirror / "wikipedia" / "enwiki-2015-03-first-pages.xml.bz2"
    if not path.exists():
        pytest.skip(f"no {path}")
    write_json(tmp_path / "m.json", {"name": "wiki", "files": [{"path": str(path), "sha256": ""}]})
    build_sentences(tmp_path / "m.json", "articles", tmp_path / "s", unit="paragraph", normalisation="paper")
    build_store(tmp_path / "s", tmp_path / "v", tokeniser_name="whitespace", minimum_count=2)
    meta = mine(tmp_path / "s", tmp_path / "v", tmp_path / "p", words=20)
    assert 500 < sum(meta["pairs"].values()) / 2 < meta["paragraphs"]
    found = PairSet.load(tmp_path / "p")
    assert found.vocabulary[:2] == ["the", "of"]
    first = found.document_frequencies[found.train.first]
    assert first.min() >= 1
