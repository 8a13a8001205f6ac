"""Choose an implementation for training an averaging model, and connect it to the training loop."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Literal, Protocol

import numpy as np
import numpy.typing as npt

from sentrep.corpora.store import TokenStore
from sentrep.encoders.base import AveragingEncoder
from sentrep.training.averaging.objective import SIAMESE_CBOW, Objective
from sentrep.training.batches import Chunk, Sampler, TokenReader
from sentrep.training.checkpoints import State
from sentrep.training.loop import Course, Learner, fit
from sentrep.training.run import Run
from sentrep.training.schedule import constant, linear_decay


class Trainer(Protocol):
    """The interface of objects that train a matrix of word vectors, batch by batch."""

    def step(self, chunk: Chunk, rates: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Train on a chunk of n batches, each with its own learning rate; return the mean loss of each batch, (n,)."""
        ...

    def matrix(self) -> npt.NDArray[np.floating]:
        """Return a copy of the (V, d) word vectors."""
        ...

    def state(self) -> State:
        """Return copies of the word vectors and the optimiser's state."""
        ...

    def restore(self, state: State) -> None:
        """Restore a state that :meth:`state` returned."""
        ...


class Averaging(Learner, Protocol):
    """The interface of all learners of averaging models."""

    @property
    def LARGEST_CHUNK(self) -> int:  # noqa: N802 - a constant of the implementation
        """Maximum number of examples per chunk, that is, per call to :meth:`advance`."""
        ...

    def matrix(self) -> npt.NDArray[np.floating]:
        """Return a copy of the word vectors, (V, d)."""
        ...


class AveragingLearner:
    """A learner that draws examples and passes their tokens to a trainer; implements :class:`Averaging`.

    Args:
        trainer: trainer of the word vectors.
        sampler: sampler of the examples.
        reader: reader of the examples' tokens.
    """

    # Maximum number of examples per chunk. Training on such a chunk takes about 0.1 seconds, and the positions and
    # lengths of its sentences take up a few megabytes.
    LARGEST_CHUNK = 25_600

    def __init__(self, trainer: Trainer, sampler: Sampler, reader: TokenReader) -> None:
        self._trainer, self._sampler, self._reader = trainer, sampler, reader

    def advance(self, first: int, rates: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Take one training step for each of the n learning rates; return the mean loss of each batch, (n,).

        ``first`` is the number of the first step, counted from 0 over all epochs.
        """
        epoch, done = divmod(first, self._sampler.batches_per_epoch)
        if done == 0:
            self._reader.start_epoch()
        return self._trainer.step(self._reader.read(self._sampler.sentences(epoch, done, len(rates))), rates)

    def matrix(self) -> npt.NDArray[np.floating]:
        """Return a copy of the word vectors, (V, d)."""
        return self._trainer.matrix()

    def state(self) -> State:
        """Return the states of the trainer and the reader; the sampler has no state."""
        return {**self._trainer.state(), **self._reader.state()}

    def restore(self, state: State) -> None:
        """Restore a state that :meth:`state` returned."""
        self._trainer.restore(state)
        self._reader.restore(state)


def fit_vectors(
    store: TokenStore,
    initial: npt.NDArray[np.float32],
    sampler: Sampler,
    reader: TokenReader,
    objective: Objective,
    run: Run,
    label: str,
    *,
    optimiser: Literal["sgd", "adadelta"],
    backend: str,
    rate: float,
    epochs: int,
    horizon_epochs: int,
    snapshots_per_epoch: int,
    oov: Literal["omit", "random"],
) -> AveragingEncoder:
    """Train word vectors, and return an encoder that uses these vectors.

    Args:
        store: training corpus.
        initial: (V, d) initial word vectors.
        sampler: sampler of the examples.
        reader: reader of the examples' tokens.
        objective: training objective.
        run: seed, device, number of threads and checkpoints of the training run. The history is appended to
            ``run.history``, and snapshots are passed to ``run.snapshot``.
        label: name of the training run in the progress display and in error messages.
        optimiser: "sgd" with a learning rate that falls linearly (see :func:`sentrep.training.schedule.linear_decay`),
            or "adadelta" with a constant learning rate.
        backend: "auto", "numba", "triton" or "torch"; see :func:`choose_learner`.
        rate: initial learning rate.
        epochs: number of epochs.
        horizon_epochs: number of epochs after which the falling learning rate of "sgd" would reach zero; can be larger
            than ``epochs``.
        snapshots_per_epoch: number of evenly spaced snapshots per epoch; the last one is taken at the end of the epoch.
        oov: how the encoder treats unknown words; see :class:`sentrep.encoders.base.AveragingEncoder`.

    Raises:
        SentrepError: training fails; see :func:`sentrep.training.loop.fit`.
    """
    learner = choose_learner(store, initial, sampler, reader, objective, optimiser, backend, run)
    horizon = sampler.batches_per_epoch * horizon_epochs

    def encoder() -> AveragingEncoder:
        tokeniser = store.meta["encoding_tokeniser"]
        return AveragingEncoder(learner.matrix(), store.vocabulary, tokeniser, objective.aggregation, oov)

    course = Course(
        *(epochs, sampler.batches_per_epoch, sampler.batch_size),
        rates=lambda first, n: linear_decay(first, n, rate, horizon) if optimiser == "sgd" else constant(n, rate),
        snapshots_per_epoch=snapshots_per_epoch,
        largest_chunk=max(1, learner.LARGEST_CHUNK // sampler.batch_size),
    )
    fit(learner, course, run, label, lambda epochs: run.snapshot(epochs, encoder()))
    return encoder()


def choose_learner(
    store: TokenStore,
    initial: npt.NDArray[np.float32],
    sampler: Sampler,
    reader: TokenReader,
    objective: Objective,
    optimiser: str,
    backend: str,
    run: Run,
) -> Averaging:
    """Return the learner for a backend: "numba" (CPU), "triton" (GPU) or "torch" (autograd on any device).

    "auto" selects the fastest available backend that supports the training run and its device. The backend "triton"
    requires the objective of Siamese CBOW, the optimiser "sgd", and a reader whose attribute ``copies`` is false.
    """
    if backend == "auto":
        plain = optimiser == "sgd" and objective == SIAMESE_CBOW and not reader.copies
        on_gpu = "triton" if plain and find_spec("triton") else "torch"
        backend = "numba" if run.device == "cpu" else on_gpu
    if backend == "triton":
        from sentrep.training.averaging.gpu import GpuLearner

        return GpuLearner(initial, store, sampler, reader.max_tokens, run.device)
    if backend == "torch":
        from sentrep.training.averaging.autograd import AutogradTrainer

        trainer: Trainer = AutogradTrainer(initial, optimiser, run.threads, objective, run.device)
    else:
        from sentrep.training.averaging.cpu import CpuTrainer

        trainer = CpuTrainer(initial, optimiser, run.threads, objective)
    return AveragingLearner(trainer, sampler, reader)
