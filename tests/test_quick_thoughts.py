"""Test Quick Thoughts: the loss against loops and finite differences, batches and accuracy."""

import numpy as np
import pytest
import torch

from helpers_gru import loop_forward
from helpers_store import make_store, random_store
from sentrep.networks.two_towers import Network
from sentrep.training.quick_thoughts import QuickThoughts, SentenceBatches, accuracy
from sentrep.training.sentences import Sentences

CPU = "cpu"


def batches_of(store, network, size=10, context=1, **changes):
    sentences = Sentences(store, network.settings["words"], 50, CPU)
    return SentenceBatches(store, sentences, network, CPU, size, context, **changes)


def loop_loss(f, g, places, context, diagonal, loss="softmax"):
    """Return the loss of a batch, computed row by row in float64."""
    losses = []
    for i in range(len(f)):
        neighbours = [j for j in range(len(f)) if 0 < abs(places[i] - places[j]) <= context]
        if not neighbours:
            continue
        scores = {j: float(f[i] @ g[j]) for j in range(len(f)) if j != i}
        near, far = [scores[j] for j in neighbours], [scores[j] for j in scores if j not in neighbours]
        if loss == "max_margin":
            losses.append(np.mean([max(0.0, 1 - a + b) for a in near for b in far] or [0.0]))
            continue
        if loss == "binary":
            wrong = [[1 / (1 + np.exp(a)) for a in near], [1 / (1 + np.exp(-b)) for b in far]]
            losses.append(sum(-np.mean(np.log1p(-np.array(side))) for side in wrong if side))
            continue
        if diagonal == "zero":
            scores[i] = 0.0
        total = sum(np.exp(s) for s in scores.values())
        losses.append(-sum(np.log(np.exp(scores[j]) / total) for j in neighbours) / len(neighbours))
    return np.mean(losses)


@pytest.mark.parametrize("encoder", ["bow", "uni", "bi"])
@pytest.mark.parametrize("towers", [1, 2])
@pytest.mark.parametrize(
    ("context", "diagonal", "boundaries"),
    [(1, "zero", "ignore"), (1, "masked", "respect"), (3, "zero", "respect"), (3, "masked", "ignore")],
)
def test_the_loss_is_that_of_a_loop(encoder, towers, context, diagonal, boundaries):
    lengths = [1, 5, 50, 60, 2, 3, 1, 7, 4, 2]
    rng = np.random.default_rng(0)
    sentences = [rng.integers(0, 40, n).tolist() for n in lengths]
    store = make_store(sentences, 40, [4, 1, 5])
    network = Network(encoder, 30, 6, 8, towers=towers).double()
    (batch,) = batches_of(store, network, context=context, boundaries=boundaries)(0, 1)
    f, g = (np.array([vector(network, k, s[:50]) for s in sentences]) for k in (0, towers - 1))
    gap = context if boundaries == "respect" else 0
    places = np.arange(10) + gap * np.repeat([0, 1, 2], [4, 1, 5])
    if (boundaries, context) == ("respect", 1):
        # this sentence is alone in its document, so it has no neighbours
        assert not ((np.abs(places - places[4]) == 1).any())
    for loss in ("softmax", "max_margin", "binary"):
        ours = QuickThoughts(network, context, diagonal, loss)(batch).item()
        np.testing.assert_allclose(ours, loop_loss(f, g, places, context, diagonal, loss), rtol=1e-9)


def vector(network, tower, words):
    """Return the output of a tower for one sentence of store ids, computed with the unit written as a loop."""
    table = network.tables[tower].weight.detach().numpy()
    x = table[[word + 1 if word + 1 < len(table) else 0 for word in words]]
    if not network.directions:
        return x.sum(axis=0)
    readers = network.readers[tower * network.directions : (tower + 1) * network.directions]
    orders = [x, x[::-1].copy()][: network.directions]
    return np.concatenate(
        [loop_forward(r, torch.from_numpy(o)[None])[0, -1] for r, o in zip(readers, orders, strict=True)]
    )


@pytest.mark.parametrize(
    ("encoder", "loss"),
    [("bow", "softmax"), ("uni", "softmax"), ("bi", "softmax"), ("bow", "max_margin"), ("uni", "binary")],
)
def test_finite_differences_of_the_loss(encoder, loss):
    store = random_store(0, 12, 9, longest=4)
    network = Network(encoder, 8, 3, 4).double()
    objective = QuickThoughts(network, 2, "zero", loss)
    (batch,) = batches_of(store, network, size=6, context=2)(0, 1)
    names, values = zip(*network.named_parameters(), strict=True)

    def loss_of(*parameters):
        given = {f"network.{name}": value for name, value in zip(names, parameters, strict=True)}
        return torch.func.functional_call(objective, given, (batch,))

    assert torch.autograd.gradcheck(loss_of, values, atol=1e-6)


