"""Gated recurrent units in the two variants that the replicated papers use.

From an input x and a state h, both variants compute an update gate z and a reset gate r. Each gate is
sigmoid(W x + U h + b), with its own W, U and b. The new state is h' = z * h + (1 - z) * c. The variants differ in the
candidate c:

- ``reset="before"`` applies the reset gate before the recurrent product, c = tanh(W x + U (r * h) + b), as in Cho et
  al. (EMNLP 2014) and in TensorFlow's GRUCell, which Quick Thoughts uses.
- ``reset="after"`` applies the reset gate after the recurrent product, c = tanh(W x + r * (U h) + b), as in torch,
  cuDNN and the released skip-thought code.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from typing import Literal

import torch
from torch import nn

from sentrep.networks.recurrence import recurrence
from sentrep.networks.tape import Kernels, Reset

Implementation = Kernels | Literal["cudnn"]


class GRU(nn.Module):
    """One layer of gated recurrent units over padded sequences.

    Weights are drawn from Glorot's uniform distribution as in TensorFlow's GRUCell, where the input and state weights
    of both gates form a single matrix that determines fan-in and fan-out. Biases start at zero, except the biases of
    the gates, which start at ``gate_bias``.

    Args:
        inputs: number of components of an input vector.
        units: number of components of the state.
        reset: where the reset gate is applied; see the docstring of this module.
        gate_bias: initial bias of both gates (1 in TensorFlow's GRUCell).
        context: width of a context vector, an additional input at every step; 0 means no context.

    Attributes:
        implementation: how the states are computed: "torch" or "triton" (see
            :func:`sentrep.networks.recurrence.recurrence`), "cudnn", or "auto", which uses cuDNN on a GPU. cuDNN
            supports only ``reset="after"`` without a context. If cuDNN is not used, "cudnn" and "auto" let
            ``recurrence`` choose between torch and Triton. Even under autocast, cuDNN computes in the data type of the
            parameters.
    """

    implementation: Implementation = "auto"

    def __init__(self, inputs: int, units: int, reset: Reset, gate_bias: float = 0.0, context: int = 0) -> None:
        super().__init__()
        self.units = units
        self.reset: Reset = reset
        self.input = nn.Linear(inputs, 3 * units)  # update, reset, candidate
        self.recurrent = nn.Parameter(torch.empty(units, 3 * units))
        self.context = nn.Linear(context, 3 * units, bias=False) if context else None
        gates, candidate = slice(0, 2 * units), slice(2 * units, None)
        with torch.no_grad():
            for columns, width in ((gates, 2 * units), (candidate, units)):
                bound = math.sqrt(6 / (inputs + context + units + width))
                self.input.weight[columns].uniform_(-bound, bound)
                self.recurrent[:, columns].uniform_(-bound, bound)
                if self.context is not None:
                    self.context.weight[columns].uniform_(-bound, bound)
            self.input.bias.zero_()
            self.input.bias[gates] = gate_bias

    def forward(
        self, x: torch.Tensor, initial: torch.Tensor | None = None, context: torch.Tensor | None = None
    ) -> torch.Tensor:
        """Return the state after every step, (n, L, units), float32 or wider.

        Args:
            x: input sequences, (n, L, inputs).
            initial: initial state, (n, units); None means zeros.
            context: context vectors, (n, context); required if the layer has a context.
        """
        n, steps = x.shape[:2]
        x = x.transpose(0, 1)
        start = None if initial is None else initial[None]
        if self.context is None:
            states = read_together([self], x.flatten(0, 1)[None], start, [n] * steps)[0]
        else:
            gates = (self.input(x) + self.context(context)).flatten(0, 1)
            states = recurrence(gates[None], self.recurrent[None], start, [n] * steps, self.reset, self.kernels())[0]
        return states.unflatten(0, (steps, n)).transpose(0, 1)

    def kernels(self) -> Kernels:
        """Return the value to pass to ``recurrence`` as the argument ``kernels`` if cuDNN is not used."""
        return "auto" if self.implementation == "cudnn" else self.implementation

    def uses_cudnn(self, x: torch.Tensor) -> bool:
        """Return whether the input ``x`` is processed by ``torch.gru``, which uses cuDNN on a GPU."""
        if self.reset == "before" or self.context is not None:
            return False
        return self.implementation == "cudnn" or (self.implementation == "auto" and x.is_cuda)

    def torch_weights(self) -> list[torch.Tensor]:
        """Return the parameters in the layout of ``torch.nn.GRU``: W, U, the bias of W, and zeros as the bias of U.

        The rows of each tensor belong to the reset gate, the update gate and the candidate, in this order.
        """
        ordered = []
        for weight in (self.input.weight, self.recurrent.T, self.input.bias):
            z, r, c = weight.split(self.units)
            ordered.append(torch.cat([r, z, c]))
        return [*ordered, torch.zeros_like(ordered[2])]


def read_together(
    units: Sequence[GRU], x: torch.Tensor, initial: torch.Tensor | None, sizes: Sequence[int]
) -> torch.Tensor:
    """Run G GRUs with H units each on packed sequences, and return the states after every step, (G, P, H).

    The states are float32 or wider.

    Args:
        units: G GRUs without context that have the same shape, ``reset`` and ``implementation``.
        x: inputs, (G, P, inputs), laid out by :func:`sentrep.networks.packing.by_step`.
        initial: initial states, (G, n, H); None means zeros.
        sizes: number of sequences at each step; n = sizes[0], P = sum(sizes).
    """
    first = units[0]
    if first.uses_cudnn(x):
        starts = [None] * len(units) if initial is None else initial
        return torch.stack([_cudnn(*each, sizes) for each in zip(units, x, starts, strict=True)])
    if len(units) == 1:
        gates, weight = first.input(x), first.recurrent[None]
    else:
        biases = torch.stack([unit.input.bias for unit in units])[:, None]
        gates = torch.baddbmm(biases, x, torch.stack([unit.input.weight for unit in units]).transpose(1, 2))
        weight = torch.stack([unit.recurrent for unit in units])
    return recurrence(gates, weight, initial, sizes, first.reset, first.kernels())


def _cudnn(unit: GRU, x: torch.Tensor, initial: torch.Tensor | None, sizes: Sequence[int]) -> torch.Tensor:
    with torch.autocast(x.device.type, enabled=False), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="RNN module weights")  # reordering makes the weights non-contiguous
        x = x.to(unit.recurrent.dtype)
        start = x.new_zeros(1, sizes[0], unit.units) if initial is None else initial[None].to(x.dtype)
        # The arguments that torch.nn.GRU passes: biases, layers, dropout, training, bidirectional.
        how = (True, 1, 0.0, torch.is_grad_enabled(), False)
        return torch.gru(x, torch.tensor(sizes), start, unit.torch_weights(), *how)[0]


def last_states(states: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
    """Return the state after the last word of each sequence, (n, units).

    Args:
        states: state after every step, (n, L, units).
        lengths: lengths of the sequences, (n,), at least 1.
    """
    return states[torch.arange(len(states), device=states.device), lengths - 1]


def reverse(ids: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
    """Reverse the items of each padded sequence, leaving the padding at the end, and return the (n, L) sequences."""
    position = torch.arange(ids.shape[1], device=ids.device)
    index = torch.where(position < lengths[:, None], lengths[:, None] - 1 - position, position)
    return ids.gather(1, index)
