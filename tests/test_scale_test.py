"""Run a small version of the scale test: the synthetic text has the stated properties, and all steps succeed."""

import csv
import gzip
import subprocess
import sys
from collections import Counter

import numpy as np
import pytest

from conftest import ROOT

sys.path.append(str(ROOT / "benchmarks"))

import scale_test


def test_words_differ_and_common_ones_are_short():
    table, lengths = scale_test.word_table(20_000)
    words = [bytes(row[:length]).decode() for row, length in zip(table, lengths, strict=True)]
    assert len(set(words)) == 20_000
    assert all(word.endswith(" ") and word[:-1].isalpha() for word in words)
    assert lengths.tolist() == sorted(lengths)


def test_text_has_the_corpus_shape(tmp_path):
    path = tmp_path / "t.txt.gz"
    tokens = scale_test.write_text(path, 150_000, seed=1)  # the text is written in more than one chunk
    text = gzip.decompress(path.read_bytes()).decode()
    lines = text.split("\n")[:-1]
    assert len(lines) == 150_000
    assert all(lines)
    counts = Counter(text.split())
    assert sum(counts.values()) == tokens
    # BookCorpus has 984,846,357 tokens in 74,004,228 lines.
    assert tokens / len(lines) == pytest.approx(13.3, rel=0.02)
    assert 4.6 < len(text) / tokens < 5.1
    # p(rank) is proportional to 1 / (rank + 2.7); this is the share of the 10 most frequent of 315,643 words.
    share = sum(count for _, count in counts.most_common(10)) / tokens
    assert share == pytest.approx(np.log(12.7 / 2.7) / np.log((315_643 + 2.7) / 2.7), rel=0.02)


def test_other_files_are_not_touched(tmp_path):
    (tmp_path / "mine.txt").write_text("mine")
    command = [sys.executable, ROOT / "benchmarks" / "scale_test.py", "--folder", tmp_path]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    assert found.returncode == 1
    assert found.stderr == f"{tmp_path}: expected a new or empty folder, found files; choose another folder\n"
    assert (tmp_path / "mine.txt").read_text() == "mine"


@pytest.mark.slow
def test_goes_from_text_to_vectors(tmp_path):
    folder, output = tmp_path / "work", tmp_path / "out"
    output.mkdir()
    command = [sys.executable, ROOT / "benchmarks" / "scale_test.py", "--folder", folder, "--output", output]
    subprocess.run([*command, "--sentences", "4000", "8000"], check=True)
    with next(output.glob("*-scale-test.csv")).open(newline="") as file:
        rows = list(csv.DictReader(file))
    steps = ["writing the synthetic text", "sentences", "store", "training", "all, from text files to vectors"]
    assert [row["step"] for row in rows] == steps * 2
    assert [row["sentences"] for row in rows] == ["4000"] * 5 + ["8000"] * 5
    assert all(float(row["seconds"]) > 0 for row in rows)
    assert "<svg" in next(output.glob("*-scale-test.svg")).read_text()
    assert not folder.exists()
