"""Output folders: whose files are replaced, and what happens when several processes want one folder."""

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest

from helpers_faults import ENVIRONMENT
from helpers_store import random_store, save_store
from sentrep.api.training import train_model
from sentrep.cli import main
from sentrep.encoders.base import AveragingEncoder
from sentrep.errors import SentrepError
from sentrep.io.files import atomic_file
from sentrep.io.folders import FolderKind, atomic_directory, output_folder
from sentrep.training.checkpoints import Checkpoint, Checkpoints

KIND = FolderKind("a folder of letters", lambda folder: (folder / "letters").exists())


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.fixture
def store(tmp_path):
    save_store(random_store(3, 400, 60), tmp_path / "store")
    return tmp_path / "store"


def train(store: Path, out: Path, *options: str) -> int:
    return main(["train", str(store), str(out), "--family", "random_vectors", "--device", "cpu", *options])


def test_training_never_replaces_files_that_are_no_model(store, tmp_path, capsys):
    """It deleted them, and the store itself if it was named as the output."""
    out = tmp_path / "letters"
    out.mkdir()
    (out / "thesis.tex").write_text("text")
    before = names(store)
    for options in ([], ["--overwrite"]):
        assert train(store, out, *options) == 1
        assert "letters: expected a new or empty folder, found a folder that is not a model folder" in (
            capsys.readouterr().err
        )
        assert train(store, store, *options) == 1
        assert "expected an output folder separate from the inputs" in capsys.readouterr().err
        assert train(store, tmp_path, *options) == 1
    assert names(out) == ["thesis.tex"]
    assert names(store) == before


def test_training_replaces_a_model_only_if_asked_to(store, tmp_path, capsys):
    (tmp_path / "model").mkdir()  # an empty folder may be filled
    assert train(store, tmp_path / "model", "--seed", "1") == 0
    first = (tmp_path / "model/embeddings.safetensors").read_bytes()
    capsys.readouterr()
    assert train(store, tmp_path / "model", "--seed", "2") == 1
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert "found a model folder; choose another folder, or pass --overwrite" in error
    assert (tmp_path / "model/embeddings.safetensors").read_bytes() == first
    assert train(store, tmp_path / "model", "--seed", "2", "--overwrite") == 0
    assert (tmp_path / "model/embeddings.safetensors").read_bytes() != first


def test_a_model_is_not_replaced_by_one_that_is_built_on_it(store, tmp_path, capsys):
    assert train(store, tmp_path / "m") == 0
    assert train(store, tmp_path / "m", "--overwrite", "--input", f"base={tmp_path / 'm'}") == 1
    assert "expected an output folder separate from the inputs" in capsys.readouterr().err
    assert train(store, tmp_path / "c", "--checkpoints", str(tmp_path / "c/checkpoints")) == 1


def test_publishing_never_replaces_files_that_are_no_published_run(tmp_path, capsys):
    for name, text in {"results/provenance.json": '{"preset": "sample"}', "results/table1.csv": "a"}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "own").mkdir()
    (tmp_path / "own/letter").write_text("text")

    def publish(out: str, *options: str) -> int:
        return main(["publish", "--project", str(tmp_path), str(tmp_path / out), *options])

    for out in ("own", "results", "."):
        assert publish(out, "--overwrite") == 1
    assert names(tmp_path / "own") == ["letter"]
    assert names(tmp_path / "results") == ["provenance.json", "table1.csv"]
    assert publish("results/published/run") == 0
    (tmp_path / "results/published/run/README.md").write_text("differs")
    assert publish("results/published/run") == 1
    assert "found a published run" in capsys.readouterr().err
    assert publish("results/published/run", "--overwrite") == 0
    assert (tmp_path / "results/published/run/README.md").read_text() == "differs"


def test_exporting_never_replaces_anything(tmp_path, capsys):
    model = tmp_path / "model"
    model.mkdir()
    AveragingEncoder(np.eye(2, dtype=np.float32), ["a", "b"], "kenter", meta={"family": "cbos"}).save(model)
    (tmp_path / "out").mkdir()
    (tmp_path / "out/letter").touch()
    for out in ("out", "model", "."):
        assert main(["export", str(model), "--format", "word2vec", str(tmp_path / out)]) == 1
    assert capsys.readouterr().err.count("\n") == 3
    assert names(tmp_path / "out") == ["letter"]


def test_files_that_appear_during_a_long_training_stay_and_the_model_too(tmp_path):
    with (
        pytest.raises(SentrepError, match=r"new files in the folder .*saved to .*/out\.") as caught,
        output_folder(tmp_path / "out", KIND) as folder,
    ):
        (folder / "letters").write_text("a result of many hours")
        (tmp_path / "out").mkdir()
        (tmp_path / "out/other").touch()
    kept = Path(str(caught.value).rpartition("saved to ")[2])
    assert (kept / "letters").read_text() == "a result of many hours"
    assert names(tmp_path / "out") == ["other"]
    assert len(names(tmp_path)) == 2


def test_an_output_that_is_a_link_is_written_where_the_link_leads(store, tmp_path):
    """It failed with a traceback, after the training."""
    for name in ("full", "empty"):
        (tmp_path / f"to_{name}").symlink_to(tmp_path / name)
    (tmp_path / "empty").mkdir()
    for name in ("full", "empty", "full"):
        assert train(store, tmp_path / f"to_{name}", "--overwrite") == 0
        assert (tmp_path / f"to_{name}").is_symlink()
        assert (tmp_path / name / "meta.json").exists()
    with atomic_file(tmp_path / "full/link") as temporary:
        temporary.touch()


