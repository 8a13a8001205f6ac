"""Score, combine, write and read the predictions of models for the test items of transfer tasks."""

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
from sentrep.io.files import ARRAY_ERRORS, atomic_file

TaskKey = tuple[str, str]
"""The name of a protocol and the name of a task."""


@dataclass(frozen=True)
class Predictions:
    """The predictions for the m test items of a task, which is evaluated in R rounds.

    There is one round for each test fold, or a single round if the task has a test split.

    Attributes:
        log_probabilities: (m, k) float32 log-probability of each of the k classes (in relatedness tasks, of each of the
            k integer scores) for each test item; the items are ordered by round.
        targets: (m,) true class indices or scores.
        rounds: (m,) number of the round in which each item is tested.
        validation: (R,) validation score of the chosen hyper-parameter in each round; for an ensemble, the weighted
            mean of its members' validation scores.
        chosen: (R,) hyper-parameter chosen in each round (C or the number of epochs); for an ensemble, the number of
            its members.
        folds: number of cross-validation folds that were used to choose the hyper-parameter or, for the CNN of Kim
            (2014), to test the network; 0 if there was no such cross-validation.
    """

    log_probabilities: npt.NDArray[np.floating]
    targets: Targets
    rounds: npt.NDArray[np.int64]
    validation: npt.NDArray[np.floating]
    chosen: npt.NDArray[np.floating]
    folds: int


def accuracy(predicted: npt.NDArray[np.int64], targets: Targets) -> float:
    """Return the share of correct predictions, from 0 to 1."""
    return float((predicted == targets).mean())


def f1(predicted: npt.NDArray[np.int64], targets: Targets) -> float:
    """Return the F1 score of class 1, from 0 to 1; it is 0 if there are no true positives."""
    hits = int(((predicted == 1) & (targets == 1)).sum())
    positive, true = int((predicted == 1).sum()), int((targets == 1).sum())
    return 2 * hits / (positive + true) if hits else 0.0


def fold_accuracies(predictions: Predictions) -> list[float]:
    """Return the accuracy, from 0 to 1, on the test items of each round."""
    winners = predictions.log_probabilities.argmax(axis=1)
    of_round = [predictions.rounds == number for number in range(len(predictions.chosen))]
    return [accuracy(winners[rows], predictions.targets[rows]) for rows in of_round]


def measures(task: Task, predictions: Predictions) -> dict[str, float]:
    """Return the scores of the predictions for a task, keyed by metric.

    The metrics of a relatedness task are Pearson's r, Spearman's rho and the mean squared error. The metrics of other
    tasks are the accuracy and, in paraphrase tasks, F1, both in percent. If a task is scored by cross-validation, the
    accuracy is the mean of the accuracies on the test folds.

    Raises:
        SentrepError: in a relatedness task, the predicted scores or the true scores are all equal, so the correlations
            are undefined.
    """
    if task.measure == "relatedness":
        predicted = relatedness.expected_scores(predictions.log_probabilities, task.scores[0])
        r = relatedness.pearson(predicted, predictions.targets)
        if math.isnan(r):
            if np.ptp(predictions.targets) == 0:
                raise SentrepError(
                    task.label,
                    expected="relatedness scores that differ between pairs",
                    found=f"{predictions.targets[0]:g} for all pairs of the test split",
                    remedy="correct the file of the test split, or use an undamaged copy of it",
                )
            raise SentrepError(
                task.label,
                expected="predicted scores that differ between pairs",
                found=f"{predicted[0]:g} for all pairs",
                remedy="check that the model has been trained and that its vocabulary contains words from this task",
            )
        rho = relatedness.spearman(predicted, predictions.targets)
        return {"pearson": r, "spearman": rho, "mse": float(np.mean((predicted - predictions.targets) ** 2))}
    values = {"accuracy": 100 * float(np.mean(fold_accuracies(predictions)))}
    if task.measure == "paraphrase":
        values["f1"] = 100 * f1(predictions.log_probabilities.argmax(axis=1), predictions.targets)
    return values


