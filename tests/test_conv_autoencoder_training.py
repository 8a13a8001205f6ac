"""Test the training of the convolutional encoder: sentences, interruption, the trained network, and invalid input."""

import numpy as np
import pytest
import torch
from torch import nn

from helpers_store import make_store, random_store
from helpers_training import Cut, DeathError
from sentrep.corpora.store import TokenStore
from sentrep.encoders.base import AveragingEncoder
from sentrep.encoders.neural import NeuralEncoder
from sentrep.errors import SentrepError
from sentrep.families import family, parse_parameters
from sentrep.training.checkpoints import Checkpoints
from sentrep.training.conv_autoencoder import Examples
from sentrep.training.neural import NeuralLearner, Optimisation
from sentrep.training.run import Run
from sentrep.training.sentences import Sentences

OBJECTIVES = ["autoencoder", "future", "composite", "hierarchical"]
TINY = {
    "vocabulary": 31,
    "word_dimension": 6,
    "feature_maps": 3,
    "units": 5,
    "paragraph": 3,
    "batch_size": 8,
    "max_tokens": 9,
}


def train(store: TokenStore, run: Run, **values: object) -> NeuralEncoder:
    parameters = parse_parameters("conv_autoencoder", {**TINY, "epochs": 2, **values}, "test")
    return family("conv_autoencoder").train(store, parameters, run)


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_an_interrupted_run_ends_as_an_uninterrupted_one(tmp_path, objective):
    store = random_store(3, 300, 60)
    whole = train(store, Run(5), objective=objective).network.state_dict()
    with pytest.raises(DeathError):
        train(store, Run(5, checkpoints=Cut(tmp_path, steps=7)), objective=objective)
    run = Run(5, checkpoints=Checkpoints(tmp_path, minutes=60))
    resumed = train(store, run, objective=objective).network.state_dict()
    assert run.resumed_at == [7]
    assert whole.keys() == resumed.keys()
    assert all(torch.equal(whole[name], resumed[name]) for name in whole)


@pytest.mark.parametrize(("span", "disjoint"), [(1, False), (2, False), (3, True)])
def test_batches_hold_all_neighbours_that_are_short_enough(span, disjoint):
    lengths = np.random.default_rng(1).integers(0, 11, 400)  # sentence i repeats word i
    ends = [100, 103, 103, 400]
    store = make_store([[i] * n for i, n in enumerate(lengths)], 400, np.diff(ends, prepend=0).tolist())
    batches = Examples(store, Sentences(store, 401, 9 + 1, "cpu"), span, disjoint, 9, 4, seed=1)
    found = []
    for batch in batches(0, batches.per_epoch):
        assert np.array_equal(batch.lengths.ravel(), batch.sentences.lengths.numpy())
        found.append(batch.sentences.ids[:, 0].reshape(4, span).numpy() - 1)
        assert np.array_equal(batch.lengths, lengths[found[-1]])
    good = (lengths > 0) & (lengths <= 9)
    expected, free = set(), 0
    for i in range(400 - span + 1):
        if good[i : i + span].all() and not any(i < end < i + span for end in ends) and not (disjoint and i < free):
            expected.add(i)
            free = i + span
    begins = np.concatenate(found)[:, 0]
    assert (np.concatenate(found) == begins[:, None] + np.arange(span)).all()
    assert len(begins) == len(set(begins)) == len(expected) // 4 * 4
    assert set(begins) <= expected
    again = [batch.sentences.ids for first in range(batches.per_epoch) for batch in batches(first, 1)]
    assert np.array_equal(np.concatenate([ids[:, 0].reshape(4, span) - 1 for ids in again]), np.concatenate(found))
    later = [batch.sentences.ids[0, 0].item() - 1 for batch in batches(batches.per_epoch, batches.per_epoch)]
    assert later != [of_batch[0, 0] for of_batch in found]


def test_the_future_is_learnt_where_there_is_one():
    """Check that the next sentence is learned; without the code, its word would cost log 3."""
    store, run = make_store([[i % 3] for i in range(800)], 3), Run(1)
    sizes = {"word_dimension": 64, "feature_maps": 64, "units": 64, "max_tokens": 1}
    train(store, run, objective="future", vocabulary=5, epochs=4, learning_rate=0.002, **sizes)
    losses = np.array([row["loss"] for row in run.history])
    assert losses[:3].mean() > np.log(3) / 2  # half of the predictions are ends of sentences
    assert losses[-10:].mean() < 0.02


