"""Test SDAE against loops, finite differences and the definition of its noise."""

from collections import Counter

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import settings as budget
from hypothesis import strategies as st

from helpers_recurrent import array, encode, padded, write
from helpers_store import make_store, random_store
from helpers_training import Cut, DeathError, check_gradients
from sentrep.encoders.registry import load_encoder
from sentrep.errors import SentrepError
from sentrep.families import parse_parameters
from sentrep.families.sdae import train
from sentrep.networks.recurrent import Network
from sentrep.training.checkpoints import Checkpoints
from sentrep.training.decoders import scripts
from sentrep.training.neural import seeded
from sentrep.training.run import Run
from sentrep.training.sdae import SDAE, Corrupted, CorruptedBatches, paper_noise, rearranged, released_noise
from sentrep.training.sentences import Padded, Sentences

TINY = {"units": 8, "word_dimension": 5, "vocabulary": 20, "batch_size": 4, "learning_rate": 0.01}
WORDS = 7  # the number of rows in the word table

lengths_of_sentences = st.lists(st.integers(1, 60), min_size=1, max_size=12).map(np.array)
seeds = st.integers(0, 2**32)


def objective() -> SDAE:
    module = seeded(1, lambda: SDAE(Network(WORDS, 3, 4)))
    with torch.no_grad():
        for parameter in module.parameters():  # use larger values than the initial ones, also for biases
            generator = torch.Generator().manual_seed(2)
            parameter.add_(torch.empty_like(parameter).uniform_(-0.5, 0.5, generator=generator))
    return module.double()


def batch_of(rows: list[tuple[list[int], list[int]]]) -> Corrupted:
    clean, noisy = (list(column) for column in zip(*rows, strict=True))
    return Corrupted(padded(noisy), *scripts([np.array([[*map(len, clean)]])], [[padded(clean)]], WORDS))


def loss_by_loops(module: SDAE, clean: list[int], noisy: list[int]) -> float:
    vector = encode(module.network, noisy, end=True)
    initial = np.tanh(array(module.begin.weight) @ vector + array(module.begin.bias))
    return write(module.network, module.decoder, module.readout, clean, initial, vector)


ROWS = [([1, 2, 3, 4], [1, 3, 2]), ([5], []), ([0, 0, 0], [0, 0, 0]), ([6, 6], [0, 6])]


def test_the_loss_against_loops():
    module = objective()
    expected = np.mean([loss_by_loops(module, *row) for row in ROWS])
    np.testing.assert_allclose(module(batch_of(ROWS)).item(), expected, rtol=1e-10)
    np.testing.assert_allclose(module.float()(batch_of(ROWS)).item(), expected, rtol=1e-5)


words = st.integers(0, WORDS - 1)


@given(
    st.lists(st.tuples(st.lists(words, min_size=1, max_size=9), st.lists(words, max_size=9)), min_size=1, max_size=5)
)
@budget(max_examples=25)
def test_a_padded_batch_is_the_mean_of_its_sentences(rows):
    module = objective()
    singles = [module(batch_of([row])).item() for row in rows]
    np.testing.assert_allclose(module(batch_of(rows)).item(), np.mean(singles), rtol=1e-10)


def test_gradients_by_finite_differences():
    check_gradients(objective(), batch_of(ROWS))


def test_initial_values():
    module = seeded(1, lambda: SDAE(Network(200, 30, 50)))
    squares = [module.begin.weight, module.decoder.context.weight[100:], *module.decoder.recurrent.split(50, dim=1)]
    for square in (square.detach() for square in squares):
        torch.testing.assert_close(square @ square.T, torch.eye(50), atol=1e-5, rtol=0)
    for weight in (module.network.table.weight, module.readout.weight, module.decoder.context.weight[:100]):
        assert abs(weight.std().item() / 0.01 - 1) < 0.05
    assert not module.readout.bias.any()


