"""Compare the compiled kernels and the torch trainer with finite differences, autograd and plain loops."""

import math

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers_store import make_store, random_store
from sentrep.training.averaging import cpu as numba_trainer
from sentrep.training.averaging.autograd import AutogradTrainer
from sentrep.training.averaging.autograd import softmax_cosine as reference_loss
from sentrep.training.averaging.cpu import CpuTrainer, aligned_rows, column_blocks, join_blocks
from sentrep.training.averaging.cpu_losses import softmax_cosine
from sentrep.training.batches import Chunk, Sampler, TokenReader


@pytest.fixture(autouse=True)
def threads_for_small_batches(monkeypatch):
    monkeypatch.setattr(numba_trainer, "WORTH_THREADS", 0)


def batches(store, batch_size, negatives, n, max_tokens=50, seed=3):
    sampler = Sampler(store, batch_size, negatives, seed)
    reader = TokenReader(store, max_tokens, "clean", 32)
    return reader.read(sampler.sentences(0, 0, n))


def initial(vocabulary_size, dimension, dtype=np.float32, seed=0):
    return (np.random.default_rng(seed).standard_normal((vocabulary_size, dimension)) * 0.1).astype(dtype)


def loss_and_gradient(vectors):
    """Combine sentences with the coefficients of the loss, as described in its documentation."""
    products = np.stack([vectors @ vectors[0], (vectors * vectors).sum(axis=1)])
    coefficients = np.zeros_like(products)
    loss = softmax_cosine(products, coefficients)
    across, along = coefficients[:, :, None]
    gradients = across * vectors[0] + along * vectors
    gradients[0] = (across[1:] * vectors[1:]).sum(axis=0) + along[0] * vectors[0]
    return loss, gradients


@pytest.mark.parametrize("negatives", [1, 2, 5, 10])
def test_gradient_is_the_finite_difference(negatives):
    vectors = np.random.default_rng(negatives).standard_normal((3 + negatives, 7))
    _, gradients = loss_and_gradient(vectors)
    step = 1e-6
    for place in np.ndindex(vectors.shape):
        high, low = vectors.copy(), vectors.copy()
        high[place] += step
        low[place] -= step
        slope = (loss_and_gradient(high)[0] - loss_and_gradient(low)[0]) / (2 * step)
        assert gradients[place] == pytest.approx(slope, abs=1e-8)


@pytest.mark.parametrize("negatives", [1, 2, 5, 10])
def test_loss_and_gradient_are_autograd_s(negatives):
    vectors = np.random.default_rng(negatives).standard_normal((3 + negatives, 13))
    leaf = torch.tensor(vectors[None], requires_grad=True)
    expected = reference_loss(leaf)
    expected.backward()
    loss, gradients = loss_and_gradient(vectors)
    assert loss == pytest.approx(expected.item(), abs=1e-12)
    np.testing.assert_allclose(gradients, leaf.grad[0].numpy(), atol=1e-12)


@pytest.mark.parametrize("negatives", [1, 2, 5])
def test_equal_cosines_cost_the_log_of_the_candidates(negatives):
    loss, gradients = loss_and_gradient(np.ones((3 + negatives, 4)))
    assert loss == pytest.approx(math.log(2 + negatives), abs=1e-12)
    np.testing.assert_allclose(gradients, 0, atol=1e-12)  # all vectors are parallel, so no cosine can increase


def test_smallest_possible_loss():
    vectors = np.ones((5, 4))
    vectors[3:] = -1
    expected = math.log(2 * math.e + 2 / math.e) - 1
    assert loss_and_gradient(vectors)[0] == pytest.approx(expected, abs=1e-12)


