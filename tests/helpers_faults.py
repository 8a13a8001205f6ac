"""Helpers that run commands on a full disk or without write permission, and flip bits in files."""

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
    """Return whether a process can mount a file system that is visible only to itself."""
    command = [*NAMESPACE, "mount", "-t", "tmpfs", "tmpfs", "/mnt"]
    return (
        shutil.which("unshare") is not None
        and subprocess.run(command, check=False, capture_output=True).returncode == 0
    )


def on_small_disk(folder: Path, size: str, *command: str, cwd: Path | None = None) -> tuple[int, str, list[str]]:
    """Run a command with a separate file system of size ``size`` mounted on ``folder``.

    Returns:
        The exit status of the command, its output, and the files on this file system afterwards.
    """
    if not _private_mounts():
        pytest.skip("cannot mount a file system (unshare --mount --map-root-user)")
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
    """Run a command that is subject to file permissions even if tests run as root; return its status and output."""
    if os.geteuid() == 0:
        if shutil.which("setpriv") is None:
            pytest.skip("root can write everywhere, and setpriv, which removes this right, is not installed")
        command = ("setpriv", "--bounding-set", "-dac_override,-dac_read_search", *command)
    done = subprocess.run(command, env=ENVIRONMENT, cwd=cwd, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def flip(path: Path, place: float, bit: int = 3) -> None:
    """Flip one bit of a file, at a place from 0 (its first byte) to 1."""
    data = bytearray(path.read_bytes())
    data[int(place * (len(data) - 1))] ^= 1 << bit
    path.write_bytes(data)
