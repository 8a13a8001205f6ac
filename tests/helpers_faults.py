"""Commands under faults of the machine: a disk that is full, a user who may not write, a flipped bit."""

import os
import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest

from conftest import ROOT

ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT / "workflow" / "scripts")}
NAMESPACE = ["unshare", "--mount", "--map-root-user"]


@cache
def _private_mounts() -> bool:
    """Whether a process of ours may mount a file system that nobody else sees."""
    command = [*NAMESPACE, "mount", "-t", "tmpfs", "tmpfs", "/mnt"]
    return (
        shutil.which("unshare") is not None
        and subprocess.run(command, check=False, capture_output=True).returncode == 0
    )


def on_small_disk(folder: Path, size: str, *command: str, cwd: Path | None = None) -> tuple[int, str, list[str]]:
    """Run a command with a file system of its own of ``size`` mounted on ``folder``.

    Returns:
        The exit status, its output, and the files on that file system afterwards.
    """
    if not _private_mounts():
        pytest.skip("no file system can be mounted here (unshare --mount --map-root-user)")
    folder.mkdir(exist_ok=True)
    script = (
        'mount -t tmpfs -o "size=$1" tmpfs "$2" && d="$2" && shift 2 && { "$@"; status=$?; }; '
        'echo ---; find "$d" -type f -printf "%P\\n"; exit "$status"'
    )
    done = subprocess.run(
        [*NAMESPACE, "sh", "-c", script, "sh", size, str(folder), *command],
        env=ENVIRONMENT,
        cwd=cwd,
        capture_output=True,
        text=True,
        check=False,
    )
    printed, _, files = done.stdout.partition("---\n")
    return done.returncode, printed + done.stderr, files.splitlines()


def without_rights(*command: str, cwd: Path | None = None) -> tuple[int, str]:
    """Run a command to which the permissions of files apply, also if we are root; return its status and output."""
    if os.geteuid() == 0:
        if shutil.which("setpriv") is None:
            pytest.skip("root may write everywhere, and there is no setpriv to give that up")
        command = ("setpriv", "--bounding-set", "-dac_override,-dac_read_search", *command)
    done = subprocess.run(command, env=ENVIRONMENT, cwd=cwd, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def flip(path: Path, place: float, bit: int = 3) -> None:
    """Flip one bit of a file, at a place from 0 (its first byte) to 1."""
    data = bytearray(path.read_bytes())
    data[int(place * (len(data) - 1))] ^= 1 << bit
    path.write_bytes(data)