def test_the_model_folder_and_unusual_sentences(tmp_path):
    store = random_store(3, 300, 60)
    encoder = train(store, Run(1), vocabulary=21)
    encoder.meta = {"family": "conv_autoencoder"}
    encoder.save(tmp_path)
    loaded = NeuralEncoder.load(tmp_path)
    longest = " ".join(f"w{i}" for i in range(9))
    texts = ["w1 w2", "", "w3", "nothing known here", longest, f"{longest} w1 w2 w3", "w59 w58"]
    vectors = loaded.encode(texts)
    assert vectors.shape == (7, encoder.dimension) == (7, 9)
    assert np.array_equal(vectors, encoder.encode(texts))
    assert not vectors[1].any()
    assert np.abs(vectors[[0, 2, 3, 4, 5, 6]]).sum(axis=1).all()
    np.testing.assert_allclose(vectors[5], vectors[4], atol=1e-6)  # both are truncated after nine words
    assert not np.allclose(vectors[3], vectors[6])  # three unknown words differ from two unknown words
    assert loaded.count_tokens(texts)[1].tolist() == [2, 0, 1, 0, 9, 12, 0]


def test_an_expanded_vocabulary(tmp_path):
    store = random_store(3, 300, 60)
    plain = train(store, Run(1), vocabulary=21)
    words = [f"w{i}" for i in range(40)]
    table = plain.network.table.weight.detach().numpy()
    vectors = np.random.default_rng(1).normal(size=(40, 4)).astype(np.float32)
    other = AveragingEncoder(vectors, words, "whitespace", meta={"family": "random_vectors"})
    other.save(tmp_path)
    larger = train(store, Run(1, inputs={"expansion": tmp_path}), vocabulary=21)
    assert np.array_equal(larger.encode(["w3 w4", "unheard w18"]), plain.encode(["w3 w4", "unheard w18"]))
    x = np.hstack([vectors, np.ones((40, 1))])
    shared = [i for i, word in enumerate(words) if word in plain.row_of]
    mapped = x @ np.linalg.lstsq(x[shared], table[[plain.row_of[words[i]] for i in shared]], rcond=None)[0]
    found = larger.network.table.weight[larger.row_of["w30"]].detach().numpy()
    np.testing.assert_allclose(found, mapped[30], atol=1e-5)


@pytest.mark.parametrize("size", [0.01, 100.0])
def test_released_clipping_always_scales(size):
    class Loss(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.x = nn.Parameter(torch.ones(3))

        def forward(self, batch: torch.Tensor) -> torch.Tensor:
            return size * (self.x * batch).sum()

    direction = torch.tensor([3.0, 0.0, 4.0])
    learner = NeuralLearner(
        Loss(), lambda _first, n: [direction] * n, Optimisation("rescale", largest_norm=5.0), Run(1)
    )
    learner.advance(0, np.array([0.0]))
    torch.testing.assert_close(learner.objective.x.grad, direction)


def test_switches_of_the_released_code_change_what_is_learnt():
    store = random_store(3, 300, 60)
    tables = [
        train(store, Run(1), **values).network.table.weight
        for values in ({}, {"clip": "rescale"}, {"adam": "released"}, {"clip": "none"})
    ]
    for i, one in enumerate(tables[:3]):
        assert not any(torch.equal(one, other) for other in tables[i + 1 : 3])
    assert torch.equal(tables[0], tables[3])  # these gradients are too small to be clipped


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"widths": []}, "widths: expected at least 1 entry"),
        ({"widths": [3, "four"]}, r"widths\.1: expected a whole number"),
        ({"widths": 3}, "expected a list, found 3"),
        ({"units": 0}, "units: expected at least 1"),
        ({"paragraph": 1}, "paragraph: expected at least 2"),
        ({"learning_rate": float("inf")}, "learning_rate: expected a finite number"),
        ({"objective": "past"}, "one of autoencoder, future, composite, hierarchical"),
        ({"vocabulary": 2}, "vocabulary: expected at least 3"),
        (
            {"batch_size": 301},
            r"expected at least 301 sentences of 1 to 9 words \(1 batch\), found only 233",
        ),
    ],
)
def test_bad_settings_are_named(values, message):
    with pytest.raises(SentrepError, match=message):
        train(random_store(3, 300, 60), Run(1), **values)
