"""Test that files are written atomically, even if writing fails."""

import resource
import subprocess
import sys
from pathlib import Path

import pytest

from sentrep.errors import SentrepError, unknown_name
from sentrep.io.files import atomic_file, read_json, sha256, write_json
from sentrep.io.folders import atomic_directory


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_failure_keeps_the_old_file(tmp_path):
    path = tmp_path / "x"
    path.write_text("old")
    with pytest.raises(RuntimeError), atomic_file(path) as temporary:
        temporary.write_text("half")
        raise RuntimeError
    assert path.read_text() == "old"
    assert names(tmp_path) == ["x"]


def test_failure_keeps_the_old_folder(tmp_path):
    folder = tmp_path / "d"
    with atomic_directory(folder) as temporary:
        (temporary / "a").write_text("old")
    with pytest.raises(RuntimeError), atomic_directory(folder) as temporary:
        (temporary / "b").write_text("half")
        raise RuntimeError
    assert names(folder) == ["a"]
    assert names(tmp_path) == ["d"]


def test_success_replaces(tmp_path):
    for text in ("one", "two"):
        with atomic_directory(tmp_path / "d") as temporary:
            (temporary / text).write_text(text)
    assert names(tmp_path / "d") == ["two"]


def test_what_a_killed_process_left_is_removed_and_nothing_else(tmp_path):
    code = (
        "import os, signal, sys; from sentrep.io.folders import atomic_directory\n"
        "with atomic_directory(sys.argv[1]) as t: (t / 'half').touch(); os.kill(os.getpid(), signal.SIGKILL)"
    )
    subprocess.run([sys.executable, "-c", code, str(tmp_path / "d")], check=False)
    left = names(tmp_path)
    assert len(left) == 1
    with atomic_directory(tmp_path / "other"):
        assert left[0] in names(tmp_path)
    with atomic_directory(tmp_path / "d") as temporary:
        assert names(temporary) == []
        # concurrent writers do not remove each other's temporary files
        with pytest.raises(SentrepError, match="found another process that writes"), atomic_directory(tmp_path / "d"):
            pass
        assert temporary.exists()
    assert names(tmp_path) == ["d", "other"]


def test_file_size_limit_is_one_line_and_leaves_nothing(tmp_path):
    """A limit on file sizes simulates a full disk: writing fails half-way."""
    code = (
        "import resource, signal, sys; from pathlib import Path; from sentrep.io.files import atomic_file\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))\n"
        "with atomic_file(sys.argv[1]) as t: t.write_bytes(b'x' * 1_000_000)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "big")], capture_output=True, text=True, check=False
    )
    assert "SentrepError" in done.stderr.splitlines()[-1]
    assert "big: expected a file within the file-size limit" in done.stderr
    assert names(tmp_path) == []
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] != 100_000


@pytest.mark.parametrize("text", ["", "{", "\x00"])
def test_damaged_json(tmp_path, text):
    (tmp_path / "x.json").write_text(text)
    with pytest.raises(SentrepError, match=r"x\.json: expected valid JSON"):
        read_json(tmp_path / "x.json")


def test_json_round_trip_and_checksum(tmp_path):
    write_json(tmp_path / "x.json", {"ü": [1, None]})
    assert read_json(tmp_path / "x.json") == {"ü": [1, None]}
    (tmp_path / "empty").touch()
    assert sha256(tmp_path / "empty") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


def test_error_is_one_line_whatever_it_is_given():
    error = SentrepError("f", expected="a\nb", found="c", remedy="d")
    assert str(error) == "f: expected a b, found c; d"
    assert "did you mean 'kenter'" in str(unknown_name("x", "tokeniser", "kentr", ["kenter", "nltk"]))
