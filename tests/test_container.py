"""Test the container image: it has the same name everywhere, and jobs run in a container (Apptainer is replaced)."""

import os
import re
import subprocess
import tomllib
from pathlib import Path

import pytest
import yaml

from conftest import ROOT
from helpers_project import SNAKEMAKE, copy_project
from sentrep.config.resolve import resolve

# This script logs its arguments and runs the command on this machine.
STAND_IN = """#!/bin/sh
echo "$*" >> "$APPTAINER_CALLS"
case $1 in
--version) echo apptainer version 1.3.4 ;;
pull) touch "$3" ;;
*) while [ "$1" != -c ]; do shift; done; exec bash -c "$2" ;;
esac
"""


def test_one_image_has_the_version_of_the_package():
    image = resolve({}).container
    address = image.removeprefix("docker://")
    assert image != address
    profile = yaml.safe_load((ROOT / "profiles/kubernetes/profile.yaml").read_text())
    assert profile["container-image"] == address
    makefile = (ROOT / "Makefile").read_text()
    assert re.search(r"^IMAGE \?= (\S+)$", makefile, re.MULTILINE)[1] == address
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert address.endswith(f"/sentrep:{version}")


def test_the_image_is_built_from_files_of_the_project():
    lines = re.findall(r"^COPY (.+) \S+$", (ROOT / "Containerfile").read_text(), re.MULTILINE)
    files = [name for line in lines for name in line.split()]
    assert len(files) >= 7
    assert [name for name in files if not (ROOT / name).exists()] == []
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    assert set(files) - {"."} <= set(tracked)
    # The first layer contains the files from which the environment is created.
    rule = re.search(r"^\.venv/run: (.+)$", (ROOT / "Makefile").read_text(), re.MULTILINE)[1].split()
    assert set(rule) <= set(files)


@pytest.mark.slow
@pytest.mark.parametrize("image", ["docker://registry.example.org/sentrep:0.1.0", "null"])
def test_jobs_run_in_the_image(tmp_path, image):
    project = copy_project(tmp_path / "project")
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "apptainer"
    program.write_text(STAND_IN)
    program.chmod(0o755)
    calls = tmp_path / "calls"
    calls.touch()
    path = f"{program.parent}{os.pathsep}{Path(SNAKEMAKE[0]).parent}{os.pathsep}{os.environ['PATH']}"
    target = "results/sample/sources/lee.json"
    command = [*SNAKEMAKE, target, "--software-deployment-method", "apptainer", "--config", f"container={image}"]
    environment = {**os.environ, "PATH": path, "APPTAINER_CALLS": str(calls)}
    done = subprocess.run(command, cwd=project, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, (done.stdout + done.stderr)[-3000:]
    assert (project / target).exists()
    asked = [line.split()[0] for line in calls.read_text().splitlines()]
    if image == "null":
        assert "exec" not in asked
    else:
        assert {"--version", "pull", "exec"} == set(asked)
        assert f" {image}" in calls.read_text()
