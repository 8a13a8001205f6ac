"""Test the parts that are shared by models with decoders, against their definitions."""

from unittest import mock

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn
from torch.nn import functional

from helpers_recurrent import padded, written
from sentrep.errors import SentrepError
from sentrep.networks.gru import GRU
from sentrep.networks.recurrent import with_end
from sentrep.training import decoders
from sentrep.training.bucketing import Buckets
from sentrep.training.decoders import (
    Readout,
    decode,
    initialise,
    real_positions,
    scripts,
    summed_cross_entropy,
)
from sentrep.training.schedule import released_adam_rates

PLACES = decoders.places_of_steps


def random_layer(seed: int, states: int, width: int, words: int, dtype: torch.dtype = torch.float64) -> tuple:
    generator = torch.Generator().manual_seed(seed)
    drawn = [
        torch.randn(*shape, generator=generator, dtype=dtype) for shape in ((states, width), (words, width), (words,))
    ]
    return *(x.requires_grad_() for x in drawn), torch.randint(words, (states,), generator=generator)


@given(st.integers(1, 40), st.integers(1, 8), st.integers(1, 30), st.integers(1, 2000), st.floats(-3, 3))
def test_chunked_cross_entropy_is_torchs(states, width, words, largest_chunk, scale):
    *layer, targets = random_layer(states * words, states, width, words)
    expected = functional.cross_entropy(functional.linear(*layer), targets, reduction="sum")
    found = summed_cross_entropy(*layer, targets, largest_chunk)
    torch.testing.assert_close(found, expected, rtol=1e-12, atol=1e-12)
    gradients = [torch.autograd.grad(scale * loss, layer) for loss in (found, expected)]
    torch.testing.assert_close(*gradients, rtol=1e-10, atol=1e-10)
    with torch.no_grad():
        torch.testing.assert_close(summed_cross_entropy(*layer, targets, largest_chunk), expected)


def test_chunked_cross_entropy_by_finite_differences():
    *layer, targets = random_layer(1, 7, 3, 5)
    assert torch.autograd.gradcheck(lambda *x: summed_cross_entropy(*x, targets, 10), layer)


def test_chunked_cross_entropy_of_extreme_logits_is_finite():
    states = torch.tensor([[1e4], [-1e4]], requires_grad=True)
    weight = torch.tensor([[1.0], [-1.0]], requires_grad=True)
    loss = summed_cross_entropy(states, weight, torch.zeros(2), torch.tensor([1, 1]))
    assert loss.item() == 2e4  # the first prediction is completely wrong, the second correct
    assert all(bool(gradient.isfinite().all()) for gradient in torch.autograd.grad(loss, (states, weight)))


def test_products_in_lower_precision_keep_a_loss_of_single_precision():
    *layer, targets = random_layer(2, 200, 16, 50, torch.float32)
    exact = summed_cross_entropy(*layer, targets)
    with torch.autocast("cpu", torch.bfloat16):
        rough = summed_cross_entropy(*layer, targets, 1000)
    assert rough.dtype == torch.float32
    assert rough != exact
    torch.testing.assert_close(rough, exact, rtol=0.01, atol=0)
    for found, expected in zip(*(torch.autograd.grad(loss, layer) for loss in (rough, exact)), strict=True):
        assert found.dtype == torch.float32
        assert (found - expected).norm() < 0.02 * expected.norm()


def test_a_chunk_bounds_memory():
    largest = 0

    class Watch(torch.utils._python_dispatch.TorchDispatchMode):
        def __torch_dispatch__(self, function, types, arguments=(), options=None):
            nonlocal largest
            made = function(*arguments, **(options or {}))
            if isinstance(made, torch.Tensor):
                largest = max(largest, made.numel())
            return made

    *layer, targets = random_layer(3, 300, 4, 100)
    with Watch():
        summed_cross_entropy(*layer, targets, 1000).backward()
    assert largest <= 1200  # the largest tensor holds ten rows of logits or all states, but not all 300 x 100 logits


@given(st.lists(st.integers(0, 6), min_size=1, max_size=8), st.integers(0, 3))
def test_real_positions_are_those_before_the_end(lengths, more):
    columns = max(lengths) + more
    expected = [row * columns + column for row, length in enumerate(lengths) for column in range(length)]
    assert real_positions(torch.tensor(lengths), columns, sum(lengths)).tolist() == expected


@given(st.lists(st.integers(0, 5), min_size=1, max_size=6))
def test_an_end_follows_each_sentence(lengths):
    ids = torch.zeros(len(lengths), 5, dtype=torch.int64)
    for row, length in enumerate(lengths):
        ids[row, :length] = torch.arange(1, length + 1)
    for row, length in zip(with_end(ids, torch.tensor(lengths), 9).tolist(), lengths, strict=True):
        assert row == [*range(1, length + 1), 9, *[0] * (5 - length)]


sentence = st.lists(st.integers(0, 8), min_size=1, max_size=7)


