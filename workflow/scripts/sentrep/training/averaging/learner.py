"""Averaging models as learners: sampled sentences, their tokens, and a trainer of the matrix of word vectors."""

from __future__ import annotations

from typing import Protocol

import numpy as np
import numpy.typing as npt

from sentrep.training.batches import Chunk, Sampler, TokenReader
from sentrep.training.checkpoints import State


class Trainer(Protocol):
    """A matrix that can take steps."""

    def step(self, chunk: Chunk, rates: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Train a chunk at the given learning rates; return the mean loss of each batch."""

    def state(self) -> State:
        """Return the matrix and what the optimiser remembers."""

    def restore(self, state: State) -> None:
        """Take over what :meth:`state` returned."""


class AveragingLearner:
    """What :func:`sentrep.training.loop.fit` trains.

    Args:
        trainer: takes the steps.
        sampler: chooses examples.
        reader: fetches their tokens.
    """

    LARGEST_CHUNK = 25_600  # examples; about a tenth of a second of work, and a few megabytes of positions

    def __init__(self, trainer: Trainer, sampler: Sampler, reader: TokenReader) -> None:
        self._trainer, self._sampler, self._reader = trainer, sampler, reader

    def advance(self, first: int, rates: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Take one step for each rate; return their losses, (n,) float64."""
        epoch, done = divmod(first, self._sampler.batches_per_epoch)
        if done == 0:
            self._reader.start_epoch()
        return self._trainer.step(self._reader.read(self._sampler.sentences(epoch, done, len(rates))), rates)

    def state(self) -> State:
        """Return all that later steps depend on; examples depend on nothing but the seed and the step."""
        return {**self._trainer.state(), **self._reader.state()}

    def restore(self, state: State) -> None:
        """Take over what :meth:`state` returned."""
        self._trainer.restore(state)
        self._reader.restore(state)
