"""Divide the items of a transfer task into training, validation and test items, once or for each fold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from sklearn.model_selection import KFold, StratifiedKFold

from sentrep.corpora.labelled_texts import LabelledTexts, Targets
from sentrep.errors import SentrepError
from sentrep.evaluation.transfer.tasks import WHOLE, Task, check_classes

Rows = npt.NDArray[np.int64]
Splitter = KFold | StratifiedKFold


@dataclass(frozen=True)
class Round:
    """The rows (item indices) for choosing a hyper-parameter and for training and testing a classifier.

    Attributes:
        search: pairs of training rows and validation rows for choosing the hyper-parameter: one pair for each
            cross-validation fold, or a single pair if the task has a dev split.
        train: training rows of the final classifier.
        test: test rows of the final classifier.
    """

    search: tuple[tuple[Rows, Rows], ...]
    train: Rows
    test: Rows


def prepare(items: LabelledTexts, *, by_length: bool, keep_empty: bool) -> LabelledTexts:
    """Sort or shuffle the items of a split, and omit items with an empty text unless ``keep_empty`` is true.

    Args:
        items: items of one split.
        by_length: if true, sort the items by the number of words in each text and then by target, as SentEval does to
            reduce padding. Otherwise, shuffle the items with seed 1234, as Kiros et al. (2015) do. The shuffle uses
            numpy's legacy generator, whose output does not change between versions of numpy.
        keep_empty: whether to keep items whose text is empty. If the items are pairs, only the first text of each pair
            is checked.
    """
    if not keep_empty:
        items = items.take(np.array([row for row, text in enumerate(items.first) if text], dtype=np.int64))
    if not by_length:
        rows = np.arange(len(items))
        np.random.RandomState(1234).shuffle(rows)
        return items.take(rows)
    second = items.second or [""] * len(items)
    keys = [
        (len(a.split()), len(b.split()), target)
        for a, b, target in zip(items.first, second, items.targets.tolist(), strict=True)
    ]
    return items.take(np.array(sorted(range(len(items)), key=keys.__getitem__), dtype=np.int64))


def make_rounds(
    task: Task, parts: Mapping[str, LabelledTexts], splitter: Splitter, *, search: bool = True
) -> list[Round]:
    """Return the rounds of training, validation and testing in which a task is evaluated.

    A task without a test split has one round for each outer fold of a nested cross-validation. Other tasks have one
    round. If there is a dev split, the hyper-parameter is chosen on this split. Otherwise, it is chosen by
    cross-validation on the training items of each round.

    Args:
        task: the task.
        parts: items of the task by split. Rows are numbered consecutively over all splits, in the order of ``parts``.
        splitter: object that divides rows into folds.
        search: whether to create folds for choosing the hyper-parameter. If false, rounds have no validation rows
            unless there is a dev split.

    Raises:
        SentrepError: there are too few items for the folds, or a class does not occur in the training rows of a fold.
    """
    targets = np.concatenate([items.targets for items in parts.values()])
    ends = np.cumsum([len(items) for items in parts.values()])
    rows = dict(zip(parts, np.split(np.arange(ends[-1]), ends[:-1]), strict=True))
    if "dev" in rows:
        return [Round(((rows["train"], rows["dev"]),), rows["train"], rows["test"])]
    whole = rows.get(WHOLE)
    outer = [(rows["train"], rows["test"])] if whole is None else _folds(task, whole, targets, splitter)
    return [Round(_search(task, train, targets, splitter) if search else (), train, test) for train, test in outer]


def _search(task: Task, train: Rows, targets: Targets, splitter: Splitter) -> tuple[tuple[Rows, Rows], ...]:
    folds = tuple(_folds(task, train, targets, splitter))
    for number, (rest, _) in enumerate(folds, 1):
        check_classes(targets[rest], task.classes, f"{task.label}, all folds except fold {number}")
    return folds


def _folds(task: Task, rows: Rows, targets: Targets, splitter: Splitter) -> Iterator[tuple[Rows, Rows]]:
    """Yield the training rows and the held-out rows of each fold, both in ascending order."""
    folds, stratified = splitter.get_n_splits(), isinstance(splitter, StratifiedKFold)
    rarest = min(np.bincount(targets[rows], minlength=len(task.classes)))
    if len(rows) < folds or (stratified and rarest < folds):
        raise SentrepError(
            task.label,
            expected=f"at least {folds} items{' in each class' if stratified else ''} for {folds} folds",
            found=f"{rarest} in the rarest class" if stratified else f"{len(rows)}",
            remedy="use the complete data set, or add items",
        )
    for train, held_out in splitter.split(rows, targets[rows]):
        yield rows[train], rows[held_out]