@given(lengths_of_sentences, seeds, st.floats(0, 1), st.floats(0, 1))
def test_paper_noise_keeps_words_and_swaps_only_bigrams(lengths, seed, deletion, swap):
    order, remaining = paper_noise(lengths, deletion, swap, np.random.default_rng(seed))
    assert order.shape == (len(lengths), lengths.max())
    for row, length, left in zip(order, lengths, remaining, strict=True):
        kept = row[:left].tolist()
        assert len(set(kept)) == left <= length
        assert all(0 <= place < length for place in kept)
        assert not row[left:].any()
        ascending = sorted(kept)
        for k in range(0, left - 1, 2):
            assert kept[k : k + 2] in (ascending[k : k + 2], ascending[k : k + 2][::-1])
        if left % 2:
            assert kept[-1] == ascending[-1]
    if deletion == 0:
        assert np.array_equal(remaining, lengths)


def test_paper_noise_has_the_probabilities_it_is_given():
    lengths = np.full(20_000, 11)
    order, remaining = paper_noise(lengths, 0.2, 0.3, np.random.default_rng(1))
    assert abs(1 - remaining.mean() / 11 - 0.2) < 0.005
    gone = np.ones((20_000, 11))
    for column in range(11):
        rows = np.flatnonzero(column < remaining)
        gone[rows, order[rows, column]] = 0
    # the probability does not depend on the position of the word
    np.testing.assert_allclose(gone.mean(axis=0), 0.2, atol=0.015)
    correlations = np.corrcoef(gone, rowvar=False) - np.eye(11)
    assert abs(correlations).max() < 0.04  # words are dropped independently
    pairs = np.sort(order[:, :10].reshape(-1, 5, 2), axis=2)
    whole = np.arange(2, 11, 2) <= remaining[:, None]
    swapped = (pairs != order[:, :10].reshape(-1, 5, 2)).any(axis=2)
    assert abs(swapped[whole].mean() - 0.3) < 0.01


@given(lengths_of_sentences, seeds, st.sampled_from([0.0, 0.1, 0.25, 1.0]), st.sampled_from([0.0, 0.1, 0.3, 1.0]))
def test_released_noise_hides_and_swaps_exact_numbers(lengths, seed, deletion, swap):
    generator = np.random.default_rng(seed)
    order, remaining = released_noise(lengths, deletion, swap, generator)
    assert np.array_equal(remaining, lengths)
    unhidden, _ = released_noise(lengths, 0.0, swap, np.random.default_rng(seed))
    for row, other, length in zip(order, unhidden, lengths, strict=True):
        assert (row[:length] < 0).sum() == np.round(length * deletion)
        assert not row[length:].any()
        assert np.array_equal(np.where(row < 0, other, row), other)
        assert sorted(other[:length]) == list(range(length))
        if swap == 0:
            assert np.array_equal(other[:length], np.arange(length))
        moved = (other[:length] != np.arange(length)).sum()
        assert moved <= 2 * np.round(length * swap)


@pytest.mark.parametrize(("length", "count"), [(1, 0), (4, 0), (5, 0), (6, 1), (15, 2), (25, 2), (35, 4)])
def test_half_a_word_is_rounded_to_even(length, count):
    order, _ = released_noise(np.array([length]), 0.1, 0.0, np.random.default_rng(1))
    assert (order < 0).sum() == count


def test_released_swaps_are_of_any_neighbours():
    order, _ = released_noise(np.full(30_000, 6), 0.0, 0.1, np.random.default_rng(1))  # one swap per sentence
    found = Counter(map(tuple, order.tolist()))
    possible = [tuple(np.r_[:k, k + 1, k, k + 2 : 6]) for k in range(5)]
    assert set(found) == set(possible)
    np.testing.assert_allclose([found[each] for each in possible], 6000, atol=300)


def test_words_are_taken_from_their_places():
    sentences = Padded(torch.tensor([[4, 5, 6], [7, 8, 0]]), torch.tensor([3, 2]))
    found = rearranged(sentences, np.array([[2, -1, 0, 0], [1, 0, 0, 0]]), np.array([3, 1]))
    assert found.ids.tolist() == [[6, 0, 4], [8, 0, 0]]
    assert found.lengths.tolist() == [3, 1]


