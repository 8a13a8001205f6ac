"""Compare gated recurrent units with loops in numpy and autograd, torch's own unit, and finite differences."""

import os

import numpy as np
import pytest
import torch
from torch import nn

from helpers_gru import loop_forward, loop_gru
from sentrep.networks.gru import GRU, last_states, read_together, reverse
from sentrep.networks.packing import by_sentence, by_step, upload
from sentrep.networks.recurrence import recurrence

RESETS = ("before", "after")
CPU = torch.device("cpu")


def make_unit(reset, inputs=5, units=7, context=0, dtype=torch.float64, seed=0, implementation="auto"):
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        unit = GRU(inputs, units, reset, gate_bias=1.0, context=context).to(dtype)
    unit.implementation = implementation
    return unit


def normal(*shape, seed=1, dtype=torch.float64):
    return torch.from_numpy(np.random.default_rng(seed).normal(size=shape)).to(dtype).requires_grad_()


def gradients(states, *leaves):
    weights = normal(*states.shape, seed=9, dtype=states.dtype).detach()
    return torch.autograd.grad((states * weights).sum(), leaves)


@pytest.mark.parametrize("reset", RESETS)
@pytest.mark.parametrize("steps", [1, 4, 50])
@pytest.mark.parametrize("conditions", [(), ("initial",), ("context",), ("initial", "context")])
def test_states_are_those_of_a_loop(reset, steps, conditions):
    unit = make_unit(reset, context=3 if "context" in conditions else 0)
    given = {name: normal(2, {"initial": 7, "context": 3}[name], seed=5) for name in conditions}
    x = normal(2, steps, 5)
    np.testing.assert_allclose(unit(x, **given).detach(), loop_forward(unit, x, **given), atol=1e-12)


@pytest.mark.parametrize("reset", RESETS)
@pytest.mark.parametrize("steps", [1, 6, 50])
@pytest.mark.parametrize(("dtype", "tolerance"), [(torch.float64, 1e-11), (torch.float32, 2e-4)])
def test_gradients_are_those_of_autograd(reset, steps, dtype, tolerance):
    unit = make_unit(reset, context=3, dtype=dtype)
    x, initial, context = normal(4, steps, 5, dtype=dtype), normal(4, 7, dtype=dtype), normal(4, 3, dtype=dtype)
    leaves = [x, initial, context, *unit.parameters()]
    ours, loops = (gradients(go(x, initial, context), *leaves) for go in (unit, lambda *a: loop_gru(unit, *a)))
    for mine, loop in zip(ours, loops, strict=True):
        torch.testing.assert_close(mine, loop, atol=tolerance, rtol=tolerance)


@pytest.mark.parametrize("reset", RESETS)
@pytest.mark.parametrize("sizes", [[3, 3, 3], [3, 2, 2, 1], [1]])
def test_finite_differences(reset, sizes):
    rows, n = sum(sizes), sizes[0]
    arguments = normal(2, rows, 9), normal(2, 3, 9, seed=2), normal(2, n, 3, seed=3)
    assert torch.autograd.gradcheck(lambda *a: recurrence(*a, sizes, reset), arguments, atol=1e-6)


@pytest.mark.parametrize("implementation", ["auto", "cudnn"])
@pytest.mark.parametrize("start", [False, True])
def test_torch_s_own_unit(implementation, start):
    unit = make_unit("after", implementation=implementation)
    oracle = nn.GRU(5, 7, batch_first=True).double()
    with torch.no_grad():
        for parameter, value in zip(oracle.parameters(), (t.contiguous() for t in reordered(unit)), strict=True):
            parameter.copy_(value)
    x, initial = normal(3, 9, 5), normal(3, 7) if start else None
    expected, _ = oracle(x, None if initial is None else initial[None])
    torch.testing.assert_close(unit(x, initial), expected, atol=1e-12, rtol=0)
    (ours,), (theirs,) = gradients(unit(x, initial), x), gradients(expected, x)
    torch.testing.assert_close(ours, theirs, atol=1e-11, rtol=0)


def reordered(unit):
    """Return weight_ih, weight_hh, bias_ih and bias_hh of torch.nn.GRU, in the order reset, update, candidate."""
    H = unit.units
    order = [*range(H, 2 * H), *range(H), *range(2 * H, 3 * H)]
    return unit.input.weight[order], unit.recurrent.T[order], unit.input.bias[order], torch.zeros(3 * H)


@pytest.mark.parametrize("reset", RESETS)
@pytest.mark.parametrize("implementation", ["torch", "cudnn"])
@pytest.mark.parametrize("multiple", [1, 4, 16])
def test_packed_sentences_are_read_as_if_each_were_alone(reset, implementation, multiple):
    if (reset, implementation) == ("before", "cudnn"):
        pytest.skip("cuDNN has no such unit")
    units = [make_unit(reset, seed=k, implementation=implementation) for k in range(2)]
    lengths = np.array([3, 1, 50, 7, 7])
    x = normal(5, 50, 5)
    packing = upload([by_step(lengths, 50, directions=2, multiple=multiple)], CPU)[0]
    states = read_together(units, x.flatten(0, 1)[packing.words], None, packing.sizes)[:, packing.sentences]
    for i, length in enumerate(lengths):
        sentence = x[i : i + 1, :length]
        np.testing.assert_allclose(states[0, i].detach(), loop_forward(units[0], sentence)[0, -1], atol=1e-12)
        np.testing.assert_allclose(states[1, i].detach(), loop_forward(units[1], sentence.flip(1))[0, -1], atol=1e-12)
    together = gradients(states, x, *units[0].parameters(), *units[1].parameters())
    padded = torch.stack(
        [
            torch.cat(
                [loop_gru(unit, (x[i, :n].flip(0) if k else x[i, :n])[None])[0, -1:] for i, n in enumerate(lengths)]
            )
            for k, unit in enumerate(units)
        ]
    )
    alone = gradients(padded, x, *units[0].parameters(), *units[1].parameters())
    for mine, loop in zip(together, alone, strict=True):
        torch.testing.assert_close(mine, loop, atol=1e-11, rtol=0)


