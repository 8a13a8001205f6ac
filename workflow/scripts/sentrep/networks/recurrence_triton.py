"""The elementwise operations of :mod:`sentrep.networks.recurrence` as Triton kernels with float32 arithmetic.

:mod:`sentrep.networks.tape` explains the notation. Importing this module raises an ImportError if Triton is not
installed.
"""

# ruff: noqa: ANN001, ANN202 - compiled functions have their own types

from __future__ import annotations

from typing import Any

import triton
import triton.language as tl

from sentrep.networks.tape import ReverseTape, Tape

_BLOCK = 1024
# By default, Triton compiles separate versions of a kernel for integer arguments that are 1 or multiples of 16. This is
# disabled for the arguments listed here (row indices and numbers of rows), because their values change with every step
# or batch.
_ROWS = ["first", "count", "next_count", "before", "after", "rows", "all_rows"]


@triton.jit
def _tanh(x):
    return 2 * tl.sigmoid(2 * x) - 1


@triton.jit(do_not_specialize=_ROWS)
def _gates(new, active, previous, scratch, first, count, rows, n, UNITS: tl.constexpr, BLOCK: tl.constexpr):
    group = tl.program_id(1).to(tl.int64)
    item = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    row, column = item // UNITS, item % UNITS
    inside = row < count
    at = group * rows + first + row
    gate = at * (3 * UNITS) + column
    z = tl.sigmoid(tl.load(active + gate, inside).to(tl.float32) + tl.load(new + gate, inside).to(tl.float32))
    gate += UNITS
    r = tl.sigmoid(tl.load(active + gate, inside).to(tl.float32) + tl.load(new + gate, inside).to(tl.float32))
    h = tl.load(previous + at * UNITS + column, inside).to(tl.float32)
    tl.store(active + gate - UNITS, z, inside)
    tl.store(active + gate, r, inside)
    tl.store(scratch + (group * n + row) * UNITS + column, r * h, inside)


@triton.jit(do_not_specialize=_ROWS)
def _candidate(
    new,
    active,
    candidate,
    previous,
    states,
    first,
    count,
    next_count,
    before,
    after,
    rows,
    all_rows,
    UNITS: tl.constexpr,
    BLOCK: tl.constexpr,
    RESET_BEFORE: tl.constexpr,
):
    group = tl.program_id(1).to(tl.int64)
    item = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    row, column = item // UNITS, item % UNITS
    inside = row < count
    at = group * rows + first + row
    gate = at * (3 * UNITS) + column
    from_input = tl.load(new + gate + 2 * UNITS, inside).to(tl.float32)
    from_state = tl.load(active + gate + 2 * UNITS, inside).to(tl.float32)
    z = tl.load(active + gate, inside).to(tl.float32)
    if RESET_BEFORE:
        c = _tanh(from_input + from_state)
        tl.store(active + gate + 2 * UNITS, c, inside)
    else:
        z = tl.sigmoid(z + tl.load(new + gate, inside).to(tl.float32))
        r = tl.load(active + gate + UNITS, inside).to(tl.float32)
        r = tl.sigmoid(r + tl.load(new + gate + UNITS, inside).to(tl.float32))
        c = _tanh(from_input + r * from_state)
        tl.store(active + gate, z, inside)
        tl.store(active + gate + UNITS, r, inside)
        tl.store(candidate + at * UNITS + column, c, inside)
    state = (group * all_rows + row) * UNITS + column
    h = tl.load(states + state + before * UNITS, inside).to(tl.float32)
    h = c + z * (h - c)
    tl.store(states + state + after * UNITS, h, inside)
    tl.store(previous + (at + count) * UNITS + column, h, row < next_count)


@triton.jit(do_not_specialize=_ROWS)
def _back_candidate(
    outer,
    active,
    factors,
    gradients,
    carry,
    product,
    first,
    count,
    next_count,
    rows,
    n,
    UNITS: tl.constexpr,
    BLOCK: tl.constexpr,
    RESET_BEFORE: tl.constexpr,
):
    group = tl.program_id(1).to(tl.int64)
    item = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    row, column = item // UNITS, item % UNITS
    inside = row < count
    at = group * rows + first + row
    here = (group * n + row) * UNITS + column
    d = tl.load(carry + here, inside).to(tl.float32) + tl.load(outer + at * UNITS + column, inside).to(tl.float32)
    d += tl.load(product + here, row < next_count, other=0).to(tl.float32)
    if RESET_BEFORE:
        gate = at * (3 * UNITS) + column
        tl.store(gradients + gate + 2 * UNITS, d * tl.load(factors + gate, inside).to(tl.float32), inside)
        tl.store(gradients + gate, d * tl.load(factors + gate + UNITS, inside).to(tl.float32), inside)
    else:
        gate = at * (4 * UNITS) + column
        for i in tl.static_range(4):
            factor = tl.load(factors + gate + i * UNITS, inside).to(tl.float32)
            tl.store(gradients + gate + i * UNITS, d * factor, inside)
        d *= tl.load(active + at * (3 * UNITS) + column, inside).to(tl.float32)
    tl.store(carry + here, d, inside)


