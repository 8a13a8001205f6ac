"""Test the training loop: checkpoints, interruption, resumption and training with several processes."""

import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import nn

from helpers_store import random_store, save_store
from helpers_training import Cut, DeathError
from sentrep.api.training import train_model
from sentrep.errors import SentrepError
from sentrep.families import family, parse_parameters
from sentrep.training.checkpoints import Checkpoint, Checkpoints
from sentrep.training.loop import Course, fit
from sentrep.training.neural import NeuralLearner, Optimisation, seeded
from sentrep.training.run import Run
from sentrep.training.schedule import constant
from sentrep.training.sentences import Sentences, bucketed_batches

SCRIPTS = Path(__file__).parents[1] / "workflow" / "scripts"


SIAMESE = {"dimension": 20, "batch_size": 8, "epochs": 2, "learning_rate": 0.5}
CASES = {
    "sgd": ("siamese_cbow", SIAMESE),
    "torch": ("siamese_cbow", {**SIAMESE, "backend": "torch"}),
    "adadelta": ("siamese_cbow", {**SIAMESE, "optimiser": "adadelta", "learning_rate": None}),
    "torch adadelta": (
        "siamese_cbow",
        {**SIAMESE, "optimiser": "adadelta", "learning_rate": None, "backend": "torch"},
    ),
    "stale": ("siamese_cbow", {**SIAMESE, "padding": "stale", "index_bits": 16}),
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("steps", [1, 7, 30])
def test_an_interrupted_run_ends_as_an_uninterrupted_one(tmp_path, case, steps):
    name, values = CASES[case]
    parameters = parse_parameters(name, values, "test")
    store = random_store(3, 400, 60)
    whole = Run(5)
    expected = family(name).train(store, parameters, whole).embeddings
    with pytest.raises(DeathError):
        family(name).train(store, parameters, Run(5, checkpoints=Cut(tmp_path, steps)))
    resumed = Run(5, checkpoints=Checkpoints(tmp_path, minutes=60))
    assert np.array_equal(family(name).train(store, parameters, resumed).embeddings, expected)
    without_speed = [[{**row, "examples_per_second": 0} for row in run.history] for run in (whole, resumed)]
    assert without_speed[0] == without_speed[1]
    assert resumed.resumed_at == [steps]
    assert steps < resumed.history[-1]["examples"] / 8


class Toy(nn.Module):
    """A noisy loss: the mean square of the sum of an embedding and noise."""

    def __init__(self) -> None:
        super().__init__()
        self.table = nn.Embedding(20, 4)
        self.noise = nn.Dropout(0.5)

    def forward(self, batch: torch.Tensor) -> torch.Tensor:
        return (self.noise(self.table(batch)).sum(-1) - 1).square().mean()


def toy_batches(first: int, n: int) -> list[torch.Tensor]:
    return [torch.from_numpy(np.random.default_rng([1, step]).integers(0, 20, 6)) for step in range(first, first + n)]


def train_toy(run: Run, **changes: object) -> dict[str, np.ndarray]:
    learner = NeuralLearner(seeded(run.seed, Toy), toy_batches, Optimisation(**changes), run)
    fit(learner, Course(2, 150, 6, lambda _first, n: constant(n, 0.01)), run, "toy")
    return learner.state()


def test_random_numbers_go_on_where_they_stopped(tmp_path):
    expected = train_toy(Run(1))
    with pytest.raises(DeathError):
        train_toy(Run(1, checkpoints=Cut(tmp_path, steps=9)))
    found = train_toy(Run(1, checkpoints=Checkpoints(tmp_path, minutes=60)))
    assert found.keys() == expected.keys()
    assert all(np.array_equal(found[name], expected[name]) for name in expected)
    assert not np.array_equal(train_toy(Run(2))["parameter.table.weight"], expected["parameter.table.weight"])


def test_training_lowers_the_loss():
    run = Run(1)
    train_toy(run)
    losses = [row["loss"] for row in run.history]
    assert np.mean(losses[-20:]) < 0.7 * np.mean(losses[:5])


@pytest.mark.parametrize("clip", ["global", "per_variable", "none"])
def test_clipping_against_the_definition(clip):
    class Two(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.a, self.b = nn.Parameter(torch.tensor([3.0, 4.0])), nn.Parameter(torch.tensor([0.6, 0.8]))

        def forward(self, batch: torch.Tensor) -> torch.Tensor:
            return (self.a.square().sum() + self.b.square().sum()) / 2  # the gradients have norms 5 and 1

    module = Two()
    learner = NeuralLearner(
        module, lambda _first, n: [torch.empty(0)] * n, Optimisation(clip, largest_norm=2.0), Run(1)
    )
    learner.advance(0, np.array([0.0]))
    norms = [float(parameter.grad.norm()) for parameter in (module.a, module.b)]
    scale = 2 / np.sqrt(26)
    expected = {"global": [5 * scale, scale], "per_variable": [2, 1], "none": [5, 1]}[clip]
    np.testing.assert_allclose(norms, expected, rtol=1e-5)


def test_a_loss_that_is_not_finite_keeps_the_last_good_checkpoint(tmp_path):
    class Diverging(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.x = nn.Parameter(torch.ones(1))

        def forward(self, batch: torch.Tensor) -> torch.Tensor:
            return self.x.sum() * (float("nan") if batch.item() >= 70 else 1.0)

    run = Run(1, checkpoints=Checkpoints(tmp_path, minutes=0))
    learner = NeuralLearner(Diverging(), lambda first, n: torch.arange(first, first + n).float(), Optimisation(), run)
    with pytest.raises(SentrepError, match="nan in batch 71"):
        fit(learner, Course(1, 100, 1, lambda _first, n: constant(n, 0.1), largest_chunk=2), run, "diverging")
    assert run.checkpoints.load().steps == 70


PROGRAM = textwrap.dedent("""
    import json, sys
    from pathlib import Path
    from sentrep.cli import main
    sys.exit(main(["train", "{store}", "{out}", "--family", "siamese_cbow", "--parameters", json.dumps({parameters}),
                   "--checkpoints", "{checkpoints}", "--checkpoint-minutes", "{minutes}"]))
""")


def start(folder: Path, out: str, minutes: float, epochs: int = 400) -> subprocess.Popen:
    parameters = {**SIAMESE, "epochs": epochs}
    paths = {"store": folder / "store", "out": folder / out, "checkpoints": folder / "checkpoints"}
    code = PROGRAM.format(**paths, parameters=parameters, minutes=minutes)
    environment = {**os.environ, "PYTHONPATH": str(SCRIPTS)}
    return subprocess.Popen([sys.executable, "-c", code], env=environment, stderr=subprocess.PIPE, text=True)


def wait_for(path: Path, pattern: str, seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while not list(path.glob(pattern)):
        assert time.monotonic() < deadline, f"no {pattern} in {path}"
        time.sleep(0.01)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_killed_process_leaves_nothing_half_written_and_goes_on(tmp_path, number):
    save_store(random_store(3, 4000, 500), tmp_path / "store")
    process = start(tmp_path, "model", minutes=0)
    # before training starts, SIGTERM ends the process as usual
    wait_for(tmp_path / "checkpoints", "*/checkpoint.safetensors")
    process.send_signal(number)
    message = process.communicate(timeout=60)[1]
    assert process.returncode != 0
    assert not (tmp_path / "model").exists()
    if number == signal.SIGTERM:
        assert "a signal to stop, received after step" in message
    again = start(tmp_path, "model", minutes=60)
    assert again.wait(timeout=120) == 0, again.stderr.read()
    other = start(tmp_path, "uninterrupted", minutes=60)
    assert other.wait(timeout=120) == 0
    ours, theirs = (tmp_path / name / "embeddings.safetensors" for name in ("model", "uninterrupted"))
    assert ours.read_bytes() == theirs.read_bytes()
    assert not (tmp_path / "checkpoints").exists()


def test_snapshots_survive_an_interruption(tmp_path):
    save_store(random_store(3, 4000, 500), tmp_path / "store")
    arguments = {
        "family_name": "siamese_cbow",
        "parameters": {**SIAMESE, "snapshots_per_epoch": 2, "epochs": 1},
        "seed": 1,
        "device": "cpu",
    }
    train_model(tmp_path / "store", tmp_path / "whole", **arguments)
    broken = Checkpoints.save

    def save_then_die(self: Checkpoints, checkpoint: Checkpoint) -> None:
        broken(self, checkpoint)
        if checkpoint.history[-1]["epoch"] > 0.6:
            raise DeathError

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Checkpoints, "save", save_then_die)
        with pytest.raises(DeathError):
            train_model(
                tmp_path / "store", tmp_path / "cut", **arguments, checkpoints=tmp_path / "c", checkpoint_minutes=0
            )
    train_model(tmp_path / "store", tmp_path / "cut", **arguments, checkpoints=tmp_path / "c")
    for name in ("snapshots/0.5000", "snapshots/1.0000", "."):
        ours, theirs = (tmp_path / folder / name / "embeddings.safetensors" for folder in ("cut", "whole"))
        assert ours.read_bytes() == theirs.read_bytes()


def test_two_trainings_that_share_the_folder_of_checkpoints(tmp_path, monkeypatch):
    """One deleted the snapshots of the other: 46 of 60 were left in a model."""
    save_store(random_store(3, 400, 60), tmp_path / "store")
    parameters = {**SIAMESE, "snapshots_per_epoch": 4, "epochs": 1}
    arguments = {"family_name": "siamese_cbow", "parameters": parameters, "device": "cpu"}
    due = Checkpoints.due

    def meet(self: Checkpoints) -> bool:
        """Halfway through the first training, run the second from beginning to end."""
        if len(list(self.snapshots.glob("*"))) == 2:
            monkeypatch.undo()
            train_model(tmp_path / "store", tmp_path / "2", seed=2, checkpoints=tmp_path / "c", **arguments)
        return due(self)

    monkeypatch.setattr(Checkpoints, "due", meet)
    train_model(tmp_path / "store", tmp_path / "1", seed=1, checkpoints=tmp_path / "c", **arguments)
    for seed in (1, 2):
        alone = tmp_path / f"alone{seed}"
        train_model(tmp_path / "store", alone, seed=seed, **arguments)
        for epochs in ("0.2500", "0.5000", "0.7500", "1.0000"):
            ours, theirs = (f / "snapshots" / epochs / "embeddings.safetensors" for f in (tmp_path / f"{seed}", alone))
            assert ours.read_bytes() == theirs.read_bytes()


def test_padded_sentences():
    store = random_store(4, 50, 30)
    sentences = Sentences(store, words=11, max_tokens=5, device="cpu")
    assert sentences.words == 11
    assert sentences.vocabulary == ["<unk>", *store.vocabulary[:10]]
    rows = np.array([[0, 3], [7, 7]])
    for row, batch in zip(rows, sentences.batches(rows), strict=True):
        for i, ids, length in zip(row, batch.ids.tolist(), batch.lengths.tolist(), strict=True):
            a, b = store.sentence_offsets[i : i + 2]
            words = [int(w) + 1 if w < 10 else 0 for w in store.ids[a:b]][:5]
            assert ids == words + [0] * (batch.ids.shape[1] - length)
            assert length == len(words)


def test_bucketed_batches_hold_everything_once_and_little_padding():
    lengths = np.random.default_rng(1).integers(1, 50, 10_000).astype(np.int32)
    batches = bucketed_batches(lengths, 16, np.random.default_rng(2))
    assert batches.shape == (625, 16)
    assert np.array_equal(np.sort(batches, axis=None), np.arange(10_000))
    padded = lengths[batches].max(axis=1).sum() * 16
    assert padded < 1.05 * lengths.sum()
    assert not np.array_equal(batches, bucketed_batches(lengths, 16, np.random.default_rng(3)))
