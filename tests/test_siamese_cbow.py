"""Test Siamese CBOW as a model family: parameters, backends, options of the released code, snapshots and errors."""

import dataclasses
import json

import numpy as np
import pytest

from helpers_store import make_store, random_store, topical_store
from sentrep.corpora.store import TokenStore
from sentrep.encoders.registry import load_encoder
from sentrep.errors import SentrepError
from sentrep.families import parse_parameters
from sentrep.families.siamese_cbow import Parameters, train
from sentrep.training.initialisation import normal_vectors
from sentrep.training.run import Run

SMALL = Parameters(dimension=8, batch_size=5, learning_rate=0.05)


def small(**changes):
    return dataclasses.replace(SMALL, **changes)


def test_total_learning_rate_is_the_paper_s():
    assert Parameters(learning_rate_total=74.0042).initial_rate(740_042) == pytest.approx(1e-4)
    assert Parameters().initial_rate(5) == 1e-4
    assert Parameters(optimiser="adadelta").initial_rate(5) == 1.0


@pytest.mark.parametrize(
    ("sentences", "changes", "found"),
    [
        # four centre sentences do not fill a batch of five
        ([[0]] * 6, {}, "found only 4 (number of sentences in the corpus: 6)"),
        ([[]] * 50, {}, "found only 0 (number of sentences in the corpus: 50)"),
        ([], {}, "found only 0 (number of sentences in the corpus: 0)"),
        ([[0]] * 3, {"batch_size": 1}, "3 sentences"),  # no sentence remains as a negative example
        ([[0]] * 20, {"snapshots_per_epoch": 8}, "found only 3"),
    ],
)
def test_too_little_text_is_one_line(sentences, changes, found):
    with pytest.raises(SentrepError, match=r"^corpus: expected .*") as error:
        train(make_store(sentences, 1), small(**changes), Run(0))
    assert found in str(error.value)


def test_a_store_on_disk_trains_like_one_in_memory(tmp_path):
    store = random_store(0, 100, 40)
    for name in ("ids", "sentence_offsets", "document_offsets"):
        np.save(tmp_path / f"{name}.npy", getattr(store, name))
    lines = (f"{word}\t{count}\n" for word, count in zip(store.vocabulary, store.counts, strict=True))
    (tmp_path / "vocabulary.tsv").write_text("".join(lines))
    (tmp_path / "meta.json").write_text(json.dumps(store.meta))
    for backend in ("numba", "torch"):
        opened, given = (train(each, small(backend=backend), Run(0)) for each in (TokenStore.open(tmp_path), store))
        assert (opened.embeddings == given.embeddings).all()


@pytest.mark.parametrize("backend", ["numba", "torch"])
@pytest.mark.parametrize("changes", [{"learning_rate": 0.5}, {"learning_rate": None, "optimiser": "adadelta"}])
def test_loss_goes_down(backend, changes):
    run = Run(1)
    train(topical_store(), small(backend=backend, epochs=12, dimension=16, **changes), run)
    losses = [row["loss"] for row in run.history]
    assert np.mean(losses[-10:]) < np.mean(losses[:10]) - 0.05


def test_learning_brings_a_topic_s_words_together():
    store = topical_store()
    encoder = train(store, small(epochs=20, dimension=16, learning_rate=0.5), Run(1))
    W = encoder.embeddings / np.linalg.norm(encoder.embeddings, axis=1, keepdims=True)
    cosines, topic = W @ W.T, np.arange(60) // 10
    same = topic[:, None] == topic
    assert cosines[same].mean() > cosines[~same].mean() + 0.5


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"padding": "stale", "index_bits": 16},
        {"document_boundaries": "ignore", "exclude_neighbours": False, "negatives": 5},
        {"learning_rate": None, "learning_rate_total": 4.0, "lr_horizon_epochs": 5, "epochs": 2},
        {"learning_rate": None, "optimiser": "adadelta"},
    ],
)
def test_backends_train_the_same_model(changes):
    store = random_store(3, 400, 66_000)
    ours, theirs = (train(store, small(backend=name, **changes), Run(2)) for name in ("numba", "torch"))
    start = normal_vectors(66_000, 8, 0.01, 2)
    assert np.abs(ours.embeddings - start).max() > 1e-3
    np.testing.assert_allclose(ours.embeddings, theirs.embeddings, atol=1e-5)


