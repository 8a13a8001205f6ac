"""Test runs with --use-conda, in environments created from envs/*.yaml by a stand-in for conda (conda_double.py)."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

import conda_double
from conftest import ROOT
from test_environments import DISTRIBUTIONS, imported, module_of, pins, rules

# For each environment, a small target and the files that it requires.
TARGETS = ["results/sample/values/siamese_cbow/neighbours.csv", "results/sample/scores/random/seed1/scores.csv"]
SMALL = ["--config", "evaluation={neighbours: {models: [random]}}", "models={random: {seeds: [1]}}"]
ENVIRONMENTS = sorted(path.stem for path in (ROOT / "envs").glob("*.yaml"))
IMPORT_NAMES = {distribution: name for name, distribution in DISTRIBUTIONS.items() if name != "triton"}

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def workplace() -> Iterator[Path]:
    """Yield a temporary folder that is deleted immediately after the tests, because environments are large."""
    with tempfile.TemporaryDirectory(prefix="sentrep-conda-") as folder:
        yield Path(folder)


@pytest.fixture(scope="module")
def index() -> None:
    """Skip tests if pip cannot find packages."""
    command = [sys.executable, "-m", "pip", "install", "--dry-run", "--no-deps", "--ignore-installed", "--quiet"]
    package = f"safetensors=={pins((ROOT / 'requirements.txt').read_text())['safetensors']}"
    tried = subprocess.run([*command, package], capture_output=True, text=True, timeout=300, check=False)
    if tried.returncode:
        pytest.skip(f"pip finds no packages: {tried.stderr.strip().splitlines()[-1]}")


class Conda:
    """A copy of the project, with the stand-in for conda first on PATH."""

    def __init__(self, folder: Path) -> None:
        self.project, self.prefix = folder / "project", folder / "environments"
        anywhere = shutil.ignore_patterns(".*", "__pycache__", "*.egg-info")
        shutil.copytree(
            ROOT,
            self.project,
            ignore=lambda path, names: (
                anywhere(path, names) | ({"results", "logs", "tests"} if Path(path) == ROOT else set())
            ),
        )
        self.activated = conda_double.install(folder / "conda")

    def run(self, *arguments: str) -> str:
        command = [sys.executable, "-m", "snakemake", "--cores", "2", *arguments]
        path = f"{self.activated.parent / 'bin'}{os.pathsep}{os.environ['PATH']}"
        done = subprocess.run(
            command, cwd=self.project, env={**os.environ, "PATH": path}, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, (done.stdout + done.stderr)[-3000:]
        return done.stdout + done.stderr

    def use(self, *arguments: str) -> str:
        return self.run("--use-conda", "--conda-frontend", "conda", "--conda-prefix", str(self.prefix), *arguments)

    def environment(self, name: str) -> Path:
        """Return the folder of the environment that was created from a file."""
        content = (ROOT / "envs" / f"{name}.yaml").read_text()
        return next(copy.with_suffix("") for copy in self.prefix.glob("*.yaml") if copy.read_text() == content)


@pytest.fixture(scope="module")
def conda(index, workplace) -> Conda:
    """Return the copy of the project after a run with --use-conda."""
    conda = Conda(workplace)
    conda.use(*TARGETS, *SMALL)
    return conda


@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_jobs_ran_inside_their_environment(conda, name):
    folder = conda.environment(name)
    activations = [line.split() for line in conda.activated.read_text().splitlines()]
    pythons = {python for activated, python in activations if Path(activated) == folder}
    assert pythons == {str(folder / "bin" / "python")}


@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_versions_are_the_pins(conda, name):
    command = [str(conda.environment(name) / "bin" / "python"), "-I", "-m", "pip", "list", "--format", "freeze"]
    listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout.lower()
    # torch calls 2.13.0 "2.13.0+cpu"; in names, "_" and "-" are equivalent.
    installed = dict(re.findall(r"^([\w.-]+)==([^\s+]+)", listed.replace("_", "-"), re.MULTILINE))
    wanted = pins((ROOT / "envs" / f"{name}.yaml").read_text().replace("_", "-"))
    assert wanted.items() <= installed.items()


@pytest.mark.parametrize(("name", "called"), rules())
def test_environment_is_complete_in_isolation(conda, name, called):
    """Import the module of a job and its later imports without the host's packages, which jobs can also see."""
    later = sorted(IMPORT_NAMES.get(package, package) for package in imported(called) - {"triton"})
    names = ", ".join([module_of(called), *later])
    code = f"import sys; sys.path.insert(0, {str(ROOT / 'workflow' / 'scripts')!r}); import {names}"
    command = [str(conda.environment(name) / "bin" / "python"), "-I", "-B", "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]


def test_switching_conda_retrains_nothing(conda):
    for dry_run in (conda.run, conda.use, conda.run):
        assert "Nothing to be done" in dry_run("--dry-run", *TARGETS, *SMALL)


def test_switching_conda_on_retrains_nothing(conda):
    """The same holds for results that were created without conda."""
    target = "results/sample/models/random/seed1"
    conda.run(target, "--forcerun", "train", *SMALL)
    assert "Nothing to be done" in conda.use("--dry-run", target, *SMALL)
