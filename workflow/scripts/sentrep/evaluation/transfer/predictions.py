"""Predictions of a model for the test items of a task: their measures, their ensemble, and their file."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from sentrep.corpora.labelled_texts import Targets
from sentrep.errors import SentrepError
from sentrep.evaluation.transfer import relatedness
from sentrep.evaluation.transfer.tasks import Task
from sentrep.io.files import atomic_file

TaskKey = tuple[str, str]
"""Protocol and task."""


@dataclass(frozen=True)
class Predictions:
    """Predictions for the m test items of a task in R rounds: one per test fold, or a single one for a test split.

    Attributes:
        log_probabilities: (m, k) float32, one row per test item, round after round.
        targets: (m,) classes or scores.
        rounds: (m,) round in which an item is tested.
        validation: (R,) score of the chosen penalty on validation items.
        chosen: (R,) chosen C, or the number of epochs.
        folds: number of folds of the search; 0 for a dev split.
    """

    log_probabilities: npt.NDArray[np.floating]
    targets: Targets
    rounds: npt.NDArray[np.int64]
    validation: npt.NDArray[np.floating]
    chosen: npt.NDArray[np.floating]
    folds: int


def accuracy(predicted: npt.NDArray[np.int64], targets: Targets) -> float:
    """Return the share of correct predictions, 0 to 1."""
    return float((predicted == targets).mean())


def f1(predicted: npt.NDArray[np.int64], targets: Targets) -> float:
    """Return F1 of class 1, 0 to 1; 0 without a true positive."""
    hits = int(((predicted == 1) & (targets == 1)).sum())
    positive, true = int((predicted == 1).sum()), int((targets == 1).sum())
    return 2 * hits / (positive + true) if hits else 0.0


def fold_accuracies(predictions: Predictions) -> list[float]:
    """Return the accuracy of each round, 0 to 1."""
    winners = predictions.log_probabilities.argmax(axis=1)
    of_round = [predictions.rounds == number for number in range(len(predictions.chosen))]
    return [accuracy(winners[rows], predictions.targets[rows]) for rows in of_round]


def measures(task: Task, predictions: Predictions) -> dict[str, float]:
    """Return the task's measures: accuracy and F1 in percent; Pearson's r, Spearman's rho and mean squared error.

    The accuracy of a cross-validation is the mean over its folds.

    Raises:
        SentrepError: all predicted scores are equal, so that correlations are undefined.
    """
    if task.measure == "relatedness":
        predicted = relatedness.expected_scores(predictions.log_probabilities, task.scores[0])
        r = relatedness.pearson(predicted, predictions.targets)
        if math.isnan(r):
            raise SentrepError(
                task.label,
                expected="predicted scores that differ between pairs",
                found=f"{predicted[0]:g} for all",
                remedy="check that the model knows words of this task and has been trained",
            )
        rho = relatedness.spearman(predicted, predictions.targets)
        return {"pearson": r, "spearman": rho, "mse": float(np.mean((predicted - predictions.targets) ** 2))}
    values = {"accuracy": 100 * float(np.mean(fold_accuracies(predictions)))}
    if task.measure == "paraphrase":
        values["f1"] = 100 * f1(predictions.log_probabilities.argmax(axis=1), predictions.targets)
    return values


def combine(members: Mapping[str, Predictions], where: str) -> Predictions:
    """Return the predictions of an ensemble: weighted means of log-probabilities (Logeswaran and Lee 2018, 4.4.2).

    Each round has its own weights, from validation items within its training items, so that no test item influences
    them.

    Args:
        members: predictions of each model, for the same items in the same rounds.
        where: protocol and task, for error messages.

    Raises:
        SentrepError: there is no member, or members were tested on different items.
    """
    if not members:
        raise SentrepError(where, expected="models to combine", found="none", remedy="add models to transfer.ensemble")
    (first_name, first), *others = members.items()
    for name, member in others:
        if not (np.array_equal(first.targets, member.targets) and np.array_equal(first.rounds, member.rounds)):
            raise SentrepError(
                where,
                expected=f"the same test items for {first_name} and {name}",
                found="different ones",
                remedy="score both models again",
            )
    validation = np.stack([member.validation for member in members.values()])
    shares = ensemble_weights(validation)
    stacked = np.stack([member.log_probabilities for member in members.values()])
    return replace(
        first,
        log_probabilities=(stacked * shares[:, first.rounds, None]).sum(axis=0).astype(np.float32),
        validation=(shares * validation).sum(axis=0),
        chosen=np.full(len(first.chosen), len(members), dtype=np.float64),
    )


def ensemble_weights(validation: Sequence[np.ndarray] | np.ndarray) -> npt.NDArray[np.float64]:
    """Return each model's weight per round, (models, rounds): its share of the validation scores.

    A score below zero, which a correlation may have, counts as zero. If all are zero, the weights are equal.
    """
    scores = np.maximum(np.asarray(validation, dtype=np.float64), 0)
    totals = scores.sum(axis=0)
    return np.divide(scores, totals, out=np.full_like(scores, 1 / len(scores)), where=totals > 0)


def write_predictions(path: str | Path, predictions: Mapping[TaskKey, Predictions]) -> None:
    """Write predictions by protocol and task as one ``.npz`` file."""
    arrays = {
        f"{protocol}/{task}/{field.name}": np.asarray(getattr(predicted, field.name))
        for (protocol, task), predicted in predictions.items()
        for field in fields(Predictions)
    }
    with atomic_file(path) as temporary, temporary.open("wb") as stream:
        np.savez_compressed(stream, allow_pickle=False, **arrays)


def read_predictions(path: str | Path) -> dict[TaskKey, Predictions]:
    """Read a file written by :func:`write_predictions`.

    Raises:
        SentrepError: the file is missing or damaged.
    """
    found: dict[TaskKey, dict[str, np.ndarray]] = {}
    try:
        with np.load(path, allow_pickle=False) as arrays:
            for entry in arrays.files:
                protocol, task, field = entry.split("/")
                found.setdefault((protocol, task), {})[field] = arrays[entry]
        return {key: Predictions(**{**values, "folds": int(values["folds"])}) for key, values in found.items()}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise SentrepError(
            path, expected="predictions of a model", found=str(error), remedy="score the model again"
        ) from None
