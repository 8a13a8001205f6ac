"""The elementwise operations of :mod:`sentrep.networks.recurrence` in torch, for any device and data type.

:mod:`sentrep.networks.tape` explains the notation.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch

from sentrep.networks.tape import ReverseTape, Tape


class Forward:
    """The elementwise operations of the forward pass, which alternate with matrix products in each step ``t``."""

    def __init__(self, tape: Tape) -> None:
        units, sizes, n = tape.units, tape.sizes, tape.initial_rows
        self._sizes, self._scratch = sizes, tape.scratch
        self._copies = tape.previous.data_ptr() != tape.states.data_ptr()
        self._new_gates, self._new_candidate = _steps(tape.gates, sizes, 2 * units)
        self._both, self._last = _steps(tape.active, sizes, 2 * units)
        self._z, self._r = ([part[..., i : i + units] for part in self._both] for i in (0, units))
        self._previous = tape.previous.split(sizes, dim=1)
        self._candidate = tape.candidate.split(sizes, dim=1)
        self._states = tape.states.split([n, *sizes], dim=1)

    def gates(self, t: int) -> None:
        """Compute the gates z and r from the product U h, and write r h to the scratch tensor.

        Used only if ``reset`` is "before"; see :mod:`sentrep.networks.tape` for the notation.
        """
        self._both[t].add_(self._new_gates[t]).sigmoid_()
        torch.mul(self._r[t], self._previous[t], out=self._scratch[:, : self._sizes[t]])

    def candidate(self, t: int) -> None:
        """Compute the candidate c from the product U (r h), and write the new state h'.

        Used only if ``reset`` is "before"; see :mod:`sentrep.networks.tape` for the notation.
        """
        self._candidate[t].add_(self._new_candidate[t]).tanh_()
        self._advance(t)

    def everything(self, t: int) -> None:
        """Compute the gates z and r and the candidate c from the product U h, and write the new state h'.

        Used only if ``reset`` is "after"; see :mod:`sentrep.networks.tape` for the notation.
        """
        self._both[t].add_(self._new_gates[t]).sigmoid_()
        torch.addcmul(self._new_candidate[t], self._r[t], self._last[t], out=self._candidate[t]).tanh_()
        self._advance(t)

    def _advance(self, t: int) -> None:
        size, c, z = self._sizes[t], self._candidate[t], self._z[t]
        after = self._states[t + 1]
        torch.lerp(c.to(after.dtype), self._states[t][:, :size], z.to(after.dtype), out=after)
        if self._copies and t + 1 < len(self._sizes):
            self._previous[t + 1].copy_(after[:, : self._sizes[t + 1]])


class Backward:
    """The elementwise operations of the backward pass, which alternate with matrix products in each step ``t``."""

    def __init__(self, tape: ReverseTape) -> None:
        units, sizes = tape.carry.shape[2], tape.sizes
        self._sizes, self._carry, self._product = sizes, tape.carry, tape.product
        self._outer = tape.outer.split(sizes, dim=1)
        self._factors = tape.factors.split(sizes, dim=1)
        self._gradients = tape.gradients.split(sizes, dim=1)
        self._z, self._r = (tape.active[..., i : i + units].split(sizes, dim=1) for i in (0, units))
        self._units = units

    def candidate(self, t: int) -> None:
        """Add up the parts of the gradient of h', and write the gradients of the pre-activations of c and z.

        Used only if ``reset`` is "before"; see :mod:`sentrep.networks.tape` for the notation.
        """
        carry, factors, gradients, units = self._collect(t), self._factors[t], self._gradients[t], self._units
        torch.mul(carry, factors[:, :, 0], out=gradients[..., 2 * units :])
        torch.mul(carry, factors[:, :, 1], out=gradients[..., :units])

    def gates(self, t: int) -> None:
        """Write the gradient of the pre-activation of r and a part of the gradient of h.

        The preceding matrix product has computed the gradient of r h; the next one computes the remaining part of the
        gradient of h. Used only if ``reset`` is "before"; see :mod:`sentrep.networks.tape` for the notation.
        """
        size, units = self._sizes[t], self._units
        product, carry = self._product[:, :size], self._carry[:, :size]
        torch.mul(product, self._factors[t][:, :, 2], out=self._gradients[t][..., units : 2 * units])
        carry.mul_(self._z[t]).addcmul_(product, self._r[t])

    def everything(self, t: int) -> None:
        """Add up the parts of the gradient of h', and write all gradients that are elementwise multiples of the sum.

        These are the gradients of the pre-activations, the gradient of the candidate's part of U h, and one part of the
        gradient of h. The next matrix product computes the other part of the gradient of h. Used only if ``reset`` is
        "after"; see :mod:`sentrep.networks.tape` for the notation.
        """
        carry, gradients = self._collect(t), self._gradients[t]
        torch.mul(carry[:, :, None], self._factors[t], out=gradients.unflatten(2, (4, self._units)))
        carry.mul_(self._z[t])

    def _collect(self, t: int) -> torch.Tensor:
        if t + 1 < len(self._sizes):
            longer = self._sizes[t + 1]
            self._carry[:, :longer] += self._product[:, :longer]
        carry = self._carry[:, : self._sizes[t]]
        carry += self._outer[t]
        return carry


def _steps(
    tensor: torch.Tensor, sizes: Sequence[int], width: int
) -> tuple[tuple[torch.Tensor, ...], tuple[torch.Tensor, ...]]:
    """Split a (G, P, W) tensor after ``width`` columns, and split both parts by step."""
    return tensor[..., :width].split(sizes, dim=1), tensor[..., width:].split(sizes, dim=1)
