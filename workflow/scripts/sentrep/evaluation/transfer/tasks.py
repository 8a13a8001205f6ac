"""A transfer task as data, and how it is kept between steps.

A task is kept as JSON lines: first a description, then one object an item (split, target, first, and second in tasks
of pairs).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

from sentrep.corpora.labelled_texts import LabelledTexts, Targets
from sentrep.errors import SentrepError
from sentrep.io.files import atomic_file

Measure = Literal["accuracy", "paraphrase", "relatedness"]
WHOLE = "all"  # the split of a task that has none, which is cross-validated
SPLITS = ({WHOLE}, {"train", "test"}, {"train", "dev", "test"})


@dataclass(frozen=True)
class Task:
    """A transfer task.

    Attributes:
        name: its key in the configuration.
        label: its name in tables.
        measure: "accuracy"; "paraphrase": accuracy and F1 of the last class; "relatedness": Pearson's and Spearman's
            correlation and the squared error of scores.
        classes: names of the classes; empty for scores.
        scores: lowest and highest score; (0, 0) for classes.
        parts: items by split: "all", or "train" and "test", with or without "dev".
        sample: sample data, not the real task.
        source: where the items come from.
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
        """Whether items are pairs of texts."""
        return next(iter(self.parts.values())).second is not None


def write_task(path: str | Path, task: Task) -> None:
    """Write a task; :func:`load_task` reads it."""
    description = {
        **{"name": task.name, "label": task.label, "measure": task.measure},
        **{"classes": task.classes, "scores": task.scores},
        **{"pairs": task.pairs, "sample": task.sample, "source": task.source},
        "items": {split: len(part) for split, part in task.parts.items()},
    }
    with atomic_file(path) as temporary, temporary.open("w", encoding="ascii", newline="\n") as stream:
        stream.write(json.dumps(description) + "\n")
        for split, part in task.parts.items():
            for number, (text, target) in enumerate(zip(part.first, part.targets.tolist(), strict=True)):
                item = {"split": split, "target": target, "first": text}
                if part.second is not None:
                    item["second"] = part.second[number]
                # ASCII with escapes: U+0085 and the like would be line ends to some readers
                stream.write(json.dumps(item) + "\n")


def read_description(path: str | Path) -> dict[str, Any]:
    """Return what the first line says: name, label, measure, classes, scores, pairs, sample, source, items by split."""
    with Path(path).open(encoding="ascii", newline="\n") as stream:
        return json.loads(stream.readline())


def load_task(path: str | Path) -> Task:
    """Read what :func:`write_task` wrote."""
    with Path(path).open(encoding="ascii", newline="\n") as stream:
        description = json.loads(stream.readline())
        items: dict[str, list[dict[str, Any]]] = {split: [] for split in description["items"]}
        for line in stream:
            item = json.loads(line)
            items[item["split"]].append(item)
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
    classes, scores = tuple(description["classes"]), tuple(description["scores"])
    return Task(**{key: description[key] for key in keys}, classes=classes, scores=scores, parts=parts)


def check_task(task: Task, where: str) -> None:
    """Check that a task can be evaluated at all.

    Raises:
        SentrepError: splits are missing or not known, one is empty, or training items lack a class.
    """
    if set(task.parts) not in SPLITS:
        raise SentrepError(
            where,
            expected="the splits all, or train and test, or train, dev and test",
            found=", ".join(task.parts) or "none",
            remedy="add the missing files",
        )
    if not task.classes and "dev" not in task.parts:
        raise SentrepError(
            where, expected="a dev split, which ends the training on scores", found="none", remedy="add it"
        )
    for split, part in task.parts.items():
        if not len(part):
            raise SentrepError(
                f"{where}, {split}", expected="items", found="none", remedy="fetch the files of this split again"
            )
        if split in (WHOLE, "train"):
            check_classes(part.targets, task.classes, f"{where}, {split}")


def check_classes(targets: Targets, classes: tuple[str, ...], where: str) -> None:
    """Check that every class occurs.

    Raises:
        SentrepError: one does not.
    """
    absent = [name for number, name in enumerate(classes) if not (targets == number).any()]
    if absent:
        raise SentrepError(
            where,
            expected=f"items of the classes {', '.join(classes)}",
            found=f"none of {', '.join(absent)}",
            remedy="use all of the data, or fewer folds",
        )


def count_items(parts: Mapping[str, LabelledTexts]) -> str:
    """Return the number of items by split, for the log."""
    return ", ".join(f"{len(part):,} {split}" for split, part in parts.items())