def test_noise_depends_on_seed_and_step_alone():
    sentences = Sentences(random_store(1, 500, 30), 19, 100, "cpu")

    def noisy(seed: int, first: int, n: int) -> list[list[list[int]]]:
        batches = CorruptedBatches(sentences, 8, 99, "paper", 0.3, 0.3, seed)
        return [batch.noisy.ids.tolist() for batch in batches(first, n)]

    assert noisy(1, 0, 10)[3:7] == noisy(1, 3, 4)
    assert noisy(1, 0, 5) != noisy(2, 0, 5)


@pytest.mark.parametrize("noise", ["paper", "released"])
def test_processes_average_to_the_whole_batch(monkeypatch, noise):
    sentences, module = Sentences(random_store(1, 400, WORDS - 1), WORDS, 100, "cpu"), objective()

    def losses() -> list[float]:
        return [module(batch).item() for batch in CorruptedBatches(sentences, 8, 99, noise, 0.2, 0.3, 1)(3, 4)]

    whole = losses()
    monkeypatch.setenv("WORLD_SIZE", "4")
    monkeypatch.setenv("TORCHELASTIC_RUN_ID", "test")
    shares = []
    for rank in range(4):
        monkeypatch.setenv("RANK", str(rank))
        shares.append(losses())
    np.testing.assert_allclose(np.mean(shares, axis=0), whole, rtol=1e-10)


@pytest.mark.parametrize("noise", ["paper", "released"])
def test_an_interrupted_run_ends_as_an_uninterrupted_one(tmp_path, noise):
    store = random_store(2, 160, 40)
    parameters = parse_parameters("sdae", {**TINY, "epochs": 2, "noise": noise, "adam": "released"}, "test")
    expected = train(store, parameters, Run(5)).network.state_dict()
    with pytest.raises(DeathError):
        train(store, parameters, Run(5, checkpoints=Cut(tmp_path, steps=10)))
    resumed = Run(5, checkpoints=Checkpoints(tmp_path, minutes=60))
    found = train(store, parameters, resumed).network.state_dict()
    assert 10 <= resumed.resumed_at[0] < 20
    assert all(torch.equal(found[name], expected[name]) for name in expected)


def test_sentences_of_any_length_are_learnt_and_encoded(tmp_path):
    store = make_store([[1], [2, 3] * 25, [19, 19, 19], [4, 5, 6]] * 50, 20)  # words from 18 on are unknown
    run = Run(1)
    model = train(store, parse_parameters("sdae", {**TINY, "units": 16, "epochs": 6}, "test"), run)
    assert run.history[-1]["loss"] < 0.5 * run.history[0]["loss"]
    model.meta["family"] = "sdae"
    model.save(tmp_path)
    texts = ["w1", " ".join(["w2", "w3"] * 25), "nonsense", ""]
    vectors = load_encoder(tmp_path).encode(texts)
    for text, vector in zip(texts[:3], vectors, strict=False):
        expected = encode(model.network, [model.row_of.get(word, 0) for word in text.split()], end=True)
        np.testing.assert_allclose(vector, expected, atol=1e-5)
    assert not vectors[3].any()


def test_sentences_that_are_too_long_are_left_out():
    store = make_store([[0] * 5, [0] * 6] * 8, 1)
    batches = CorruptedBatches(Sentences(store, 19, 6, "cpu"), 2, 5, "paper", 0.1, 0.1, seed=1)
    assert batches.per_epoch == 4
    assert all(batch.clean.sizes == [2] * 6 for batch in batches(0, 4))  # five words and <eos>, twice


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"deletion": 1.5}, "deletion: expected at most 1"),
        ({"vocabulary": 2}, "vocabulary: expected at least 3"),
        ({"largest_norm": 0.0}, "largest_norm: expected above 0"),
        ({"noise": "none"}, "one of paper, released"),
    ],
)
def test_bad_parameters_are_named(values, message):
    with pytest.raises(SentrepError, match=message):
        parse_parameters("sdae", values, "test")
