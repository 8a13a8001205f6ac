"""Test word2vec: seeds, history, unusual stores and parameters, and the quality compared with gensim."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.stats import spearmanr

from helpers_word2vec import ARCHITECTURES, SMALL, store_of
from sentrep.corpora.tokenisers import kenter
from sentrep.errors import SentrepError
from sentrep.families import parse_parameters
from sentrep.families.word2vec import Parameters, train
from sentrep.training.initialisation import uniform_vectors
from sentrep.training.run import Run

BACKENDS = ["compiled", "torch"]


def small(backend, architecture="skipgram", seed=1, **values):
    parameters = Parameters(architecture, dimension=8, sample=0.1, epochs=3, backend=backend, **values)
    run = Run(seed=seed)
    return train(store_of(SMALL), parameters, run), run


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_the_same_seed_gives_the_same_bits(backend, architecture):
    first, second, third = (small(backend, architecture, seed)[0] for seed in (1, 1, 2))
    np.testing.assert_array_equal(first.embeddings, second.embeddings)
    assert (first.embeddings != third.embeddings).any()
    assert first.embeddings.dtype == np.float32
    assert first.vocabulary == store_of(SMALL).vocabulary
    assert (first.embeddings != uniform_vectors(5, 8, 1)).any(axis=1).all()


@pytest.mark.parametrize("backend", BACKENDS)
def test_history(backend):
    encoder, run = small(backend)
    assert encoder.tokeniser_name == "whitespace"
    assert [row["epoch"] for row in run.history if row["epoch"] in (1, 2, 3)] == [1, 2, 3]
    size = len(SMALL) if backend == "compiled" else store_of(SMALL).n_tokens  # the number of sentences or of words
    assert run.history[-1]["examples"] == 3 * size
    rates = [row["learning_rate"] for row in run.history]
    assert rates == sorted(rates, reverse=True)
    assert rates[-1] < 0.025 / 40
    assert all(row["examples_per_second"] > 0 for row in run.history)
    assert all(np.isfinite(list(row.values())).all() for row in run.history)
    assert run.history[-1]["loss"] < 6 * np.log(2)  # less than the initial loss, at which the output vectors are zero


def test_rows_are_in_the_stores_order_when_counts_tie():
    words = [f"w{i}" for i in range(50)]
    encoder = train(store_of([words] * 3), Parameters(dimension=4, sample=0, epochs=1), Run(seed=1))
    start = uniform_vectors(50, 4, 1)
    # One epoch changes the vectors so little that each remains closest to its own initial value.
    distance = np.linalg.norm(encoder.embeddings[:, None] - start[None], axis=2)
    assert (distance.argmin(axis=1) == np.arange(50)).all()
    assert (encoder.embeddings != start).any(axis=1).all()


def test_torch_is_the_choice_on_a_gpu(monkeypatch):
    import sentrep.training.word2vec.gpu as on_gpu

    called = []
    monkeypatch.setattr(on_gpu, "train_vectors", lambda *arguments: called.append(1) or arguments[3])
    for device in ("cpu", "cuda"):
        train(store_of(SMALL), Parameters(dimension=4), Run(seed=0, device=device))
    assert called == [1]


def test_divergence_ends_in_one_line():
    parameters = Parameters(dimension=8, sample=0, epochs=200, learning_rate=50.0, backend="torch")
    with pytest.raises(SentrepError, match="lower `batch_words` or `learning_rate`"):
        train(store_of(SMALL), parameters, Run(seed=0))


@pytest.mark.parametrize("backend", BACKENDS)
def test_odd_stores(backend):
    parameters = Parameters(dimension=4, epochs=1, backend=backend)
    with pytest.raises(SentrepError, match="at least one word"):
        train(store_of([[], []]), parameters, Run(seed=0))
    lonely = train(store_of([["a"], [], ["a"]]), parameters, Run(seed=0))
    np.testing.assert_array_equal(lonely.embeddings, uniform_vectors(1, 4, 0))


@pytest.mark.parametrize(
    "values",
    [
        *[{"dimension": 0}, {"window": 0}, {"sample": 1.0}, {"sample": -0.1}, {"learning_rate": 0.0}],
        *[{"negatives": 0}, {"epochs": 0}, {"batch_words": 0}, {"architecture": "glove"}],
    ],
)
def test_parameters_are_checked(values):
    with pytest.raises(SentrepError, match=r"^models\.x"):
        parse_parameters("word2vec", values, "models.x")


def test_defaults_are_the_papers():
    found = parse_parameters("word2vec", {}, "models.x")
    assert (found.dimension, found.window, found.sample, found.negatives) == (300, 5, 1e-5, 5)
    assert found.initial_learning_rate == 0.025
    assert Parameters(architecture="cbow").initial_learning_rate == 0.05


@cache
def news():
    """Return the store of the 300 news articles that come with gensim (50,157 words)."""
    import gensim

    text = (Path(gensim.__file__).parent / "test" / "test_data" / "lee_background.cor").read_text(encoding="latin-1")
    sentences = [kenter(sentence) for line in text.split("\n") for sentence in line.split(". ")]
    return store_of(sentences, min_count=5)


def cosines(vectors, n=500):
    """Return the (n, n) cosines of the n most frequent words."""
    vectors = vectors[:n] / np.linalg.norm(vectors[:n], axis=1, keepdims=True)
    return vectors @ vectors.T


@cache
def count_based_cosines():
    """Return cosines of positive pointwise mutual information in windows of 5, which the vectors should approximate."""
    store = news()
    ids = store.ids.astype(np.int64)
    sentence = np.repeat(np.arange(store.n_sentences), np.diff(store.sentence_offsets))
    pairs = sp.csr_array((store.vocabulary_size,) * 2)
    for distance in range(1, 6):
        same = sentence[distance:] == sentence[:-distance]
        ends = (ids[distance:][same], ids[:-distance][same])
        near = sp.coo_array((np.ones(same.sum()), ends), shape=pairs.shape).tocsr()
        pairs = pairs + near + near.T
    pairs = pairs.toarray()
    totals = pairs.sum(axis=1)
    with np.errstate(divide="ignore"):
        information = np.log(pairs * totals.sum() / np.outer(totals, totals))
    return cosines(np.maximum(information, 0))


def agreement(a, b):
    """Return the rank correlation of two cosine matrices, and the share of common words among 10 neighbours."""
    upper = np.triu_indices(len(a), 1)
    nearest = [np.argsort(-(c - 2 * np.eye(len(c))), axis=1)[:, :10] for c in (a, b)]
    shared = np.mean([len({*x} & {*y}) / 10 for x, y in zip(*nearest, strict=True)])
    return spearmanr(a[upper], b[upper])[0], shared


def gensim_vectors(store, parameters, seed):
    """Return the vectors that gensim trains with the same settings and initial vectors."""
    from gensim.models import Word2Vec

    rate = parameters.initial_learning_rate
    sentences = [
        [store.vocabulary[i] for i in store.ids[begin:end]]
        for begin, end in zip(store.sentence_offsets[:-1], store.sentence_offsets[1:], strict=True)
    ]
    model = Word2Vec(
        sg=int(parameters.architecture == "skipgram"),
        vector_size=parameters.dimension,
        window=parameters.window,
        sample=parameters.sample,
        negative=parameters.negatives,
        alpha=rate,
        min_alpha=1e-4 * rate,
        min_count=1,
        sorted_vocab=0,
        seed=seed,
        workers=1,
    )
    frequencies = dict(zip(store.vocabulary, store.counts.tolist(), strict=True))
    model.build_vocab_from_freq(frequencies, corpus_count=store.n_sentences)
    model.wv.vectors[:] = uniform_vectors(store.vocabulary_size, parameters.dimension, seed)
    model.train(sentences, total_words=store.n_tokens, epochs=parameters.epochs)
    return model.wv.vectors


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_backends_agree_with_gensim_in_quality(architecture):
    """Compare both backends with gensim, with each other, and with word counts, on real text.

    Each model has its own random numbers and seed. With five seeds each of gensim and torch, the rank correlation with
    word counts was .30 to .33 for skip-gram and .24 to .26 for CBOW, and the rank correlation with each other was .87
    to .88 and .80 to .82.
    """
    rate = {"skipgram": 0.075, "cbow": 0.15}[architecture]  # three times the default rate, because the corpus is small
    shared = {"dimension": 32, "sample": 1e-3, "epochs": 5, "learning_rate": rate}
    found = {"gensim": cosines(gensim_vectors(news(), Parameters(architecture, **shared), 3))}
    for seed, backend in enumerate(BACKENDS, start=1):
        parameters = Parameters(architecture, backend=backend, **shared)
        found[backend] = cosines(train(news(), parameters, Run(seed=seed)).embeddings)
    quality = {name: agreement(c, count_based_cosines()) for name, c in found.items()}
    random = cosines(np.random.default_rng(0).normal(size=(news().vocabulary_size, 32)))
    assert abs(agreement(random, count_based_cosines())[0]) < 0.05
    for backend in BACKENDS:
        np.testing.assert_allclose(quality[backend], quality["gensim"], atol=0.06)
        assert quality[backend][0] > 0.18
        assert quality[backend][1] > 0.15
        correlation, neighbours = agreement(found[backend], found["gensim"])
        assert correlation > 0.72
        assert neighbours > 0.33
