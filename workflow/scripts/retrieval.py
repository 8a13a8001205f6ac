"""Score one model on image-caption retrieval."""

from typing import Any

import torch

from sentrep.encoders.registry import load_encoder
from sentrep.evaluation.retrieval.dataset import load_images
from sentrep.evaluation.retrieval.scoring import score_retrieval
from sentrep.evaluation.retrieval.settings import Settings
from sentrep.io.csv_files import write_csv
from sentrep.runtime.devices import resolve_device


def main(
    *,
    model: str,
    images: str,
    settings: dict[str, Any],
    identity: dict[str, Any],
    device: str,
    threads: int,
    scores: str,
    history: str,
) -> None:
    """Train maps from image features and sentence vectors to a common space, and test them on image-caption retrieval.

    Args:
        model: folder of the model.
        images: folder with the captions and image features, written by ``retrieval_data.py``.
        settings: fields of :class:`sentrep.evaluation.retrieval.settings.Settings`.
        identity: preset, model and seed, which are repeated in every row of the scores; the seed is also used to train
            the maps.
        device: device to encode and train on.
        threads: number of processor cores to use.
        scores: file to write the scores to.
        history: file to write the training history to.
    """
    torch.set_num_threads(threads)
    used = resolve_device(device)
    encoder = load_encoder(model)
    encoder.use(used)
    measures, progress = score_retrieval(encoder, load_images(images), Settings(**settings), identity, used)
    write_csv(scores, measures, float_format="%.6g")
    write_csv(history, progress, float_format="%.6g")
