"""Test the network of Kim: the forward pass against loops, its constraints, training and evaluation."""

import numpy as np
import pytest
import torch

from helpers_evaluation import encoder_of, run_script
from helpers_transfer import WORDS, make_task, word_encoder
from sentrep.errors import SentrepError
from sentrep.evaluation.transfer import kim_cnn
from sentrep.evaluation.transfer.adadelta import TableAdadelta
from sentrep.evaluation.transfer.kim_cnn import Network, evaluate
from sentrep.evaluation.transfer.kim_settings import Settings
from sentrep.evaluation.transfer.predictions import measures, read_predictions
from sentrep.evaluation.transfer.tasks import SCORE_COLUMNS, write_task
from sentrep.io.csv_files import read_csv

SMALL = Settings(windows=[2, 3], filters=4, epochs=30, patience=10, batch=10)


def small(**changes) -> Settings:
    return SMALL.model_copy(update=changes)


@pytest.fixture(autouse=True)
def one_thread():
    """Use one thread, because networks this small are slower with several."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def vectors_of(count, dimension, seed=0):
    vectors = np.random.default_rng(seed).standard_normal((count, dimension)).astype(np.float32)
    vectors[0] = 0
    return vectors


def test_forward_by_loops():
    network = Network(vectors_of(9, 5), 3, SMALL).eval()
    ids = np.array([[0, 0, 3, 1, 4, 0, 0], [0, 0, 8, 0, 0, 0, 0]])
    with torch.no_grad():
        found = network(torch.from_numpy(ids)).numpy()
    table = network.table.weight.numpy(force=True)
    for row, words in enumerate(ids):
        sentence, pooled = table[words], []
        for convolve in network.filters:
            kernel, bias = convolve.weight.numpy(force=True), convolve.bias.numpy(force=True)
            width = kernel.shape[2]
            for f in range(kernel.shape[0]):
                places = [
                    max(0, sum(kernel[f, :, k] @ sentence[at + k] for k in range(width)) + bias[f])
                    for at in range(len(words) - width + 1)
                ]
                pooled.append(max(places))
        outputs = network.last.weight.numpy(force=True) @ pooled + network.last.bias.numpy(force=True)
        np.testing.assert_allclose(found[row], outputs - np.logaddexp.reduce(outputs), atol=1e-5)


def test_long_rows_are_scaled_back():
    network = Network(vectors_of(5, 3), 2, small(longest=3.0))
    with torch.no_grad():
        network.last.weight[0] = 10.0
        network.last.weight[1] = 0.1
    before = network.last.weight.numpy(force=True).copy()
    network.shorten()
    after = network.last.weight.numpy(force=True)
    assert np.linalg.norm(after[0]) == pytest.approx(3)
    assert (after[1] == before[1]).all()
    np.testing.assert_allclose(after[0] / np.linalg.norm(after[0]), before[0] / np.linalg.norm(before[0]), rtol=1e-6)


def test_first_vectors():
    """Known words have the model's vectors, other words random vectors with the same variance, and padding zeros."""
    words = word_encoder(50)
    texts = [["w1", *(f"new{k}" for k in range(400))], ["w2", "w1"]]
    vectors, ids = kim_cnn.initial_vectors(texts, words, np.random.default_rng(0))
    assert vectors.shape == (403, 50)
    assert not vectors[0].any()
    assert min(map(min, ids)) >= 1
    np.testing.assert_array_equal(vectors[ids[1]], words.embeddings[[words.row_of["w2"], words.row_of["w1"]]])
    unknown = vectors[ids[0][1:]]
    known = words.embeddings[[words.row_of["w1"], words.row_of["w2"]]]
    assert unknown.var() == pytest.approx(known.var(), rel=0.05)


def test_it_learns_word_order():
    """The class depends on which of two words comes first, so no bag-of-words model can predict it."""
    dice = np.random.default_rng(5)
    task = make_task({"train": 240, "dev": 60, "test": 60})
    for part in task.parts.values():
        for row in range(len(part)):
            pair = ["w1", "w2"] if part.targets[row] else ["w2", "w1"]
            part.first[row] = " ".join([*dice.choice(WORDS[3:], 2), *pair, *dice.choice(WORDS[3:], 2)])
    predicted = evaluate(task, word_encoder(10), small(filters=8, epochs=15), seed=1, device="cpu")
    assert measures(task, predicted)["accuracy"] > 90
    once, again = (evaluate(task, word_encoder(10), small(epochs=1), 1, "cpu") for _ in range(2))
    np.testing.assert_array_equal(again.log_probabilities, once.log_probabilities)


