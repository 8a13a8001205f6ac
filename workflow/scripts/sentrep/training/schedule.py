"""Learning rates, one per batch."""

from __future__ import annotations

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


def evenly_spaced(n_batches: int, points: int) -> dict[int, int]:
    """Return {batches done: k}, k = 1 to ``points``, as even as whole batches allow; the last is last."""
    return {k * n_batches // points: k for k in range(1, points + 1)}
