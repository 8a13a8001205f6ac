"""Test Quick Thoughts as a model family: training, encoders, given word vectors, expansion, interruption and errors."""

import dataclasses
import logging

import numpy as np
import pytest
import torch

from helpers_store import make_store, random_store
from sentrep.encoders.base import AveragingEncoder
from sentrep.encoders.registry import load_encoder
from sentrep.errors import SentrepError
from sentrep.families.quick_thoughts import Parameters, build_network, frozen_table, train
from sentrep.training.checkpoints import Checkpoints
from sentrep.training.neural import seeded
from sentrep.training.run import Run

SMALL = Parameters(
    encoder="bow", units=8, word_dimension=6, vocabulary=30, batch_size=10, learning_rate=0.01, validation_sentences=0
)


def small(**changes):
    return dataclasses.replace(SMALL, **changes)


@pytest.mark.parametrize("changes", [{"encoder": "bow"}, {"encoder": "uni"}, {"encoder": "bi"}, {"tied": True}])
def test_training_finds_neighbours(changes, caplog):
    rng = np.random.default_rng(0)
    topics = np.repeat(rng.permutation(300) % 8, 2)  # two consecutive sentences share the words of a topic
    store = make_store([(3 * topic + rng.integers(0, 3, 4)).tolist() for topic in topics], 24)
    run = Run(1)
    caplog.set_level(logging.INFO)
    train(store, small(epochs=8, validation_sentences=60, learning_rate=0.02, **changes), run)
    losses = [row["loss"] for row in run.history]
    assert np.mean(losses[-10:]) < np.mean(losses[:10]) - 0.2
    assert run.history[-1]["examples"] == 8 * 540
    assert "accuracy on held-out sentences" in caplog.text


@pytest.mark.parametrize(
    ("changes", "dimension"),
    [
        ({}, 12),
        ({"encoder": "uni"}, 16),
        ({"encoder": "bi"}, 16),
        ({"encoder": "bi", "tied": True}, 8),
        ({"encoder": "uni", "test_vector": "input"}, 8),
    ],
)
def test_the_encoder(tmp_path, changes, dimension):
    parameters = small(**changes)
    encoder = train(random_store(0, 60, 40), parameters, Run(0))
    encoder.meta["family"] = "quick_thoughts"
    encoder.save(tmp_path)
    loaded = load_encoder(tmp_path)
    texts = ["w1 w2 w3", "w1", "", "w39", "nothing known", "w39 " * 80, "w1 nothing"]
    vectors = loaded.encode(texts)
    np.testing.assert_array_equal(vectors, encoder.encode(texts))
    assert vectors.shape == (7, dimension)
    assert loaded.dimension == dimension
    assert not vectors[2].any()
    for part in np.split(np.delete(vectors, 2, axis=0), len(loaded.network.parts), axis=1):
        np.testing.assert_allclose(np.linalg.norm(part, axis=1), 1, atol=1e-5)
    # the vector is the same alone and in a batch
    np.testing.assert_allclose(loaded.encode(["w0 w0 w1", "w1"])[1], vectors[1], atol=1e-6)
    known, table = loaded.row_of["w1"], loaded.network.tables[0].weight.detach().numpy()
    if parameters.encoder == "bow":
        expected = table[known] / np.linalg.norm(table[known])
        np.testing.assert_allclose(vectors[1, :6], expected, atol=1e-6)
        np.testing.assert_allclose(vectors[5, :6], table[0] / np.linalg.norm(table[0]), atol=1e-5)  # w39 is unknown
    assert loaded.count_tokens(texts)[1].tolist() == [3, 1, 0, 0, 0, 0, 1]


@pytest.mark.parametrize("encoder", ["bow", "bi"])
def test_no_epochs_give_the_initial_network(encoder):
    store, texts = random_store(0, 60, 40), ["w1 w2 w3", "w5"]
    parameters, run = small(encoder=encoder, epochs=0), Run(3)
    untrained = train(store, parameters, run).encode(texts)
    initial = seeded(3, lambda: build_network(parameters, 30, None))
    for (_, expected), (_, found) in zip(
        initial.named_parameters(), train(store, parameters, Run(3)).network.named_parameters(), strict=True
    ):
        torch.testing.assert_close(found, expected, rtol=0, atol=0)
    assert run.history == []
    assert not np.allclose(untrained, train(store, small(encoder=encoder), Run(3)).encode(texts))


def test_only_f_is_kept_where_only_f_is_asked_for():
    store, parameters = random_store(0, 60, 40), small(encoder="uni")
    both, alone = (train(store, dataclasses.replace(parameters, test_vector=v), Run(0)) for v in ("both", "input"))
    assert len(alone.network.state_dict()) == len(both.network.state_dict()) // 2
    np.testing.assert_allclose(alone.encode(["w1 w2"]), both.encode(["w1 w2"])[:, :8], atol=1e-6)


def vectors_model(folder, words, dimension=5):
    vectors = np.random.default_rng(3).normal(size=(len(words), dimension)).astype(np.float32)
    encoder = AveragingEncoder(vectors, words, "whitespace", meta={"family": "random_vectors"})
    folder.mkdir()
    encoder.save(folder)
    return vectors


