"""The training loop of averaging models: chunks of batches, progress, history, snapshots."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Protocol

import numpy as np
import numpy.typing as npt

from sentrep.errors import SentrepError
from sentrep.families import Run
from sentrep.progress import Progress
from sentrep.training.batches import Chunk, Sampler, TokenReader
from sentrep.training.schedule import evenly_spaced

_LARGEST_CHUNK = 25_600  # examples; about a tenth of a second of work, and a few megabytes of positions


class Trainer(Protocol):
    """What the loop trains: a matrix that can take steps."""

    def step(self, chunk: Chunk, rates: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Train a chunk at the given learning rates; return the mean loss of each batch."""


def train_epochs(
    trainer: Trainer,
    sampler: Sampler,
    reader: TokenReader,
    run: Run,
    label: str,
    epochs: int,
    rates: Callable[[int, int], npt.NDArray[np.float64]],
    snapshots_per_epoch: int,
    take_snapshot: Callable[[float], None],
) -> None:
    """Train for a number of epochs; append to ``run.history`` after every chunk.

    Args:
        trainer: takes the steps.
        sampler: chooses examples.
        reader: fetches their tokens.
        run: where the history goes.
        label: shown beside the progress.
        epochs: passes over all centres.
        rates: learning rates of batches, called with (first, n), batches counted over all epochs.
        snapshots_per_epoch: how many; the last one is at the end of the epoch.
        take_snapshot: called with the number of epochs done.

    Raises:
        SentrepError: the loss is not finite, or an epoch has fewer batches than snapshots.
    """
    per_epoch, batch = sampler.batches_per_epoch, sampler.batch_size
    if per_epoch < snapshots_per_epoch:
        raise SentrepError(
            "corpus",
            expected=f"at least {snapshots_per_epoch} batches per epoch, one for each snapshot",
            found=f"{per_epoch}",
            remedy="use more text, a smaller batch_size or a smaller snapshots_per_epoch",
        )
    snapshots = evenly_spaced(per_epoch, snapshots_per_epoch)
    stops = sorted({per_epoch, *snapshots})
    largest = max(1, min(_LARGEST_CHUNK // batch, -(-per_epoch // 50)))  # small corpora still give a loss curve
    trainer.step(reader.read(sampler.sentences(0, 0, 0)), rates(0, 0))  # compiles, before the clock starts
    progress = Progress(epochs * per_epoch * batch, "examples", label)
    try:
        for epoch in range(epochs):
            reader.start_epoch()
            done = 0
            for stop in stops:
                while done < stop:
                    n = min(largest, stop - done)
                    began = time.perf_counter()
                    rate = rates(epoch * per_epoch + done, n)
                    losses = trainer.step(reader.read(sampler.sentences(epoch, done, n)), rate)
                    seconds = time.perf_counter() - began
                    _check_finite(losses, label, epoch * per_epoch + done)
                    done += n
                    loss = float(losses.mean())
                    batches = epoch * per_epoch + done
                    run.history.append(
                        {
                            "examples": batches * batch,
                            "epoch": batches / per_epoch,
                            "loss": loss,
                            "learning_rate": float(rate[-1]),
                            "examples_per_second": n * batch / seconds,
                        }
                    )
                    progress.advance(n * batch, loss=loss, lr=float(rate[-1]))
                if done in snapshots:
                    take_snapshot(epoch + snapshots[done] / snapshots_per_epoch)
    finally:
        progress.close()


def _check_finite(losses: npt.NDArray[np.float64], label: str, first: int) -> None:
    bad = np.flatnonzero(~np.isfinite(losses))
    if len(bad):
        raise SentrepError(
            label,
            expected="a finite loss",
            found=f"{losses[bad[0]]} in batch {first + bad[0] + 1}",
            remedy="lower the learning rate",
        )
