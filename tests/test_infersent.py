"""Test InferSent: the encoder against a loop in numpy, features, learning rates and SGD."""

import numpy as np
import pytest
import torch

from sentrep.corpora.labelled_texts import LabelledTexts
from sentrep.corpora.nli import CLASSES
from sentrep.families.infersent import build_network
from sentrep.networks import build
from sentrep.networks.bilstm_max import Network
from sentrep.training.infersent import InferSent, PairBatches, accuracy, features, number_texts
from sentrep.training.neural import NeuralLearner, Optimisation
from sentrep.training.plateau import Plateau, ValidatedLearner
from sentrep.training.run import Run

WORDS, DIMENSION, UNITS = 12, 5, 4


def network(seed: int = 0) -> Network:
    torch.manual_seed(seed)
    return build("bilstm_max", {"words": WORDS, "dimension": DIMENSION, "units": UNITS})


def sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


def read_one_way(vectors: list[np.ndarray], w: np.ndarray, u: np.ndarray, bias: np.ndarray) -> list[np.ndarray]:
    """Return the states of an LSTM (Hochreiter and Schmidhuber, with forget gates), with gates in torch's order."""
    h, c, states = np.zeros(UNITS), np.zeros(UNITS), []
    for x in vectors:
        i, f, g, o = np.split(w @ x + u @ h + bias, 4)
        c = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
        h = sigmoid(o) * np.tanh(c)
        states.append(h)
    return states


def by_hand(net: Network, sentence: list[int]) -> np.ndarray:
    weights = {name: value.double().numpy() for name, value in net.state_dict().items()}
    begin, end = weights["ends.weight"]
    vectors = [begin, *(weights["table.weight"][word] for word in sentence if word), end]
    parts = []
    for suffix, order in (("l0", 1), ("l0_reverse", -1)):
        w, u, b, b2 = (weights[f"lstm.{kind}_{suffix}"] for kind in ("weight_ih", "weight_hh", "bias_ih", "bias_hh"))
        parts.append(np.max(read_one_way(vectors[::order], w, u, b + b2), axis=0))
    return np.concatenate(parts)


def test_the_encoder_against_a_loop():
    net, rng = network(), np.random.default_rng(1)
    # Words without a vector (0) occur at the beginning, in the middle, at the end and alone.
    sentences = [[3], [0], [0, 4, 5], [4, 0, 5], [4, 5, 0], [0, 0], *(rng.integers(0, WORDS, n) for n in (2, 7, 30))]
    lengths = torch.tensor([len(sentence) for sentence in sentences])
    ids = torch.zeros(len(sentences), int(lengths.max()), dtype=torch.int64)
    for row, sentence in zip(ids, sentences, strict=True):
        row[: len(sentence)] = torch.as_tensor(sentence)
    with torch.no_grad():
        found = net.embed(ids, lengths).numpy()
    expected = np.array([by_hand(net, list(sentence)) for sentence in sentences])
    np.testing.assert_allclose(found, expected, atol=1e-5)
    assert found.shape == (len(sentences), sum(net.parts))
    assert net.parts == [2 * UNITS]
    assert (expected < 0).any()  # zeros in the padding would be larger than these values
    np.testing.assert_array_equal(found[2], found[4])
    # Values after the end of a sentence are not read.
    ids[0, 1:] = 7
    with torch.no_grad():
        np.testing.assert_allclose(net.embed(ids, lengths).numpy(), expected, atol=1e-5)


def test_features_by_hand():
    u, v = torch.tensor([[1.0, -2.0], [0.5, 3.0]]), torch.tensor([[4.0, -1.0], [0.5, -3.0]])
    expected = [[1, -2, 4, -1, 3, 1, 4, 2], [0.5, 3, 0.5, -3, 0, 6, 0.25, -9]]
    assert features(u, v).tolist() == expected


@pytest.mark.parametrize("classifier", ["released", "paper"])
def test_the_classifier_and_the_loss(classifier):
    part = LabelledTexts(["w1 w2", "w3", "w1 w2"], ["w3", "w4 w5 w6", "w9"], np.array([2, 0, 1]))
    pairs = number_texts({"all": part}, ["<unk>", *(f"w{i}" for i in range(1, WORDS))], str.split, "cpu")["all"]
    objective = InferSent(network(), 6, len(CLASSES), classifier)
    (batch,) = pairs.batches(np.array([[0, 1, 2]]))
    u, v = (
        np.array([by_hand(objective.network, s) for s in side])
        for side in ([[1, 2], [3], [1, 2]], [[3], [4, 5, 6], [9]])
    )
    x = np.concatenate([u, v, np.abs(u - v), u * v], axis=1)
    layers = [
        (m.weight.detach().double().numpy(), m.bias.detach().double().numpy())
        for m in objective.classifier
        if hasattr(m, "weight")
    ]
    assert [bias.shape[0] for _, bias in layers] == ([6, 6, 3] if classifier == "released" else [6, 3])
    for number, (w, b) in enumerate(layers):
        x = x @ w.T + b
        x = np.tanh(x) if classifier == "paper" and number == 0 else x
    np.testing.assert_allclose(objective.scores(batch).detach().numpy(), x, atol=1e-5)
    probabilities = np.exp(x) / np.exp(x).sum(axis=1, keepdims=True)
    expected = -np.mean(np.log(probabilities[np.arange(3), part.targets]))
    assert abs(objective(batch).item() - expected) < 1e-5
    assert accuracy(objective, pairs.in_order(2)) == np.mean(x.argmax(axis=1) == part.targets)