def test_padding_changes_nothing():
    unit, lengths = make_unit("before"), torch.tensor([2, 5, 1])
    x = normal(3, 5, 5).detach()
    longer = torch.cat([x, normal(3, 4, 5, seed=7).detach()], dim=1)
    other = x.clone()
    other[0, 2:], other[2, 1:] = 9.0, -9.0
    last = last_states(unit(x), lengths)
    for changed in (longer, other):
        np.testing.assert_allclose(last_states(unit(changed), lengths).detach(), last.detach(), atol=1e-15)


def test_reverse():
    ids = torch.tensor([[1, 2, 3], [4, 5, 0], [6, 0, 0]])
    assert reverse(ids, torch.tensor([3, 2, 1])).tolist() == [[3, 2, 1], [5, 4, 0], [6, 0, 0]]


def test_layouts():
    lengths = np.array([1, 3, 2])
    steps = by_step(lengths, 4, directions=2)
    assert steps.words.tolist() == [[4, 8, 0, 5, 9, 6], [6, 9, 0, 5, 8, 4]]
    assert (steps.sizes, steps.sentences.tolist()) == ([3, 2, 1], [2, 5, 4])
    rounded = by_step(lengths, 4, directions=2, multiple=2)
    assert rounded.words.tolist() == [[4, 8, 0, 5, 9, 6, 9], [6, 9, 0, 5, 8, 4, 8]]
    assert (rounded.sizes, rounded.sentences.tolist()) == ([3, 2, 2], [2, 5, 4])
    bags = by_sentence(lengths, 4)
    assert (bags.words.tolist(), bags.sentences.tolist()) == ([[0, 4, 5, 6, 8, 9]], [0, 1, 4])
    one, other = upload([steps, bags], CPU)
    assert one.words.tolist() == steps.words.tolist()
    assert one.sentences.tolist() == [2, 5, 4]
    assert other.words.tolist() == bags.words.tolist()
    assert other.sizes == []


@pytest.mark.parametrize("context", [0, 6])
def test_weights_begin_as_in_tensorflow_s_cell(context):
    unit = make_unit("before", inputs=200, units=100, context=context, dtype=torch.float32)
    parts = [unit.input.weight, unit.recurrent.T] + ([unit.context.weight] if context else [])
    kernel = torch.cat(parts, dim=1)  # there is one row per unit of the update gate, the reset gate and the candidate
    for rows, width in ((kernel[:200], 200), (kernel[200:], 100)):
        bound = np.sqrt(6 / (kernel.shape[1] + width))
        assert bound * 0.999 < rows.abs().max() < bound
        assert rows.std().item() == pytest.approx(bound / np.sqrt(3), rel=0.01)
    assert unit.input.bias.tolist() == [1.0] * 200 + [0.0] * 100


@pytest.mark.parametrize("reset", RESETS)
def test_bfloat16_is_close(reset):
    unit = make_unit(reset, inputs=40, units=60, dtype=torch.float32)
    x = normal(8, 20, 40, dtype=torch.float32)
    with torch.autocast("cpu", torch.bfloat16):
        states = unit(x)
    assert states.dtype == torch.float32
    expected = loop_gru(unit, x)
    assert (states - expected).abs().max() < 0.03
    for mine, loop in zip(gradients(states, *unit.parameters()), gradients(expected, *unit.parameters()), strict=True):
        assert (mine - loop).norm() < 0.02 * loop.norm()


def _triton_device():
    if torch.cuda.is_available():
        return "cuda"
    if os.environ.get("TRITON_INTERPRET") == "1":
        pytest.importorskip("triton")
        return "cpu"
    pytest.skip("no CUDA device, and TRITON_INTERPRET=1 is not set")


@pytest.mark.gpu
@pytest.mark.parametrize("reset", RESETS)
@pytest.mark.parametrize(("dtype", "tolerance"), [(torch.float32, 2e-5), (torch.bfloat16, 0.03)])
@pytest.mark.parametrize("sizes", [[5] * 6, [5, 5, 3, 2, 1, 1], [1]])
def test_triton_kernels(reset, dtype, tolerance, sizes):
    device = _triton_device()
    arguments = [
        t.detach().to(device, dtype).requires_grad_()
        for t in (normal(2, sum(sizes), 3 * 50), 0.2 * normal(2, 50, 3 * 50, seed=2), normal(2, sizes[0], 50, seed=3))
    ]
    results = []
    for kernels in ("torch", "triton"):
        states = recurrence(*arguments, sizes, reset, kernels)
        outer = normal(*states.shape, seed=4, dtype=states.dtype).detach().to(device)
        results.append((states, *torch.autograd.grad((states * outer).sum(), arguments)))
    for torch_s, triton_s in zip(*results, strict=True):
        scale = torch_s.float().abs().max()
        assert (torch_s.float() - triton_s.float()).abs().max() < tolerance * scale
