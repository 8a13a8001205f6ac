"""The tensors that each step of :mod:`sentrep.networks.recurrence` reads and writes.

Notation: each of G GRUs with H units processes n sequences of P words in total. h is the state before a step, z is
the update gate, r is the reset gate, c is the candidate, and h' = z h + (1 - z) c is the state after the step; these
products and r h are elementwise. U stands for the recurrent weights, which consist of one part each for z, r and c.
``reset`` is "before" or "after": the reset gate is applied before or after the product with U, as explained in
:mod:`sentrep.networks.gru`. Pre-activations are the sums to which sigmoid or tanh is applied. The gradient of a
quantity is the gradient of the loss with respect to this quantity.
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
    """The tensors of the forward pass; the docstring of this module explains the notation.

    Attributes:
        sizes: number of sequences at each step, in non-increasing order; the sum of these numbers is P.
        gates: contributions of the input (W x + b) to the update gate, the reset gate and the candidate, (G, P, 3H).
        states: initial states, followed by the states after each step, (G, n + P, H), float32 or wider.
        previous: states before each step, (G, P, H), in the data type of ``gates``; may be a view of ``states``.
        active: z, r, and either c (reset "before") or the candidate's part of U h (reset "after"), (G, P, 3H).
        candidate: candidates c of all steps, (G, P, H).
        scratch: buffer for r h, (G, n, H); used only for reset "before".
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
        """The number H of units in each GRU."""
        return self.candidate.shape[2]

    @property
    def initial_rows(self) -> int:
        """The number n of sequences."""
        return self.sizes[0]


@dataclass(frozen=True)
class ReverseTape:
    """The tensors of the backward pass; the docstring of this module explains the notation.

    Attributes:
        sizes: number of sequences at each step, as in :class:`Tape`.
        outer: gradients of the loss with respect to the states after each step, without the parts that flow back from
            later steps, (G, P, H).
        active: z, r, and either c or the candidate's part of U h, as in :class:`Tape`.
        factors: derivatives of the elementwise operations. For reset "before", (G, P, 3, H): derivatives of h' with
            respect to the pre-activations of c and z, and the derivative of r h with respect to the pre-activation of
            r, in this order. For reset "after", (G, P, 4, H): derivatives of h' with respect to the pre-activations of
            c, z and r, and with respect to the candidate's part of U h, in this order.
        gradients: gradients of the loss. For reset "before", (G, P, 3H): gradients with respect to the pre-activations
            of z, r and c, in this order. For reset "after", (G, P, 4H): gradients with respect to the pre-activations
            of c, z and r, and with respect to the candidate's part of U h, in this order.
        carry: gradient of the loss with respect to the current state, (G, n, H), float32 or wider.
        product: buffer for the result of a matrix product, (G, n, H). At the end of each step, it contains the part of
            the gradient with respect to the current state that has yet to be added to ``carry``. For reset "before",
            each step first uses it for the gradient with respect to r h.
    """

    sizes: Sequence[int]
    outer: torch.Tensor
    active: torch.Tensor
    factors: torch.Tensor
    gradients: torch.Tensor
    carry: torch.Tensor
    product: torch.Tensor
