"""Training an averaging model on the CPU: memory for the compiled kernels, and the calls to them."""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass

import numba
import numpy as np
import numpy.typing as npt

from sentrep.training.averaging_cpu import AHEAD, SOURCES, Memory, copy_tokens, train
from sentrep.training.averaging_kernels import PART, Matrix, Shape
from sentrep.training.averaging_losses import SOFTMAX_CONTEXT, SOFTMAX_COSINE
from sentrep.training.batches import Chunk
from sentrep.training.checkpoints import State

# A batch takes a fraction of a millisecond and ends with a barrier. Threads that wait there spin by default. If
# cores are shared with other programs they spin while the thread they wait for is not running: that was up to
# 25 times slower. Read when the OpenMP library is loaded, at the first parallel call; a user's setting stays.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")

# Waking threads and waiting for them takes about 8 microseconds a batch. Words times columns that take five times that.
_WORTH_THREADS = 250_000


def aligned_rows(matrix: Matrix, multiple: int = 16) -> Matrix:
    """Return a copy of (V, d) whose rows begin at cache lines: (V, d rounded up to ``multiple``), filled up with zeros.

    Zero columns stay zero in training: they add nothing to products, and their gradients are multiples of
    zeros.
    """
    rows, columns = matrix.shape
    width = -(-columns // multiple) * multiple
    buffer = np.zeros(rows * width + 16, dtype=matrix.dtype)
    skip = (-buffer.ctypes.data % 64) // matrix.itemsize
    padded = buffer[skip : skip + rows * width].reshape(rows, width)
    padded[:, :columns] = matrix
    return padded


@dataclass(frozen=True)
class Objective:
    """What is compared with what, and how; see :class:`sentrep.training.averaging_kernels.Shape`."""

    loss: int = SOFTMAX_COSINE
    first_anchor: int = 0
    end_anchor: int = 1
    anchor_weight: float = 1.0
    sums: bool = False


SIAMESE_CBOW = Objective()


def cbos(context: int, context_vector: str) -> Objective:
    """Return CBOS's objective: ``context`` sentences on each side, their "mean" or "sum" against the candidates."""
    weight = 1 / (2 * context) if context_vector == "mean" else 1.0
    return Objective(SOFTMAX_CONTEXT, 1, 1 + 2 * context, weight, sums=True)


class NumbaTrainer:
    """The matrix of an averaging model and its optimiser, trained on the CPU.

    Args:
        initial: (V, d) float32 (or float64, for tests), copied.
        optimiser: "sgd" or "adadelta" (rho 0.95, epsilon 1e-6).
        threads: cores to use; never more than numba was started with.
        objective: the model's.
    """

    def __init__(self, initial: Matrix, optimiser: str, threads: int, objective: Objective = SIAMESE_CBOW) -> None:
        self._objective = objective
        self._dimension = initial.shape[1]
        self._W = aligned_rows(initial, PART)
        self._threads = max(1, min(threads, numba.config.NUMBA_NUM_THREADS, self._W.shape[1] // PART))
        self._adadelta = optimiser == "adadelta"
        rows = len(initial) if self._adadelta else 0
        squares, updates, gradients = (aligned_rows(np.zeros_like(initial[:rows]), PART) for _ in range(3))
        self._memory = Memory(squares, updates, gradients, np.full((self._threads, rows), -1, dtype=np.int64))
        self._tokens = np.zeros(AHEAD, dtype=np.uint32)  # kept: fresh memory would cost a hundredth of the time
        self._batches = 0

    def step(self, chunk: Chunk, rates: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Train a chunk; return the mean loss of each batch, (n,) float64."""
        losses = np.empty(len(rates), dtype=np.float64)
        bounds = np.zeros(chunk.lengths.size + 1, dtype=np.uint64)
        np.cumsum(chunk.lengths, out=bounds[1:])
        if len(self._tokens) < bounds[-1] + AHEAD:
            self._tokens = np.zeros(int(bounds[-1]) + AHEAD, dtype=np.uint32)
        shape = Shape(*chunk.starts.shape[1:], **asdict(self._objective))
        work = int(bounds[-1]) * self._W.shape[1] / max(len(rates), 1)
        threads = self._threads if work >= _WORTH_THREADS else 1
        numba.set_num_threads(threads)
        copy_tokens(chunk.tokens, chunk.starts.ravel(), bounds, self._tokens)
        train(
            *(self._tokens, bounds, shape, self._W, rates, threads),
            *(self._adadelta, self._memory, self._batches, losses, SOURCES),
        )
        self._memory.last[:] = self._memory.last[0]  # some threads may have had nothing to do
        self._batches += len(rates)
        return losses

    def matrix(self) -> Matrix:
        """Return a copy of the matrix, (V, d)."""
        return self._W[:, : self._dimension].copy()

    def state(self) -> State:
        """Return copies of the matrix and of the optimiser's memory."""
        memory, d = self._memory, self._dimension
        return {
            "matrix": self.matrix(),
            "squares": memory.squares[:, :d].copy(),
            "updates": memory.updates[:, :d].copy(),
            "last": memory.last[0].copy(),
            "batches": np.array(self._batches),
        }

    def restore(self, state: State) -> None:
        """Take over what :meth:`state` returned."""
        memory, d = self._memory, self._dimension
        self._W[:, :d], memory.last[:] = state["matrix"], state["last"]
        memory.squares[:, :d], memory.updates[:, :d] = state["squares"], state["updates"]
        self._batches = int(state["batches"])
