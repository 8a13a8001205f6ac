"""Test CBOS against loops, finite differences and autograd; test stems, long sentences and document boundaries."""

import dataclasses
import math
from itertools import pairwise

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from nltk.stem.porter import PorterStemmer

from helpers_store import make_store, random_store, topical_store, words_of
from sentrep.corpora.build_store import build_store
from sentrep.corpora.sentence_shards import write_shard
from sentrep.corpora.store import TokenStore
from sentrep.corpora.tokenisers import kenter, kenter_porter
from sentrep.encoders.registry import load_encoder
from sentrep.errors import SentrepError
from sentrep.families import parse_parameters
from sentrep.families.cbos import Parameters, train
from sentrep.io.files import write_json
from sentrep.training.averaging import cpu as numba_trainer
from sentrep.training.averaging.autograd import AutogradTrainer
from sentrep.training.averaging.autograd import softmax_context as reference_loss
from sentrep.training.averaging.cpu import CpuTrainer
from sentrep.training.averaging.cpu_losses import softmax_context
from sentrep.training.averaging.objective import cbos
from sentrep.training.batches import Chunk, Sampler, TokenReader
from sentrep.training.initialisation import normal_vectors
from sentrep.training.run import Run
from sentrep.training.split_sentences import split_long

SMALL = Parameters(dimension=12, batch_size=5)


@pytest.fixture(autouse=True)
def threads_for_small_batches(monkeypatch):
    monkeypatch.setattr(numba_trainer, "WORTH_THREADS", 0)


def loss_in_loops(vectors, context, how):
    """Compute equations 5 to 7 of the paper for one example."""
    together = np.zeros(vectors.shape[1])
    for neighbour in vectors[1 : 1 + 2 * context]:
        together += neighbour
    if how == "mean":
        together /= 2 * context
    scores = [float(vectors[0] @ together)] + [float(v @ together) for v in vectors[1 + 2 * context :]]
    return -math.log(math.exp(scores[0]) / sum(math.exp(score) for score in scores))


def loss_and_gradient(vectors, context, how):
    """Compute the gradients from the coefficients that the compiled loss returns, as its module documents."""
    places = np.arange(1, 1 + 2 * context)
    weight = 1 / len(places) if how == "mean" else 1.0
    anchor = vectors[places].sum(axis=0) * weight
    products = np.stack([vectors @ anchor, (vectors * vectors).sum(axis=1)])
    coefficients = np.full_like(products, np.nan)
    loss = softmax_context(products, coefficients, 1, 1 + 2 * context)
    across, along = coefficients[:, :, None]
    gradients = across * anchor + along * vectors
    candidates = np.setdiff1d(np.arange(len(vectors)), places)
    gradients[places] = weight * ((across * vectors)[candidates].sum(axis=0) + along[1] * anchor)
    return loss, gradients


@pytest.mark.parametrize("how", ["mean", "sum"])
@pytest.mark.parametrize(("context", "negatives"), [(1, 1), (1, 2), (2, 5), (5, 1)])
def test_loss_and_gradient(context, negatives, how):
    vectors = np.random.default_rng(context).standard_normal((1 + 2 * context + negatives, 7)) / 2
    loss, gradients = loss_and_gradient(vectors, context, how)
    assert loss == pytest.approx(loss_in_loops(vectors, context, how), abs=1e-12)
    leaf = torch.tensor(vectors[None], requires_grad=True)
    expected = reference_loss(leaf, context, how)
    expected.backward()
    assert loss == pytest.approx(expected.item(), abs=1e-12)
    np.testing.assert_allclose(gradients, leaf.grad[0].numpy(), atol=1e-12)
    step = 1e-6
    for place in np.ndindex(vectors.shape):
        high, low = vectors.copy(), vectors.copy()
        high[place] += step
        low[place] -= step
        slope = (loss_in_loops(high, context, how) - loss_in_loops(low, context, how)) / (2 * step)
        assert gradients[place] == pytest.approx(slope, abs=1e-7)


def test_large_scores_do_not_overflow():
    vectors = np.full((5, 4), 40.0, dtype=np.float32)  # the scores are 6,400, whose exponentials overflow
    vectors[3] *= -1
    loss, gradients = loss_and_gradient(vectors, 1, "mean")
    # one negative sentence equals the centre, the other is its opposite
    assert loss == pytest.approx(math.log(2), abs=1e-6)
    assert np.isfinite(gradients).all()


