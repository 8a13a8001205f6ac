"""Score one model on all transfer tasks."""

from typing import Any

from sentrep.encoders.registry import load_encoder
from sentrep.evaluation.transfer.predictions import write_predictions
from sentrep.evaluation.transfer.scoring import score_tasks
from sentrep.evaluation.transfer.tasks import load_task
from sentrep.io.csv_files import write_csv
from sentrep.runtime.devices import resolve_device


def main(
    *,
    model: str,
    tasks: list[str],
    identity: dict[str, Any],
    normalisation: dict[str, Any],
    surface: bool,
    device: str,
    scores: str,
    predictions: str,
) -> None:
    """Write a model's scores on all transfer tasks, and its predictions, which ensembles combine."""
    encoder = load_encoder(model)
    encoder.use(resolve_device(device))
    measures, predicted = score_tasks(encoder, (load_task(path) for path in tasks), normalisation, identity, surface)
    write_csv(scores, measures, float_format="%.6g")
    write_predictions(predictions, predicted)
