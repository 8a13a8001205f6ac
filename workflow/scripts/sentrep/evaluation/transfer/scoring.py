"""Score a model, or an ensemble of models, on transfer tasks."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from sentrep.encoders.base import Encoder
from sentrep.encoders.registry import load_encoder
from sentrep.encoders.snapshots import snapshot_folders
from sentrep.errors import SentrepError
from sentrep.evaluation.encoding import CachedEncoder
from sentrep.evaluation.transfer.predictions import Predictions, TaskKey, combine, fold_accuracies, measures
from sentrep.evaluation.transfer.protocols import evaluate, get_protocol
from sentrep.evaluation.transfer.tasks import SCORE_COLUMNS, SIZE_PROTOCOL, SIZE_TASKS, SNAPSHOT_COLUMNS, Task

log = logging.getLogger("sentrep")


def score_tasks(
    encoder: Encoder,
    tasks: Iterable[Task],
    normalisation: Mapping[str, Any],
    identity: Mapping[str, Any],
    device: str = "cpu",
) -> tuple[pd.DataFrame, dict[TaskKey, Predictions]]:
    """Score a model on transfer tasks under one or several protocols.

    Args:
        encoder: the model.
        tasks: the tasks.
        normalisation: normalisation of vectors ("unit", "none", or None for the protocol's default), keyed by protocol.
            The model is scored under each of these protocols.
        identity: preset, model and seed, which are repeated in every row of the scores.
        device: torch device on which classifiers are trained.

    Returns:
        The scores, with the columns :data:`sentrep.evaluation.transfer.tasks.SCORE_COLUMNS`, and the predictions, keyed
        by (protocol, task).

    Raises:
        SentrepError: a protocol is unknown, there are too few items for the folds, a class has no training items, a
            vector is not finite, or the predicted scores or the true scores of a relatedness task are all equal.
    """
    rows: list[dict[str, Any]] = []
    predictions: dict[TaskKey, Predictions] = {}
    for task in tasks:
        cached = CachedEncoder(encoder, (text for items in task.parts.values() for text in items.texts()))
        for name, chosen in normalisation.items():
            started = time.monotonic()
            protocol = get_protocol(name)
            used = chosen or protocol.normalisation
            predicted, encoded = evaluate(task, cached, protocol, used, device)
            predictions[name, task.name] = predicted
            vectors = {"dimension": encoder.dimension, "normalisation": used}
            vectors |= {"scale": encoded.scale, "zero_vectors": encoded.zeros}
            found = score_rows(task, name, predicted, {**identity, **vectors})
            rows += found
            shown = ", ".join(f"{row['metric']} {row['value']:.4g}" for row in found)
            log.info("%s, protocol %s: %s (%.1f s)", task.name, name, shown, time.monotonic() - started)
    return pd.DataFrame(rows, columns=SCORE_COLUMNS), predictions


def score_snapshots(
    directory: str | Path,
    tasks: Iterable[Task],
    normalisation: Mapping[str, Any],
    identity: Mapping[str, Any],
    device: str,
) -> tuple[pd.DataFrame, dict[float, dict[TaskKey, Predictions]]]:
    """Score the snapshots of a model on the tasks in figure 2 of Logeswaran and Lee (2018).

    Args:
        directory: folder of the model.
        tasks: the tasks of the run; only those in :data:`sentrep.evaluation.transfer.tasks.SIZE_TASKS` are used.
        normalisation: normalisation of vectors, keyed by protocol, as in :func:`score_tasks`; only the entry for
            :data:`sentrep.evaluation.transfer.tasks.SIZE_PROTOCOL` is used.
        identity: preset, model and seed, which are repeated in every row of the scores.
        device: torch device on which sentences are encoded and classifiers are trained.

    Returns:
        The scores, with the columns :data:`sentrep.evaluation.transfer.tasks.SNAPSHOT_COLUMNS`, and the predictions of
        each snapshot, keyed by number of epochs and then by (protocol, task). Both are empty if the model has no
        snapshots.

    Raises:
        SentrepError: a snapshot cannot be scored (see :func:`score_tasks`), or the name of a snapshot folder is not a
            number.
    """
    chosen = [task for task in tasks if task.name in SIZE_TASKS]
    used = {name: way for name, way in normalisation.items() if name == SIZE_PROTOCOL}
    frames, predictions = [pd.DataFrame(columns=SNAPSHOT_COLUMNS)], dict[float, dict[TaskKey, Predictions]]()
    for path, epochs in snapshot_folders(directory):
        encoder = load_encoder(path)
        encoder.use(device)
        scores, predictions[epochs] = score_tasks(encoder, chosen, used, identity, device)
        frames.append(scores.assign(epochs=epochs))
    return pd.concat([frame for frame in frames if len(frame)] or frames), predictions


def score_ensemble(
    tasks: Iterable[Task], members: Mapping[str, Mapping[TaskKey, Predictions]], identity: Mapping[str, Any]
) -> tuple[pd.DataFrame, dict[TaskKey, Predictions]]:
    """Score an ensemble of models on transfer tasks.

    Args:
        tasks: the tasks on which the models were scored.
        members: predictions of each model, keyed by the name of the model and then by (protocol, task).
        identity: preset, model and seed, which are repeated in every row of the scores.

    Returns:
        The scores and the predictions, as returned by :func:`score_tasks`. In the scores, columns that describe vectors
        are empty, and the column ``chosen`` contains the number of models, repeated for each round of the evaluation
        (see :class:`sentrep.evaluation.transfer.predictions.Predictions`).

    Raises:
        SentrepError: the models were not scored on the same tasks and test items under the same protocols.
    """
    rows: list[dict[str, Any]] = []
    combined: dict[TaskKey, Predictions] = {}
    protocols = dict.fromkeys(name for predictions in members.values() for name, _ in predictions)
    for task in tasks:
        for name in protocols:
            where = f"{task.label}, {name}"
            absent = [member for member, predictions in members.items() if (name, task.name) not in predictions]
            if absent:
                raise SentrepError(
                    where,
                    expected="predictions from every model in the ensemble",
                    found=f"none from {', '.join(absent)}",
                    remedy="score every model in the ensemble on this task, under this protocol",
                )
            own = {member: predictions[name, task.name] for member, predictions in members.items()}
            combined[name, task.name] = combine(own, where)
            rows += score_rows(task, name, combined[name, task.name], identity)
    return pd.DataFrame(rows, columns=SCORE_COLUMNS), combined


def score_rows(task: Task, protocol: str, predicted: Predictions, identity: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the rows of the score table for a task, one row for each metric.

    Args:
        task: the task.
        protocol: name of the protocol.
        predicted: predictions for the test items.
        identity: values that are repeated in every row, keyed by column.
    """
    shared = {
        **identity,
        "protocol": protocol,
        "task": task.name,
        "folds": predicted.folds,
        "items": len(predicted.targets),
        "validation": float(predicted.validation.mean()),
        "chosen": " ".join(f"{value:g}" for value in predicted.chosen),
        "sample": task.sample,
    }
    spread = 100 * float(np.std(fold_accuracies(predicted), ddof=1)) if len(predicted.chosen) > 1 else np.nan
    return [
        {**shared, "metric": metric, "value": value, "fold_sd": spread if metric == "accuracy" else np.nan}
        for metric, value in measures(task, predicted).items()
    ]