@pytest.mark.parametrize("optimiser", ["sgd", "adadelta"])
@pytest.mark.parametrize(
    ("context", "negatives", "how", "dimension", "longest"),
    [(1, 2, "mean", 100, 12), (3, 1, "mean", 33, 50), (2, 4, "sum", 70, 1)],  # 50 words and one word
)
def test_steps_are_autograd_s(context, negatives, how, dimension, longest, optimiser):
    store = random_store(context, 120, 60, longest)
    sampler = Sampler(store, 6, negatives, 3, context=context)
    n, rate, rho, epsilon = 4, {"sgd": 0.02, "adadelta": 1.0}[optimiser], 0.95, 1e-6
    chunk = TokenReader(store, 120, "clean", 32).read(sampler.sentences(0, 0, n))
    initial = (np.random.default_rng(0).standard_normal((60, dimension)) * 0.03).astype(np.float32)
    expected, losses = torch.tensor(initial, dtype=torch.float64), []
    squares, updates = torch.zeros_like(expected), torch.zeros_like(expected)
    for b in range(n):
        leaf = expected.clone().requires_grad_()
        total = 0
        for starts, lengths in zip(chunk.starts[b], chunk.lengths[b], strict=True):
            sums = [
                leaf[chunk.tokens[start : start + length].astype(np.int64)].sum(0)
                for start, length in zip(starts, lengths, strict=True)
            ]
            middle = sum(sums[1 : 1 + 2 * context]) / (2 * context if how == "mean" else 1)
            scores = torch.stack([middle @ candidate for candidate in [sums[0], *sums[1 + 2 * context :]]])
            total = total - torch.log_softmax(scores, 0)[0] / 6
        total.backward()
        losses.append(total.item())
        step = leaf.grad
        if optimiser == "adadelta":
            squares = rho * squares + (1 - rho) * leaf.grad**2
            step = leaf.grad * (updates + epsilon).sqrt() / (squares + epsilon).sqrt()
            updates = rho * updates + (1 - rho) * step**2
        expected = expected - rate * step
    assert np.abs(expected.numpy() - initial).max() > 1e-3  # the steps are large enough to compare
    for threads in (1, 2):
        trainer = CpuTrainer(initial, optimiser, threads, cbos(context, how))
        np.testing.assert_allclose(trainer.step(chunk, np.full(n, rate)), losses, rtol=1e-5)
        np.testing.assert_allclose(trainer.matrix(), expected.numpy(), atol=1e-5)
    trainer = AutogradTrainer(initial, optimiser, 1, cbos(context, how))
    np.testing.assert_allclose(trainer.step(chunk, np.full(n, rate)), losses, rtol=1e-5)
    np.testing.assert_allclose(trainer.matrix(), expected.numpy(), atol=1e-5)


@pytest.mark.parametrize("optimiser", ["sgd", "adadelta"])
def test_threads_and_chunks_do_not_change_a_bit(optimiser):
    store, n = random_store(2, 500, 300), 20
    initial = normal_vectors(300, 100, 0.05, 0)
    chunk = TokenReader(store, 120, "clean", 32).read(Sampler(store, 10, 2, 1, context=2).sentences(0, 0, n))
    whole, threaded, mixed = (CpuTrainer(initial, optimiser, threads, cbos(2, "mean")) for threads in (1, 2, 2))
    losses = whole.step(chunk, np.full(n, 0.1))
    assert (losses == threaded.step(chunk, np.full(n, 0.1))).all()
    for first, last, worth in ((0, 3, 0), (3, 11, math.inf), (11, 20, 0)):  # the middle part is trained with one thread
        numba_trainer.WORTH_THREADS = worth
        part = Chunk(chunk.tokens, chunk.starts[first:last], chunk.lengths[first:last])
        assert (losses[first:last] == mixed.step(part, np.full(last - first, 0.1))).all()
    assert (whole.matrix() == threaded.matrix()).all()
    assert (whole.matrix() == mixed.matrix()).all()


# --- the family -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("backend", ["numba", "torch"])
@pytest.mark.parametrize(
    "changes", [{}, {"context": 3}, {"context_vector": "sum"}, {"optimiser": "adadelta", "learning_rate": None}]
)
def test_topics_are_learnt(backend, changes):
    run = Run(1)
    settings = {"sigma": 0.1, "learning_rate": 0.3, "epochs": 10, "backend": backend, **changes}
    encoder = train(topical_store(), dataclasses.replace(SMALL, **settings), run)
    assert run.history[0]["loss"] > 0.8  # after a fiftieth of an epoch; random guessing gives ln 3
    assert run.history[-1]["loss"] < 0.7
    assert encoder.aggregation == "sum"
    same, other = encoder.encode(["w1 w2 w3", "w4 w5 w6", "w11 w12 w13"]) @ encoder.encode(["w7 w8"]).T, 2
    assert same[0] > 2 * same[other]
    assert same[1] > 2 * same[other]


def test_backends_agree_and_the_same_seed_gives_the_same_bits():
    store = random_store(1, 400, 80)
    changes = {"learning_rate": 0.2, "sigma": 0.05, "context": 2, "negatives": 3, "epochs": 2}
    settings = dataclasses.replace(SMALL, **changes)
    ours, again = (train(store, settings, Run(2)).embeddings for _ in range(2))
    theirs = train(store, dataclasses.replace(settings, backend="torch"), Run(2)).embeddings
    assert (ours == again).all()
    np.testing.assert_allclose(ours, theirs, atol=1e-5)
    assert np.abs(ours - normal_vectors(80, 12, 0.05, 2)).max() > 0.01