@triton.jit(do_not_specialize=_ROWS)
def _back_gates(
    active,
    factors,
    gradients,
    carry,
    product,
    first,
    count,
    rows,
    n,
    UNITS: tl.constexpr,
    BLOCK: tl.constexpr,
):
    group = tl.program_id(1).to(tl.int64)
    item = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    row, column = item // UNITS, item % UNITS
    inside = row < count
    gate = (group * rows + first + row) * (3 * UNITS) + column
    here = (group * n + row) * UNITS + column
    p = tl.load(product + here, inside).to(tl.float32)
    factor = tl.load(factors + gate + 2 * UNITS, inside).to(tl.float32)
    tl.store(gradients + gate + UNITS, p * factor, inside)
    z = tl.load(active + gate, inside).to(tl.float32)
    r = tl.load(active + gate + UNITS, inside).to(tl.float32)
    tl.store(carry + here, tl.load(carry + here, inside) * z + p * r, inside)


class Forward:
    """The elementwise operations of each step ``t`` of the forward pass, as Triton kernels.

    This class has the same methods as :class:`sentrep.networks.recurrence_torch.Forward`.
    """

    def __init__(self, tape: Tape) -> None:
        self._tape, self._sizes = tape, [*tape.sizes, 0]
        self._firsts = [0]
        for size in tape.sizes:
            self._firsts.append(self._firsts[-1] + size)
        self._rows, self._n = tape.gates.shape[1], tape.initial_rows

    def gates(self, t: int) -> None:
        """Compute the gates z and r from the product U h, and write r h to the scratch tensor.

        Used only if ``reset`` is "before"; see :mod:`sentrep.networks.tape` for the notation.
        """
        tape, size = self._tape, self._sizes[t]
        _gates[_grid(tape.gates, size, tape.units)](
            *(tape.gates, tape.active, tape.previous, tape.scratch, self._firsts[t], size, self._rows, self._n),
            UNITS=tape.units,
            BLOCK=_BLOCK,
        )

    def candidate(self, t: int) -> None:
        """Compute the candidate c from the product U (r h), and write the new state h'.

        Used only if ``reset`` is "before"; see :mod:`sentrep.networks.tape` for the notation.
        """
        self._advance(t, reset_before=True)

    def everything(self, t: int) -> None:
        """Compute the gates z and r and the candidate c from the product U h, and write the new state h'.

        Used only if ``reset`` is "after"; see :mod:`sentrep.networks.tape` for the notation.
        """
        self._advance(t, reset_before=False)

    def _advance(self, t: int, reset_before: bool) -> None:
        tape, first, size = self._tape, self._firsts[t], self._sizes[t]
        before = self._n + first - self._sizes[t - 1] if t else 0
        _candidate[_grid(tape.gates, size, tape.units)](
            *(tape.gates, tape.active, tape.candidate, tape.previous, tape.states),
            *(first, size, self._sizes[t + 1], before, self._n + first, self._rows, self._n + self._rows),
            UNITS=tape.units,
            BLOCK=_BLOCK,
            RESET_BEFORE=reset_before,
        )


class Backward:
    """The elementwise operations of each step ``t`` of the backward pass, as Triton kernels.

    This class has the same methods as :class:`sentrep.networks.recurrence_torch.Backward`.
    """

    def __init__(self, tape: ReverseTape) -> None:
        self._tape, self._sizes = tape, [*tape.sizes, 0]
        self._units, self._rows, self._n = tape.carry.shape[2], tape.outer.shape[1], tape.sizes[0]
        self._first = self._rows

    def candidate(self, t: int) -> None:
        """Add up the parts of the gradient of h', and write the gradients of the pre-activations of c and z.

        Used only if ``reset`` is "before"; see :mod:`sentrep.networks.tape` for the notation.
        """
        self._collect(t, reset_before=True)

    def gates(self, t: int) -> None:
        """Write the gradient of the pre-activation of r and a part of the gradient of h.

        The preceding matrix product has computed the gradient of r h; the next one computes the remaining part of the
        gradient of h. Used only if ``reset`` is "before"; see :mod:`sentrep.networks.tape` for the notation.
        """
        tape, size = self._tape, self._sizes[t]
        _back_gates[_grid(tape.outer, size, self._units)](
            *(tape.active, tape.factors, tape.gradients, tape.carry, tape.product),
            *(self._first, size, self._rows, self._n),
            UNITS=self._units,
            BLOCK=_BLOCK,
        )

    def everything(self, t: int) -> None:
        """Add up the parts of the gradient of h', and write all gradients that are elementwise multiples of the sum.

        These are the gradients of the pre-activations, the gradient of the candidate's part of U h, and one part of the
        gradient of h. The next matrix product computes the other part of the gradient of h. Used only if ``reset`` is
        "after"; see :mod:`sentrep.networks.tape` for the notation.
        """
        self._collect(t, reset_before=False)

    def _collect(self, t: int, reset_before: bool) -> None:
        tape, size = self._tape, self._sizes[t]
        self._first -= size
        _back_candidate[_grid(tape.outer, size, self._units)](
            *(tape.outer, tape.active, tape.factors, tape.gradients, tape.carry, tape.product),
            *(self._first, size, self._sizes[t + 1], self._rows, self._n),
            UNITS=self._units,
            BLOCK=_BLOCK,
            RESET_BEFORE=reset_before,
        )


def _grid(tensor: Any, count: int, units: int) -> tuple[int, int]:
    return triton.cdiv(count * units, _BLOCK), tensor.shape[0]
