"""Natural language inference in a synthetic language: files in the format of SNLI, and word vectors."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from sentrep.encoders.base import AveragingEncoder
from sentrep.io.files import write_json

ANIMALS = ["dog", "cat", "horse", "cow", "fish", "bird"]
WORDS = [*ANIMALS, "A", "sees", "the", "no", "is", "there", "."]


def vectors_model(folder: Path, words: list[str], dimension: int = 8) -> np.ndarray:
    """Save a model of random word vectors and return the vectors."""
    vectors = np.random.default_rng(3).normal(size=(len(words), dimension)).astype(np.float32)
    folder.mkdir()
    AveragingEncoder(vectors, words, "treebank", meta={"family": "random_vectors"}).save(folder)
    return vectors


def items(n: int, seed: int) -> list[dict[str, str]]:
    """Return items whose second sentence says that the same animal, another animal or no such animal is there."""
    rng = np.random.default_rng(seed)
    rows = []
    for _ in range(n):
        seen, other = rng.choice(ANIMALS, 2, replace=False)
        kind = rng.choice(["entailment", "neutral", "contradiction"])
        about = {"entailment": f"the {seen} is", "neutral": f"the {other} is", "contradiction": f"no {seen} is"}[kind]
        rows.append({"gold_label": kind, "sentence1": f"A {seen} sees.", "sentence2": f"{about} there."})
    return rows


def write_jsonl(path: Path, rows: list[dict[str, str]]) -> None:
    """Write items in the format of SNLI, with its other fields."""
    parses = {"annotator_labels": ["neutral"], "sentence1_binary_parse": "( ( A dog ) ( sees . ) )", "pairID": "1#0r1e"}
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps({**parses, **row}) + "\n" for row in rows), encoding="utf-8")


def manifest(path: Path, *files: Path) -> Path:
    """Write the manifest of a source that consists of these files."""
    write_json(path, {"files": [{"path": str(file)} for file in files]})
    return path


def make_nli(folder: Path, n: int = 400, name: str = "snli_1.0") -> Path:
    """Write the files of all splits, with ``n`` training pairs, and return the manifest."""
    files = [folder / name / f"{name}_{split}.jsonl" for split in ("dev", "test", "train")]
    for seed, (file, size) in enumerate(zip(files, (60, 90, n), strict=True)):
        write_jsonl(file, items(size, seed))
    return manifest(folder / f"{name}.json", *files)
