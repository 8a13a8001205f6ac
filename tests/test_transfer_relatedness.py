"""Compare relatedness with torch and loops: targets, gradients, Adam and the stopping rule."""

from dataclasses import replace

import numpy as np
import pytest
import scipy.stats
import torch

from sentrep.evaluation.transfer import relatedness
from sentrep.evaluation.transfer.relatedness import KIROS, SENTEVAL, SoftmaxRegression, distributions, expected_scores


def loop_distribution(score):
    """Return the target distribution of section 5.2 of Tai et al. 2015, as in the released scripts."""
    row = np.zeros(5)
    for i in range(5):
        if i + 1 == np.floor(score) + 1:
            row[i] = score - np.floor(score)
        if i + 1 == np.floor(score):
            row[i] = np.floor(score) - score + 1
    return row


def test_distributions():
    scores = np.array([1.0, 1.3, 3.5, 4.999, 5.0])
    found = distributions(scores, 1, 5)
    np.testing.assert_allclose(found, [loop_distribution(score) for score in scores], atol=1e-6)
    np.testing.assert_allclose(expected_scores(np.log(found + 1e-30), 1), scores, atol=1e-5)


def test_expected_scores_normalise_first():
    log_probabilities = np.log(np.array([[0.2, 0.1, 0.1, 0.0001, 0.1]]))
    shares = np.exp(log_probabilities)[0] / np.exp(log_probabilities).sum()
    assert expected_scores(log_probabilities - 7, 1) == pytest.approx([shares @ np.arange(1, 6)])


def test_correlations():
    dice = np.random.default_rng(0)
    a, b = dice.standard_normal((2, 50)).round(1)  # rounded, so that there are ties
    assert relatedness.pearson(a, b) == pytest.approx(scipy.stats.pearsonr(a, b)[0])
    assert relatedness.spearman(a, b) == pytest.approx(scipy.stats.spearmanr(a, b)[0])
    assert np.isnan(relatedness.pearson(np.ones(50), b))
    assert np.isnan(relatedness.spearman(a, np.ones(50)))


def torch_model(weights, features, targets, loss):
    layer = torch.nn.Linear(features.shape[1], targets.shape[1]).double()
    with torch.no_grad():
        layer.weight.copy_(torch.from_numpy(weights[:-1].T.astype(np.float64)))
        layer.bias.copy_(torch.from_numpy(weights[-1].astype(np.float64)))

    def step_loss(rows):
        x, y = (torch.from_numpy(side[rows].astype(np.float64)) for side in (features, targets))
        if loss == "cross_entropy":
            return -(y * torch.log_softmax(layer(x), dim=1)).sum(dim=1).mean()
        return ((torch.softmax(layer(x), dim=1) - y) ** 2).sum()

    return layer, step_loss


@pytest.mark.parametrize("training", [KIROS, SENTEVAL], ids=["kiros", "senteval"])
def test_training_is_torchs(training):
    """Gradients equal those of autograd, and 40 epochs of updates give the same result as torch's Adam."""
    dice = np.random.default_rng(1)
    features = dice.standard_normal((50, 7)).astype(np.float32)
    targets = distributions(dice.uniform(1, 5, 50), 1, 5)
    training = replace(training, batch=16, shuffle=False)
    model = SoftmaxRegression(7, 5, training)
    layer, loss = torch_model(model.weights, features, targets, training.loss)
    loss(slice(None)).backward()
    expected = np.vstack([layer.weight.grad.numpy().T, layer.bias.grad.numpy()])
    np.testing.assert_allclose(model.gradient(features, targets), expected, atol=1e-5)
    optimiser = torch.optim.Adam(layer.parameters())
    for _ in range(40):
        for first in range(0, 50, 16):
            optimiser.zero_grad()
            loss(slice(first, first + 16)).backward()
            optimiser.step()
    model.train(features, targets, 40)
    np.testing.assert_allclose(model.weights[:-1], layer.weight.detach().numpy().T, atol=2e-4)
    np.testing.assert_allclose(model.weights[-1], layer.bias.detach().numpy(), atol=2e-4)


