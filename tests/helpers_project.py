"""Helpers that copy the project and run Snakemake in the copy as a user would."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from conftest import ROOT

SNAKEMAKE = [sys.executable, "-m", "snakemake", "--cores", "2"]


def copy_project(folder: Path) -> Path:
    """Copy the project, without results, logs and tests, to a folder that does not exist yet."""
    anywhere = shutil.ignore_patterns(".*", "__pycache__", "*.egg-info")

    def ignored(path: str, names: list[str]) -> set[str]:
        # The library also contains a folder named "results".
        at_the_top = {"results", "logs", "tests"} if Path(path) == ROOT else set()
        return anywhere(path, names) | at_the_top

    shutil.copytree(ROOT, folder, ignore=ignored)
    return folder


def copy_finished(folder: Path) -> Path:
    """Copy the project with the results of a finished run of the sample preset and Snakemake's records of the run.

    The environment variable SENTREP_FINISHED names the checkout that contains the finished run. If it is not set, the
    copy contains no results, and tests that need results must create them.
    """
    copy_project(folder)
    if finished := os.environ.get("SENTREP_FINISHED"):
        for part in ("results", ".snakemake/metadata"):
            shutil.copytree(Path(finished, part), folder / part, ignore=shutil.ignore_patterns("published"))
    return folder


def without_messages(project: Path) -> str:
    """Write a Snakefile whose rules have no messages, so that dry runs list the files of each job; return its name."""
    text = (project / "Snakefile").read_text(encoding="utf-8")
    text += "\n\nfor listed in workflow.rules:\n    listed.message = None\n"
    (project / "Listed.smk").write_text(text, encoding="utf-8")
    return "Listed.smk"


def planned_rules(output: str) -> set[str]:
    """Return the rules that a dry run would execute, read from its table of jobs."""
    return set(re.findall(r"^(\w+) +\d+$", output, re.MULTILINE)) - {"total"}


def snakemake(folder: Path, *arguments: str, expect: int = 0) -> str:
    """Run Snakemake in a folder and return its output."""
    # A whole run takes minutes, and many minutes on a busy machine.
    done = subprocess.run(
        [*SNAKEMAKE, *arguments], cwd=folder, capture_output=True, text=True, timeout=3600, check=False
    )
    output = done.stdout + done.stderr
    assert done.returncode == expect, output[-3000:]
    return output
