"""Scoring one model on all transfer tasks: a long table of measures, and the predictions for ensembles."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from sentrep.encoders.base import Encoder
from sentrep.errors import SentrepError
from sentrep.evaluation.transfer.classification import Predictions
from sentrep.evaluation.transfer.ensemble import combine
from sentrep.evaluation.transfer.features import Encoded, Remembered
from sentrep.evaluation.transfer.measures import score_rows
from sentrep.evaluation.transfer.protocols import evaluate, protocol
from sentrep.evaluation.transfer.score_columns import SCORE_COLUMNS
from sentrep.evaluation.transfer.tasks import Task
from sentrep.io.files import atomic_file

log = logging.getLogger("sentrep")

_FIELDS = ("log_probabilities", "targets", "rounds", "validation", "chosen", "folds")
Key = tuple[str, str]


def score_tasks(
    encoder: Encoder,
    tasks: Iterable[Task],
    normalisation: Mapping[str, str | None],
    identity: Mapping[str, Any],
    surface: bool = False,
) -> tuple[pd.DataFrame, dict[Key, Predictions]]:
    """Score a model on tasks under the protocols.

    Args:
        encoder: the model.
        tasks: what to score.
        normalisation: protocols, and how each normalises vectors; None: in its own way.
        identity: preset, model and seed, which every row holds.
        surface: see :func:`sentrep.evaluation.transfer.protocols.evaluate`.

    Returns:
        Rows with :data:`SCORE_COLUMNS`, one per protocol, task and metric (accuracy and F1 in percent; ``fold_sd``
        is the standard deviation of the accuracy over test folds, ``scale`` the vectors' mean length before
        normalisation, ``chosen`` the C of each round or the number of epochs), and predictions by protocol and task.

    Raises:
        SentrepError: as :func:`sentrep.evaluation.transfer.protocols.evaluate`.
    """
    rows, predictions = [], {}
    for task in tasks:
        remembered = Remembered(encoder, (text for part in task.parts.values() for text in part.texts()))
        for name, own in normalisation.items():
            started = time.monotonic()
            chosen = protocol(name)
            used = own or chosen.normalisation
            predicted, encoded = evaluate(task, remembered, chosen, used, surface)
            predictions[name, task.name] = predicted
            found = score_rows(task, predicted)
            vectors = _described(encoded, encoder.dimension, used)
            rows += [{**identity, "protocol": name, **row, **vectors} for row in found]
            shown = ", ".join(f"{row['metric']} {row['value']:.4g}" for row in found)
            log.info("%s, %s: %s (%.1f s)", task.name, name, shown, time.monotonic() - started)
    return pd.DataFrame(rows, columns=SCORE_COLUMNS), predictions


def score_ensemble(
    tasks: Iterable[Task], members: Mapping[str, Mapping[Key, Predictions]], identity: Mapping[str, Any]
) -> pd.DataFrame:
    """Score the ensemble of several models.

    Args:
        tasks: what they were scored on.
        members: predictions of each model.
        identity: preset, model and seed, which every row holds.

    Returns:
        Rows as :func:`score_tasks` gives; ``dimension`` and what else belongs to vectors is empty, ``chosen`` is the
        number of models.

    Raises:
        SentrepError: models were not scored on the same tasks, protocols and items.
    """
    rows = []
    protocols = dict.fromkeys(name for predictions in members.values() for name, _ in predictions)
    for task in tasks:
        for name in protocols:
            where = f"{task.label}, {name}"
            absent = [member for member, predictions in members.items() if (name, task.name) not in predictions]
            if absent:
                raise SentrepError(
                    where,
                    expected="predictions of every member",
                    found=f"none of {', '.join(absent)}",
                    remedy="score these models again",
                )
            own = {member: predictions[name, task.name] for member, predictions in members.items()}
            rows += [{**identity, "protocol": name, **row} for row in score_rows(task, combine(own, where))]
    return pd.DataFrame(rows, columns=SCORE_COLUMNS)


def _described(encoded: Encoded, dimension: int, normalisation: str) -> dict[str, Any]:
    return {
        "dimension": dimension,
        "normalisation": normalisation,
        "scale": encoded.scale,
        "zero_vectors": encoded.zeros,
    }


def write_predictions(path: str | Path, predictions: Mapping[Key, Predictions]) -> None:
    """Write predictions as one ``.npz`` file; :func:`read_predictions` reads it."""
    arrays = {
        f"{name}/{task}/{field}": np.asarray(getattr(predicted, field))
        for (name, task), predicted in predictions.items()
        for field in _FIELDS
    }
    with atomic_file(path) as temporary, temporary.open("wb") as stream:
        np.savez_compressed(stream, **arrays)


def read_predictions(path: str | Path) -> dict[Key, Predictions]:
    """Read what :func:`write_predictions` wrote.

    Raises:
        SentrepError: the file is missing or damaged.
    """
    try:
        with np.load(path, allow_pickle=False) as arrays:
            found = {name: arrays[name] for name in arrays.files}
        keys = dict.fromkeys((name, task) for name, task, _ in (entry.split("/") for entry in found))
        return {key: _predictions(found, key) for key in keys}
    except (OSError, ValueError, KeyError) as error:
        raise SentrepError(
            path, expected="predictions of a model", found=str(error), remedy="score the model again"
        ) from None


def _predictions(arrays: Mapping[str, np.ndarray], key: Key) -> Predictions:
    fields = {field: arrays["/".join((*key, field))] for field in _FIELDS}
    return Predictions(**{**fields, "folds": int(fields["folds"])})
