"""Test the search for nearest sentences against brute force, and the pool of sentences."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from helpers_evaluation import encoder_of
from sentrep.corpora.sentence_pool import sample_pool, sentence_key
from sentrep.evaluation.encoding import encode, encode_in_blocks
from sentrep.evaluation.nearest_sentences import nearest, read_lines, texts_at


def brute_force(queries, pool, k):
    """Return the indices and cosines of the k nearest sentences, with a separate loop for each cosine."""
    places, cosines = [], []
    for query in queries:
        found = []
        for place, row in enumerate(pool):
            if any(query) and any(row):
                dot = sum(float(x) * float(y) for x, y in zip(query, row, strict=True))
                lengths = np.sqrt(sum(float(x) ** 2 for x in query)) * np.sqrt(sum(float(y) ** 2 for y in row))
                found.append((-round(dot / lengths, 6), place))
        found = sorted(found)[:k] + [(np.nan, -1)] * max(0, k - len(found))
        places.append([place for _, place in found])
        cosines.append([-cosine for cosine, _ in found])
    return np.array(places), np.array(cosines)


# with integers, ties and zero vectors are common
vectors = st.integers(1, 4).flatmap(
    lambda d: st.tuples(
        st.lists(st.lists(st.integers(-2, 2), min_size=d, max_size=d), min_size=1, max_size=3),
        st.lists(st.lists(st.integers(-2, 2), min_size=d, max_size=d), min_size=1, max_size=12),
    )
)


@given(vectors, st.integers(1, 5), st.integers(1, 5), st.booleans())
def test_brute_force_finds_the_same(both, k, block, sparse):
    queries, pool = (np.array(rows, dtype=np.float32) for rows in both)
    make = sp.csr_array if sparse else np.asarray
    blocks = [make(pool[begin : begin + block]) for begin in range(0, len(pool), block)]
    found = nearest(make(queries), blocks, k)
    places, cosines = brute_force(queries, pool, k)
    np.testing.assert_array_equal(found.places, places)
    np.testing.assert_allclose(found.cosines, cosines, atol=1e-9)
    assert found.pool == len(pool)
    assert found.zeros == sum(not any(row) for row in pool)


def test_blocks_do_not_matter():
    rng = np.random.default_rng(0)
    queries, pool = rng.normal(size=(7, 20)), rng.normal(size=(500, 20))
    whole = nearest(queries, [pool], 10)
    parts = nearest(queries, np.array_split(pool, 13), 10)
    np.testing.assert_array_equal(whole.places, parts.places)
    np.testing.assert_array_equal(whole.cosines, parts.cosines)


def test_sentences_are_encoded_in_blocks():
    encoder = encoder_of({"red": [1, 0], "green": [0, 2], "blue": [3, 3]})
    sentences = ["red", "green green", "blue", "unknown", "red green"]
    blocks = list(encode_in_blocks(encoder, iter(sentences), "test", size=2))
    assert [len(block) for block in blocks] == [2, 2, 1]
    half = 0.5**0.5
    # the mean of red and green is (.5, 1)
    expected = [[1, 0], [0, 1], [half, half], [0, 0], [0.2**0.5, 0.8**0.5]]
    np.testing.assert_allclose(np.concatenate(blocks), expected, atol=1e-6)
    np.testing.assert_allclose(encode(encoder, sentences, "unit", "test").vectors, expected, atol=1e-6)


def test_lines_end_with_a_line_feed_only(tmp_path):
    path = tmp_path / "pool.txt"
    path.write_bytes("one\u0085half\ntwo\r\nthree\n".encode())
    assert list(read_lines(path)) == ["one\u0085half", "two\r", "three"]
    assert texts_at(read_lines(path), np.array([2, 0, -1])) == {0: "one\u0085half", 2: "three"}


@pytest.mark.parametrize("other", ["It's here .", "its HERE", "Its here!!", "“Its—here”"])
def test_the_same_sentence(other):
    assert sentence_key(other) == sentence_key("It's here.")


def test_different_sentences():
    assert sentence_key("It is here.") != sentence_key("It's here.")
    assert sentence_key("... !") == ""


CORPUS = [f"Sentence number {i} ." for i in range(400)]


def test_the_whole_corpus_if_it_is_small():
    text = [*CORPUS, "...", "SENTENCE number 3!", "Sentence number 3 ."]
    pool = sample_pool(text, 1000, seed=1, leave_out=["sentence number 7."])
    assert set(pool.sentences) == set(CORPUS) - {"Sentence number 7 ."}
    assert (pool.read, pool.left_out) == (403, 1)


@given(st.permutations(range(60)), st.integers(1, 70), st.integers(0, 5))
def test_the_sample_does_not_depend_on_order_or_repetition(order, size, seed):
    text = CORPUS[:60]
    expected = sample_pool(text, size, seed).sentences
    assert len(expected) == len(set(expected)) == min(size, 60)
    assert sample_pool([text[i] for i in order] + text[:30], size, seed).sentences == expected


def test_each_sentence_has_the_same_chance():
    """In 400 draws of a quarter of the sentences, each is drawn 100 times on average (standard deviation 8.66)."""
    counts = dict.fromkeys(CORPUS, 0)
    for seed in range(400):
        for sentence in sample_pool(CORPUS, 100, seed).sentences:
            counts[sentence] += 1
    assert sum(counts.values()) == 40000
    assert all(100 - 43 < count < 100 + 43 for count in counts.values())
