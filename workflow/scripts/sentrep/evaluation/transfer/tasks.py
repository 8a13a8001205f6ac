"""Represent, write, read and check transfer tasks, and define the columns of the score table.

A task is stored as a JSON Lines file. The first line describes the task. Each of the following lines is one item with
the keys ``split``, ``target``, ``first`` and, if the items are pairs of texts, ``second``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any, Literal

import numpy as np

from sentrep.corpora.labelled_texts import LabelledTexts, Targets
from sentrep.errors import SentrepError
from sentrep.io.json_lines import read_json_lines, write_json_lines

Measure = Literal["accuracy", "paraphrase", "relatedness"]
WHOLE = "all"
"""Name of the only split of a task that has no test split. Such a task is scored by cross-validation."""
SPLITS = ({WHOLE}, {"train", "test"}, {"train", "dev", "test"})

SCORE_COLUMNS = [
    "preset",
    "protocol",
    "task",
    "model",
    "seed",
    "metric",
    "value",  # accuracy and F1 in percent
    "fold_sd",  # standard deviation of the accuracy over test folds
    "folds",
    "items",
    "dimension",
    "normalisation",
    "scale",  # mean length of the vectors before normalisation
    "zero_vectors",
    "validation",
    "chosen",  # for each round: C, the number of epochs, or the number of models in an ensemble
    "sample",
]
SNAPSHOT_COLUMNS = [*SCORE_COLUMNS, "epochs"]
SIZE_TASKS, SIZE_PROTOCOL = ("msrp", "trec", "mr", "cr", "subj", "mpqa"), "kiros"
"""The tasks in figure 2 and table 9 of Logeswaran and Lee (2018, appendices C and D), and their evaluation protocol."""
PAPER_PROTOCOLS = ("kiros", "kim")
"""Protocols whose scores are compared with published scores.

Under the protocol "kim", the CNN of Kim (2014) is trained on each task whose items are single texts.
"""


@dataclass(frozen=True)
class Task:
    """A transfer task.

    Attributes:
        name: key of the task in the configuration.
        label: name of the task in tables.
        measure: how predictions are scored: "accuracy"; "paraphrase" (accuracy, and F1 of class 1); or "relatedness"
            (Pearson's r, Spearman's rho and the mean squared error).
        classes: names of the classes; empty if targets are scores.
        scores: lowest and highest possible scores; (0, 0) if targets are classes.
        parts: items of each split, keyed by the name of the split. A task has either the single split "all", the two
            splits "train" and "test", or the three splits "train", "dev" and "test".
        sample: whether the items are sample data instead of the real data.
        source: names of the sources of the items, separated by commas.
    """

    name: str
    label: str
    measure: Measure
    classes: tuple[str, ...]
    scores: tuple[int, int]
    parts: dict[str, LabelledTexts]
    sample: bool = False
    source: str = ""

    @property
    def pairs(self) -> bool:
        """Whether the items are pairs of texts."""
        return next(iter(self.parts.values())).second is not None


def write_task(path: str | Path, task: Task) -> None:
    """Write a task to a JSON Lines file."""
    description = {key: getattr(task, key) for key in ("name", "label", "measure", "classes", "scores", "pairs")}
    description |= {"sample": task.sample, "source": task.source}
    description["items"] = {split: len(items) for split, items in task.parts.items()}
    write_json_lines(path, chain([description], _items(task)))


def _items(task: Task) -> Iterator[dict[str, Any]]:
    for split, items in task.parts.items():
        for number, (text, target) in enumerate(zip(items.first, items.targets.tolist(), strict=True)):
            item = {"split": split, "target": target, "first": text}
            yield item if items.second is None else {**item, "second": items.second[number]}


def load_task(path: str | Path) -> Task:
    """Read a task from a file that :func:`write_task` wrote."""
    description, *lines = read_json_lines(path)
    items = {split: [item for item in lines if item["split"] == split] for split in description["items"]}
    dtype = np.int64 if description["classes"] else np.float64
    parts = {
        split: LabelledTexts(
            [item["first"] for item in rows],
            [item["second"] for item in rows] if description["pairs"] else None,
            np.array([item["target"] for item in rows], dtype=dtype),
        )
        for split, rows in items.items()
    }
    keys = ("name", "label", "measure", "sample", "source")
    classes, (low, high) = tuple(description["classes"]), description["scores"]
    return Task(**{key: description[key] for key in keys}, classes=classes, scores=(low, high), parts=parts)


def check_task(task: Task, where: str) -> None:
    """Check that a task can be evaluated.

    Raises:
        SentrepError: a split is missing, unknown or empty, or a class has no training items.
    """
    if set(task.parts) not in SPLITS:
        raise SentrepError(
            where,
            expected="the split `all`, the splits `train` and `test`, or the splits `train`, `dev` and `test`",
            found=", ".join(task.parts) or "no split",
            remedy="correct the splits under `files` in the layouts of this task",
        )
    if not task.classes and "dev" not in task.parts:
        raise SentrepError(
            where,
            expected="a dev split, which relatedness tasks need for early stopping",
            found="none",
            remedy="under `files` in the layouts of this task, give patterns for `train`, `dev` and `test`",
        )
    for split, items in task.parts.items():
        if not len(items):
            raise SentrepError(
                f"{where}, {split}",
                expected="at least one item",
                found="none",
                remedy="use complete files for this split",
            )
        if split in (WHOLE, "train"):
            check_classes(items.targets, task.classes, f"{where}, {split}")


def check_classes(targets: Targets, classes: tuple[str, ...], where: str) -> None:
    """Check that every class occurs among the targets.

    Raises:
        SentrepError: a class does not occur.
    """
    absent = [name for number, name in enumerate(classes) if not (targets == number).any()]
    if absent:
        raise SentrepError(
            where,
            expected=f"training items in each class ({', '.join(classes)})",
            found=f"none in {', '.join(absent)}",
            remedy="use the complete data set, or correct the `classes` of this task",
        )
