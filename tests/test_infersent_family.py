"""Test InferSent as a model family: training, recorded information, interruption and errors."""

import dataclasses

import numpy as np
import pytest
import torch

from helpers_nli import WORDS, items, make_nli, manifest, vectors_model, write_jsonl
from helpers_store import make_store
from helpers_training import Cut, DeathError
from sentrep.api.training import train_model
from sentrep.cli import main
from sentrep.encoders.registry import load_encoder
from sentrep.errors import SentrepError
from sentrep.families.infersent import Parameters, train
from sentrep.io.files import read_json
from sentrep.training.checkpoints import Checkpoints
from sentrep.training.run import Run

SMALL = Parameters(units=8, hidden=16, batch_size=16, epochs=8, learning_rate=0.5, tokeniser="treebank")
STORE = make_store([[0]], 1)


@pytest.fixture
def inputs(tmp_path):
    vectors_model(tmp_path / "vectors", WORDS)
    return {"vectors": tmp_path / "vectors", "snli": make_nli(tmp_path, 160)}


def save_store(folder):
    from sentrep.io.files import write_json

    folder.mkdir()
    for name in ("ids", "sentence_offsets", "document_offsets"):
        np.save(folder / f"{name}.npy", getattr(STORE, name))
    (folder / "vocabulary.tsv").write_text("w0\t1\n")
    write_json(folder / "meta.json", STORE.meta)
    return folder


# Random guessing has an accuracy of 1/3. With 2/3, a classifier only distinguishes contradictions from the rest: a
# linear classifier takes far more steps to learn that two animals differ.
@pytest.mark.parametrize(
    ("classifier", "epochs", "least", "loss"), [("paper", 13, 0.95, 0.1), ("released", 4, 0.6, 0.6)]
)
def test_training_learns_the_relations(tmp_path, inputs, classifier, epochs, least, loss):
    run = Run(1, inputs={**inputs, "snli": make_nli(tmp_path, 400, "larger")})
    train(STORE, dataclasses.replace(SMALL, units=16, epochs=epochs, shrink=1.2, classifier=classifier), run)
    assert run.measured["snli_test_accuracy"] > least
    assert run.measured["snli_dev_accuracy"] > least
    assert run.measured["training_pairs"] == 400
    losses = [row["loss"] for row in run.history]
    assert np.mean(losses[-25:]) < loss < 1 < losses[0]
    rates = list(dict.fromkeys(row["learning_rate"] for row in run.history))
    assert rates[:2] == pytest.approx([0.5, 0.5 * 0.99])


def test_the_model_folder_and_the_command_line(tmp_path, inputs):
    train_model(
        save_store(tmp_path / "store"),
        tmp_path / "model",
        family_name="infersent",
        parameters=dataclasses.asdict(dataclasses.replace(SMALL, epochs=2)),
        seed=1,
        device="cpu",
        inputs=inputs,
    )
    measured = read_json(tmp_path / "model" / "meta.json")["measured"]
    assert 0 < measured["snli_test_accuracy"] <= 1
    assert measured["snli_test_accuracy_reported"] == 0.845
    texts = ["A dog sees.", "", "dog", "no such words", "A unicorn sees.", "A sees.", "the bird is there ." * 9]
    (tmp_path / "in.txt").write_text("\n".join(texts) + "\n")
    assert main(["encode", str(tmp_path / "model"), str(tmp_path / "in.txt"), str(tmp_path / "out.npy")]) == 0
    vectors = np.load(tmp_path / "out.npy")
    encoder = load_encoder(tmp_path / "model")
    assert vectors.shape == (7, 16)
    assert encoder.dimension == 16
    assert encoder.part_widths == (16,)
    np.testing.assert_allclose(vectors, encoder.encode(texts), atol=1e-6)
    # the vector is the same alone and in a batch
    np.testing.assert_allclose(encoder.encode(["dog"])[0], vectors[2], atol=1e-6)
    assert not vectors[1].any()
    assert vectors[3].any()
    np.testing.assert_allclose(vectors[4], vectors[5], atol=1e-6)  # unknown words are omitted
    assert len(np.unique(np.linalg.norm(vectors, axis=1).round(4))) > 3  # the vectors are not normalised
    assert encoder.network_name == "bilstm_max"
    assert encoder.vocabulary[1:] == WORDS
    assert encoder.count_tokens(texts)[1].tolist()[:5] == [4, 0, 1, 1, 3]


def test_word_vectors_stay_as_they_are(inputs):
    encoder = train(STORE, dataclasses.replace(SMALL, epochs=1), Run(1, inputs=inputs))
    given = load_encoder(inputs["vectors"])
    np.testing.assert_array_equal(encoder.network.table.weight[1:].numpy(), given.embeddings)