def test_initial_weights():
    kiros, senteval = SoftmaxRegression(1000, 5, KIROS), SoftmaxRegression(1000, 5, SENTEVAL)
    limit = np.sqrt(6 / 1005)
    assert not kiros.weights[-1].any()
    assert 0.98 * limit < np.abs(kiros.weights).max() <= limit
    assert senteval.weights[-1].any()
    assert 0.98 < np.abs(senteval.weights).max() * np.sqrt(1000) <= 1
    assert (SoftmaxRegression(1000, 5, KIROS).weights == kiros.weights).all()


def test_orders_are_those_of_numpys_old_generator():
    model = SoftmaxRegression(3, 5, SENTEVAL)
    old = np.random.RandomState(1111)
    for _ in range(2):
        np.testing.assert_array_equal(np.concatenate(list(model.batches(130))), old.permutation(130))
    fixed = SoftmaxRegression(3, 5, KIROS)
    assert list(fixed.batches(200)) == [slice(0, 128), slice(128, 256)]


@pytest.mark.parametrize(
    ("patience", "correlations", "epochs", "best"),
    [
        (0, [0.3, 0.5, 0.4, 0.9], 30, 0.5),
        (0, [np.nan], 10, -1.0),
        (2, [0.3, 0.2, 0.5, 0.1, 0.4, 0.9], 50, 0.5),  # all failures count, even if they are not consecutive
    ],
)
def test_when_training_ends(monkeypatch, patience, correlations, epochs, best):
    values, trained = iter(correlations), []
    monkeypatch.setattr(relatedness, "pearson", lambda _a, _b: next(values))
    monkeypatch.setattr(SoftmaxRegression, "train", lambda _self, _x, _y, count: trained.append(count))
    training = replace(KIROS, patience=patience, block=10)
    rows, scores = np.zeros((4, 2), dtype=np.float32), np.array([1.0, 2.0, 3.0, 4.0])
    _, score, _ = relatedness.fit(rows, scores, rows, scores, rows, (1, 5), training)
    assert (sum(trained), score) == (epochs, best)


@pytest.mark.parametrize(
    ("training", "blocks"),
    # SentEval: `while not stop_train and self.nepoch <= self.maxepoch`, with 50 epochs per block and maxepoch 1000.
    [(SENTEVAL, 21), (replace(SENTEVAL, block=30, most_epochs=100), 4), (KIROS, 40)],
    ids=["senteval", "no multiple", "kiros"],
)
def test_most_epochs(monkeypatch, training, blocks):
    """The correlation rises for 40 blocks, then it falls."""
    values = iter([*np.linspace(0, 0.9, 40), 0.1])
    monkeypatch.setattr(relatedness, "pearson", lambda _a, _b: next(values))
    monkeypatch.setattr(SoftmaxRegression, "train", lambda *_: None)
    rows, scores = np.zeros((4, 2), dtype=np.float32), np.array([1.0, 2.0, 3.0, 4.0])
    *_, best = relatedness.fit(rows, scores, rows, scores, rows, (1, 5), training)
    assert best == blocks * training.block


def test_it_learns():
    """Scores that depend on the features are predicted, and test items do not influence training."""
    dice = np.random.default_rng(2)
    features = dice.uniform(0, 1, (400, 3)).astype(np.float32)
    scores = (1 + 4 * features[:, 0]).astype(np.float64)
    parts = features[:250], scores[:250], features[250:300], scores[250:300]
    predicted, validation, _ = relatedness.fit(*parts, features[300:], (1, 5), KIROS)
    assert relatedness.pearson(expected_scores(predicted, 1), scores[300:]) > 0.97
    assert validation > 0.97
    again, *_ = relatedness.fit(*parts, features[300:350], (1, 5), KIROS)
    np.testing.assert_array_equal(again, predicted[:50])
