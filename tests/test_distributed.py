"""Compare training a model with two processes with training it in one process on the same batches."""

import os
import socket
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn import functional

from sentrep.errors import SentrepError
from sentrep.training import distributed
from sentrep.training.checkpoints import Checkpoint, Checkpoints
from sentrep.training.loop import Course, fit
from sentrep.training.neural import NeuralLearner, Optimisation, seeded
from sentrep.training.run import Run
from sentrep.training.schedule import constant


class InBatch(nn.Module):
    """A loss that finds the successor of each row among all rows of the batch, so each process needs all rows."""

    def __init__(self) -> None:
        super().__init__()
        self.f, self.g = nn.Linear(6, 5), nn.Linear(6, 5, bias=False)  # a bias of g would have no gradient

    def forward(self, batch: torch.Tensor) -> torch.Tensor:
        share = distributed.share(len(batch))
        scores = self.f(batch[share]) @ distributed.gather_rows(self.g(batch[share])).T
        target = (torch.arange(len(batch))[share] + 1) % len(batch)
        return functional.cross_entropy(scores, target)


def batches(first: int, n: int) -> list[torch.Tensor]:
    return [
        torch.from_numpy(np.random.default_rng([9, step]).normal(size=(8, 6))).float()
        for step in range(first, first + n)
    ]


def train(folder: Path | None = None) -> tuple[Run, dict[str, np.ndarray]]:
    run = Run(1, checkpoints=Checkpoints(folder, minutes=0) if folder else None)
    with distributed.process_group("cpu"):
        learner = NeuralLearner(seeded(1, InBatch), batches, Optimisation("global", largest_norm=0.3), run)
        fit(learner, Course(1, 60, 8, lambda _first, n: constant(n, 0.05)), run, "pair")
    return run, learner.state()


def join(rank: int, port: int) -> None:
    """Set the environment variables that torchrun sets."""
    os.environ.update(MASTER_ADDR="localhost", MASTER_PORT=str(port), RANK=str(rank))
    os.environ.update(WORLD_SIZE="2", TORCHELASTIC_RUN_ID="test")


def process(rank: int, port: int, folder: str) -> None:
    join(rank, port)
    run, state = train(Path(folder) / "checkpoints")
    losses = np.array([row["loss"] for row in run.history])
    parameters = {name: values for name, values in state.items() if name.startswith("parameter.")}
    np.savez(Path(folder) / f"{rank}.npz", losses=losses, **parameters)


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("localhost", 0))
        return free.getsockname()[1]


def test_two_processes_train_as_one(tmp_path):
    torch.multiprocessing.spawn(process, (free_port(), str(tmp_path)), nprocs=2)
    run, state = train()
    found = [np.load(tmp_path / f"{rank}.npz") for rank in (0, 1)]
    for name in found[0].files:
        assert np.array_equal(found[0][name], found[1][name])
    losses = [row["loss"] for row in run.history]
    assert losses[-1] < 0.9 * losses[0]
    np.testing.assert_allclose(found[0]["losses"], losses, rtol=1e-4)
    for name in (n for n in state if n.startswith("parameter.")):
        np.testing.assert_allclose(found[0][name], state[name], atol=1e-4)
    # two steps per chunk; no checkpoint is needed after the last chunk
    assert Checkpoints(tmp_path / "checkpoints", 1).load().steps == 58


def test_a_batch_must_divide(monkeypatch):
    monkeypatch.setenv("WORLD_SIZE", "3")
    monkeypatch.setenv("TORCHELASTIC_RUN_ID", "test")
    with pytest.raises(SentrepError, match="a divisor of the batch size 8, found 3"):
        distributed.share(8)


def save_now_and_then(rank: int, port: int, folder: str) -> None:
    join(rank, port)
    saved = []

    class Counting(Checkpoints):
        def save(self, checkpoint: Checkpoint) -> None:
            super().save(checkpoint)
            saved.append(checkpoint.steps)

    run = Run(1, checkpoints=Counting(Path(folder), minutes=60))
    run.checkpoints.last_saved -= 3600  # make exactly one checkpoint due
    with distributed.process_group("cpu"):
        learner = NeuralLearner(seeded(1, InBatch), batches, Optimisation(), run)
        fit(learner, Course(1, 60, 8, lambda _first, n: constant(n, 0.05)), run, "pair")
    assert saved == ([2] if rank == 0 else [])


def test_only_the_first_process_says_when_to_save(tmp_path):
    torch.multiprocessing.spawn(save_now_and_then, (free_port(), str(tmp_path)), nprocs=2)
