"""Score the ensemble of several models on all transfer tasks."""

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
    """Combine the members' predictions; ``members`` lists their names, in order."""
    of_members = {name: read_predictions(path) for name, path in zip(members, members_predictions, strict=True)}
    measures, combined = score_ensemble([load_task(path) for path in tasks], of_members, identity)
    write_csv(scores, measures, float_format="%.6g")
    write_predictions(predictions, combined)
