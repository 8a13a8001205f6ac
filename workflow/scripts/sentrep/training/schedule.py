"""Compute the learning rate of each batch, and divide an epoch into equal parts."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

SMALLEST_SHARE = 1e-4  # smallest rate as a fraction of the initial rate, as in the released code of Siamese CBOW


def linear_decay(first: int, n: int, initial: float, horizon: int) -> npt.NDArray[np.float64]:
    """Return linearly decreasing learning rates for batches ``first`` to ``first + n - 1``, (n,) float64.

    Kenter et al. (2016, section 3.4) lower the rate as the number of processed batches grows. Like their released code,
    this function multiplies the initial rate by max(1e-4, 1 - b / horizon) after b batches.

    Args:
        first: number of the first batch, counted from 0 over all epochs.
        n: number of batches.
        initial: rate of batch 0.
        horizon: number of the batch at which the rate would reach zero.
    """
    done = np.arange(first, first + n, dtype=np.float64)
    return initial * np.maximum(SMALLEST_SHARE, 1.0 - done / horizon)


def constant(n: int, rate: float) -> npt.NDArray[np.float64]:
    """Return ``n`` equal learning rates, (n,) float64."""
    return np.full(n, rate, dtype=np.float64)


def adam_rates(rate: float, released: bool = False) -> Callable[[int, int], npt.NDArray[np.float64]]:
    """Return a function ``rates(first, n)`` that returns Adam's learning rates for ``n`` steps from step ``first``.

    The rates are constant or, if ``released`` is true, computed by :func:`released_adam_rates`.
    """
    return lambda first, n: released_adam_rates(first, n, rate) if released else constant(n, rate)


def evenly_spaced(n_batches: int, points: int) -> dict[int, int]:
    """Divide an epoch into equal parts, and return a dictionary that maps the end of each part to the part's number.

    Parts are numbered from 1 to ``points``, and their ends are counted in batches from the beginning of the epoch.
    """
    return {k * n_batches // points: k for k in range(1, points + 1)}


def released_adam_rates(first: int, n: int, rate: float) -> npt.NDArray[np.float64]:
    """Return the (n,) learning rates with which torch's Adam behaves like Adam in the released skip-thought code.

    The bias correction in the released code has 1 - beta in place of beta, that is, 0.1^t and 0.001^t instead of 0.9^t
    and 0.999^t after t steps. This amounts to almost no correction: the first step is 3.5 times as long as with the
    usual correction, the tenth is 6.5 times as long, and the thousandth is 1.3 times as long. With the returned rates,
    torch's Adam takes the same steps as the released code, except for the effect of torch's correction on Adam's
    epsilon, 1e-8.

    Args:
        first: number of the first step, counted from 0 over all epochs.
        n: number of steps.
        rate: learning rate of the released code.
    """
    t = np.arange(first + 1, first + n + 1)
    return rate * (np.sqrt(1 - 0.001**t) / (1 - 0.1**t)) * (1 - 0.9**t) / np.sqrt(1 - 0.999**t)