@pytest.mark.gpu
@pytest.mark.parametrize("changes", [{}, {"padding": "stale"}, {"learning_rate": None, "optimiser": "adadelta"}])
def test_the_gpu_trains_the_same_model(changes):
    if not pytest.importorskip("torch").cuda.is_available():
        pytest.skip("no CUDA device")
    store = random_store(3, 400, 66_000)
    on_cpu, on_gpu = (train(store, small(**changes), Run(2, device=device)) for device in ("cpu", "cuda"))
    np.testing.assert_allclose(on_cpu.embeddings, on_gpu.embeddings, atol=1e-5)


def test_same_seed_same_bits_whatever_the_threads_and_snapshots():
    store = random_store(3, 400, 200)
    runs = [Run(2), Run(2, threads=2), Run(3)]
    first, again, other = (
        train(store, small(snapshots_per_epoch=k), run).embeddings for k, run in zip((0, 7, 0), runs, strict=True)
    )
    assert (first == again).all()
    assert not (first == other).any()


def test_only_trained_words_move():
    store = random_store(3, 100, 200)
    encoder = train(store, SMALL, Run(2))
    moved = (encoder.embeddings != normal_vectors(200, 8, 0.01, 2)).any(axis=1)
    assert moved.any()
    assert not moved[store.counts == 0].any()


def test_words_beyond_16_bits_are_never_trained_when_ids_wrap():
    store = random_store(3, 300, 100_000)
    encoder = train(store, small(index_bits=16), Run(2))
    moved = (encoder.embeddings != normal_vectors(100_000, 8, 0.01, 2)).any(axis=1)
    assert moved[:65_535].any()
    assert not moved[65_535:].any()


@pytest.mark.parametrize("epochs", [1, 2])
def test_snapshots(epochs):
    taken = []
    run = Run(0, snapshot=lambda done, encoder: taken.append((done, encoder)))
    encoder = train(random_store(0, 300, 90), small(epochs=epochs, snapshots_per_epoch=8), run)
    assert [done for done, _ in taken] == [k / 8 for k in range(1, 8 * epochs + 1)]
    assert (taken[-1][1].embeddings == encoder.embeddings).all()
    assert len({snapshot.embeddings.tobytes() for _, snapshot in taken}) == 8 * epochs


def test_a_snapshot_is_the_model_of_that_moment():
    store, taken = random_store(0, 300, 90), []
    parameters = small(lr_horizon_epochs=2, snapshots_per_epoch=1)
    one = train(store, parameters, Run(0))
    run = Run(0, snapshot=lambda _done, encoder: taken.append(encoder))
    train(store, dataclasses.replace(parameters, epochs=2), run)
    assert (taken[0].embeddings == one.embeddings).all()


def test_history():
    run = Run(0)
    train(random_store(0, 523, 90), small(epochs=2), run)
    last = run.history[-1]
    assert set(last) == {"examples", "epoch", "loss", "learning_rate", "examples_per_second"}
    assert last["examples"] == 2 * 520  # 521 centre sentences give 104 batches of 5
    assert last["epoch"] == 2
    examples = [row["examples"] for row in run.history]
    assert examples == sorted(set(examples))
    assert last["learning_rate"] == pytest.approx(0.05 * (1 - 207 / 208))


@pytest.mark.parametrize("backend", ["numba", "torch"])
def test_a_loss_that_is_not_finite_stops_with_one_line(backend):
    with pytest.raises(SentrepError, match=r"found a loss of nan in batch \d+; lower the learning rate$"):
        train(random_store(0, 300, 90), small(learning_rate=1e38, backend=backend), Run(0))


def test_the_encoder_can_be_saved(tmp_path):
    encoder = train(random_store(0, 100, 40), small(oov="random"), Run(0))
    encoder.meta["family"] = "siamese_cbow"
    encoder.save(tmp_path)
    loaded = load_encoder(tmp_path)
    assert (loaded.embeddings == encoder.embeddings).all()
    assert (loaded.oov, loaded.tokeniser_name, loaded.aggregation) == ("random", "whitespace", "mean")


@pytest.mark.parametrize(
    "values",
    [
        {"learning_rate": 0.1, "learning_rate_total": 1.0},
        {"learning_rate": 0.0},
        {"learning_rate": float("inf")},
        {"learning_rate_total": -1.0},
        {"sigma": 0.0},
        {"lr_horizon_epochs": 0},
        {"snapshots_per_epoch": -1},
        {"optimiser": "adadelta", "learning_rate_total": 74.0},
        {"optimiser": "adadelta", "lr_horizon_epochs": 5},
        *({name: 0} for name in ("dimension", "negatives", "batch_size", "epochs", "max_tokens")),
    ],
)
def test_bad_parameters(values):
    with pytest.raises(ValueError):
        Parameters(**values)
    with pytest.raises(SentrepError, match=r"^models\.x"):
        parse_parameters("siamese_cbow", values, "models.x")
