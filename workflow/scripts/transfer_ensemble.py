"""Score an ensemble of models on all transfer tasks."""

from typing import Any

from sentrep.evaluation.transfer.predictions import read_predictions, write_predictions
from sentrep.evaluation.transfer.scoring import score_ensemble
from sentrep.evaluation.transfer.tasks import load_task
from sentrep.io.csv_files import write_csv


def main(
    *,
    members_predictions: list[str],
    tasks: list[str],
    members: list[str],
    identity: dict[str, Any],
    scores: str,
    predictions: str,
) -> None:
    """Combine the predictions of several models, and write the scores and predictions of the ensemble.

    Args:
        members_predictions: files of predictions, one for each model in the ensemble.
        tasks: files of the transfer tasks.
        members: names of the models, in the order of ``members_predictions``.
        identity: preset, model and seed, which are repeated in every row of the scores.
        scores: file to write the scores to.
        predictions: file to write the predictions to.
    """
    of_members = {name: read_predictions(path) for name, path in zip(members, members_predictions, strict=True)}
    measures, combined = score_ensemble([load_task(path) for path in tasks], of_members, identity)
    write_csv(scores, measures, float_format="%.6g")
    write_predictions(predictions, combined)