def combine(members: Mapping[str, Predictions], where: str) -> Predictions:
    """Return the predictions of an ensemble: weighted means of the log-probabilities that its members predict.

    The method follows section 4.4.2 of Logeswaran and Lee (2018). The weights are computed separately for each round,
    from the members' validation scores; see :func:`ensemble_weights`.

    Args:
        members: predictions of each model, for the same items in the same rounds.
        where: task and protocol, for error messages.

    Raises:
        SentrepError: there are no models, or they were tested on different items.
    """
    if not members:
        raise SentrepError(
            where, expected="models to combine", found="none", remedy="add models to `transfer.ensemble`"
        )
    (first_name, first), *others = members.items()
    for name, member in others:
        if not (np.array_equal(first.targets, member.targets) and np.array_equal(first.rounds, member.rounds)):
            raise SentrepError(
                where,
                expected=f"the same test items for {first_name} and {name}",
                found="different test items",
                remedy="score both models again, on the same test items",
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
    """Return the weight of each model in an ensemble for each round, (models, rounds).

    In each round, the weight of a model is its validation score divided by the sum of the validation scores of all
    models. A negative score, which is possible if the score is a correlation, counts as zero. If no model has a
    positive score, the weights are equal.

    Args:
        validation: (models, rounds) scores on validation items.
    """
    scores = np.maximum(np.asarray(validation, dtype=np.float64), 0)
    totals = scores.sum(axis=0)
    return np.divide(scores, totals, out=np.full_like(scores, 1 / len(scores)), where=totals > 0)


def write_predictions(
    path: str | Path,
    predictions: Mapping[TaskKey, Predictions],
    snapshots: Mapping[float, Mapping[TaskKey, Predictions]] | None = None,
) -> None:
    """Write the predictions of a model and, optionally, of its snapshots to a ``.npz`` file.

    Args:
        path: file to write.
        predictions: predictions of the model, keyed by (protocol, task).
        snapshots: predictions of each snapshot, keyed by number of epochs and then by (protocol, task).
    """
    arrays = {
        f"{protocol}/{task}/{field.name}{suffix}": np.asarray(getattr(predicted, field.name))
        for suffix, group in [("", predictions), *((f"/{epochs:g}", p) for epochs, p in (snapshots or {}).items())]
        for (protocol, task), predicted in group.items()
        for field in fields(Predictions)
    }
    with atomic_file(path) as temporary, temporary.open("wb") as stream:
        np.savez_compressed(stream, allow_pickle=False, **arrays)


def read_predictions(path: str | Path) -> dict[TaskKey, Predictions]:
    """Read the predictions of a model from a file that :func:`write_predictions` wrote.

    Returns:
        The predictions, keyed by (protocol, task).

    Raises:
        SentrepError: the file is missing or damaged.
    """
    return _read(path, snapshots=False).get("", {})


def read_snapshot_predictions(path: str | Path) -> dict[float, dict[TaskKey, Predictions]]:
    """Read the predictions of a model's snapshots from a file that :func:`write_predictions` wrote.

    Returns:
        The predictions of each snapshot, keyed by number of epochs and then by (protocol, task).

    Raises:
        SentrepError: the file is missing or damaged.
    """
    return {float(epochs): found for epochs, found in _read(path, snapshots=True).items()}


def _read(path: str | Path, *, snapshots: bool) -> dict[str, dict[TaskKey, Predictions]]:
    """Read the predictions of a model or, if ``snapshots`` is true, of its snapshots.

    The result is keyed by the number of epochs (as text; "" for the model itself) and then by (protocol, task).
    """
    found: dict[tuple[str, TaskKey], dict[str, np.ndarray]] = {}
    try:
        with np.load(path, allow_pickle=False) as arrays:
            for entry in arrays.files:
                protocol, task, field, *epochs = entry.split("/")
                if bool(epochs) == snapshots:
                    found.setdefault(("".join(epochs), (protocol, task)), {})[field] = arrays[entry]
        read: dict[str, dict[TaskKey, Predictions]] = {}
        for (epochs, key), values in found.items():
            read.setdefault(epochs, {})[key] = Predictions(**{**values, "folds": int(values["folds"])})
        return read
    except ARRAY_ERRORS as error:
        raise SentrepError(
            path,
            expected="a file of a model's predictions",
            found=f"a missing or damaged file ({type(error).__name__}: {error})",
            remedy="delete the file and run `snakemake` again",
        ) from None
