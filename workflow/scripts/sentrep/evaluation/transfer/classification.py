"""Classify the items of a transfer task by logistic regression, with regularisation chosen on validation items."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from sentrep.corpora.labelled_texts import Targets
from sentrep.evaluation.transfer.folds import Round, Rows
from sentrep.evaluation.transfer.logistic import Design, solve
from sentrep.evaluation.transfer.predictions import Predictions

Matrix = npt.NDArray[np.floating]
Measure = Callable[[npt.NDArray[np.int64], Targets], float]


def classify(
    design: Design,
    targets: Targets,
    classes: int,
    rounds: Sequence[Round],
    grid: Sequence[float],
    measure: Measure,
    decimals: int | None = None,
) -> Predictions:
    """Choose the inverse regularisation strength C in each round, and classify the test rows by logistic regression.

    If there are more than two classes, one classifier is trained for each class, to distinguish this class from all
    other classes, as in liblinear. In each round, the C with the highest mean score over the validation folds is
    chosen. If several values of C have this score, the smallest of them is chosen.

    Args:
        design: features of n items, one row per item.
        targets: (n,) class indices.
        classes: number of classes.
        rounds: training, validation and test rows of each round.
        grid: values of C in ascending order.
        measure: function that returns a score from 0 to 1 for the predicted classes and the true classes of validation
            rows.
        decimals: number of decimals to which mean scores in percent are rounded before they are compared, as in
            SentEval; None for no rounding.
    """
    n = len(targets)
    labels = [1] if classes == 2 else list(range(classes))
    problems = [problem for fold in rounds for problem in fold.search]
    signs = _signs([train for train, _ in problems], targets, labels)
    scores = np.empty((len(grid), len(problems)))
    weights = None
    for place, c in enumerate(grid):
        weights = solve(design, signs, c, weights)
        decisions = (design.rows @ weights).reshape(n, len(problems), len(labels))
        for number, (_, validation) in enumerate(problems):
            scores[place, number] = measure(_winners(decisions[validation, number]), targets[validation])
    sizes = np.cumsum([0, *(len(fold.search) for fold in rounds)])
    means = np.stack([scores[:, a:b].mean(axis=1) for a, b in pairwise(sizes)], axis=1)
    if decimals is not None:
        means = np.round(100 * means, decimals) / 100
    chosen = np.array(grid, dtype=np.float64)[means.argmax(axis=0)]
    signs = _signs([fold.train for fold in rounds], targets, labels)
    weights = solve(design, signs, np.repeat(chosen, len(labels)))
    decisions = (design.rows @ weights).reshape(n, len(rounds), len(labels))
    tested = [_log_probabilities(decisions[fold.test, number]) for number, fold in enumerate(rounds)]
    return Predictions(
        log_probabilities=np.concatenate(tested).astype(np.float32),
        targets=targets[np.concatenate([fold.test for fold in rounds])],
        rounds=np.repeat(np.arange(len(rounds)), [len(fold.test) for fold in rounds]),
        validation=means.max(axis=0),
        chosen=chosen,
        folds=len(rounds[0].search) if len(rounds[0].search) > 1 else 0,
    )


def _signs(training: Sequence[Rows], targets: Targets, labels: Sequence[int]) -> npt.NDArray[np.int8]:
    """Return each row's class as a sign, for every training set and label, (n, training sets * labels).

    The sign is +1 for training rows with the label, -1 for other training rows, and 0 for rows outside the training
    set.
    """
    mask = np.zeros((len(targets), len(training)), dtype=bool)
    for number, rows in enumerate(training):
        mask[rows, number] = True
    own = np.where(targets[:, None] == np.array(labels), 1, -1).astype(np.int8)
    return (mask[:, :, None] * own[:, None, :]).reshape(len(targets), -1)


def _winners(decisions: Matrix) -> npt.NDArray[np.int64]:
    """Return the predicted class of each row, (m,).

    The decision values have the shape (m, 1) if there are two classes, and (m, k) if there are k > 2 classes.
    """
    if decisions.shape[1] == 1:
        return (decisions[:, 0] > 0).astype(np.int64)
    return decisions.argmax(axis=1)


def _log_probabilities(decisions: Matrix) -> Matrix:
    """Convert the decision values of m rows to the log-probabilities of the k classes, (m, k).

    Probabilities are logistic functions of the decision values, normalised over the classes as in liblinear.
    """
    values = decisions.astype(np.float64)
    own = -np.logaddexp(0, -values)
    if values.shape[1] == 1:
        return np.hstack([-np.logaddexp(0, values), own])
    return own - np.logaddexp.reduce(own, axis=1, keepdims=True)
