"""Gated recurrent units, in the two variants of the papers' code.

Both compute z, r = sigmoid(W x + U h + b) and h' = z * h + (1 - z) * c. The candidate is
c = tanh(W x + U (r * h) + b) with the reset "before" the product (TensorFlow's GRUCell, on which Quick Thoughts was
trained; Cho et al., EMNLP 2014) and c = tanh(W x + r * (U h) + b) with it "after" (the released skip-thought code, and
what torch and cuDNN compute).
"""

from __future__ import annotations

from typing import Literal

import torch
from torch import nn

Reset = Literal["before", "after"]


class GRU(nn.Module):
    """One layer of gated recurrent units over padded sequences.

    Args:
        inputs: width of what is read at each step.
        units: width of the state.
        reset: where the reset gate acts, see the module.
        gate_bias: initial bias of both gates (1 in TensorFlow's cell).
        context: width of a vector that enters every gate at every step; 0: none.
    """

    def __init__(self, inputs: int, units: int, reset: Reset, gate_bias: float = 0.0, context: int = 0) -> None:
        super().__init__()
        self.units, self.reset = units, reset
        self.input = nn.Linear(inputs, 3 * units)  # update, reset, candidate
        self.recurrent = nn.Parameter(torch.empty(units, 3 * units))
        self.context = nn.Linear(context, 3 * units, bias=False) if context else None
        with torch.no_grad():
            for weight in (self.input.weight[:units], self.input.weight[units : 2 * units]):
                nn.init.xavier_uniform_(weight)
            nn.init.xavier_uniform_(self.input.weight[2 * units :])
            for part in self.recurrent.split(units, dim=1):
                nn.init.xavier_uniform_(part)
            self.input.bias.zero_()
            self.input.bias[: 2 * units] = gate_bias

    def forward(
        self, x: torch.Tensor, initial: torch.Tensor | None = None, context: torch.Tensor | None = None
    ) -> torch.Tensor:
        """Return the state after every step, (n, L, units).

        Args:
            x: (n, L, inputs).
            initial: (n, units), the state before the first step; zeros if None.
            context: (n, context).
        """
        gates = self.input(x)
        if self.context is not None:
            gates = gates + self.context(context)[:, None]
        h = gates.new_zeros(x.shape[0], self.units) if initial is None else initial
        n = self.units
        states = []
        for t in range(x.shape[1]):
            if self.reset == "before":
                z, r = (gates[:, t, : 2 * n] + h @ self.recurrent[:, : 2 * n]).sigmoid().split(n, dim=1)
                c = (gates[:, t, 2 * n :] + (r * h) @ self.recurrent[:, 2 * n :]).tanh()
            else:
                product = h @ self.recurrent
                z, r = (gates[:, t, : 2 * n] + product[:, : 2 * n]).sigmoid().split(n, dim=1)
                c = (gates[:, t, 2 * n :] + r * product[:, 2 * n :]).tanh()
            h = z * h + (1 - z) * c
            states.append(h)
        return torch.stack(states, dim=1)


def last_states(states: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
    """Return the state after each sequence's last word, (n, units), from (n, L, units) and (n,) lengths >= 1."""
    return states[torch.arange(len(states), device=states.device), lengths - 1]


def reverse(ids: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
    """Return (n, L) padded sequences read backwards, each within its own (n,) length."""
    position = torch.arange(ids.shape[1], device=ids.device)
    index = torch.where(position < lengths[:, None], lengths[:, None] - 1 - position, position)
    return ids.gather(1, index)
