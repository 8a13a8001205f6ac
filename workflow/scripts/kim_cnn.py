"""Train and test the convolutional network of Kim (2014) on a transfer task."""

from typing import Any

from sentrep.encoders.registry import load_word_vectors
from sentrep.evaluation.transfer.kim_cnn import score_task
from sentrep.evaluation.transfer.kim_settings import Settings
from sentrep.evaluation.transfer.predictions import write_predictions
from sentrep.evaluation.transfer.tasks import load_task
from sentrep.io.csv_files import write_csv
from sentrep.runtime.devices import resolve_device


def main(
    *,
    vectors: list[str],
    item_file: str,
    settings: dict[str, Any],
    identity: dict[str, Any],
    device: str,
    scores: str,
    predictions: str,
) -> None:
    """Train and test the convolutional network of Kim (2014) on a transfer task, and write its scores and predictions.

    The network cannot process pairs of texts, so the files for a task on text pairs contain no scores or predictions.

    Args:
        vectors: list whose only entry is the folder of the model that provides the word vectors and the tokeniser.
        item_file: file of the items of the task.
        settings: fields of :class:`sentrep.evaluation.transfer.kim_settings.Settings`.
        identity: preset, model and seed, which are repeated in every row of the scores; the seed is also used to train
            the network.
        device: device to train on.
        scores: file to write the scores to.
        predictions: file to write the predictions to.
    """
    words, task = load_word_vectors(vectors[0]), load_task(item_file)
    found, predicted = score_task(task, words, Settings(**settings), identity, resolve_device(device))
    write_csv(scores, found, float_format="%.6g")
    write_predictions(predictions, predicted)
