"""Which items train, choose and test: orders and folds of the protocols."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sentrep.corpora.labelled_texts import LabelledTexts, Targets
from sentrep.errors import SentrepError
from sentrep.evaluation.transfer.tasks import Task, check_classes

Rows = npt.NDArray[np.int64]
Folds = Callable[[Rows, Targets, int], list[Rows]]


@dataclass(frozen=True)
class Round:
    """One choice of a penalty and the test that follows.

    Attributes:
        search: (training rows, validation rows) of every fold that helps to choose.
        train: rows that the final classifier is trained on.
        test: rows that it is tested on.
    """

    search: tuple[tuple[Rows, Rows], ...]
    train: Rows
    test: Rows


def blocks(rows: Rows, targets: Targets, folds: int) -> list[Rows]:
    """Cut rows into consecutive folds, as scikit-learn's KFold without shuffling."""
    return np.array_split(rows, folds)


def shuffled(part: LabelledTexts, seed: int) -> Rows:
    """Return an order drawn with numpy's old generator, whose streams are fixed for good (Kiros et al.)."""
    rows = np.arange(len(part))
    np.random.RandomState(seed).shuffle(rows)
    return rows


def by_length(part: LabelledTexts) -> Rows:
    """Return the order by number of words, then by target, as SentEval sorts (there, to pad less)."""
    second = part.second or [""] * len(part)
    keys = [
        (len(a.split()), len(b.split()), target)
        for a, b, target in zip(part.first, second, part.targets.tolist(), strict=True)
    ]
    return np.array(sorted(range(len(part)), key=keys.__getitem__), dtype=np.int64)


def nested(task: Task, targets: Targets, cut: Folds, folds: int) -> list[Round]:
    """Return the rounds of a nested cross-validation over all rows."""
    rows = np.arange(len(targets))
    rounds = []
    for test in _cut(task, rows, targets, cut, folds):
        train = np.setdiff1d(rows, test)
        rounds.append(Round(_search(task, train, targets, cut, folds), train, np.sort(test)))
    return rounds


def with_test(task: Task, targets: Targets, train: Rows, test: Rows, cut: Folds, folds: int) -> list[Round]:
    """Return the only round of a task with a test split: cross-validation within the training rows."""
    return [Round(_search(task, train, targets, cut, folds), train, test)]


def _search(task: Task, train: Rows, targets: Targets, cut: Folds, folds: int) -> tuple[tuple[Rows, Rows], ...]:
    parts = _cut(task, train, targets, cut, folds)
    search = tuple((np.setdiff1d(train, held_out), np.sort(held_out)) for held_out in parts)
    for number, (rest, _) in enumerate(search, 1):
        check_classes(targets[rest], task.classes, f"{task.label}, all folds but {number}")
    return search


def _cut(task: Task, rows: Rows, targets: Targets, cut: Folds, folds: int) -> list[Rows]:
    rarest = min(np.bincount(targets[rows], minlength=len(task.classes)))
    if len(rows) < folds or (cut is not blocks and rarest < folds):
        raise SentrepError(
            task.label,
            expected=f"at least {folds} items{'' if cut is blocks else ' of each class'} for {folds} folds",
            found=f"{len(rows) if cut is blocks else rarest}",
            remedy="use all of the data",
        )
    return cut(rows, targets, folds)


def masks(problems: Sequence[tuple[Rows, Rows]], rows: int) -> npt.NDArray[np.bool_]:
    """Return which rows train each problem, (rows, problems)."""
    mask = np.zeros((rows, len(problems)), dtype=bool)
    for number, (train, _) in enumerate(problems):
        mask[train, number] = True
    return mask