def test_a_vector_without_length_has_cosine_zero_and_no_gradient():
    vectors = np.random.default_rng(0).standard_normal((5, 6))
    vectors[2] = 0
    leaf = torch.tensor(vectors[None], requires_grad=True)
    reference_loss(leaf).backward()
    loss, gradients = loss_and_gradient(vectors)
    assert np.isfinite(loss)
    assert (gradients[2] == 0).all()
    np.testing.assert_allclose(gradients, leaf.grad[0].numpy(), atol=1e-12)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_aligned_rows(dtype):
    W = initial(5, 17, dtype)
    padded = aligned_rows(W)
    assert padded.shape == (5, 32)
    assert padded.ctypes.data % 64 == 0
    assert (padded[:, :17] == W).all()
    assert (padded[:, 17:] == 0).all()


def check_one_step(negatives, dimension, batch_size, vocabulary, longest, seed):
    store = random_store(seed, 80, vocabulary, longest)
    chunk = batches(store, batch_size, negatives, 1, seed=seed)
    W, rate = initial(vocabulary, dimension, seed=seed), 0.5
    sentences = [
        chunk.tokens[start : start + length]
        for start, length in zip(chunk.starts.flat, chunk.lengths.flat, strict=True)
    ]
    words = np.unique(np.concatenate(sentences))  # the gradients of all other words are zero
    leaf = torch.tensor(W[words], dtype=torch.float64, requires_grad=True)
    vectors = torch.stack([leaf[np.searchsorted(words, sentence)].mean(0) for sentence in sentences])
    loss = reference_loss(vectors.view(batch_size, 3 + negatives, dimension))
    loss.backward()
    expected = W.copy()
    expected[words] = (leaf - rate * leaf.grad).detach().numpy()
    for trainer in (CpuTrainer(W, "sgd", 1), AutogradTrainer(W, "sgd", 1)):
        losses = trainer.step(chunk, np.array([rate]))
        assert losses[0] == pytest.approx(loss.item(), abs=1e-6)
        np.testing.assert_allclose(trainer.matrix(), expected, atol=1e-5, rtol=1e-5)
    return np.abs(expected - W).max()


@pytest.mark.parametrize(
    ("negatives", "dimension", "batch_size", "vocabulary", "longest"),
    [
        (1, 3, 1, 30, 4),
        (2, 16, 7, 5, 12),  # five words, each of which occurs many times in every sentence
        (5, 33, 13, 400, 1),  # sentences of one word
        (10, 30, 11, 70_000, 12),  # a vocabulary that requires 32-bit ids
        (2, 20, 9, 65_536, 70),  # sentences longer than max_tokens
        (2, 300, 70, 2_000, 30),
    ],
)
def test_one_step_is_autograd_s(negatives, dimension, batch_size, vocabulary, longest):
    # the step has a visible effect
    assert check_one_step(negatives, dimension, batch_size, vocabulary, longest, negatives) > 1e-3


@settings(max_examples=25)
@given(
    negatives=st.integers(1, 12),
    dimension=st.integers(2, 200),
    batch_size=st.integers(1, 40),
    vocabulary=st.sampled_from([3, 50, 1500, 66_000]),
    longest=st.integers(1, 60),
    seed=st.integers(0, 2**32 - 1),
)
def test_one_step_of_any_size_is_autograd_s(**sizes):
    check_one_step(**sizes)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize(("dimension", "blocks", "width"), [(1, 1, 32), (64, 2, 32), (100, 3, 64), (300, 7, 64)])
def test_column_blocks(dimension, blocks, width, dtype):
    W = initial(5, dimension, dtype)
    result = column_blocks(W, blocks)
    assert result.shape == (blocks, 5, width)
    assert result.ctypes.data % 64 == 0
    assert (join_blocks(result, dimension) == W).all()
    assert (join_blocks(result, blocks * width)[:, dimension:] == 0).all()


@pytest.mark.parametrize("optimiser", ["sgd", "adadelta"])
def test_columns_that_only_fill_up_stay_zero(optimiser):
    trainer = CpuTrainer(initial(150, 37), optimiser, 2)
    trainer.step(batches(random_store(1, 300, 150), 5, 2, 30), np.full(30, 0.5))
    assert trainer.blocks.shape == (2, 150, 32)
    assert (trainer.blocks[1, :, 5:] == 0).all()
    assert (trainer.blocks[1, :, :5] != 0).all()


