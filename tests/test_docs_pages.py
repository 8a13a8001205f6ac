"""Every example of the pages on training and evaluation runs as it is printed there."""

import shlex

import pytest

from conftest import ROOT
from sentrep.cli import main
from test_docs import blocks, text_of

SENTENCES = [f"The {animal} number {i} sat on the mat." for i in range(40) for animal in ("cat", "dog", "bird")]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with the files that the pages name."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SENTREP_CACHE", str(tmp_path / "cache"))
    (tmp_path / "my.txt").write_text("\n".join(SENTENCES))
    (tmp_path / "sentences.txt").write_text("The cat sat.\nA dog barked.\n")
    return tmp_path


def run_page(name: str) -> None:
    page = ROOT / "docs" / name
    python = [block for block in blocks(page) if "import sentrep" in block]
    commands = [line for block in blocks(page) for line in block.splitlines() if line.startswith("sentrep ")]
    assert len(commands) >= 4
    assert python
    for line in commands:
        words = shlex.split(line, comments=True)[1:]
        if "--help" in words:
            with pytest.raises(SystemExit):
                main(words)
        else:
            assert main(words) == 0, line
    for block in python:
        exec(compile(block, name, "exec"), {})


def test_train(folder):
    run_page("train.md")
    assert "# (2, 300)" in text_of(ROOT / "docs" / "train.md")
    assert (folder / "exported" / "vectors.bin").exists()
    assert (folder / "other" / "modules.json").exists()