def test_word_vectors_are_trained(monkeypatch):
    task = make_task({"train": 40, "dev": 10, "test": 10})
    trained = evaluate(task, word_encoder(), small(epochs=1), 1, "cpu")
    monkeypatch.setattr(TableAdadelta, "step", lambda _: None)
    fixed = evaluate(task, word_encoder(), small(epochs=1), 1, "cpu")
    assert not np.array_equal(fixed.log_probabilities, trained.log_probabilities)


def test_cross_validation_and_held_out_items():
    task = make_task({"all": 60}, classes=3)
    task.parts["all"].first[7] = ""
    predicted = evaluate(task, word_encoder(), small(epochs=1), seed=1, device="cpu")
    assert len(predicted.targets) == 59
    assert predicted.folds == 10
    assert len(predicted.chosen) == 10
    assert np.bincount(predicted.rounds).tolist() == [6] * 9 + [5]
    rest, held_out = kim_cnn.hold_out(np.arange(100, 150), np.random.default_rng(0))
    assert len(held_out) == 5
    assert sorted([*rest, *held_out]) == list(range(100, 150))
    with_test = evaluate(make_task({"train": 40, "test": 9}), word_encoder(), small(epochs=1), 1, "cpu")
    assert len(with_test.targets) == 9
    assert with_test.folds == 0


def test_texts_without_words():
    task = make_task({"train": 40, "dev": 10, "test": 10})
    words = encoder_of({"a": [1.0, 2.0]}, tokeniser="kenter")
    task.parts["test"].first[:] = ["..."] * 10
    predicted = evaluate(task, words, small(epochs=1), 1, "cpu")
    assert np.isfinite(predicted.log_probabilities).all()


def test_pairs_are_refused():
    task = make_task({"train": 20, "test": 5}, pairs=True)
    with pytest.raises(
        SentrepError, match="MADE: expected a single-sentence classification task, found a task on sentence pairs"
    ):
        evaluate(task, word_encoder(), SMALL, 1, "cpu")


def test_word_vectors_move_as_with_dense_gradients():
    """Compare 60 steps on few words with torch's dense Adadelta; some words do not occur for many steps."""
    torch.manual_seed(3)
    vectors = torch.randn(40, 5, dtype=torch.float64).numpy()
    vectors[0] = 0
    ours, theirs = (Network(vectors, 2, Settings(windows=[1, 2], filters=4)).double() for _ in "12")
    theirs.load_state_dict(ours.state_dict())
    chosen = {"lr": 1.0, "rho": 0.95, "eps": 1e-6}
    theirs.table.sparse = False
    dense = torch.optim.Adadelta(theirs.parameters(), **chosen)
    of_table = TableAdadelta(ours.table.weight, **chosen)
    rest = torch.optim.Adadelta([p for name, p in ours.named_parameters() if name != "table.weight"], **chosen)
    dice = torch.Generator().manual_seed(5)
    for step in range(60):
        words = torch.randint(0, 40 if step % 20 == 0 else 6, (3, 7), generator=dice)
        words[:, -1] = 0
        for network, optimisers in ((ours, [rest, of_table]), (theirs, [dense])):
            network.eval()  # disable dropout
            rest.zero_grad()
            dense.zero_grad()
            torch.nn.functional.nll_loss(network(words), torch.tensor([0, 1, 1])).backward()
            for optimiser in optimisers:
                optimiser.step()
    for ours_now, theirs_now in zip(ours.parameters(), theirs.parameters(), strict=True):
        torch.testing.assert_close(ours_now, theirs_now, rtol=1e-9, atol=1e-12)
    moving = ours.table.weight.detach()
    assert not moving[0].any()
    assert (moving[1:] != torch.from_numpy(vectors)[1:]).any(dim=1).sum() > 20


@pytest.mark.parametrize("pairs", [False, True])
def test_script(tmp_path, pairs):
    """A task of sentence pairs has no scores and does not cause an error."""
    folder = tmp_path / "model"
    folder.mkdir()
    encoder = word_encoder()
    encoder.meta = {"family": "random_vectors"}
    encoder.save(folder)
    write_task(tmp_path / "task.jsonl", make_task({"train": 30, "dev": 10, "test": 10}, pairs=pairs))
    run_script(
        "kim_cnn",
        input={"vectors": [folder], "item_file": tmp_path / "task.jsonl"},
        output={"scores": tmp_path / "scores.csv", "predictions": tmp_path / "predictions.npz"},
        params={
            "settings": {"epochs": 2, "filters": 3, "windows": [2]},
            "identity": {"preset": "sample", "model": "kim_cnn", "seed": 1},
            "device": "cpu",
        },
    )
    table = read_csv(tmp_path / "scores.csv", SCORE_COLUMNS)
    assert table[["protocol", "metric"]].to_numpy().tolist() == ([] if pairs else [["kim", "accuracy"]])
    predicted = read_predictions(tmp_path / "predictions.npz")
    assert list(predicted) == ([] if pairs else [("kim", "made")])
