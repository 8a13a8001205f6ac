"""Test full disks and folders without write permission: a one-line error, a non-zero status and no partial output."""

import base64
import random
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest

from helpers_faults import on_small_disk, without_rights
from helpers_server import serving
from helpers_store import random_store, save_store
from sentrep.io.files import create_array, write_json

PROLOGUE = """
import sys
from pathlib import Path
from sentrep.errors import SentrepError
def main(disk, source):
{body}
try:
    main(Path(sys.argv[1]), sys.argv[2])
except SentrepError as error:
    sys.exit(f"error: {{error}}")
"""
BODIES = {
    "file": """
        from sentrep.io.files import atomic_file
        with atomic_file(disk / "x") as temporary: temporary.write_bytes(bytes(3_000_000))
    """,
    "json": """
        from sentrep.io.files import write_json
        write_json(disk / "x.json", ["a" * 3_000_000])
    """,
    "tensors": """
        import numpy as np
        from sentrep.io.files import save_tensors
        from sentrep.io.folders import atomic_directory
        with atomic_directory(disk / "m") as folder: save_tensors({"x": np.zeros(800_000, np.float32)}, folder / "x")
    """,
    "mapped array": """
        import numpy as np
        from sentrep.io.files import create_array, write_json
        from sentrep.io.folders import atomic_directory
        with atomic_directory(disk / "s") as folder: create_array(folder / "x.npy", np.float32, (800_000,))[:] = 1
    """,
    "part of a mapped array": """
        import numpy as np
        from sentrep.io.files import create_array, write_json, take_space
        from sentrep.io.folders import atomic_directory
        with atomic_directory(disk / "s") as folder:
            array = create_array(folder / "x.npy", np.float32, (80_000_000,), space=False)
            take_space(array, 0, 100)
            take_space(array, 100, 800_000)
    """,
    "sentences": """
        from sentrep.corpora.sentences import build_sentences
        build_sentences(source, "sentences", disk / "sentences")
    """,
    "checkpoint": """
        import numpy as np
        from sentrep.training.checkpoints import Checkpoint, Checkpoints
        Checkpoints(disk / "c", 0).save(Checkpoint(1, 0.5, {"x": np.zeros(800_000, np.float32)}))
    """,
}


def program(name: str) -> str:
    return PROLOGUE.format(body=textwrap.indent(textwrap.dedent(BODIES[name]), "    "))


@pytest.fixture
def source(tmp_path) -> Path:
    """Return the manifest of a text of 4 MB that does not fit even if it is compressed."""
    text = tmp_path / "text.txt"
    text.write_bytes(base64.encodebytes(random.Random(0).randbytes(3_000_000)))
    entry = {"path": str(text), "bytes": text.stat().st_size, "sha256": "0"}
    write_json(tmp_path / "books.json", {"name": "books", "bytes": entry["bytes"], "files": [entry]})
    return tmp_path / "books.json"


@pytest.mark.parametrize("name", BODIES)
def test_a_full_disk(tmp_path, source, name):
    disk = tmp_path / "disk"
    status, printed, files = on_small_disk(disk, "2m", sys.executable, "-c", program(name), str(disk), str(source))
    assert status == 1
    assert printed.splitlines()[-1].startswith(f"error: {disk}")
    assert printed.endswith(
        "expected free disk space, found a full disk; free some disk space and run the same command again\n"
    )
    assert "Traceback" not in printed
    assert files == []


def test_a_full_disk_keeps_the_last_good_checkpoint(tmp_path):
    body = """
        import numpy as np
        from sentrep.training.checkpoints import Checkpoint, Checkpoints
        saved = Checkpoints(disk / "c", 0)
        saved.save(Checkpoint(1, 0.5, {"x": np.zeros(300_000, np.float32)}))
        try:
            saved.save(Checkpoint(2, 0.5, {"x": np.zeros(300_000, np.float32)}))
        finally:
            print(saved.load().steps)
    """
    disk = tmp_path / "disk"
    code = PROLOGUE.format(body=textwrap.indent(textwrap.dedent(body), "    "))
    status, printed, files = on_small_disk(disk, "2m", sys.executable, "-c", code, str(disk), "")
    assert (status, files) == (1, ["c/checkpoint.safetensors"])
    assert printed.startswith("1\n")
    assert "found a full disk" in printed


def test_a_full_disk_in_a_download(tmp_path):
    """Without a length, the lack of space is noticed only during writing, and the download is not repeated."""
    body = """
        from sentrep.sources import download
        usage = download.shutil.disk_usage(disk)
        download.shutil.disk_usage = lambda _: usage._replace(free=usage.free * (20 if "slow" in source else 1))
        download.download([source], disk / "x")
    """
    disk = tmp_path / "disk"
    code = PROLOGUE.format(body=textwrap.indent(textwrap.dedent(body), "    "))
    for fault, message in (("slow cut", "found a full disk"), ("", r"GB of free disk space, found 0.002")):
        with serving() as server:
            server.body, server.faults = bytes(30_000_000), [fault]
            address = f"{server.address}?{fault}".replace(" ", "-")
            status, printed, files = on_small_disk(disk, "2m", sys.executable, "-c", code, str(disk), address)
        assert status == 1
        assert message in printed.splitlines()[-1]
        assert len(server.paths) == 1
        assert "x" not in files


def test_a_full_disk_at_the_end_of_training(tmp_path):
    save_store(random_store(3, 400, 60), tmp_path / "store")
    disk = tmp_path / "disk"
    command = [sys.executable, "-m", "sentrep", "train", str(tmp_path / "store"), str(disk / "model")]
    command += ["--family", "siamese_cbow", "--device", "cpu", "--parameters", '{"dimension": 20000, "batch_size": 8}']
    status, printed, files = on_small_disk(disk, "1m", *command)
    assert status == 1
    assert printed.splitlines()[-1].startswith(f"error: {disk / 'model'}: expected free disk space")
    assert files == []


@pytest.mark.parametrize("name", ["file", "tensors", "sentences", "checkpoint"])
def test_a_folder_without_the_right_to_write(tmp_path, source, name):
    disk = tmp_path / "disk"
    disk.mkdir(mode=0o555)
    status, printed = without_rights(sys.executable, "-c", program(name), str(disk), str(source))
    assert status == 1
    assert printed.splitlines()[-1].startswith(f"error: {disk}")
    assert "expected a writable folder, found no permission to write; change the permissions" in printed
    assert "Traceback" not in printed
    assert not list(disk.iterdir())


def test_a_read_only_file_system(tmp_path):
    disk = tmp_path / "disk"
    remount = 'mount -o remount,ro "$1" && exec "$2" -c "$3" "$1" ""'
    command = ["sh", "-c", remount, "sh", str(disk), sys.executable, program("file")]
    status, printed, files = on_small_disk(disk, "2m", *command)
    assert status == 1
    assert f"error: {disk / 'x'}: expected a writable folder, found a read-only file system" in printed
    assert files == []


def test_an_array_on_disk_is_zero_and_can_be_read_back(tmp_path):
    for shape in ((3, 2), (0,)):
        array = create_array(tmp_path / "x.npy", np.float32, shape)
        assert not array.any()
        array[...] = 7
        array.flush()
        assert (np.load(tmp_path / "x.npy") == 7).all()
        assert np.load(tmp_path / "x.npy").shape == shape