def test_training_ends_when_the_rate_is_small(inputs):
    run = Run(1, inputs=inputs)
    # Steps this small change no prediction, so no later epoch is better than the first.
    train(STORE, dataclasses.replace(SMALL, epochs=50, learning_rate=1e-7, smallest_rate=1e-9), run)
    rates = [1e-7, 1e-7 * 0.99, 1e-7 * 0.99**2 / 5, 1e-7 * 0.99**3 / 25]
    found = list(dict.fromkeys(row["learning_rate"] for row in run.history))
    assert found == pytest.approx(rates)  # the next rate would be 1e-7 * 0.99 ** 3 / 125 < 1e-9
    assert run.history[-1]["epoch"] == 4


@pytest.mark.parametrize("steps", [13, 30])  # an epoch has ten steps
def test_an_interrupted_run_is_taken_up_again_bit_by_bit(tmp_path, inputs, steps):
    parameters = dataclasses.replace(SMALL, epochs=5, learning_rate=2.0)
    whole = Run(1, inputs=inputs)
    expected = train(STORE, parameters, whole).network.state_dict()
    with pytest.raises(DeathError):
        train(STORE, parameters, Run(1, inputs=inputs, checkpoints=Cut(tmp_path / "c", steps)))
    resumed = Run(1, inputs=inputs, checkpoints=Checkpoints(tmp_path / "c", 0.0))
    found = train(STORE, parameters, resumed).network.state_dict()
    assert resumed.resumed_at == [steps]
    assert all(torch.equal(expected[name], found[name]) for name in expected)
    assert whole.measured == resumed.measured
    speed = "examples_per_second"
    histories = [[{k: v for k, v in row.items() if k != speed} for row in run.history] for run in (whole, resumed)]
    assert histories[0] == histories[1]
    # The learning rate must have been reduced for the test to be meaningful.
    assert whole.history[-1]["learning_rate"] < 2.0 * 0.99**4 / 4


def test_a_finished_run_that_was_killed_does_not_go_on(tmp_path, inputs):
    parameters = dataclasses.replace(SMALL, epochs=50, learning_rate=1e-7, smallest_rate=1e-8)
    first = Run(1, inputs=inputs, checkpoints=Checkpoints(tmp_path / "c", 0.0))
    expected = train(STORE, parameters, first).network.state_dict()
    again = Run(1, inputs=inputs, checkpoints=Checkpoints(tmp_path / "c", 0.0))
    found = train(STORE, parameters, again).network.state_dict()
    assert again.history == first.history
    assert all(torch.equal(expected[name], found[name]) for name in expected)


def test_more_training_pairs_from_multinli(tmp_path, inputs):
    write_jsonl(tmp_path / "multinli_1.0_train.jsonl", items(60, 9))
    write_jsonl(tmp_path / "multinli_1.0_dev_matched.jsonl", items(5, 9))
    files = sorted(tmp_path.glob("multinli*.jsonl"))
    run = Run(1, inputs={**inputs, "multinli": manifest(tmp_path / "multi.json", *files)})
    train(STORE, dataclasses.replace(SMALL, epochs=1), run)
    assert run.measured["training_pairs"] == 220
    assert run.measured["snli_test_accuracy_reported"] is None


def test_too_few_pairs(inputs):
    with pytest.raises(
        SentrepError, match=r"^corpus: expected at least 161 training pairs \(1 batch\), found only 160"
    ):
        train(STORE, dataclasses.replace(SMALL, batch_size=161), Run(1, inputs=inputs))


@pytest.mark.gpu
def test_the_gpu_trains_the_same_model(inputs):
    if not torch.cuda.is_available():
        pytest.skip("no CUDA device")
    runs = {device: Run(2, device=device, inputs=inputs) for device in ("cpu", "cuda")}
    for run in runs.values():
        train(STORE, dataclasses.replace(SMALL, epochs=1), run)
    losses = [[row["loss"] for row in run.history] for run in runs.values()]
    np.testing.assert_allclose(*losses, atol=2e-2)  # products in cuDNN use TF32


@pytest.mark.parametrize(
    "values",
    [
        *({name: 0} for name in ("units", "hidden", "batch_size", "epochs")),
        {"learning_rate": 0.0},
        {"largest_norm": float("inf")},
        {"smallest_rate": -1.0},
        {"decay": 1.1},
        {"shrink": 1.0},
    ],
)
def test_bad_parameters(values):
    with pytest.raises(ValueError):
        Parameters(**values)


def test_an_unknown_tokeniser():
    with pytest.raises(SentrepError, match="did you mean 'treebank'"):
        Parameters(tokeniser="trebank")
