"""Test representations of texts: the order of words, interpolation, and all similarities against plain loops."""

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers_aggregation import (
    random_pairs,
    slow_interpolation,
    small_lexicon,
    word_vectors,
    words_of,
    write_pairs_folder,
)
from sentrep.aggregation.lexicon import (
    build_lexicon,
    first_pairs,
    inverse_document_frequencies,
    open_pairs,
)
from sentrep.aggregation.options import Options
from sentrep.aggregation.representations import BASELINES, Weighting, similarities, top_words
from sentrep.config.resolve import resolve
from sentrep.encoders.registry import load_word_vectors
from sentrep.encoders.weighted import WeightedEncoder, descending_idf, interpolation, length_map, length_maps
from sentrep.errors import SentrepError
from sentrep.pairs.pair_set import Pairs


@given(st.integers(1, 40), st.integers(1, 36), st.integers(0, 100))
def test_interpolation_is_the_papers(n, m, seed):
    weights = np.random.default_rng(seed).normal(size=m)
    assert interpolation(n, m) @ weights == pytest.approx(slow_interpolation(weights, n), abs=1e-9)


def test_interpolation_by_hand():
    # the positions 0, 1.5 and 3 of four weights
    assert interpolation(3, 4) @ [4.0, 3.0, 1.0, 0.0] == pytest.approx([4, 3 - 2 * 0.5 / 1.00001, 0])
    assert np.array_equal(interpolation(20, 20), np.eye(20))
    assert np.array_equal(interpolation(1, 5), [[1, 0, 0, 0, 0]])


def test_divisors():
    assert np.allclose(length_map(9, 4, "n") * 9, length_map(9, 4, "sqrt_n") * 3)
    maps = length_maps(5, 4, "n")
    assert not maps[0].any()
    assert not maps[3, 3:].any()
    assert np.array_equal(maps[3, :3], length_map(3, 4, "n"))


def test_order_of_words():
    words, frequencies = ["b", "c", "a", "d"], np.array([5, 1, 5, 0])
    idf = inverse_document_frequencies(frequencies, 10)
    assert idf == pytest.approx([math.log(2), math.log(10)] * 2)
    assert [words[row] for row in descending_idf(words, idf)] == ["c", "d", "a", "b"]


def test_lexicon_of_a_folder(tmp_path):
    corpus = open_pairs(write_pairs_folder(tmp_path / "pairs", words=(3, 8)))
    model = load_word_vectors(word_vectors(tmp_path / "model", missing=("f0", "t1x1")))
    lexicon = build_lexicon(corpus, model.row_of, model.embeddings, normalise=True)
    assert lexicon.nothing == len(corpus.vocabulary) - 2
    assert (np.diff(lexicon.idf[:-1]) <= 0).all()
    assert lexicon.idf[-1] == 0
    assert np.linalg.norm(lexicon.vectors, axis=1) == pytest.approx([1.0] * lexicon.nothing + [0.0], abs=1e-6)
    pairs = corpus.train
    ranked = lexicon.rank(pairs)
    text = [corpus.vocabulary[row] for row in pairs.first[0] if row >= 0]
    known = [word for word in text if word in model.row_of]
    frequency = dict(zip(corpus.vocabulary, corpus.document_frequencies, strict=True))
    known.sort(key=lambda word: (frequency[word], word))
    name = {rank: word for word, rank in zip(corpus.vocabulary, lexicon.rank_of_row, strict=True)}
    assert [name[rank] for rank in words_of(lexicon, ranked.first[0])] == known
    assert lexicon.lengths(ranked.first)[0] == len(known)
    vector = model.embeddings[model.row_of[known[0]]]
    assert lexicon.vectors[ranked.first[0, 0]] == pytest.approx(vector / np.linalg.norm(vector), abs=1e-6)


def test_first_pairs():
    pairs = Pairs(np.arange(6)[:, None], np.arange(6)[:, None], np.array([1, 1, 0, 1, 0, 0], dtype=bool))
    assert first_pairs(pairs, 2).first[:, 0].tolist() == [0, 1, 2, 4]
    assert len(first_pairs(pairs, 9)) == 6