@given(
    st.integers(1, 5).flatmap(lambda n: st.lists(st.lists(sentence, min_size=n, max_size=n), min_size=1, max_size=3))
)
def test_a_script_is_its_sentences(groups):
    lengths = np.array([[len(words) for words in group] for group in groups])
    first, second = scripts(
        [lengths, lengths[::-1]], [[padded(g) for g in groups], [padded(g) for g in groups[::-1]]], 9
    )
    assert written(first, 9) == groups
    assert written(second, 9) == groups[::-1]
    assert first.sizes == sorted(first.sizes, reverse=True)
    # as on a GPU, where the number is 16
    with mock.patch.object(decoders, "places_of_steps", lambda lengths, _alike: PLACES(lengths, 3)):
        (third,) = scripts([lengths], [[padded(g) for g in groups]], 9)
    assert written(third, 9) == groups
    assert all(size % 3 == 0 or size == lengths.shape[1] for size in third.sizes)
    if len(groups) == 1:
        assert first.rows.tolist() == list(range(lengths.sum() + lengths.size))  # no padding is computed


def test_a_readout_predicts_words_and_ends():
    table, readout = nn.Embedding(6, 3).double(), Readout(4, words=6).double()
    units = [GRU(3, 4, "after").double() for _ in range(2)]
    groups = [[[3, 0, 5], [1]], [[2], [2, 2, 4, 4]]]  # one word is unknown
    (script,) = scripts([np.array([[3, 1], [1, 4]])], [[padded(group) for group in groups]], 6)
    initial = torch.randn(2, 4, dtype=torch.float64)
    found = readout(decode(units, table, script, initial=initial), script)
    expected = 0
    for unit, group in zip(units, groups, strict=True):
        for words, start in zip(group, initial, strict=True):
            read = torch.cat([torch.zeros(1, 1, 3, dtype=torch.float64), table(torch.tensor([words]))], dim=1)
            logits = unit(read, start[None])[0] @ readout.weight.T + readout.bias
            expected += functional.cross_entropy(logits, torch.tensor([*words, 6]), reduction="sum")
    torch.testing.assert_close(found, expected)


def test_initial_values():
    class Module(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.unit, self.layer = GRU(5, 30, "after", gate_bias=1.0, context=8), nn.Linear(30, 200)

    module = Module()
    initialise(module, lambda parameter: parameter.uniform_(-0.1, 0.1))
    for square in module.unit.recurrent.detach().split(30, dim=1):
        torch.testing.assert_close(square @ square.T, torch.eye(30), atol=1e-5, rtol=0)
    assert not module.unit.input.bias.any()
    assert not module.layer.bias.any()
    for weight in (module.unit.input.weight, module.unit.context.weight, module.layer.weight):
        assert 0.095 < weight.abs().max().item() <= 0.1
        assert abs(weight.std().item() - 0.1 / np.sqrt(3)) < 0.005


def test_rates_give_the_released_codes_adam():
    rng = np.random.default_rng(1)
    gradients = rng.normal(size=(2000, 5))
    x, m, v, expected = np.zeros(5), np.zeros(5), np.zeros(5), []
    for t, gradient in enumerate(gradients, 1):  # in the released code, b1 = 0.1 and b2 = 0.001
        m, v = 0.1 * gradient + 0.9 * m, 0.001 * gradient**2 + 0.999 * v
        x = x - 2e-4 * np.sqrt(1 - 0.001**t) / (1 - 0.1**t) * m / (np.sqrt(v) + 1e-8)
        expected.append(x)
    parameter = nn.Parameter(torch.zeros(5, dtype=torch.float64))
    adam, found = torch.optim.Adam([parameter], eps=1e-8), []
    for first in range(0, 2000, 100):
        for rate, gradient in zip(released_adam_rates(first, 100, 2e-4), gradients[first : first + 100], strict=True):
            adam.param_groups[0]["lr"] = float(rate)
            parameter.grad = torch.from_numpy(gradient)
            adam.step()
            found.append(parameter.detach().numpy().copy())
    # the tolerance allows for the different use of epsilon
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-8)
    assert abs(released_adam_rates(0, 1, 1.0)[0] - 3.512) < 1e-3
    assert abs(released_adam_rates(20_000, 1, 1.0)[0] - 1) < 1e-6


def test_buckets_take_every_item_once_an_epoch_and_do_not_depend_on_chunks():
    lengths = np.random.default_rng(1).integers(1, 30, 1003).astype(np.int32)
    buckets = Buckets(lengths, 10, seed=4, what="items")
    assert buckets.per_epoch == 100
    epochs = [buckets.items(100 * epoch, 100) for epoch in (0, 1)]
    for epoch in epochs:
        assert len(np.unique(epoch)) == 1000
        assert np.ptp(lengths[epoch], axis=1).mean() < 1
    assert not np.array_equal(*epochs)
    again = Buckets(lengths, 10, seed=4, what="items")
    assert np.array_equal(again.items(137, 5), epochs[1][37:42])
    assert np.array_equal(again.items(99, 1), epochs[0][99:])
    assert not np.array_equal(Buckets(lengths, 10, seed=5, what="items").items(0, 100), epochs[0])


def test_too_few_items_are_an_error():
    with pytest.raises(SentrepError, match=r"expected at least 10 poems \(1 batch\), found only 9"):
        Buckets(np.ones(9, dtype=np.int32), 10, seed=1, what="poems")


def test_a_batch_that_processes_cannot_share_is_an_error(monkeypatch):
    monkeypatch.setenv("WORLD_SIZE", "4")
    monkeypatch.setenv("TORCHELASTIC_RUN_ID", "test")
    with pytest.raises(SentrepError, match="expected a divisor of the batch size 10, found 4"):
        Buckets(np.ones(20, dtype=np.int32), 10, seed=1, what="items")
