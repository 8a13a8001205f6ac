"""Test that the lock files are complete, have hashes, and agree with the other lists of packages."""

import re
import tomllib
from functools import cache
from importlib import metadata

import pytest
from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name as canonical

from conftest import ROOT
from test_environments import pins

LOCKS = {"requirements.lock": "requirements.txt", "requirements-dev.lock": "requirements-dev.txt"}
# Installed after the locked packages and without a hash, because the builds of one version are different files.
APART = {"torch"}
# Packages that only the CUDA build of torch requires.
CUDA = re.compile("triton|cuda-|nvidia-")


@cache
def locked(name: str) -> dict[str, str]:
    """Return the version of each distribution that a lock file installs into this environment."""
    found = {}
    for line in logical_lines(name):
        requirement = Requirement(line.split(" --hash")[0])
        if requirement.marker is None or requirement.marker.evaluate():
            assert canonical(requirement.name) not in found, line
            found[canonical(requirement.name)] = str(requirement.specifier).removeprefix("==")
    assert len(found) > 80
    return found


def logical_lines(name: str) -> list[str]:
    text = re.sub(r"^\s*#.*\n", "", (ROOT / name).read_text(), flags=re.MULTILINE)
    return [line for line in text.replace("\\\n", "").splitlines() if line.strip()]


def direct(name: str) -> set[str]:
    """Return the requirements in a file and in the files that it includes, as text."""
    found = set()
    for line in (ROOT / name).read_text().splitlines():
        text = line.split("#")[0].strip()
        if text.startswith("-r "):
            found |= direct(text.removeprefix("-r "))
        elif text:
            found.add(text)
    return found


def needed(requirements: set[str]) -> set[str]:
    """Return all distributions on which some requirements depend, according to the installed metadata."""
    waiting = [Requirement(text) for text in requirements]
    seen: set[tuple[str, str]] = set()
    while waiting:
        requirement = waiting.pop()
        name = canonical(requirement.name)
        for extra in {"", *requirement.extras} - {extra for known, extra in seen if known == name}:
            seen.add((name, extra))
            for text in metadata.requires(name) or []:
                child = Requirement(text)
                if not CUDA.match(child.name) and (child.marker is None or child.marker.evaluate({"extra": extra})):
                    waiting.append(child)
    return {name for name, _ in seen}


@pytest.mark.parametrize("name", LOCKS)
def test_every_package_has_a_version_and_hashes(name):
    lines = logical_lines(name)
    assert len(lines) > 80
    assert [
        line for line in lines if not re.match(r"[\w.-]+==[^\s;]+( ; [^-]+)?(\s+--hash=sha256:[0-9a-f]{64})+", line)
    ] == []


@pytest.mark.parametrize(("name", "source"), LOCKS.items())
def test_a_lock_has_what_its_requirements_pin(name, source):
    """If this fails after a change of requirements*.txt, run `make lock`."""
    pinned = {canonical(Requirement(text).name): text.split("==")[1] for text in direct(source)}
    assert len(pinned) >= 20
    assert pinned.items() - locked(name).items() == {("torch", pinned["torch"])}


@pytest.mark.parametrize(("name", "source"), LOCKS.items())
def test_a_lock_is_complete_and_has_nothing_else(name, source):
    assert set(locked(name)) == needed(direct(source)) - APART


def test_the_locks_agree():
    assert locked("requirements.lock").items() <= locked("requirements-dev.lock").items()


def test_the_environment_is_what_is_locked():
    """If this fails, run `make .venv/dev`."""
    expected = locked("requirements-dev.lock")
    assert {name: metadata.version(name) for name in expected} == expected


@pytest.mark.parametrize("python", ["3.11.9", "3.12.9", "3.13.9"])
def test_a_lock_fits_every_version_of_python(python):
    """For each version of Python, markers select one version of each package."""
    environment = {**default_environment(), "python_full_version": python, "python_version": python.rpartition(".")[0]}
    names = []
    for line in logical_lines("requirements-dev.lock"):
        requirement = Requirement(line.split(" --hash")[0])
        if requirement.marker is None or requirement.marker.evaluate(environment):
            names.append(canonical(requirement.name))
    assert len(names) == len(set(names))
    everywhere = {canonical(Requirement(text).name) for text in direct("requirements-dev.txt")} - APART
    assert everywhere <= set(names)


def test_what_torch_needs():
    """`make lock` reads the dependencies that all builds of torch share; the CUDA build has more."""
    (torch,) = tomllib.loads((ROOT / "requirements.uv.toml").read_text())["dependency-metadata"]
    assert torch["name"] == "torch"
    # uv reads these two files during every installation, and would omit the CUDA libraries.
    assert "uv" not in tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]
    assert not (ROOT / "uv.toml").exists()
    assert torch["version"] == pins((ROOT / "requirements.txt").read_text())["torch"]
    asked = {Requirement(text) for text in metadata.requires("torch") or []}
    always = {r for r in asked if not CUDA.match(r.name) and "extra" not in str(r.marker)}
    assert {Requirement(text).name for text in torch["requires-dist"]} == {r.name for r in always}