def slow_similarities(lexicon, first, second, weights, settings):
    """Return all similarities of one pair, as described in the paper."""
    texts = [words_of(lexicon, first), words_of(lexicon, second)]
    dimension = lexicon.vectors.shape[1]
    vectors = {name: [] for name in [*BASELINES[1:], *weights]}
    for text in texts:
        n = len(text)
        rows = lexicon.vectors[text].astype(float)
        if n == 0:
            for name, found in vectors.items():
                found.append(np.zeros(dimension * (2 if name.startswith("Min/max") else 1)))
            continue
        kept = max(1, math.floor(0.3 * n + 0.5) if settings.top == "30%" else n // 3)
        top = rows[:kept]
        vectors["Mean"].append(rows.sum(axis=0) / n)
        vectors["Max"].append(rows.max(axis=0))
        vectors["Min/max"].append(np.concatenate([rows.max(axis=0), rows.min(axis=0)]))
        divisor = kept if settings.top_divisor == "kept" else n
        vectors["Mean, top 30% idf"].append(top.sum(axis=0) / divisor)
        vectors["Max, top 30% idf"].append(top.max(axis=0))
        vectors["Min/max, top 30% idf"].append(np.concatenate([top.max(axis=0), top.min(axis=0)]))
        vectors["Mean, idf-weighted"].append((lexicon.idf[text][:, None] * rows).sum(axis=0) / n)
        for name, weighting in weights.items():
            w = weighting.weights / np.abs(weighting.weights).max()
            factors = slow_interpolation(w, n) / (n if weighting.divisor == "n" else math.sqrt(n))
            vectors[name].append((factors[:, None] * rows).sum(axis=0))
    result = {name: 1 - math.dist(*pair) for name, pair in vectors.items()}
    counts = [Counter(text) for text in texts]
    dot = sum(counts[0][w] * counts[1][w] * lexicon.idf[w] ** 2 for w in counts[0])
    tokens = settings.tfidf_norm == "tokens"
    norms = [
        math.sqrt(sum((c if tokens else 1) * (c * lexicon.idf[w]) ** 2 for w, c in count.items())) for count in counts
    ]
    result["Tf-idf"] = dot / (norms[0] * norms[1]) if dot else 0.0
    if settings.empty == "zero_similarity" and not all(texts):
        result = dict.fromkeys(result, 0.0)
    return result


@settings(max_examples=30, deadline=None)
@given(
    st.integers(0, 10_000),
    st.integers(1, 12),
    st.builds(
        Options,
        top=st.sampled_from(["30%", "third"]),
        top_divisor=st.sampled_from(["kept", "full"]),
        tfidf_norm=st.sampled_from(["types", "tokens"]),
        empty=st.sampled_from(["zero", "zero_similarity"]),
    ),
)
def test_all_ways_against_loops(seed, longest, switches):
    rng = np.random.default_rng(seed)
    lexicon = small_lexicon(rng, words=8)  # There are few words, so that texts repeat words and share some of them.
    pairs = random_pairs(lexicon, rng, 7, longest, shortest=0)
    weights = {"w": Weighting(rng.normal(size=6)), "v": Weighting(rng.normal(size=3), "sqrt_n")}
    fast = similarities(lexicon, pairs, weights, switches, block=3)
    assert list(fast) == [*BASELINES, "w", "v"]
    for i in range(len(pairs)):
        slow = slow_similarities(lexicon, pairs.first[i], pairs.second[i], weights, switches)
        for name, value in slow.items():
            assert fast[name][i] == pytest.approx(value, abs=2e-5), name


def test_threads_and_blocks_change_nothing():
    rng = np.random.default_rng(3)
    lexicon = small_lexicon(rng)
    pairs = random_pairs(lexicon, rng, 1000, 9)
    weights = {"w": Weighting(np.linspace(1, 0, 9))}
    one, two = (similarities(lexicon, pairs, weights, block=b, threads=t) for b, t in ((1000, 1), (64, 2)))
    for name in one:
        assert one[name] == pytest.approx(two[name], abs=1e-6)


def test_top_words():
    lengths = np.array([0, 1, 2, 5, 10, 20, 30])
    assert top_words(lengths, "30%").tolist() == [0, 1, 1, 2, 3, 6, 9]
    assert top_words(lengths, "third").tolist() == [0, 1, 1, 1, 3, 6, 10]


def test_defaults_follow_the_paper_except_for_the_scale_of_weights():
    released = resolve({}).aggregation.variants["as released"].options
    default = Options()
    same = {name for name in Options.model_fields if getattr(default, name) == getattr(Options(**released), name)}
    assert same == {"maximum_weight_one"}


def test_scale_of_learnt_weights_is_free():
    rng = np.random.default_rng(4)
    lexicon = small_lexicon(rng)
    pairs = random_pairs(lexicon, rng, 50, 6)
    once, thrice = ({"w": Weighting(k * np.array([3.0, 1.0, 0.5]))} for k in (1, 3))
    plain = Options(maximum_weight_one=False)
    scaled = similarities(lexicon, pairs, once)["w"]
    assert scaled == pytest.approx(similarities(lexicon, pairs, thrice)["w"], abs=1e-6)
    unscaled = similarities(lexicon, pairs, once, plain)["w"]
    assert 1 - unscaled == pytest.approx(3 * (1 - scaled), abs=1e-5)


def test_a_split_of_one_kind(tmp_path):
    folder = write_pairs_folder(tmp_path / "pairs", sizes=(40, 40, 1))
    with pytest.raises(
        SentrepError, match=r"test.npz: expected both related and non-related pairs, found 1 related and 0 non-related"
    ):
        open_pairs(folder)


def test_vectors_without_any_known_word(tmp_path):
    corpus = open_pairs(write_pairs_folder(tmp_path / "pairs", sizes=(40, 40, 40)))
    with pytest.raises(SentrepError, match="expected vectors for words in the pairs, found none"):
        build_lexicon(corpus, {"zzz": 0}, np.ones((1, 4), dtype=np.float32), normalise=False)


def test_text_is_cleaned_as_the_pairs_were():
    vectors = np.eye(3, dtype=np.float32)
    encoder = WeightedEncoder(vectors, np.array([1.0, 3.0, 2.0]), np.array([1.0, 0.5, 0.2]), ["the", "cat", "0"])
    assert encoder.tokens(["The cat, 3.5!"]) == [["the", "cat", "0"]]
    assert encoder.encode(["The cat, 3.5!"])[0] == pytest.approx(np.array([0.2, 1.0, 0.5]) / 3)
    assert [counts.tolist() for counts in encoder.count_tokens(["A CAT"])] == [[2], [1]]
