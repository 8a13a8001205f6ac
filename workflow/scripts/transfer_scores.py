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
    """Write a model's scores on all transfer tasks, and its predictions, which ensembles combine.

    Args:
        model: folder of the model.
        tasks: files of the transfer tasks.
        identity: preset, model and seed, which are repeated in every row.
        normalisation: for each protocol to use, the normalisation of sentence vectors, or None for the protocol's
            default.
        surface: whether classifiers for paraphrase tasks also use features of the words, as in Kiros et al. (2015).
        device: device to encode on.
        scores: file to write the scores to.
        predictions: file to write the predictions to.
    """
    encoder = load_encoder(model)
    encoder.use(resolve_device(device))
    measures, predicted = score_tasks(encoder, (load_task(path) for path in tasks), normalisation, identity, surface)
    write_csv(scores, measures, float_format="%.6g")
    write_predictions(predictions, predicted)