@pytest.mark.parametrize("name", ["loop", "pipe", "/dev/full", "folder"])
def test_an_output_that_cannot_be_one(store, tmp_path, capsys, name):
    (tmp_path / "loop").symlink_to("loop")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    if name != "folder":
        assert train(store, tmp_path / name) == 1
        assert capsys.readouterr().err.count("\n") == 1
    with pytest.raises(SentrepError, match="expected a file"), atomic_file(tmp_path / name):
        pass
    assert (tmp_path / name).is_symlink() or (tmp_path / name).exists()


def test_only_one_of_several_processes_writes_a_folder(tmp_path):
    """The last one won, or two of them failed with a traceback."""
    code = textwrap.dedent("""
        import sys, time
        from pathlib import Path
        from sentrep.errors import SentrepError
        from sentrep.io.folders import FolderKind, output_folder
        try:
            with output_folder(sys.argv[1], FolderKind("x", lambda _: False)) as folder:
                (folder / "x").write_text(sys.argv[2])
                print("writing", flush=True)
                sys.stdin.read()
        except SentrepError as error:
            sys.exit(f"error: {error}")
    """)

    def start(number: int) -> subprocess.Popen:
        command = [sys.executable, "-c", code, str(tmp_path / "out"), str(number)]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        return subprocess.Popen(command, env=ENVIRONMENT, text=True, **pipes)

    first = start(0)
    assert first.stdout.readline() == "writing\n"
    for process in [start(1), start(2)]:
        _, message = process.communicate("", timeout=60)
        assert process.returncode == 1
        assert message.startswith("error: ")
        assert "found another process that writes" in message
    first.communicate("", timeout=60)
    assert first.returncode == 0
    assert (tmp_path / "out/x").read_text() == "0"
    assert names(tmp_path) == ["out"]


def test_a_kill_between_the_two_renames_loses_neither_folder(tmp_path, monkeypatch):
    with atomic_directory(tmp_path / "d") as folder:
        (folder / "old").touch()
    rename = Path.rename

    class KilledError(BaseException):
        pass

    def stop(self: Path, target: Path) -> Path:
        if self.name == ".d.part":
            raise KilledError
        return rename(self, target)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "rename", stop)
        with pytest.raises(KilledError), atomic_directory(tmp_path / "d"):
            pass
    with pytest.raises(ZeroDivisionError), atomic_directory(tmp_path / "d"):
        raise ZeroDivisionError
    assert names(tmp_path / "d") == ["old"]
    assert names(tmp_path) == ["d"]


@pytest.mark.parametrize("umask", [0o077, 0o002])
def test_a_folder_has_the_rights_that_the_user_asks_for(tmp_path, umask):
    """All could read it, whatever the umask."""
    before = os.umask(umask)
    try:
        with atomic_directory(tmp_path / "d") as folder:
            (folder / "x").touch()
    finally:
        os.umask(before)
    assert (tmp_path / "d").stat().st_mode & 0o777 == 0o777 & ~umask


def test_folders_and_files_are_on_the_disk_before_and_after_they_get_their_names(tmp_path, monkeypatch):
    synced = []

    def fsync(number: int) -> None:
        synced.append((Path(f"/proc/self/fd/{number}").readlink(), names(tmp_path)))

    monkeypatch.setattr(os, "fsync", fsync)
    with atomic_directory(tmp_path / "d") as folder:
        (folder / "sub").mkdir()
        (folder / "sub/x").touch()
    part = tmp_path / ".d.part"
    assert {path for path, _ in synced[:-1]} == {part, part / "sub", part / "sub/x"}
    assert synced[-1] == (tmp_path, ["d"])
    synced.clear()
    with atomic_file(tmp_path / "x") as temporary:
        temporary.touch()
    assert synced == [(temporary, [temporary.name, "d"]), (tmp_path, ["d", "x"])]


SETTINGS = {"dimension": 8, "batch_size": 8, "epochs": 1, "snapshots_per_epoch": 4, "learning_rate": 0.5}


def test_the_end_of_a_training_removes_its_own_checkpoints_only(store, tmp_path):
    """All of DIR was deleted: other files, and the checkpoints of other trainings."""
    folder = tmp_path / "checkpoints"
    folder.mkdir()
    (folder / "letter").write_text("text")
    for seed in (1, 2):  # another training that was interrupted
        other = Checkpoints(folder / (f"{seed}" * 16), 5)
        other.save(Checkpoint(1, 0.5, {"x": np.ones(3)}))
    arguments = {"family_name": "siamese_cbow", "parameters": SETTINGS, "seed": 1, "device": "cpu"}
    train_model(store, tmp_path / "m", **arguments, checkpoints=folder)
    assert names(folder) == ["1" * 16, "2" * 16, "letter"]
    assert Checkpoints(folder / ("1" * 16), 5).load().steps == 1
    assert len(names(tmp_path / "m/snapshots")) == 4


def test_two_trainings_with_the_same_settings_do_not_share_checkpoints(store, tmp_path):
    """They deleted each other's snapshots: 46 of 60 were left in a model."""
    arguments = {"family_name": "siamese_cbow", "parameters": SETTINGS, "seed": 1, "device": "cpu"}
    held = Checkpoints.alone
    found = []

    def meet(self: Checkpoints):
        found.append(self.directory)
        return held(self)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Checkpoints, "alone", meet)
        train_model(store, tmp_path / "m", **arguments, checkpoints=tmp_path / "c")
    found[0].mkdir(parents=True)
    with (
        Checkpoints(found[0], 5).alone(),
        pytest.raises(SentrepError, match="another process that trains with the same"),
    ):
        train_model(store, tmp_path / "n", **arguments, checkpoints=tmp_path / "c")
    assert not (tmp_path / "c").exists()
    assert not (tmp_path / "n").exists()
