"""Test the files of checkpoints: refused values, damaged files and partial files."""

import numpy as np
import pytest

from helpers_training import DeathError
from sentrep.errors import SentrepError
from sentrep.training.checkpoints import Checkpoint, Checkpoints


def test_a_checkpoint_with_bad_numbers_is_refused(tmp_path):
    checkpoints = Checkpoints(tmp_path, minutes=0)
    checkpoints.save(Checkpoint(1, 0.5, {"x": np.ones(3)}))
    with pytest.raises(SentrepError, match=r"x after step 2: expected finite numbers"):
        checkpoints.save(Checkpoint(2, 1.0, {"x": np.array([1, np.inf])}))
    assert checkpoints.load().steps == 1


def test_a_damaged_checkpoint_is_named(tmp_path):
    checkpoints = Checkpoints(tmp_path, minutes=0)
    checkpoints.save(Checkpoint(1, 0.5, {"x": np.ones(300)}))
    checkpoints.path.write_bytes(checkpoints.path.read_bytes()[:200])
    with pytest.raises(SentrepError, match=r"checkpoint\.safetensors: expected a checkpoint"):
        checkpoints.load()


def test_partial_files_of_killed_processes_are_deleted(tmp_path):
    checkpoints = Checkpoints(tmp_path / "all" / "run", minutes=0)
    with pytest.raises(DeathError), checkpoints.alone():
        checkpoints.save(Checkpoint(1, 0.5, {"x": np.ones(3)}))
        for name in (".checkpoint.safetensors.1234.part", ".tmpA1b2C3"):  # names of atomic_file and of safetensors
            (checkpoints.directory / name).write_bytes(b"partial")
        raise DeathError
    with checkpoints.alone():
        assert [path.name for path in checkpoints.directory.iterdir()] == ["checkpoint.safetensors"]
        assert checkpoints.load().steps == 1
    assert not (tmp_path / "all").exists()
