"""Run the training loop, which reports progress, takes snapshots, writes checkpoints, and stops on SIGTERM or Ctrl-C.

The loop trains a :class:`Learner`. Randomness depends only on the seed, the step number and the learner's state, so a
resumed run is identical to an uninterrupted one.
"""

from __future__ import annotations

import contextlib
import signal
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from sentrep.errors import SentrepError
from sentrep.runtime.progress import Progress
from sentrep.training import distributed
from sentrep.training.checkpoints import Checkpoint, Checkpoints, State
from sentrep.training.run import Run
from sentrep.training.schedule import evenly_spaced

Rates = Callable[[int, int], npt.NDArray[np.float64]]


class Learner(Protocol):
    """The interface that :func:`fit` requires of a model and its optimiser."""

    def advance(self, first: int, rates: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Take one training step for each of the n learning rates, and return the loss of each step, (n,).

        ``first`` is the number of the first step, counted from 0 over all epochs. If ``rates`` is empty, the learner
        may compile its code, but leaves the model unchanged.
        """
        ...

    def state(self) -> State:
        """Return the state on which later steps depend, as named arrays."""
        ...

    def restore(self, state: State) -> None:
        """Restore a state that :meth:`state` returned."""
        ...


@dataclass(frozen=True)
class Course:
    """The length and the learning rates of a training run.

    Attributes:
        epochs: number of epochs.
        steps_per_epoch: number of steps per epoch.
        batch_size: number of examples per step.
        rates: function that is called as ``rates(first, n)`` and returns the learning rates of ``n`` consecutive steps,
            (n,), beginning with step ``first``. Steps are counted from 0 over all epochs.
        snapshots_per_epoch: number of evenly spaced snapshots per epoch; the last one is taken at the end of the epoch.
        largest_chunk: maximum number of steps in a chunk, a series of steps whose mean loss is recorded. If the corpus
            is small, the maximum is reduced to a fiftieth of an epoch, so that the loss curve has enough points.
        unit: plural name of the examples, for the progress display.
        finished: function that is called before each chunk and returns whether to end the training early.
    """

    epochs: int
    steps_per_epoch: int
    batch_size: int
    rates: Rates
    snapshots_per_epoch: int = 0
    largest_chunk: int = 32
    unit: str = "examples"
    finished: Callable[[], bool] = lambda: False


def fit(
    learner: Learner,
    course: Course,
    run: Run,
    label: str,
    take_snapshot: Callable[[float], None] = lambda _epochs: None,
) -> None:
    """Train a learner, resuming from the run's checkpoint if there is one, and fill ``run.history``.

    Args:
        learner: learner to train.
        course: length and learning rates of the training run.
        run: training run whose checkpoints are read and written, and whose history is filled.
        label: name of the training run in the progress display and in error messages.
        take_snapshot: function that is called as ``take_snapshot(epochs)`` when a snapshot is due. ``epochs`` is the
            number of completed epochs, which can be fractional.

    Raises:
        SentrepError: the loss is not finite, an epoch has fewer steps than snapshots, the checkpoint is damaged or does
            not match this training run, or a process received SIGTERM or SIGINT (Ctrl-C) before the last step.
    """
    per_epoch, batch = course.steps_per_epoch, course.batch_size
    if per_epoch < course.snapshots_per_epoch:
        raise SentrepError(
            "corpus",
            expected=f"at least {course.snapshots_per_epoch} batches per epoch, one for each snapshot",
            found=f"only {per_epoch}",
            remedy="use more text, a smaller `batch_size` or a smaller `snapshots_per_epoch`",
        )
    snapshots = evenly_spaced(per_epoch, course.snapshots_per_epoch)
    stops = sorted({per_epoch, *snapshots})
    largest = max(1, min(course.largest_chunk, -(-per_epoch // 50)))
    learner.advance(0, np.empty(0))
    total = course.epochs * per_epoch
    step = _resume(learner, run, total, batch)
    began = time.monotonic() - run.seconds
    progress = Progress(total * batch, course.unit, label, done=step * batch)
    with _signals() as terminated, contextlib.closing(progress):
        while step < total and not course.finished():
            epoch, done = divmod(step, per_epoch)
            n = min(largest, next(stop for stop in stops if stop > done) - done)
            rates = course.rates(step, n)
            chunk_began = time.perf_counter()
            losses = learner.advance(step, rates)
            seconds = time.perf_counter() - chunk_began
            _check_finite(losses, label, step)
            step += n
            loss, rate = float(losses.mean()), float(rates[-1])
            row = {"examples": step * batch, "epoch": step / per_epoch, "loss": loss, "learning_rate": rate}
            run.history.append({**row, "examples_per_second": n * batch / seconds})
            progress.advance(n * batch, loss=loss, lr=rate)
            if done + n in snapshots:
                take_snapshot(epoch + snapshots[done + n] / course.snapshots_per_epoch)
            run.seconds = time.monotonic() - began
            _save_if_needed(learner, run, label, step, total, terminated)


def _resume(learner: Learner, run: Run, total: int, batch: int) -> int:
    """Restore the run's checkpoint, if there is one, and return the number of completed steps.

    Raises:
        SentrepError: the checkpoint is damaged or inconsistent, or it does not match the learner or the length of the
            training.
    """
    if run.checkpoints is None or (checkpoint := run.checkpoints.load()) is None:
        return 0
    try:
        _check_fit(checkpoint, learner.state(), total, batch)
        learner.restore(checkpoint.state)
    except (LookupError, RuntimeError, TypeError, ValueError) as error:
        raise SentrepError(
            run.checkpoints.path,
            expected="a checkpoint of this model",
            found=f"a checkpoint that does not match the model ({error})",
            remedy="delete the file to restart training from the beginning",
        ) from None
    run.history[:] = checkpoint.history
    run.seconds = checkpoint.seconds
    run.resumed_at[:] = [*checkpoint.resumed_at, checkpoint.steps]
    return checkpoint.steps


def _check_fit(checkpoint: Checkpoint, state: State, total: int, batch: int) -> None:
    """Check that a checkpoint is consistent, and that it matches the untrained learner and the length of the training.

    Each non-empty array in the untrained learner's state must have the same shape and data type in the checkpoint.

    Raises:
        ValueError: the checkpoint is inconsistent, or it does not match the learner or the length of the training.
        LookupError: the checkpoint lacks an array or has no history.
    """
    if not 0 < checkpoint.steps < total or checkpoint.history[-1]["examples"] != checkpoint.steps * batch:
        raise ValueError(
            f"the number of completed steps, {checkpoint.steps}, is not between 1 and {total - 1} or does not agree "
            "with the training history"
        )
    for name, values in state.items():
        if name not in checkpoint.state:
            raise LookupError(f"the array {name} is missing")
        found = checkpoint.state[name]
        if values.size and (found.shape, found.dtype) != (values.shape, values.dtype):
            raise ValueError(
                f"the array {name} has type {found.dtype} and shape {found.shape} instead of type {values.dtype} and "
                f"shape {values.shape}"
            )


def _save_if_needed(learner: Learner, run: Run, label: str, step: int, total: int, terminated: threading.Event) -> None:
    """Unless training is complete, write a checkpoint if one is due or if a process has received a signal to stop.

    Raises:
        SentrepError: a process received SIGTERM or SIGINT (Ctrl-C) before the last step.
    """
    stop = distributed.any_process(terminated.is_set())
    saved = ""
    if run.checkpoints and step < total and (stop or _due(run.checkpoints)):
        if distributed.rank() == 0:
            run.checkpoints.save(Checkpoint(step, run.seconds, learner.state(), run.history, run.resumed_at))
        saved = f" (checkpoint: {run.checkpoints.path})"
    if stop and step < total:
        raise SentrepError(
            label,
            expected=f"{total} training steps",
            found=f"a signal to stop, received after step {step}{saved}",
            remedy=f"run the same command again to {'resume training' if saved else 'restart from the beginning'}",
        )


def _due(checkpoints: Checkpoints) -> bool:
    """Return whether a checkpoint is due according to process 0; all processes get the same result."""
    return distributed.any_process(distributed.rank() == 0 and checkpoints.due())


@contextlib.contextmanager
def _signals() -> Iterator[threading.Event]:
    """Yield an event; during the ``with`` block, SIGTERM and SIGINT set this event instead of ending the process."""
    event = threading.Event()
    if threading.current_thread() is not threading.main_thread():  # only the main thread may set handlers
        yield event
        return
    numbers = (signal.SIGTERM, signal.SIGINT)
    before = [signal.signal(number, lambda _number, _frame: event.set()) for number in numbers]
    try:
        yield event
    finally:
        for number, handler in zip(numbers, before, strict=True):
            signal.signal(number, handler)


def _check_finite(losses: npt.NDArray[np.float64], label: str, first: int) -> None:
    bad = np.flatnonzero(~np.isfinite(losses))
    if len(bad):
        raise SentrepError(
            label,
            expected="a finite loss",
            found=f"a loss of {losses[bad[0]]} in batch {first + bad[0] + 1}",
            remedy="lower the learning rate",
        )
