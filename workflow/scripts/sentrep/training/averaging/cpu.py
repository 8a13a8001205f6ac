"""Train averaging models on the CPU with compiled kernels."""

from __future__ import annotations

import numba
import numpy as np
import numpy.typing as npt

from sentrep.runtime.threads import limit_spinning
from sentrep.training.averaging.cpu_gradients import PART, Matrix, Shape
from sentrep.training.averaging.cpu_kernels import AHEAD, SOURCES, Blocks, Memory, copy_tokens, train
from sentrep.training.averaging.cpu_losses import SOFTMAX_CONTEXT, SOFTMAX_COSINE
from sentrep.training.averaging.objective import SIAMESE_CBOW, Objective
from sentrep.training.batches import Chunk
from sentrep.training.checkpoints import State

limit_spinning()  # needed if the caller has not called `limit_threads`

_LOSSES = {"softmax_cosine": SOFTMAX_COSINE, "softmax_context": SOFTMAX_CONTEXT}
# Minimum number of tokens in a batch, multiplied by the number of dimensions, for which several threads are faster than
# one. A single thread takes about 40 microseconds for such a batch.
WORTH_THREADS = 250_000


def aligned_rows(matrix: Matrix) -> Matrix:
    """Return a copy of a (V, d) matrix with rows aligned to cache lines.

    The number of columns is rounded up to a multiple of 16. The additional columns are zero and stay zero during
    training, because their gradients are zero.
    """
    return column_blocks(matrix, 1, 16)[0]


def column_blocks(matrix: Matrix, blocks: int, multiple: int = PART) -> Blocks:
    """Divide the columns of a (V, d) matrix into blocks, and return a copy with the shape (blocks, V, width).

    The width is a multiple of ``multiple``; any additional columns in the last blocks are zero. Rows are aligned to
    cache lines.
    """
    rows, columns = matrix.shape
    width = -(-columns // (blocks * multiple)) * multiple
    buffer = np.zeros(blocks * rows * width + 16, dtype=matrix.dtype)
    skip = (-buffer.ctypes.data % 64) // matrix.itemsize
    result = buffer[skip : skip + blocks * rows * width].reshape(blocks, rows, width)
    for block in range(blocks):
        part = matrix[:, block * width : (block + 1) * width]
        result[block, :, : part.shape[1]] = part
    return result


def join_blocks(blocks: Blocks, columns: int) -> Matrix:
    """Return the (V, columns) matrix that :func:`column_blocks` split into blocks."""
    return np.concatenate(list(blocks), axis=1)[:, :columns]


class CpuTrainer:
    """A :class:`.learner.Trainer` that trains the word vectors of an averaging model on the CPU.

    The columns of the matrix of word vectors are divided among the threads. The columns of each thread are stored in a
    separate matrix, because a processor that reads a cache line also prefetches the lines after it. If one of these
    lines contained columns of another thread, every write by that thread would invalidate the prefetched copy.

    Args:
        initial: (V, d) initial word vectors, float32 or, in tests, float64; the array is copied.
        optimiser: "sgd" or "adadelta" (rho 0.95, epsilon 1e-6).
        threads: maximum number of threads. Fewer are used if numba was started with fewer threads, or if ``initial``
            has too few columns. Small batches are processed by a single thread.
        objective: training objective.
    """

    def __init__(self, initial: Matrix, optimiser: str, threads: int, objective: Objective = SIAMESE_CBOW) -> None:
        self._objective = objective
        self._dimension = initial.shape[1]
        available = getattr(numba, "config").NUMBA_NUM_THREADS  # noqa: B009 - the type of this attribute is not exported
        self._threads = max(1, min(threads, available, -(-initial.shape[1] // PART)))
        self.blocks = column_blocks(initial, self._threads)
        self._adadelta = optimiser == "adadelta"
        nothing = np.zeros_like(initial if self._adadelta else initial[:0])
        squares, updates, gradients = (column_blocks(nothing, self._threads) for _ in range(3))
        self._memory = Memory(squares, updates, gradients, np.full(squares.shape[:2], -1, dtype=np.int64))
        self._tokens = np.zeros(AHEAD, dtype=np.uint32)  # reused, because allocation would take 1% of the training time
        self._batches = 0

    def step(self, chunk: Chunk, rates: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Train on a chunk of n batches, each with its own learning rate; return the mean loss of each batch, (n,)."""
        losses = np.empty(len(rates), dtype=np.float64)
        bounds = np.zeros(chunk.lengths.size + 1, dtype=np.uint64)
        np.cumsum(chunk.lengths, out=bounds[1:])
        if len(self._tokens) < bounds[-1] + AHEAD:
            self._tokens = np.zeros(int(bounds[-1]) + AHEAD, dtype=np.uint32)
        sums = self._objective.aggregation == "sum"
        _, batch, slots = chunk.starts.shape
        shape = Shape(batch, slots, *self._objective.anchor, sums, _LOSSES[self._objective.loss])
        work = int(bounds[-1]) * self._dimension / max(len(rates), 1)
        threads = self._threads if work >= WORTH_THREADS else 1
        numba.set_num_threads(threads)
        copy_tokens(chunk.tokens, chunk.starts.ravel(), bounds, self._tokens)
        train(
            *(self._tokens, bounds, shape, self.blocks, self._dimension, rates, threads),
            *(self._adadelta, self._memory, self._batches, losses, SOURCES),
        )
        self._batches += len(rates)
        return losses

    def matrix(self) -> Matrix:
        """Return a copy of the word vectors, (V, d)."""
        return join_blocks(self.blocks, self._dimension)

    def state(self) -> State:
        """Return copies of the word vectors and the optimiser's state."""
        memory, d = self._memory, self._dimension
        return {
            "matrix": self.matrix(),
            "squares": join_blocks(memory.squares, d),
            "updates": join_blocks(memory.updates, d),
            "last": memory.last[0].copy(),  # the same for all blocks
            "batches": np.array(self._batches),
        }

    def restore(self, state: State) -> None:
        """Restore a state that :meth:`state` returned, possibly in a trainer with a different number of threads."""
        self.blocks[:] = column_blocks(state["matrix"], self._threads)
        self._memory.squares[:] = column_blocks(state["squares"], self._threads)
        self._memory.updates[:] = column_blocks(state["updates"], self._threads)
        self._memory.last[:] = state["last"]
        self._batches = int(state["batches"])
