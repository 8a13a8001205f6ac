"""Score the ensemble of several models on all transfer tasks."""

from typing import Any

from sentrep.evaluation.transfer.predictions import read_predictions
from sentrep.evaluation.transfer.scoring import score_ensemble
from sentrep.evaluation.transfer.tasks import load_task
from sentrep.io.csv_files import write_csv


def main(predictions: list[str], tasks: list[str], members: list[str], identity: dict[str, Any], scores: str) -> None:
    """Combine the members' predictions; ``members`` names them, in order."""
    predicted = {name: read_predictions(path) for name, path in zip(members, predictions, strict=True)}
    write_csv(scores, score_ensemble([load_task(path) for path in tasks], predicted, identity), float_format="%.6g")
