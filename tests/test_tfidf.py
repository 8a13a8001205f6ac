"""Compare tf-idf with a loop over its definition and with scikit-learn."""

import math
from collections import Counter

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from helpers_word2vec import store_of
from sentrep.encoders.base import AveragingEncoder
from sentrep.encoders.registry import load_encoder
from sentrep.encoders.tfidf import TfIdfEncoder
from sentrep.errors import SentrepError
from sentrep.families import parse_parameters
from sentrep.families.tfidf import Parameters, train
from sentrep.io.seal import seal
from sentrep.training.run import Run

CORPUS = [
    ["the", "cat", "sat", "on", "the", "mat", "the", "end"],
    ["the", "dog", "sat"],
    [],
    ["a", "cat", "and", "a", "dog"],
    ["the", "the", "the"],
]
QUERIES = ["the cat the unknown", "", "unknown", "dog dog mat a", "end"]


def brute_force(corpus, sentence, vocabulary):
    counts = Counter(sentence.split())
    frequency = {w: sum(w in words for words in corpus) for w in vocabulary}
    return [counts[w] * math.log(len(corpus) / frequency[w]) for w in vocabulary]


def model(corpus=CORPUS):
    return train(store_of(corpus), Parameters(), Run(seed=0))


def test_matches_the_definition():
    encoder = model()
    vectors = encoder.encode(QUERIES)
    assert isinstance(vectors, sp.csr_array)
    assert vectors.shape == (5, encoder.dimension) == (5, len(encoder.vocabulary))
    expected = [brute_force(CORPUS, query, encoder.vocabulary) for query in QUERIES]
    np.testing.assert_allclose(vectors.toarray(), expected, rtol=1e-6)
    assert not vectors.toarray()[[1, 2]].any()


words = st.lists(st.sampled_from("abcde"), max_size=6)


@given(st.lists(words, min_size=1, max_size=6).filter(any), words)
def test_matches_the_definition_on_any_corpus(corpus, query):
    encoder = model(corpus)
    expected = brute_force(corpus, " ".join(query), encoder.vocabulary)
    np.testing.assert_allclose(encoder.encode([" ".join(query)]).toarray()[0], expected, rtol=1e-6, atol=1e-7)


def test_matches_scikit_learn():
    from sklearn.feature_extraction.text import TfidfVectorizer

    encoder = model()
    theirs = TfidfVectorizer(analyzer=str.split, norm=None, smooth_idf=False, vocabulary=encoder.vocabulary)
    theirs.fit([" ".join(words) for words in CORPUS])
    theirs.idf_ -= 1  # its idf without smoothing is ln(S / df) + 1
    np.testing.assert_allclose(encoder.encode(QUERIES).toarray(), theirs.transform(QUERIES).toarray(), rtol=1e-6)


def test_a_word_of_every_sentence_leaves_a_zero_vector():
    encoder = model([["a", "b"], ["a"]])
    assert encoder.encode(["a a"]).nnz == 0
    assert encoder.count_tokens(["a a x"])[1].tolist() == [2]


def test_save_and_load(tmp_path):
    encoder = model()
    encoder.meta.update(family="tfidf", seed=7)
    encoder.save(tmp_path)
    loaded = load_encoder(tmp_path)
    assert isinstance(loaded, TfIdfEncoder)
    assert loaded.meta["seed"] == 7
    assert loaded.tokeniser_name == "whitespace"
    assert (loaded.encode(QUERIES) != encoder.encode(QUERIES)).nnz == 0


def test_a_damaged_folder_is_one_line(tmp_path):
    encoder = model()
    encoder.meta["family"] = "tfidf"
    encoder.save(tmp_path)
    (tmp_path / "vocabulary.txt").write_text("a\n")
    with pytest.raises(SentrepError, match="another checksum"):
        load_encoder(tmp_path)
    seal(tmp_path)
    with pytest.raises(SentrepError, match="1 idf values, one per word"):
        load_encoder(tmp_path)
    (tmp_path / "idf.safetensors").write_bytes(b"short")
    seal(tmp_path)
    with pytest.raises(SentrepError, match="complete model folder"):
        load_encoder(tmp_path)
    with pytest.raises(SentrepError):
        AveragingEncoder.load(tmp_path)


def test_parameters_are_checked():
    assert parse_parameters("tfidf", {}, "models.x") == Parameters()
    with pytest.raises(SentrepError, match="expected one of plain"):
        parse_parameters("tfidf", {"idf": "smooth"}, "models.x")
