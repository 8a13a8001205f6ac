"""Test the training of weights: losses, gradients, Gram matrices, the closed form, the procedure and kappa."""

import math
from dataclasses import replace

import numpy as np
import pytest

from helpers_aggregation import random_pairs, slow_interpolation, small_lexicon, words_of
from sentrep.aggregation.lexicon import Lexicon
from sentrep.errors import SentrepError
from sentrep.pairs.pair_set import Pairs

torch = pytest.importorskip("torch")

from sentrep.aggregation import learning  # noqa: E402
from sentrep.aggregation.kappa import cross_validate_kappa, describe  # noqa: E402
from sentrep.aggregation.learning import QuadraticPairs, batch_gradient, learn  # noqa: E402
from sentrep.aggregation.losses import contrastive, median_based  # noqa: E402
from sentrep.aggregation.parameters import Parameters  # noqa: E402


@pytest.fixture(autouse=True)
def one_thread():
    torch.set_num_threads(1)


def softplus(x):
    return math.log(1 + math.exp(x))


def test_losses_by_hand():
    distances = torch.tensor([0.1, 0.4, 0.3, 0.8], dtype=torch.float64)  # two related and two non-related pairs
    assert float(contrastive(distances, 2)[0]) == pytest.approx((0.1 + 0.4 - 0.3 - 0.8) / 4)
    # the median is (.3 + .4) / 2
    related = [softplus(-10 * (0.35 - d)) for d in (0.1, 0.4)]
    others = [softplus(-10 * (d - 0.35)) for d in (0.3, 0.8)]
    loss, _ = median_based(distances, 2, 10.0)
    assert float(loss) == pytest.approx(sum(related) / 2 + sum(others) / 2)
    # with an odd number of pairs, the median is the middle distance, which is that of the second related pair
    loss, _ = median_based(distances[:3], 2, 10.0)
    expected = (softplus(-10 * (0.3 - 0.1)) + softplus(-10 * (0.3 - 0.4))) / 2 + softplus(0)
    assert float(loss) == pytest.approx(expected)


