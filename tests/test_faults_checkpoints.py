"""Test that damaged checkpoints, and those of another training run, are refused, and that other files are kept."""

import numpy as np
import pytest
from safetensors import safe_open
from safetensors.numpy import load_file, save_file

from helpers_faults import flip
from helpers_store import random_store, save_store
from helpers_training import Cut, DeathError
from sentrep.api.training import train_model
from sentrep.encoders.base import AveragingEncoder
from sentrep.errors import SentrepError
from sentrep.families import family, parse_parameters
from sentrep.training.checkpoints import Checkpoint, Checkpoints
from sentrep.training.run import Run

SIAMESE = {"dimension": 20, "batch_size": 8, "epochs": 2, "learning_rate": 0.5}


def train(run: Run, **changes: object) -> AveragingEncoder:
    parameters = parse_parameters("siamese_cbow", {**SIAMESE, **changes}, "test")
    return family("siamese_cbow").train(random_store(3, 400, 60), parameters, run)


@pytest.fixture
def interrupted(tmp_path) -> Checkpoints:
    """Checkpoints of a training that was interrupted."""
    with pytest.raises(DeathError):
        train(Run(5, checkpoints=Cut(tmp_path / "c", steps=7)))
    return Checkpoints(tmp_path / "c", 60)


@pytest.mark.parametrize("place", [0.2, 0.4, 0.6, 0.8, 1.0])
def test_a_checkpoint_with_a_flipped_bit(interrupted, place):
    """It was resumed, and gave another model."""
    flip(interrupted.path, place, bit=0)
    with pytest.raises(
        SentrepError, match=r"expected a checkpoint of this training run, found .*delete the file to restart training"
    ):
        train(Run(5, checkpoints=interrupted))


def change_progress(checkpoint: Checkpoint, **values: object) -> None:
    for name, value in values.items():
        setattr(checkpoint, name, value)


def move(checkpoint: Checkpoint, steps: int) -> None:
    """Change the number of steps, with a history that ends there."""
    change_progress(checkpoint, steps=steps, history=[{**checkpoint.history[-1], "examples": 8 * steps}])


CHANGES = {
    "other sizes": lambda c: c.state.update(matrix=c.state["matrix"][:, :10]),
    "another type": lambda c: c.state.update(matrix=c.state["matrix"].astype(np.float64)),
    "fewer steps": lambda c: change_progress(c, steps=c.steps - 1),
    "no steps": lambda c: move(c, 0),
    "negative steps": lambda c: move(c, -1),
    "too many steps": lambda c: move(c, 10**6),
    "a number with a fraction": lambda c: change_progress(c, steps=0.5),
    "no history": lambda c: change_progress(c, history=[]),
    "history without examples": lambda c: change_progress(c, history=[{}]),
    "a history of words": lambda c: change_progress(c, history="words"),
    "an array too few": lambda c: c.state.pop("matrix"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_checkpoint_that_does_not_fit_the_training(interrupted, change):
    checkpoint = interrupted.load()
    CHANGES[change](checkpoint)
    interrupted.save(checkpoint)
    with pytest.raises(SentrepError, match="expected a checkpoint of this model"):
        train(Run(5, checkpoints=interrupted))


def test_a_missing_array_is_named(interrupted):
    checkpoint = interrupted.load()
    del checkpoint.state["matrix"]
    interrupted.save(checkpoint)
    with pytest.raises(SentrepError, match=r"does not match the model \(the array matrix is missing\)"):
        train(Run(5, checkpoints=interrupted))


def test_the_checkpoint_of_another_training(interrupted, tmp_path):
    """Of the same sizes, in the place of ours."""
    other = Checkpoints(tmp_path / "other", 60)
    other.directory.mkdir()
    other.path.write_bytes(interrupted.path.read_bytes())
    with pytest.raises(SentrepError, match="the file is damaged or belongs to another training run"):
        train(Run(6, checkpoints=other))


def test_checkpoints_of_the_command_line_are_of_one_version_of_the_code(tmp_path, monkeypatch):
    import sentrep.api.training as module

    save_store(random_store(3, 400, 60), tmp_path / "store")
    arguments = {"family_name": "siamese_cbow", "parameters": SIAMESE, "seed": 1, "device": "cpu"}
    folders = []
    monkeypatch.setattr(Checkpoints, "save", lambda self, _: folders.append(self.directory))
    for code in ("one", "one", "two"):
        monkeypatch.setattr(module, "code_digest", lambda *_, code=code: code)
        train_model(
            tmp_path / "store", tmp_path / f"m{len(folders)}", **arguments, checkpoints=tmp_path, checkpoint_minutes=0
        )
    assert len(set(folders)) == 2


def test_a_checkpoint_whose_header_gives_other_shapes(interrupted):
    with safe_open(interrupted.path, "numpy") as file:
        metadata = file.metadata()
    tensors = load_file(interrupted.path)
    save_file({**tensors, "matrix": tensors["matrix"].reshape(20, -1)}, interrupted.path, metadata)
    with pytest.raises(SentrepError, match="expected a checkpoint of this training run"):
        interrupted.load()


def test_other_files_in_the_folder_of_a_training_stay(tmp_path):
    own = Checkpoints(tmp_path / "c", 0)
    with own.alone():
        own.save(Checkpoint(1, 0.5, {"x": np.ones(3)}))
        (own.snapshots / "0.5").mkdir(parents=True)
        (own.directory / "letter").write_text("text")
    assert [path.name for path in own.directory.iterdir()] == ["letter"]
