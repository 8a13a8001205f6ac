"""Learning rates, one per batch."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

SMALLEST_SHARE = 1e-4  # fraction of the initial rate, as in the released code of Siamese CBOW


def linear_decay(first: int, n: int, initial: float, horizon: int) -> npt.NDArray[np.float64]:
    """Return the rates of batches ``first`` to ``first + n - 1``, (n,) float64.

    Kenter et al. (2016, section 3.4) let the rate decrease with the number of batches. Their released code multiplies
    the initial rate by max(1e-4, 1 - b / horizon) after b batches.

    Args:
        first: number of batches before these, over all epochs.
        n: number of batches.
        initial: rate of batch 0.
        horizon: batch at which the rate would reach zero.
    """
    done = np.arange(first, first + n, dtype=np.float64)
    return initial * np.maximum(SMALLEST_SHARE, 1.0 - done / horizon)


def constant(n: int, rate: float) -> npt.NDArray[np.float64]:
    """Return an array of ``n`` equal rates, (n,) float64."""
    return np.full(n, rate, dtype=np.float64)


def adam_rates(rate: float, released: bool = False) -> Callable[[int, int], npt.NDArray[np.float64]]:
    """Return the rates of Adam, constant or as released, as a function of the first step and their number."""
    return lambda first, n: released_adam_rates(first, n, rate) if released else constant(n, rate)


def evenly_spaced(n_batches: int, points: int) -> dict[int, int]:
    """Return {batches done: k} for k = 1 to ``points``, evenly spaced; the last point is the last batch."""
    return {k * n_batches // points: k for k in range(1, points + 1)}


def released_adam_rates(first: int, n: int, rate: float) -> npt.NDArray[np.float64]:
    """Return the learning rates, (n,), that make torch's Adam behave like that of the released code.

    Where Adam's bias correction has beta, that code has 1 - beta: 0.1^t and 0.001^t instead of 0.9^t and 0.999^t. This
    is nearly no correction: the first step is 3.5 times as long, the tenth 6.5 times, the thousandth 1.3 times. The
    rates undo torch's correction, except that it also scales Adam's epsilon, 1e-8.

    Args:
        first: number of steps before these.
        n: number of steps.
        rate: learning rate of the released code.
    """
    t = np.arange(first + 1, first + n + 1)
    return rate * (np.sqrt(1 - 0.001**t) / (1 - 0.1**t)) * (1 - 0.9**t) / np.sqrt(1 - 0.999**t)
