"""What predictions are worth: a task's measures, and their rows of the long table."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from sentrep.errors import SentrepError
from sentrep.evaluation.transfer import relatedness
from sentrep.evaluation.transfer.classification import Predictions, accuracy, f1
from sentrep.evaluation.transfer.tasks import Task


def measures(task: Task, predictions: Predictions) -> dict[str, float]:
    """Return the task's measures: accuracy and F1 in percent, correlations and squared error as they are.

    The accuracy of a cross-validation is the mean over its folds.

    Raises:
        SentrepError: all predicted scores are equal, which leaves correlations undefined.
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


def fold_accuracies(predictions: Predictions) -> list[float]:
    """Return the accuracy of each round, 0 to 1."""
    winners = predictions.log_probabilities.argmax(axis=1)
    return [
        accuracy(winners[predictions.rounds == number], predictions.targets[predictions.rounds == number])
        for number in range(len(predictions.chosen))
    ]


def score_rows(task: Task, predicted: Predictions) -> list[dict[str, Any]]:
    """Return a task's measures, a row each, with what does not depend on vectors."""
    shared = {
        "folds": predicted.folds,
        "items": len(predicted.targets),
        "validation": float(predicted.validation.mean()),
        "chosen": " ".join(f"{value:g}" for value in predicted.chosen),
        "sample": task.sample,
    }
    spread = np.nan
    if len(predicted.chosen) > 1:
        spread = 100 * float(np.std(fold_accuracies(predicted), ddof=1))
    return [
        {"task": task.name, "metric": metric, "value": value, **shared}
        | {"fold_sd": spread if metric == "accuracy" else np.nan}
        for metric, value in measures(task, predicted).items()
    ]