def autograd_loss(w, lexicon, pairs, parameters):
    """Compute the losses as the paper writes them, from text vectors, so that torch can differentiate them."""
    distances = []
    for first, second in zip(pairs.first, pairs.second, strict=True):
        vectors = []
        for ranks in (first, second):
            words = words_of(lexicon, ranks)
            n = len(words)
            basis = np.array([slow_interpolation(unit, n) for unit in np.eye(parameters.maximum_words)]).T
            factors = torch.tensor(basis) @ w / (n if parameters.divisor == "n" else math.sqrt(n))
            vectors.append(factors @ torch.tensor(lexicon.vectors[words].astype(float)))
        squared = ((vectors[0] - vectors[1]) ** 2).sum()
        distances.append(squared if parameters.train_distance == "squared" else squared.sqrt())
    d, related = torch.stack(distances), torch.tensor(pairs.related)
    penalty = parameters.l2 * (w**2).sum()
    if parameters.loss == "contrastive":
        return torch.where(related, d, -d).mean() + penalty
    ordered = d.sort().values
    mu = (ordered[(len(d) - 1) // 2] + ordered[len(d) // 2]) / 2
    kappa = parameters.kappa
    near = torch.nn.functional.softplus(-kappa * (mu - d[related])).mean()
    return near + torch.nn.functional.softplus(-kappa * (d[~related] - mu)).mean() + penalty


@pytest.mark.parametrize("gram_bytes", [0, 2**30])
@pytest.mark.parametrize("loss", ["contrastive", "median"])
@pytest.mark.parametrize("distance", ["squared", "euclidean"])
@pytest.mark.parametrize(("size", "divisor"), [(9, "n"), (5, "sqrt_n")])
def test_gradients(loss, distance, size, divisor, gram_bytes):
    rng = np.random.default_rng(size)
    lexicon = small_lexicon(rng)
    pairs = random_pairs(lexicon, rng, 12, 9)
    parameters = Parameters(loss=loss, maximum_words=size, train_distance=distance, divisor=divisor, kappa=3.0, l2=0.01)
    training = QuadraticPairs(lexicon, pairs, size, divisor, gram_bytes=gram_bytes)
    w = torch.tensor(rng.normal(size=size), requires_grad=True)
    reference = autograd_loss(w, lexicon, pairs, parameters)
    reference.backward()

    order = torch.cat([training.related, training.others])

    def ours(weights):
        squared, products = training.products(order, weights.float())
        return batch_gradient(squared, products, weights, len(training.related), parameters)

    value, gradient = ours(w.detach())
    assert float(value) == pytest.approx(reference.item(), rel=1e-5)
    assert gradient.numpy() == pytest.approx(w.grad.numpy(), rel=2e-4, abs=2e-6)
    for j in range(size):  # also compare with finite differences of the reference
        step = torch.zeros(size, dtype=torch.float64)
        step[j] = 1e-5
        with torch.no_grad():
            rise = autograd_loss(w + step, lexicon, pairs, parameters) - autograd_loss(
                w - step, lexicon, pairs, parameters
            )
        assert float(gradient[j]) == pytest.approx(float(rise) / 2e-5, rel=1e-3, abs=1e-5)


def test_gram_matrices_and_word_vectors_agree():
    rng = np.random.default_rng(5)
    lexicon = small_lexicon(rng)
    pairs = random_pairs(lexicon, rng, 700, 8)
    stored, gathered = (QuadraticPairs(lexicon, pairs, 6, gram_bytes=size) for size in (2**30, 0))
    assert stored.grams is not None
    assert gathered.grams is None
    w = torch.tensor(rng.normal(size=6), dtype=torch.float32)
    chosen = torch.arange(0, 700, 3)
    for a, b in zip(stored.products(chosen, w), gathered.products(chosen, w), strict=True):
        assert a.numpy() == pytest.approx(b.numpy(), rel=1e-4, abs=1e-5)
    parameters = Parameters(maximum_words=6, kappa=5.0, maximum_updates=40, batch_pairs=20)
    results = [learn(training, parameters, 1).weights for training in (stored, gathered)]
    assert results[0] == pytest.approx(results[1], abs=1e-4)


def test_equal_texts_have_no_direction():
    rng = np.random.default_rng(6)
    lexicon = small_lexicon(rng)
    pairs = random_pairs(lexicon, rng, 4, 5)
    pairs.second[:] = pairs.first
    training = QuadraticPairs(lexicon, pairs, 5)
    weights = torch.ones(5, dtype=torch.float64)
    squared, products = training.products(torch.arange(4), weights.float())
    _, gradient = batch_gradient(squared, products, weights, 2, Parameters(maximum_words=5, l2=0.0))
    assert gradient.abs().max() == 0


def themed(rng, n=1500, size=10, dimension=12, first_word=1.0):
    """Return pairs in which only words with a high idf depend on the topic of the text."""
    topics, words = 10, 400
    centres = rng.normal(size=(topics, dimension))
    vectors = np.zeros((words + 1, dimension), dtype=np.float32)
    topic_of = rng.integers(0, topics, words)
    share = np.linspace(first_word, 0, words)[:, None]
    vectors[:-1] = share * centres[topic_of] + rng.normal(size=(words, dimension))
    lexicon = Lexicon(vectors, np.append(np.linspace(5, 0.1, words), 0), np.arange(words, dtype=np.int32))
    related = np.arange(n) % 2 == 0
    a = rng.integers(0, topics, n)
    b = np.where(related, a, (a + rng.integers(1, topics, n)) % topics)
    choices = [np.flatnonzero(topic_of == t) for t in range(topics)]
    sides = [np.array([np.sort(rng.choice(choices[t], size)) for t in side], dtype=np.int32) for side in (a, b)]
    return lexicon, Pairs(sides[0], sides[1], related)


def test_contrastive_weights_turn_to_the_closed_form():
    lexicon, pairs = themed(np.random.default_rng(7))
    training = QuadraticPairs(lexicon, pairs, 10)
    related, others = (
        training.grams[kind].double().mean(dim=0).numpy() for kind in (training.related, training.others)
    )
    # the loss is w'(R - N) w / 2, so it decreases fastest along the eigenvector with the lowest eigenvalue
    direction = np.linalg.eigh(related - others)[1][:, 0]
    direction *= np.sign(direction.sum())
    parameters = Parameters(
        loss="contrastive", maximum_words=10, train_distance="squared", maximum_updates=20_000, learning_rate=0.02
    )
    learnt = learn(training, parameters, 0)
    assert learnt.stopped == "weights_grew"
    assert learning.LARGEST_WEIGHT < learnt.weights.max() < 10 * learning.LARGEST_WEIGHT
    cosine = learnt.weights @ direction / np.linalg.norm(learnt.weights)
    assert cosine > 0.9995
    assert direction[0] > 2 * direction[-1]  # the most informative words have the highest weights


def test_median_weights_are_better_than_equal_ones_and_converge():
    lexicon, pairs = themed(np.random.default_rng(8))
    training = QuadraticPairs(lexicon, pairs, 10)
    parameters = Parameters(maximum_words=10, kappa=10.0, maximum_updates=20_000, learning_rate=0.05, batch_pairs=50)
    rows = []
    learnt = learn(training, parameters, 0, watch=lambda *row: rows.append(row))
    assert learnt.stopped == "converged"
    assert np.isfinite(learnt.weights).all()
    assert learnt.weights[0] > 1.5 * learnt.weights[-1]
    # the learning rate is reduced once, after the first epoch whose loss exceeds that of the previous epoch; training
    # then ends when the loss changes by less than the threshold
    rates, losses = [row[3] for row in rows], [row[2] for row in rows]
    rise = next(i for i in range(1, len(losses)) if losses[i] > losses[i - 1])
    assert rates == [0.05] * (rise + 1) + [0.001] * (len(rates) - rise - 1)
    changes = [abs(losses[i] - losses[i - 1]) / abs(losses[i - 1]) for i in range(rise + 1, len(losses))]
    assert changes[-1] < 0.0005
    assert all(change >= 0.0005 for change in changes[:-1])
    assert learn(training, parameters, 0).weights.tolist() == learnt.weights.tolist()
    assert learn(training, parameters, 1).weights.tolist() != learnt.weights.tolist()


def test_the_cap_on_updates():
    lexicon, pairs = themed(np.random.default_rng(9), n=200)
    learnt = learn(
        QuadraticPairs(lexicon, pairs, 10), Parameters(maximum_words=10, maximum_updates=7, batch_pairs=10), 0
    )
    assert (learnt.updates, learnt.stopped) == (7, "maximum_updates")


def test_short_passes_are_joined():
    lexicon, pairs = themed(np.random.default_rng(9), n=200)  # 10 updates per epoch
    rows = []
    parameters = Parameters(maximum_words=10, batch_pairs=10, maximum_updates=70, minimum_epoch_updates=25)
    learn(QuadraticPairs(lexicon, pairs, 10), parameters, 0, watch=lambda *row: rows.append(row[:2]))
    assert rows == [(30, 3), (60, 6), (70, 7)]


def test_fewer_pairs_than_a_batch():
    lexicon, pairs = themed(np.random.default_rng(9), n=30)
    learnt = learn(QuadraticPairs(lexicon, pairs, 10), Parameters(maximum_words=10, maximum_updates=7), 0)
    assert learnt.updates == 7


def test_overflow_is_an_error():
    lexicon, pairs = themed(np.random.default_rng(10), n=200)
    parameters = Parameters(loss="contrastive", maximum_words=10, train_distance="squared", learning_rate=1e30)
    with pytest.raises(
        SentrepError, match=r"^weights: expected finite weights and losses, found .* lower `learning_rate`"
    ):
        learn(QuadraticPairs(lexicon, pairs, 10), parameters, 0)


def test_kappa():
    lexicon, pairs = themed(np.random.default_rng(11), n=600)
    training = QuadraticPairs(lexicon, pairs, 10)
    parameters = Parameters(loss="contrastive", maximum_words=10, maximum_updates=150)
    table = cross_validate_kappa(training, parameters, [0.001, 10, 40], folds=3, seed=0)
    assert table["kappa"].tolist() == [0.001, 10, 40]
    assert table["least"].sum() == 1
    assert table.loc[table["least"], "plateau"].all()
    assert table["error"].between(0, 0.5).all()
    equal = learn(training, replace(parameters, loss="median", kappa=0.001), 0).weights
    assert equal == pytest.approx([0.5] * 10, abs=0.01)


def test_plateau():
    errors = np.array([[0.3, 0.31, 0.32], [0.2, 0.21, 0.2], [0.2, 0.205, 0.21], [0.2, 0.21, 0.19]])
    table = describe([1, 10, 20, 40], errors)
    assert table["least"].tolist() == [False, False, False, True]
    assert table["plateau"].tolist() == [False, True, True, True]
