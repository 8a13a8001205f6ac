"""Test that every example on the pages on training and evaluation runs as shown."""

import shlex
import shutil
from pathlib import Path

import numpy as np
import pytest

from conftest import ROOT
from sentrep.cli import main
from sentrep.sources.registry import WORKFLOW
from test_docs import blocks, text_of

SENTENCES = [f"The {animal} number {i} sat on the mat." for i in range(40) for animal in ("cat", "dog", "bird")]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return a folder with the files that the pages name."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SENTREP_CACHE", str(tmp_path / "cache"))
    (tmp_path / "my.txt").write_text("\n".join(SENTENCES))
    (tmp_path / "sentences.txt").write_text("The cat sat.\nA dog barked.\n")
    (tmp_path / "my-pairs.tsv").write_text("A cat sat.\tA dog sat.\t3\nThe mat.\tA bird.\t1\nA cat.\tA cat.\t5\n")
    return tmp_path


def run_page(name: str, folder: Path) -> None:
    page = ROOT / "docs" / name
    python = [block for block in blocks(page) if "import sentrep" in block]
    commands = [line for block in blocks(page) for line in block.splitlines() if line.startswith("sentrep ")]
    assert len(commands) >= 4
    assert python
    for line in commands:
        words = shlex.split(line, comments=True)[1:]
        if "--transfer" in words:
            continue  # tests/test_evaluate_transfer.py runs these commands on data of the tasks
        if "--help" in words:
            with pytest.raises(SystemExit):
                main(words)
        else:
            assert main([word.replace("/data/mirror", str(folder / "mirror")) for word in words]) == 0, line
    for block in python:
        exec(compile(block, name, "exec"), {})


def test_train(folder):
    run_page("train.md", folder)
    assert "# (2, 300)" in text_of(ROOT / "docs" / "train.md")
    assert (folder / "exported" / "vectors.bin").exists()
    assert (folder / "other" / "modules.json").exists()


def test_evaluate(folder):
    """Use the sample pairs instead of the mirror, and the words of the text instead of the vectors."""
    sample = WORKFLOW / "sample" / "sts"
    shutil.copytree(sample, folder / "mirror" / "sts")
    words = sorted({word for path in sample.rglob("STS.input.*") for word in path.read_text().lower().split()})
    numbers = np.random.default_rng(0).normal(size=(len(words), 5))
    rows = (f"{word} {' '.join(map(str, row))}\n" for word, row in zip(words, numbers, strict=True))
    (folder / "vectors.txt").write_text("".join(rows))
    assert main(["train", "my.txt", "model/", "--dimension", "5"]) == 0
    run_page("evaluate.md", folder)
    assert (folder / "evaluation" / "tests.csv").exists()
    assert (folder / "compared" / "evaluation.json").exists()
