"""The tensors that the steps of :mod:`sentrep.networks.recurrence` read and write.

Notation: h is the state before a step, z and r are the update and the reset gate, c is the candidate, and
h' = z h + (1 - z) c.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import torch

Reset = Literal["before", "after"]
Kernels = Literal["auto", "torch", "triton"]


@dataclass(frozen=True)
class Tape:
    """The tensors of the forward pass, with P = sum(sizes) rows.

    Attributes:
        sizes: number of sequences at each step, not increasing.
        gates: (G, P, 3H), the input's part of update gate, reset gate and candidate.
        states: (G, n + P, H), float32 or wider: the initial states, then those after each step.
        previous: (G, P, H) states before each step, in the type of the gates; may be a view of ``states``.
        active: (G, P, 3H) z, r, and for the reset "before" c, for "after" U h.
        candidate: (G, P, H) c.
        scratch: (G, n, H), for r h.
    """

    sizes: Sequence[int]
    gates: torch.Tensor
    states: torch.Tensor
    previous: torch.Tensor
    active: torch.Tensor
    candidate: torch.Tensor
    scratch: torch.Tensor

    @property
    def units(self) -> int:
        """H."""
        return self.candidate.shape[2]

    @property
    def initial_rows(self) -> int:
        """n, the number of sequences."""
        return self.sizes[0]


@dataclass(frozen=True)
class ReverseTape:
    """The tensors of the backward pass.

    Attributes:
        sizes: as in :class:`Tape`.
        outer: (G, P, H) gradients of the loss by the states after each step.
        active: as in :class:`Tape`.
        factors: derivatives of elementwise operations. For the reset "before", (G, P, 3, H): of h' by the sums of
            candidate and update gate, and of r h by the sum of the reset gate. For "after", (G, P, 4, H): of h' by the
            sums of candidate, update gate and reset gate, and by U h of the candidate.
        gradients: of the sums: (G, P, 3H) for "before", (G, P, 4H) in the order of the factors for "after".
        carry: (G, n, H), gradient of the state, float32 or wider.
        product: (G, n, H), the part of that gradient from the last matrix product of a step.
    """

    sizes: Sequence[int]
    outer: torch.Tensor
    active: torch.Tensor
    factors: torch.Tensor
    gradients: torch.Tensor
    carry: torch.Tensor
    product: torch.Tensor
