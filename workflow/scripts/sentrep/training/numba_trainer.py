"""Training an averaging model on the CPU: memory for the compiled kernels, and the calls to them."""

from __future__ import annotations

import os

import numba
import numpy as np
import numpy.typing as npt

from sentrep.training.averaging_cpu import Matrix, train_siamese_cbow
from sentrep.training.batches import Chunk
from sentrep.training.checkpoints import State

# A batch takes a fraction of a millisecond and has two barriers. Threads that wait there spin by default. If
# cores are shared with other programs they spin while the thread they wait for is not running: that was up to
# 25 times slower. Read when the OpenMP library is loaded, at the first parallel call; a user's setting stays.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")


def aligned_rows(matrix: Matrix) -> Matrix:
    """Return a copy of (V, d) whose rows begin at cache lines: (V, d rounded up to 16), filled up with zeros.

    Zero columns stay zero in training: they add nothing to products, and their gradients are multiples of
    zeros.
    """
    rows, columns = matrix.shape
    width = -(-columns // 16) * 16
    buffer = np.zeros(rows * width + 16, dtype=matrix.dtype)
    skip = (-buffer.ctypes.data % 64) // matrix.itemsize
    padded = buffer[skip : skip + rows * width].reshape(rows, width)
    padded[:, :columns] = matrix
    return padded


class NumbaTrainer:
    """Siamese CBOW's matrix and optimiser, trained on the CPU.

    Args:
        initial: (V, d) float32 (or float64, for tests), copied.
        optimiser: "sgd" or "adadelta" (rho 0.95, epsilon 1e-6).
        threads: cores to use; never more than numba was started with.
    """

    def __init__(self, initial: Matrix, optimiser: str, threads: int) -> None:
        self._dimension = initial.shape[1]
        self._W = aligned_rows(initial)
        self._adadelta = optimiser == "adadelta"
        rows = len(initial) if self._adadelta else 0
        self._squares = np.zeros((rows, self._W.shape[1]), dtype=self._W.dtype)
        self._updates = np.zeros_like(self._squares)
        self._last = np.full(rows, -1, dtype=np.int64)
        self._head = np.zeros(len(initial), dtype=np.uint32)
        self._threads = max(1, min(threads, numba.config.NUMBA_NUM_THREADS))
        self._batches = 0

    def step(self, chunk: Chunk, rates: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Train a chunk; return the mean loss of each batch, (n,) float64."""
        losses = np.empty(len(rates), dtype=np.float64)
        numba.set_num_threads(self._threads)
        train_siamese_cbow(
            *(chunk.tokens, chunk.starts, chunk.lengths, self._W, rates, self._head, self._threads),
            *(self._adadelta, self._squares, self._updates, self._last, self._batches, losses),
        )
        self._batches += len(rates)
        return losses

    def matrix(self) -> Matrix:
        """Return a copy of the matrix, (V, d)."""
        return self._W[:, : self._dimension].copy()

    def state(self) -> State:
        """Return copies of the matrix and of the optimiser's memory."""
        return {
            "matrix": self.matrix(),
            "squares": self._squares.copy(),
            "updates": self._updates.copy(),
            "last": self._last.copy(),
            "batches": np.array(self._batches),
        }

    def restore(self, state: State) -> None:
        """Take over what :meth:`state` returned."""
        self._W[:, : self._dimension] = state["matrix"]
        self._squares[:], self._updates[:], self._last[:] = state["squares"], state["updates"], state["last"]
        self._batches = int(state["batches"])