def test_given_word_vectors_are_read_and_kept(tmp_path):
    words = ["new", "w3", "<unk>", "w1", "w0"]
    vectors = vectors_model(tmp_path / "vectors", words)
    store = random_store(0, 60, 40)
    encoder = train(store, small(encoder="bi"), Run(0, inputs={"vectors": tmp_path / "vectors"}))
    assert encoder.vocabulary == ["<unk>", "new", "w3", "w1", "w0"]
    table = encoder.network.tables[0].weight.detach().numpy()
    np.testing.assert_array_equal(table[1:], vectors[[0, 1, 3, 4]])
    assert (table[0] >= 0).all()
    assert (table[0] < 1).all()
    assert len(encoder.network.tables) == 1
    assert encoder.network.word_tables() == {}
    assert len(np.unique(encoder.encode(["new", "w3", "w7", "w8"]).round(5), axis=0)) == 3  # w7 and w8 have no vector
    with pytest.raises(SentrepError, match=r"^inputs\.vectors"):
        train(store, small(encoder="bow"), Run(0, inputs={"vectors": tmp_path / "vectors"}))


def test_rows_of_given_word_vectors():
    vectors = np.arange(6, dtype=np.float32).reshape(3, 2)
    vocabulary, table, rows = frozen_table(["<unk>", "a", "b", "c"], ["c", "z", "a"], vectors, seed=0)
    assert (vocabulary, rows.tolist()) == (["<unk>", "c", "z", "a"], [0, 3, 0, 1])
    np.testing.assert_array_equal(table[1:], vectors)


def test_the_vocabulary_is_expanded(tmp_path):
    vectors_model(tmp_path / "vectors", [*(f"w{i}" for i in range(10, 40)), "new", "two_words", "<unk>"])
    run = Run(0, inputs={"expansion": tmp_path / "vectors"})
    encoder = train(random_store(0, 60, 40), small(encoder="uni"), run)
    plain = train(random_store(0, 60, 40), small(encoder="uni"), Run(0))
    assert encoder.vocabulary == [*plain.vocabulary, *(f"w{i}" for i in range(29, 40)), "new"]
    np.testing.assert_allclose(encoder.encode(["w1 w5"]), plain.encode(["w1 w5"]), atol=1e-6)
    assert np.abs(encoder.encode(["w1 new"]) - plain.encode(["w1 new"])).max() > 1e-4


@pytest.mark.parametrize("changes", [{"encoder": "uni"}, {"dropout": 0.3, "shuffle_batches": True}])
def test_an_interrupted_run_is_taken_up_again_bit_by_bit(tmp_path, changes):
    store, parameters = random_store(0, 200, 40), small(epochs=3, snapshots_per_epoch=2, **changes)
    whole = train(store, parameters, Run(1))

    def interrupt(epochs, encoder):
        if epochs == 1.5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train(store, parameters, Run(1, checkpoints=Checkpoints(tmp_path, 0.0), snapshot=interrupt))
    run = Run(1, checkpoints=Checkpoints(tmp_path, 0.0))
    resumed = train(store, parameters, run)
    assert 20 <= run.resumed_at[0] < 30
    for name, tensor in whole.network.state_dict().items():
        assert torch.equal(tensor, resumed.network.state_dict()[name]), name


@pytest.mark.gpu
@pytest.mark.parametrize("changes", [{}, {"encoder": "uni"}, {"encoder": "bi", "reset": "after"}])
def test_the_gpu_trains_the_same_model(changes):
    if not torch.cuda.is_available():
        pytest.skip("no CUDA device")
    store, runs = random_store(0, 200, 40), {device: Run(2, device=device) for device in ("cpu", "cuda")}
    encoders = [train(store, small(precision="float32", epochs=2, **changes), run) for run in runs.values()]
    losses = [[row["loss"] for row in run.history] for run in runs.values()]
    np.testing.assert_allclose(*losses, atol=2e-3)  # products in cuDNN use TF32
    texts = ["w1 w2 w3", "w5"]
    np.testing.assert_allclose(*(encoder.encode(texts) for encoder in encoders), atol=2e-2)


@pytest.mark.parametrize(
    ("sentences", "changes"), [([[0]] * 9, {}), ([[0]] * 25, {"validation_sentences": 20}), ([], {})]
)
def test_too_little_text_is_one_line(sentences, changes):
    with pytest.raises(SentrepError, match=r"^corpus: expected at least 10 non-empty sentences "):
        train(make_store(sentences, 1), small(**changes), Run(0))


@pytest.mark.parametrize(
    "values",
    [
        {"encoder": "bi", "units": 7},
        {"learning_rate": 0.0},
        {"largest_norm": float("inf")},
        {"dropout": 1.0},
        {"dropout": -0.1},
        {"validation_sentences": -1},
        {"snapshots_per_epoch": -1},
        {"vocabulary": 1},
        {"epochs": -1},
        {"batch_size": 1},
        *({name: 0} for name in ("units", "word_dimension", "context", "max_tokens")),
    ],
)
def test_bad_parameters(values):
    with pytest.raises(ValueError):
        Parameters(**values)