def test_batches_are_consecutive_sentences():
    store = make_store([[0], [], [1], [2], [3], [], [4], [5], [6]], 7, [4, 5])
    network = Network("bow", 8, 2, 2)
    sentences = Sentences(store, 8, 50, CPU)

    def words_and_places(batches):
        return [(b.ids[:, 0].tolist(), b.places.tolist()) for b in batches]

    ignoring = SentenceBatches(store, sentences, network, CPU, 3, 1, "ignore")
    assert ignoring.per_epoch == 2  # the seventh sentence does not fill a batch
    expected = [([1, 2, 3], [0, 2, 3]), ([4, 5, 6], [4, 6, 7])]  # an empty sentence lies between positions 0 and 2
    assert words_and_places(ignoring(0, 2)) == expected
    assert words_and_places(ignoring(1, 2)) == [expected[1], expected[0]]
    respecting = SentenceBatches(store, sentences, network, CPU, 3, 1, "respect")
    assert words_and_places(respecting(1, 1)) == [([4, 5, 6], [5, 7, 8])]
    held_out = SentenceBatches(store, sentences, network, CPU, 3, 1, held_out=5)
    assert (held_out.per_epoch, words_and_places(held_out(0, 1))) == (1, expected[1:])
    assert words_and_places(held_out.validation()) == expected[:1]


def test_shuffled_batches():
    store, network = make_store([[i] for i in range(40)], 40), Network("bow", 41, 2, 2)
    firsts = [
        [int(b.ids[0, 0]) for b in batches_of(store, network, 4, shuffle=True, seed=seed)(0, 20)] for seed in (0, 0, 1)
    ]
    assert firsts[0] == firsts[1] != firsts[2]
    epochs = firsts[0][:10], firsts[0][10:]
    assert [sorted(epoch) for epoch in epochs] == [list(range(1, 41, 4))] * 2
    assert epochs[0] != epochs[1] != sorted(epochs[1])
    later = batches_of(store, network, 4, shuffle=True, seed=0)(7, 6)
    assert [int(b.ids[0, 0]) for b in later] == firsts[0][7:13]


@pytest.mark.parametrize("context", [1, 2])
def test_batches_of_windows_from_random_places(context):
    store, network = make_store([[i] for i in range(65)], 65), Network("bow", 66, 2, 2)
    made = batches_of(store, network, 16, context, candidates="random", held_out=20)
    window = 2 * context + 1
    size = 16 // window * window
    held_out = 20 // size * size
    assert made.per_epoch == (65 - held_out) // size
    epochs = [
        [[int(w) - 1 for w in batch.ids[:, 0]] for batch in made(epoch * made.per_epoch, made.per_epoch)]
        for epoch in (0, 1)
    ]
    for batches in epochs:
        seen = sorted(i for batch in batches for i in batch)
        assert len(set(seen)) == len(seen) == made.per_epoch * size
        assert min(seen) >= held_out
        for batch in batches:
            windows = np.array(batch).reshape(-1, window)
            assert (np.diff(windows, axis=1) == 1).all()
            assert (np.diff(windows[:, 0]) >= window).all()
        assert any(np.ptp(batch) >= 2 * size for batch in batches)
    assert epochs[0] != epochs[1]
    assert [batch.places.tolist() for batch in made.validation()] == [
        list(range(size)) for _ in range(held_out // size)
    ]


def test_dropout_is_one_mask_for_the_batch_not_synthetic_for():
    network = Network("bow", 8, 100, 100)
    with torch.no_grad():
        for table in network.tables:
            table.weight.fill_(1.0)
    objective = QuickThoughts(network, dropout=0.3)
    (batch,) = batches_of(make_store([[0]] * 10, 7), network)(0, 1)
    torch.manual_seed(0)
    scores, distance = objective.train().scores(batch)
    kept = scores[distance > 0].unique().tolist()
    assert len(kept) == 1
    assert 55 <= kept[0] <= 85
    assert objective.eval().scores(batch)[0].max() == 100


def test_accuracy():
    network = Network("bow", 12, 11, 11)
    f, g = (np.zeros((12, 11)) for _ in range(2))
    # f of each sentence selects the next one, except f of one sentence, which selects the previous one
    for i in range(10):
        f[i + 1, i] = g[i + 1, (i - 1 if i != 2 else 3) % 11] = 1.0
    with torch.no_grad():
        for table, values in zip(network.tables, (f, g), strict=True):
            table.weight.copy_(torch.from_numpy(values))
    store = make_store([[i] for i in range(10)], 11)
    scores = f[1:11] @ g[1:11].T
    np.fill_diagonal(scores, 0)
    best = scores.argmax(axis=1)
    expected = np.mean(best[:-1] == np.arange(1, 10)), np.mean(best[1:] == np.arange(9))
    assert 0 < expected[1] < expected[0] < 1
    assert accuracy(QuickThoughts(network), batches_of(store, network)(0, 1)) == pytest.approx(expected)
