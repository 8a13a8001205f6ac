"""Choose penalties and test: all classifiers of a task at once, with :mod:`sentrep.evaluation.transfer.logistic`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from sentrep.corpora.labelled_texts import Targets
from sentrep.evaluation.transfer.folds import Round, Rows, masks
from sentrep.evaluation.transfer.logistic import Design, solve

Matrix = npt.NDArray[np.floating]
Measure = Callable[[npt.NDArray[np.int64], Targets], float]


@dataclass(frozen=True)
class Predictions:
    """What a model says about the test items of a task.

    Attributes:
        log_probabilities: (m, k) float32, a row per test item; all rounds, one after the other.
        targets: (m,) classes or scores.
        rounds: (m,) number of the round that an item was tested in.
        validation: (R,) score of the chosen penalty on validation items, per round.
        chosen: (R,) what was chosen: C, or the number of epochs for scores.
        folds: folds of a search, 0 for a dev split.
    """

    log_probabilities: Matrix
    targets: Targets
    rounds: npt.NDArray[np.int64]
    validation: Matrix
    chosen: Matrix
    folds: int


def accuracy(predicted: npt.NDArray[np.int64], targets: Targets) -> float:
    """Return the share of right predictions."""
    return float((predicted == targets).mean())


def f1(predicted: npt.NDArray[np.int64], targets: Targets) -> float:
    """Return F1 of class 1; 0 where nothing is right."""
    right = int(((predicted == 1) & (targets == 1)).sum())
    said, true = int((predicted == 1).sum()), int((targets == 1).sum())
    return 2 * right / (said + true) if right else 0.0


def classify(
    design: Design,
    targets: npt.NDArray[np.int64],
    classes: int,
    rounds: Sequence[Round],
    grid: Sequence[float],
    measure: Measure,
    decimals: int | None = None,
) -> Predictions:
    """Choose C in every round and predict its test rows.

    Several classes are told apart one against the rest, as liblinear does. The first C of the highest mean score
    over a round's validation folds is chosen.

    Args:
        design: features of n rows.
        targets: (n,) numbers of classes.
        classes: how many there are.
        rounds: what trains and tests.
        grid: values of C, ascending.
        measure: score of predictions on validation rows, 0 to 1.
        decimals: to which scores in percent are rounded before they are compared, as SentEval does.
    """
    n = design.rows.shape[0]
    labels = [1] if classes == 2 else list(range(classes))
    problems = [problem for chance in rounds for problem in chance.search]
    signs = _signs(masks(problems, n), targets, labels)
    scores = np.empty((len(grid), len(problems)))
    weights = None
    for place, penalty in enumerate(grid):
        weights = solve(design, signs, penalty, weights)
        decisions = (design.rows @ weights).reshape(n, len(problems), len(labels))
        for number, (_, validation) in enumerate(problems):
            scores[place, number] = measure(_winners(decisions[validation, number]), targets[validation])
    sizes = np.cumsum([0, *(len(chance.search) for chance in rounds)])
    means = np.stack([scores[:, a:b].mean(axis=1) for a, b in pairwise(sizes)], axis=1)
    if decimals is not None:
        means = np.round(100 * means, decimals) / 100
    best = means.argmax(axis=0)
    chosen = np.array(grid, dtype=np.float64)[best]
    final = [(chance.train, chance.test) for chance in rounds]
    signs = _signs(masks(final, n), targets, labels)
    weights = solve(design, signs, np.repeat(chosen, len(labels)))
    decisions = (design.rows @ weights).reshape(n, len(final), len(labels))
    tested = [_log_probabilities(decisions[chance.test, number]) for number, chance in enumerate(rounds)]
    return Predictions(
        log_probabilities=np.concatenate(tested).astype(np.float32),
        targets=targets[np.concatenate([chance.test for chance in rounds])],
        rounds=np.repeat(np.arange(len(rounds)), [len(chance.test) for chance in rounds]),
        validation=means.max(axis=0),
        chosen=chosen,
        folds=len(rounds[0].search) if len(rounds[0].search) > 1 else 0,
    )


def _signs(mask: npt.NDArray[np.bool_], targets: Targets, labels: Sequence[int]) -> npt.NDArray[np.int8]:
    """Return the signs of the problems: one per mask and label, those of a mask side by side."""
    own = np.where(targets[:, None] == np.array(labels), 1, -1).astype(np.int8)
    return (mask[:, :, None] * own[:, None, :]).reshape(len(targets), -1)


def _winners(decisions: Matrix) -> npt.NDArray[np.int64]:
    """Return the class of each row by its decision values, (m, 1) or (m, k)."""
    if decisions.shape[1] == 1:
        return (decisions[:, 0] > 0).astype(np.int64)
    return decisions.argmax(axis=1)


def _log_probabilities(decisions: Matrix) -> Matrix:
    """Return logarithms of probabilities, (m, k): logistic functions, normalised over classes as liblinear does."""
    values = decisions.astype(np.float64)
    own = -np.logaddexp(0, -values)
    if values.shape[1] == 1:
        return np.hstack([-np.logaddexp(0, values), own])
    return own - np.logaddexp.reduce(own, axis=1, keepdims=True)


def rows_of(rounds: Sequence[Round]) -> Rows:
    """Return the tested rows of all rounds, one after the other."""
    return np.concatenate([chance.test for chance in rounds])
