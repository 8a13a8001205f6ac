"""Test killed worker processes, and workers whose parent process is killed."""

import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from helpers_faults import ENVIRONMENT
from sentrep.corpora.parallel import ordered_map
from sentrep.errors import SentrepError


def kill_yourself(item: int) -> int:
    if item == 5:
        os.kill(os.getpid(), signal.SIGKILL)
    return item


def terminate_yourself(item: int) -> int:
    if item == 5:
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(60)
    return item


@pytest.mark.parametrize("work", [kill_yourself, terminate_yourself])
@pytest.mark.parametrize("handler", ["default", "of commands"])
def test_a_killed_worker_is_one_line(work, handler):
    """Previously, SIGTERM raised an exception in the worker, which continued, and the run waited for it forever."""
    before = signal.getsignal(signal.SIGTERM)
    if handler == "of commands":
        signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    try:
        with pytest.raises(SentrepError, match=r"worker processes: expected .* found a process that ended"):
            list(ordered_map(work, range(100), 2))
    finally:
        signal.signal(signal.SIGTERM, before)


def test_workers_end_with_their_parent():
    code = textwrap.dedent("""
        import os, sys, time
        from sentrep.corpora.parallel import ordered_map
        def work(item):
            os.write(sys.stdout.fileno(), f"{os.getpid()}\\n".encode())  # print writes a line in two parts
            time.sleep(60)
        list(ordered_map(work, range(2), 2))
    """)
    process = subprocess.Popen([sys.executable, "-c", code], env=ENVIRONMENT, stdout=subprocess.PIPE, text=True)
    workers = [int(process.stdout.readline()) for _ in range(2)]
    process.kill()
    process.wait(timeout=60)
    deadline = time.monotonic() + 30
    while alive := [pid for pid in workers if _runs(pid)]:
        assert time.monotonic() < deadline, alive
        time.sleep(0.05)


def test_a_worker_whose_parent_is_already_gone_ends():
    """It was killed between the fork and the request to end with it."""
    code = "from sentrep.corpora.parallel import end_with; end_with(1); print('alive')"
    done = subprocess.run([sys.executable, "-c", code], env=ENVIRONMENT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "")


def _runs(pid: int) -> bool:
    """Return whether a process exists and is not a zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
