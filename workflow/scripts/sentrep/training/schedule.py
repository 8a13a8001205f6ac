"""Learning rates, one per batch."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

FLOOR = 1e-4  # the released Siamese CBOW code never lets the rate fall below this share of the initial one


def linear_decay(first: int, n: int, initial: float, horizon: int) -> npt.NDArray[np.float64]:
    """Return the rates of batches ``first`` to ``first + n - 1``, (n,) float64.

    Kenter et al. (2016, section 3.4) let the rate decrease with the number of batches; their released code
    multiplies the initial rate by max(1e-4, 1 - b / horizon), where b batches have been trained before.

    Args:
        first: batches trained before the first of these, counted over all epochs.
        n: number of batches.
        initial: rate of batch 0.
        horizon: batch number at which the line reaches zero.
    """
    done = np.arange(first, first + n, dtype=np.float64)
    return initial * np.maximum(FLOOR, 1.0 - done / horizon)


def constant(n: int, rate: float) -> npt.NDArray[np.float64]:
    """Return ``n`` times the same rate, (n,) float64."""
    return np.full(n, rate, dtype=np.float64)


def adam_rates(rate: float, released: bool = False) -> Callable[[int, int], npt.NDArray[np.float64]]:
    """Return the constant rates of Adam by (first step, number of steps), or those of the released code's Adam."""
    return lambda first, n: released_adam_rates(first, n, rate) if released else constant(n, rate)


def evenly_spaced(n_batches: int, points: int) -> dict[int, int]:
    """Return {batches done: k}, k = 1 to ``points``, as even as whole batches allow; the last is last."""
    return {k * n_batches // points: k for k in range(1, points + 1)}


def released_adam_rates(first: int, n: int, rate: float) -> npt.NDArray[np.float64]:
    """Return the learning rates that make Adam step as the one in the released code, (n,).

    That code has 1 - beta where Adam's corrections for the first steps have beta: 0.1^t and 0.001^t instead of 0.9^t
    and 0.999^t, so in effect no correction: the first step is 3.5 times as long, the tenth 6.5 times, the thousandth
    1.3 times. The rates undo torch's correction, except that it also scales Adam's epsilon, 1e-8.

    Args:
        first: steps taken before.
        n: number of steps.
        rate: of the released code.
    """
    t = np.arange(first + 1, first + n + 1)
    return rate * (np.sqrt(1 - 0.001**t) / (1 - 0.1**t)) * (1 - 0.9**t) / np.sqrt(1 - 0.999**t)