def test_only_the_lstms_and_the_classifier_are_trained():
    objective = InferSent(network(), 6, 3)
    frozen = {name for name, parameter in objective.named_parameters() if not parameter.requires_grad}
    assert frozen == {"network.table.weight", "network.ends.weight"}
    assert objective.network.word_tables() == {}


def test_numbered_texts():
    splits = {
        "train": LabelledTexts(["b a", "c"], ["x a", ""], np.array([0, 1])),
        "dev": LabelledTexts(["c"], ["b a"], np.array([2])),
    }
    pairs = number_texts(splits, ["<unk>", "a", "b", "c"], str.split, "cpu")
    (batch,) = pairs["train"].batches(np.array([[0, 1]]))
    assert batch.texts.ids.tolist() == [[2, 1], [3, 0], [0, 1], [0, 0]]
    assert batch.texts.lengths.tolist() == [2, 1, 2, 1]
    assert batch.targets.tolist() == [0, 1]
    (dev,) = pairs["dev"].in_order(64)
    assert (dev.texts.ids.tolist(), dev.targets.tolist()) == ([[3, 0], [2, 1]], [2])


def test_an_epoch_takes_every_pair_once_in_a_new_order():
    part = LabelledTexts([f"w{i}" for i in range(23)], ["w0"] * 23, np.arange(23) % 3)
    pairs = number_texts({"train": part}, ["<unk>", *(f"w{i}" for i in range(23))], str.split, "cpu")["train"]
    batches = PairBatches(pairs, 4, seed=1)
    assert batches.per_epoch == 5
    epochs = [[w for batch in batches(5 * epoch, 5) for w in batch.texts.ids[:4, 0].tolist()] for epoch in (0, 1)]
    assert all(len(set(words)) == 20 for words in epochs)
    assert epochs[0] != epochs[1]
    again = [batch.texts.ids[:4, 0].tolist() for batch in PairBatches(pairs, 4, seed=1)(7, 3)]
    assert [word for words in again for word in words] == epochs[1][8:]


def test_the_rates_by_hand():
    plateau = Plateau(0.1, decay=0.99, shrink=5, smallest=1e-3)
    # The accuracy of each epoch, whether it is the best so far, the next learning rate, and whether training ends.
    course = [
        (0.50, True, 0.1 * 0.99, False),
        (0.60, True, 0.1 * 0.99**2, False),
        (0.60, False, 0.1 * 0.99**3 / 5, False),  # equal accuracy is not an improvement
        (0.55, False, 0.1 * 0.99**4 / 25, False),
        # better than the previous epoch but not than the best; the next rate would be 7.7e-4
        (0.58, False, 0.1 * 0.99**4 / 125, True),
    ]
    for accuracy_, better, rate, over in course:
        assert plateau.look(accuracy_) == better
        assert plateau.rate == pytest.approx(rate, rel=1e-12)
        assert plateau.over == over
    other = Plateau(0.1, decay=0.99, shrink=5, smallest=1e-3)
    other.restore(plateau.state())
    assert (other.rate, other.best, other.over) == (plateau.rate, 0.6, True)


def test_the_best_epoch_is_taken():
    class Countdown(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.x = torch.nn.Parameter(torch.zeros(1))

        def forward(self, batch: torch.Tensor) -> torch.Tensor:
            return -self.x.sum()

    module, scores = Countdown(), iter([0.1, 0.4, 0.3])
    steps = NeuralLearner(module, lambda _first, n: [torch.empty(0)] * n, Optimisation(optimiser="sgd"), Run(1))
    learner = ValidatedLearner(steps, 2, lambda: next(scores), Plateau(1.0, 0.5, 2.0, 0.01))
    for first in range(0, 6, 2):
        learner.advance(first, learner.rates(first, 2))
    # Two steps at rate 1, two at 1/2 and two at 1/4.
    assert module.x.item() == pytest.approx(3.5)
    learner.take_best()
    assert module.x.item() == pytest.approx(3.0)


def test_sgd_with_a_limited_norm_against_the_definition():
    module = torch.nn.Module()
    module.x = torch.nn.Parameter(torch.tensor([1.0, 2.0]))
    module.forward = lambda batch: (module.x * batch).sum()
    settings = Optimisation("global", 5.0, optimiser="sgd")
    directions = [torch.tensor([30.0, 40.0]), torch.tensor([0.3, 0.4])]
    learner = NeuralLearner(module, lambda first, n: directions[first : first + n], settings, Run(1))
    learner.advance(0, np.array([0.1, 0.2]))
    expected = np.array([1.0, 2.0]) - 0.1 * np.array([3.0, 4.0]) - 0.2 * np.array([0.3, 0.4])
    np.testing.assert_allclose(module.x.detach().numpy(), expected, rtol=1e-6)
    assert list(learner.state()) == ["parameter.x"]


def test_tokens_that_begin_and_end_a_text():
    table = np.random.default_rng(0).normal(size=(4, DIMENSION)).astype(np.float32)
    net = build_network(UNITS, ["<unk>", "</s>", "a", "<s>"], table, seed=1)
    np.testing.assert_array_equal(net.ends.weight, table[[3, 1]])
    drawn = build_network(UNITS, ["<unk>", "b", "a", "c"], table, seed=1).ends.weight
    assert len(np.unique(drawn)) == 2 * DIMENSION
    assert not np.isin(drawn, table).any()
