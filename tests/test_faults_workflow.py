"""Test faults during a whole run: concurrent or killed runs, wrong clocks, full disks, and losses that are NaN."""

import hashlib
import os
import random
import shutil
import signal
import subprocess
import time
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from helpers_faults import on_small_disk, without_rights
from helpers_project import SNAKEMAKE, copy_project, snakemake

WORDS = ["the", "cat", "sat", "on", "a", "mat", "dog", "ran", "far", "home"]
MODEL, LONG = "results/sample/models/tfidf/seed1", "results/sample/models/siamese_cbow/seed1"
OTHER = "results/sample/models/random/seed1"
STORE = "results/sample/stores/books"


@pytest.fixture(scope="module")
def template(tmp_path_factory) -> Path:
    """Return a copy of the project with its own corpus, after a small model was trained on it."""
    folder = copy_project(tmp_path_factory.mktemp("faults") / "project")
    write_text(folder / "text.txt", 0)
    (folder / "mine.yaml").write_text(
        "corpora: {books: {source: sentences, reader: sentences, files: [text.txt]}}\n"
        "models: {siamese_cbow: {parameters: {dimension: 20, epochs: 40}}}\n"
    )
    run(folder, MODEL)
    return folder


@pytest.fixture
def project(template, tmp_path) -> Path:
    """Return a copy of the template."""
    return Path(shutil.copytree(template, tmp_path / "project"))


def write_text(path: Path, seed: int) -> None:
    """Write 2 MB, more than Snakemake compares by checksum, with a fixed modification time."""
    dice = random.Random(seed)
    path.write_text("".join(" ".join(dice.choices(WORDS, k=8)) + "\n" for _ in range(60_000)))
    os.utime(path, (1.7e9, 1.7e9))


def arguments(*targets: str) -> list[str]:
    return [*targets, "--configfile", "mine.yaml"]


def run(folder: Path, *targets: str, expect: int = 0) -> str:
    return snakemake(folder, *arguments(*targets), expect=expect)


def start(folder: Path, *targets: str) -> subprocess.Popen:
    """Start a run in a separate session, and return once its training has begun."""
    process = subprocess.Popen(
        [*SNAKEMAKE, *arguments(*targets)],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    deadline = time.monotonic() + 120
    while not list((folder / LONG).parent.glob(".seed1.part")):
        assert process.poll() is None, process.stdout.read()
        assert time.monotonic() < deadline
        time.sleep(0.02)
    return process


def dated(path: Path, days: float) -> None:
    """Set the modification time of a file or an output folder relative to the current time."""
    then = (datetime.now() + timedelta(days=days)).timestamp()
    for name in [path, *path.glob(".snakemake_timestamp")]:
        os.utime(name, (then, then))


def digest(folder: Path) -> str:
    return hashlib.sha256((folder / LONG / "embeddings.safetensors").read_bytes()).hexdigest()


@pytest.mark.slow
def test_two_runs_at_once(project):
    """The second run ends immediately and gives the reason; the first run is not affected."""
    first = start(project, LONG)
    try:
        output = run(project, LONG, expect=1)
        assert "Directory cannot be locked. Please make sure that no other Snakemake process" in output
        assert "Traceback" not in output
        assert first.wait(timeout=300) == 0, first.stdout.read()
    finally:
        first.kill()
    assert "Nothing to be done" in run(project, "--dry-run", MODEL, LONG)


@pytest.mark.slow
def test_killed_with_its_jobs_and_run_again(project):
    """After kill -9, the lock remains, its message explains how to remove it, and another run gives the same result."""
    run(project, LONG, "--force")
    expected = digest(project)
    shutil.rmtree(project / LONG)
    first = start(project, LONG)
    os.killpg(first.pid, signal.SIGKILL)
    first.communicate()
    assert not (project / LONG).exists()
    assert "can be removed with the --unlock argument" in run(project, LONG, expect=1)
    run(project, "--unlock")
    run(project, LONG)
    assert digest(project) == expected
    assert not list((project / LONG).parent.glob(".*"))


@pytest.mark.slow
def test_a_mirror_from_the_future(project):
    """A changed date of a file, even in the future, does not count as a change, but changed content does."""
    run(project, MODEL)
    for days in (+1, -400):
        dated(project / "text.txt", days)
        assert "Nothing to be done" in run(project, "--dry-run", MODEL)
    write_text(project / "text.txt", 1)
    assert "Params have changed" in run(project, "--dry-run", MODEL)


@pytest.mark.slow
def test_outputs_from_the_future(project):
    """If the clock was set back, a job refuses its input before it starts, and the message says what to do."""
    dated(project / STORE, +1)
    output = run(project, MODEL, expect=1)
    assert f"error: {STORE}: expected a modification time in the past, found {datetime.now().year}" in output
    touch = f"snakemake --touch --forceall {STORE}"
    assert f"correct the clock, then run `{touch}`" in output
    run(project, *touch.split()[1:])
    run(project, MODEL)
    assert "Nothing to be done" in run(project, "--dry-run", MODEL)


def test_a_loss_that_is_no_number(project):
    settings = "models={siamese_cbow: {parameters: {learning_rate: 1.0e+30, learning_rate_total: null}}}"
    output = run(project, LONG, "--force", "--config", settings, expect=1)
    lines = [line for line in output.splitlines() if "error: " in line]
    assert len(lines) == 2  # one line from the job, and one at the end of the run
    assert "error: siamese_cbow: expected a finite loss, found a loss of nan in batch" in lines[0]
    assert lines[0].endswith("; lower the learning rate")
    assert lines[0].split("error: ")[1] in lines[1]
    assert "Traceback" not in output
    assert not (project / LONG).exists()
    assert not list((project / LONG).parent.glob(".*.part"))


def test_results_that_cannot_be_written(project):
    folder = project / "results" / "sample" / "models"
    folder.chmod(0o555)
    try:
        status, output = without_rights(*SNAKEMAKE, *arguments(OTHER), cwd=project)
    finally:
        folder.chmod(0o755)
    assert status == 1
    assert "PermissionError: [Errno 13] Permission denied: 'results/sample/models/random'" in output
    assert "Traceback" not in output
    assert [path.name for path in folder.iterdir()] == ["tfidf"]


def test_a_full_disk(project):
    """If the disk becomes full in the third job, only the outputs of the first two are kept."""
    results = project / "results"
    command = [*SNAKEMAKE, *arguments(STORE)]
    status, output, files = on_small_disk(results, "2300k", *command, cwd=project)
    assert status == 1
    lines = [line for line in output.splitlines() if "error: " in line]
    assert len(lines) == 2  # one line from the job, and one at the end of the run
    assert lines[0].endswith(
        f"error: {STORE}: expected free disk space, found a full disk; "
        "free some disk space and run the same command again"
    )
    assert "Traceback" not in output
    assert "sample/sources/sentences.json" in files
    assert "sample/sentences/books/meta.json" in files
    assert not [name for name in files if "stores" in name and not name.startswith("sample/benchmarks")]
