"""Test that every tutorial runs as a reader runs it, one block after another."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import ROOT
from helpers_project import copy_project

TUTORIALS = ROOT / "docs" / "tutorials"
NAMES = ("train", "evaluate", "replicate", "extend")
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def shape(line: str) -> str:
    """Return a line without its numbers, which may differ between machines, and with single spaces."""
    return " ".join(re.sub(r"[\d.]+", "0", line).split())


def run(command: list[str], folder: Path, environment: dict[str, str]) -> str:
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=3600, check=False
    )
    assert done.returncode == 0, (command, done.stdout, done.stderr[-3000:])
    return done.stdout + done.stderr


def run_tutorial(name: str, folder: Path) -> int:
    """Run the blocks of a page in a folder, and return the number of blocks.

    Blocks of YAML are appended to the file that is named in their first line. Text blocks contain the expected output
    of the block before them.
    """
    programs = folder / ".programs"
    programs.mkdir(exist_ok=True)
    for program in ("sentrep", "snakemake"):
        (programs / program).write_text(f'#!/bin/sh\nexec "{sys.executable}" -m {program} "$@"\n')
        (programs / program).chmod(0o755)
    environment = dict(os.environ)
    environment["PATH"] = f"{programs}{os.pathsep}{environment['PATH']}"
    environment["SENTREP_CACHE"] = str(folder / ".cache")
    output, blocks = "", FENCE.findall((TUTORIALS / f"{name}.md").read_text(encoding="utf-8"))
    for language, block in blocks:
        if language == "sh":
            output = run(["bash", "-e", "-c", block], folder, environment)
        elif language == "python":
            output = run([sys.executable, "-c", block], folder, environment)
            for expected in re.findall(r"print\(.*\)  # (.*)$", block, re.MULTILINE):
                assert expected in output
        elif language == "yaml":
            first, _, rest = block.partition("\n")
            with (folder / first.removeprefix("# ")).open("a", encoding="utf-8") as file:
                file.write(rest)
        else:
            assert language == "text"
            found = {shape(line) for line in output.splitlines()}
            assert {shape(line) for line in block.splitlines()} <= found, output
    return len(blocks)


def test_tutorials_are_short_and_all_are_run():
    pages = sorted(TUTORIALS.glob("*.md"))
    assert [page.stem for page in pages] == sorted(NAMES)
    for page in pages:
        assert len(page.read_text(encoding="utf-8").splitlines()) <= 80, page.name


@pytest.mark.slow
def test_train_and_evaluate(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(ROOT / "workflow" / "scripts"))
    assert run_tutorial("train", tmp_path) >= 7
    assert (tmp_path / "exported" / "vectors.bin").exists()
    assert run_tutorial("evaluate", tmp_path) >= 4
    assert (tmp_path / "evaluation" / "tests.csv").exists()


@pytest.mark.slow
def test_replicate_and_extend(tmp_path, monkeypatch):
    project = copy_project(tmp_path / "project")
    monkeypatch.setenv("PYTHONPATH", str(project / "workflow" / "scripts"))
    shutil.copytree(ROOT / "results" / "published" / "novels", project / "results" / "published" / "novels")
    assert run_tutorial("replicate", project) >= 4
    models = project / "results" / "sample" / "models"
    before = {path: path.stat().st_mtime_ns for path in models.rglob("embeddings.safetensors")}
    assert before
    lines = [f"The {animal} number {i} sat on the mat." for i in range(40) for animal in ("cat", "dog", "bird")]
    (project / "my.txt").write_text("\n".join(lines), encoding="utf-8")
    assert run_tutorial("extend", project) >= 4
    assert "CBOS, my text" in (project / "results" / "table1.md").read_text(encoding="utf-8")
    assert before == {path: path.stat().st_mtime_ns for path in before}
    (judged,) = re.findall(r"^claim,cbos,.*cbos_above_skip_gram,.*$", (project / "judged/claims.csv").read_text(), re.M)
    assert any(f",{verdict}," in judged for verdict in ("holds", "does not hold", "undecided"))
