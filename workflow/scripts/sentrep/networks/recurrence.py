"""The recurrence of gated recurrent units as one differentiable function with a hand-written backward pass.

The forward and backward passes each need only one or two matrix products and a few elementwise kernels per step. At the
end of the backward pass, one or two large products yield the gradients of the weights. Autograd would need more
operations. Several GRUs of the same shape can be computed together: the first dimension of each tensor has one entry
for each GRU. Sentences are packed as described in :mod:`sentrep.networks.packing`.

:mod:`sentrep.networks.tape` explains the notation. States are float32 or wider. Products, gates and their gradients
have the data type of the argument ``gates``.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType
from typing import Any

import torch
from torch.autograd.function import once_differentiable

from sentrep.networks import recurrence_torch
from sentrep.networks.tape import Kernels, Reset, ReverseTape, Tape


def recurrence(
    gates: torch.Tensor,
    weight: torch.Tensor,
    initial: torch.Tensor | None,
    sizes: Sequence[int],
    reset: Reset,
    kernels: Kernels = "auto",
) -> torch.Tensor:
    """Run G GRUs with H units each, and return their states after every step, (G, P, H), float32 or wider.

    Args:
        gates: contributions of the input (W x + b) to the update gate, the reset gate and the candidate, packed by
            step, (G, P, 3H).
        weight: recurrent weights, (G, H, 3H).
        initial: initial states, (G, n, H); None means zeros.
        sizes: number of sequences at each step; n = sizes[0], P = sum(sizes).
        reset: where the reset gate is applied; see :mod:`sentrep.networks.gru`.
        kernels: implementation of the elementwise operations: "torch", "triton", or "auto", which means Triton if the
            tensors are on a GPU and Triton is installed, and torch otherwise. float64 tensors are always processed with
            torch.

    Raises:
        ImportError: ``kernels`` is "triton", the tensors are not float64, and Triton is not installed.
    """
    return _Recurrence.apply(gates, weight.to(gates.dtype), initial, list(sizes), reset, _module(kernels, gates))


def _module(kernels: Kernels, gates: torch.Tensor) -> ModuleType:
    if kernels == "torch" or gates.dtype == torch.float64 or (kernels == "auto" and gates.device.type != "cuda"):
        return recurrence_torch
    try:
        from sentrep.networks import recurrence_triton
    except ImportError:
        if kernels == "triton":
            raise
        return recurrence_torch
    return recurrence_triton


class _Recurrence(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any,
        gates: torch.Tensor,
        weight: torch.Tensor,
        initial: torch.Tensor | None,
        sizes: list[int],
        reset: Reset,
        kernels: ModuleType,
    ) -> torch.Tensor:
        tape = _new_tape(gates.contiguous(), initial, sizes, reset, kernels is recurrence_torch)
        steps = kernels.Forward(tape)
        units = tape.units
        previous = tape.previous.split(sizes, dim=1)
        if reset == "before":
            products = tape.active[..., : 2 * units].split(sizes, dim=1)
            candidates = tape.candidate.split(sizes, dim=1)
            of_gates, of_candidate = weight[..., : 2 * units], weight[..., 2 * units :]
            for t, size in enumerate(sizes):
                torch.bmm(previous[t], of_gates, out=products[t])
                steps.gates(t)
                torch.bmm(tape.scratch[:, :size], of_candidate, out=candidates[t])
                steps.candidate(t)
        else:
            products = tape.active.split(sizes, dim=1)
            for t in range(len(sizes)):
                torch.bmm(previous[t], weight, out=products[t])
                steps.everything(t)
        ctx.sizes, ctx.reset, ctx.kernels = sizes, reset, kernels
        ctx.initial_type = None if initial is None else initial.dtype
        ctx.save_for_backward(weight, tape.previous, tape.active, tape.candidate)
        return tape.states[:, sizes[0] :]

    @staticmethod
    @once_differentiable
    def backward(  # pyright: ignore[reportIncompatibleMethodOverride]
        ctx: Any, outer: torch.Tensor
    ) -> tuple[torch.Tensor | None, ...]:
        weight, previous, active, candidate = ctx.saved_tensors
        sizes, before = ctx.sizes, ctx.reset == "before"
        units, dtype = candidate.shape[2], candidate.dtype
        groups = (outer.shape[0], sizes[0], units)
        tape = ReverseTape(
            sizes=sizes,
            outer=outer.contiguous(),
            active=active,
            factors=_factors(previous, active, candidate, before, outer.dtype),
            gradients=torch.empty(*outer.shape[:2], units * (3 if before else 4), dtype=dtype, device=outer.device),
            carry=torch.zeros(groups, dtype=outer.dtype, device=outer.device),
            product=torch.zeros(groups, dtype=dtype, device=outer.device),
        )
        steps = ctx.kernels.Backward(tape)
        transposed = weight.transpose(1, 2)
        if before:
            to_state, to_reset = transposed[:, : 2 * units], transposed[:, 2 * units :]
            of_gates = tape.gradients[..., : 2 * units].split(sizes, dim=1)
            of_candidate = tape.gradients[..., 2 * units :].split(sizes, dim=1)
            for t in reversed(range(len(sizes))):
                steps.candidate(t)
                torch.bmm(of_candidate[t], to_reset, out=tape.product[:, : sizes[t]])
                steps.gates(t)
                torch.bmm(of_gates[t], to_state, out=tape.product[:, : sizes[t]])
            d_gates = tape.gradients
            reset_states = (active[..., units : 2 * units] * previous).transpose(1, 2)
            d_weight = torch.cat(
                [
                    previous.transpose(1, 2) @ d_gates[..., : 2 * units],
                    reset_states @ d_gates[..., 2 * units :],
                ],
                dim=2,
            )
        else:
            of_products = tape.gradients[..., units:].split(sizes, dim=1)
            for t in reversed(range(len(sizes))):
                steps.everything(t)
                torch.bmm(of_products[t], transposed, out=tape.product[:, : sizes[t]])
            d_gates = torch.cat([tape.gradients[..., units : 3 * units], tape.gradients[..., :units]], dim=2)
            d_weight = previous.transpose(1, 2) @ tape.gradients[..., units:]
        d_initial = None
        if ctx.needs_input_grad[2]:
            d_initial = (tape.carry + tape.product).to(ctx.initial_type)
        return d_gates, d_weight, d_initial, None, None, None


def _new_tape(
    gates: torch.Tensor, initial: torch.Tensor | None, sizes: list[int], reset: Reset, may_share: bool
) -> Tape:
    groups, rows, units = gates.shape[0], gates.shape[1], gates.shape[2] // 3
    wide = torch.promote_types(gates.dtype, torch.float32)
    n = sizes[0]
    states = torch.empty(groups, n + rows, units, dtype=wide, device=gates.device)
    if initial is None:
        states[:, :n] = 0
    else:
        states[:, :n] = initial
    if may_share and wide == gates.dtype and sizes[-1] == n:
        previous = states[:, :rows]
    else:
        previous = gates.new_empty(groups, rows, units)
        previous[:, :n] = states[:, :n]
    active = torch.empty_like(gates)
    candidate = active[..., 2 * units :] if reset == "before" else gates.new_empty(groups, rows, units)
    return Tape(sizes, gates, states, previous, active, candidate, gates.new_empty(groups, n, units))


def _factors(
    previous: torch.Tensor, active: torch.Tensor, candidate: torch.Tensor, before: bool, wide: torch.dtype
) -> torch.Tensor:
    """Return the :attr:`ReverseTape.factors` of all steps, computed in the data type ``wide``."""
    units = candidate.shape[2]
    z, r = active[..., :units].to(wide), active[..., units : 2 * units].to(wide)
    c, h = candidate.to(wide), previous.to(wide)
    factors = candidate.new_empty(*candidate.shape[:2], 3 if before else 4, units)
    to_candidate = (1 - z) * (1 - c * c)
    factors[:, :, 0] = to_candidate
    factors[:, :, 1] = (h - c) * z * (1 - z)
    slope = r * (1 - r)
    if before:
        factors[:, :, 2] = h * slope
    else:
        factors[:, :, 2] = to_candidate * active[..., 2 * units :].to(wide) * slope
        factors[:, :, 3] = to_candidate * r
    return factors
