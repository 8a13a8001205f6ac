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
    """Write measures on the test images, and the training history of the maps."""
    torch.set_num_threads(threads)
    used = resolve_device(device)
    encoder = load_encoder(model)
    encoder.use(used)
    measures, progress = score_retrieval(encoder, load_images(images), Settings(**settings), identity, used)
    write_csv(scores, measures, float_format="%.6g")
    write_csv(history, progress, float_format="%.6g")
