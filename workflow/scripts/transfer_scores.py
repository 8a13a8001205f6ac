"""Score one model on all transfer tasks, and its snapshots on some of them."""

from typing import Any

from sentrep.encoders.registry import load_encoder
from sentrep.evaluation.transfer.predictions import write_predictions
from sentrep.evaluation.transfer.scoring import score_snapshots, score_tasks
from sentrep.evaluation.transfer.tasks import load_task
from sentrep.io.csv_files import write_csv
from sentrep.runtime.devices import resolve_device


def main(
    *,
    model: str,
    tasks: list[str],
    identity: dict[str, Any],
    normalisation: dict[str, Any],
    device: str,
    scores: str,
    predictions: str,
    snapshots: str,
) -> None:
    """Score a model on all transfer tasks, and write its scores and predictions.

    If the model has snapshots, they are scored on the tasks in figure 2 of Logeswaran and Lee (2018), and their scores
    and predictions are written as well.

    Args:
        model: folder of the model.
        tasks: files of the transfer tasks.
        identity: preset, model and seed, which are repeated in every row of the scores.
        normalisation: normalisation of sentence vectors for each protocol under which the model is scored, keyed by
            protocol. The value None denotes the protocol's default.
        device: device on which sentences are encoded and classifiers are trained.
        scores: file to write the scores of the model to.
        predictions: file to write the predictions of the model and of its snapshots to.
        snapshots: file to write the scores of the snapshots to.
    """
    encoder, used = load_encoder(model), resolve_device(device)
    encoder.use(used)
    loaded = [load_task(path) for path in tasks]
    measures, predicted = score_tasks(encoder, loaded, normalisation, identity, used)
    of_snapshots, predicted_then = score_snapshots(model, loaded, normalisation, identity, used)
    write_csv(scores, measures, float_format="%.6g")
    write_csv(snapshots, of_snapshots, float_format="%.6g")
    write_predictions(predictions, predicted, predicted_then)