@pytest.mark.parametrize("optimiser", ["sgd", "adadelta"])
def test_backends_agree_over_hundreds_of_steps(optimiser):
    store = random_store(1, 700, 150)
    W, n = initial(150, 24), 300
    chunk = batches(store, 2, 2, n)
    rates = np.linspace(0.2, 0.05, n) if optimiser == "sgd" else np.full(n, 0.5)
    ours, torchs = CpuTrainer(W, optimiser, 1), AutogradTrainer(W, optimiser, 1)
    np.testing.assert_allclose(ours.step(chunk, rates), torchs.step(chunk, rates), atol=1e-5)
    assert np.abs(ours.matrix() - W).max() > 0.05
    np.testing.assert_allclose(ours.matrix(), torchs.matrix(), atol=1e-5)


@pytest.mark.parametrize("optimiser", ["sgd", "adadelta"])
def test_threads_chunks_and_restarts_do_not_change_a_bit(optimiser):
    store = random_store(2, 500, 300)
    W = initial(300, 70)  # three parts, so that the blocks differ and a thread may be idle
    chunk, rates = batches(store, 20, 3, 20), np.full(20, 0.3)
    whole, cut = CpuTrainer(W, optimiser, 1), CpuTrainer(W, optimiser, 1)
    losses = whole.step(chunk, rates)
    for threads in (2, 3, 7):
        threaded = CpuTrainer(W, optimiser, threads)
        assert (losses == threaded.step(chunk, rates)).all()
        assert (whole.matrix() == threaded.matrix()).all()
    for first, last, threads in ((0, 1, 2), (1, 8, 1), (8, 20, 2)):
        part = Chunk(chunk.tokens, chunk.starts[first:last], chunk.lengths[first:last])
        assert (losses[first:last] == cut.step(part, rates[first:last])).all()
        again = CpuTrainer(initial(300, 70, seed=1), optimiser, threads)
        again.restore(cut.state())
        cut = again
    assert (whole.matrix() == cut.matrix()).all()


def test_adadelta_is_the_loop_as_written():
    store = random_store(4, 60, 40, longest=3)
    W, n, rate, rho, epsilon = initial(40, 6), 12, 0.7, 0.95, 1e-6
    chunk = batches(store, 4, 1, n)
    trainer = CpuTrainer(W, "adadelta", 1)
    trainer.step(chunk, np.full(n, rate))
    expected, squares, updates = W.astype(np.float64), np.zeros((40, 6)), np.zeros((40, 6))
    for b in range(n):
        gradient = np.zeros((40, 6))
        for example in range(4):
            sentences = [
                chunk.tokens[start : start + length]
                for start, length in zip(chunk.starts[b, example], chunk.lengths[b, example], strict=True)
            ]
            _, partial = loss_and_gradient(np.stack([expected[s].mean(axis=0) for s in sentences]))
            for words, row in zip(sentences, partial, strict=True):
                for word in words:
                    gradient[word] += row / len(words) / 4
        squares = rho * squares + (1 - rho) * gradient**2
        step = gradient * np.sqrt(updates + epsilon) / np.sqrt(squares + epsilon)
        updates = rho * updates + (1 - rho) * step**2
        expected -= rate * step
    np.testing.assert_allclose(trainer.matrix(), expected, atol=1e-5)


def test_nothing_to_train_is_no_error():
    store = make_store([[0]] * 9, 1)
    empty = Chunk(batches(store, 2, 1, 1).tokens, np.empty((0, 2, 4), np.int64), np.empty((0, 2, 4), np.int32))
    for trainer in (CpuTrainer, AutogradTrainer):
        assert trainer(initial(1, 4), "sgd", 1).step(empty, np.empty(0)).shape == (0,)