def test_exactly_enough_sentences_and_one_too_few():
    # Of the first five sentences, one has two neighbours on each side; the last sentence is the only negative.
    exact = [[0]] * 5 + [[]] + [[1]]
    encoder = train(make_store(exact), dataclasses.replace(SMALL, batch_size=1, context=2), Run(0))
    assert (encoder.embeddings[0] != normal_vectors(2, 12, 0.01, 0)[0]).any()
    with pytest.raises(
        SentrepError,
        match=r"corpus: expected at least 1 sequences of 5 consecutive sentences with known words \(1 batch\)",
    ):
        train(make_store(exact[1:]), dataclasses.replace(SMALL, batch_size=1, context=2), Run(0))


def test_encoding_after_saving(tmp_path):
    store = dataclasses.replace(
        make_store([[0, 1, 2], [2, 1], [0, 2]] * 20),
        vocabulary=["runner", "run", "cat"],
        meta={"encoding_tokeniser": "kenter_porter"},
    )
    encoder = train(store, dataclasses.replace(SMALL, epochs=1), Run(0))
    encoder.meta["family"] = "cbos"
    encoder.save(tmp_path)
    loaded, W = load_encoder(tmp_path), encoder.embeddings
    encoded = loaded.encode(["The cats were running!", "run", "zebra, unknown", ""])
    np.testing.assert_allclose(encoded[0], W[1] + W[2], atol=1e-7)
    np.testing.assert_allclose(encoded[1], W[1], atol=1e-7)
    assert (encoded[2:] == 0).all()


@pytest.mark.parametrize("name", ["context", "negatives", "batch_size", "epochs", "dimension", "longest_sentence"])
def test_numbers_must_be_positive(name):
    with pytest.raises(SentrepError, match=f"x.{name}: expected at least 1"):
        parse_parameters("cbos", {name: 0}, "models.x")


def test_the_rate_must_be_positive():
    with pytest.raises(SentrepError, match=r"x\.learning_rate: expected above 0"):
        parse_parameters("cbos", {"learning_rate": -1.0}, "models.x")


# --- long sentences ---------------------------------------------------------------------------------------


@settings(max_examples=100)
@given(st.lists(st.lists(st.integers(0, 11), max_size=5), min_size=1, max_size=5), st.integers(1, 6))
def test_long_sentences_become_several(documents, longest):
    words = iter(range(1000))
    sentences = [[next(words) for _ in range(length)] for document in documents for length in document]
    store = make_store(sentences, 1000, [len(document) for document in documents])
    expected, sizes, left = [], [], iter(sentences)
    for document in documents:
        pieces = []
        for _ in document:
            sentence = next(left)
            pieces += [sentence[i : i + longest] for i in range(0, len(sentence), longest)] or [[]]
        expected += pieces
        sizes.append(len(pieces))
    split = split_long(store, longest)
    offsets = split.sentence_offsets
    assert [split.ids[a:b].tolist() for a, b in pairwise(offsets)] == expected
    assert np.diff(split.document_offsets).tolist() == sizes
    assert split.ids is store.ids


def test_pieces_of_long_sentences_are_neighbours():
    store = make_store([list(range(30)), [40], [41]])  # one centre without splitting, three with splitting
    encoder = train(store, dataclasses.replace(SMALL, batch_size=3, longest_sentence=10), Run(0))
    assert (encoder.embeddings[10:30] != normal_vectors(42, 12, 0.01, 0)[10:30]).any(axis=1).all()


# --- stems ------------------------------------------------------------------------------------------------


def test_stems_are_nltk_s(nasty_sentences):
    stemmer = PorterStemmer()
    lines = [*nasty_sentences, "The runner's cats ran, running/relational FLIES; dies and was generously hopping."]
    for line in lines:
        assert kenter_porter(line) == [stemmer.stem(word) for word in kenter(line)]
        # stores split lines at spaces before they tokenise
        assert kenter_porter(line) == [word for piece in line.split() for word in kenter_porter(piece)]
        assert all(word and word.split() == [word] for word in kenter_porter(line))
    assert kenter_porter("cats running generously") == ["cat", "run", "gener"]


def test_a_store_of_stems(tmp_path):
    lines = ["The cat runs.", "Cats ran; cats are running!", "A dog: the dogs run", ""]
    (tmp_path / "sentences").mkdir()
    write_shard(tmp_path / "sentences", 0, "\n".join(lines) + "\n")
    write_json(tmp_path / "sentences" / "meta.json", {"documents": 1, "source": {}, "source_sha256": []})
    names = {"tokeniser_name": "kenter_porter", "encoding_tokeniser": "kenter_porter"}
    build_store(tmp_path / "sentences", tmp_path / "store", minimum_count=2, **names)
    store = TokenStore.open(tmp_path / "store")
    assert dict(zip(store.vocabulary, store.counts.tolist(), strict=True)) == {"cat": 3, "run": 3, "dog": 2, "the": 2}
    assert [words_of(store, i) for i in range(3)] == [
        ["the", "cat", "run"],
        ["cat", "cat", "run"],
        ["dog", "the", "dog", "run"],
    ]
    assert store.meta["encoding_tokeniser"] == "kenter_porter"
