"""Score one model on image-caption retrieval."""

from typing import Any

import torch

from sentrep.encoders.registry import load_encoder
from sentrep.evaluation.retrieval.dataset import load_images
from sentrep.evaluation.retrieval.learning import Settings
from sentrep.evaluation.retrieval.scoring import score_retrieval
from sentrep.io.csv_files import write_csv
from sentrep.runtime.devices import resolve_device
from sentrep.runtime.job import run


def main(snakemake: Any) -> None:
    """Write measures on the test images, and the history of learning the maps."""
    params = snakemake.params
    torch.set_num_threads(snakemake.threads)
    device = resolve_device(params.device)
    encoder = load_encoder(snakemake.input.model)
    encoder.use(device)
    settings = Settings(**params.settings)
    scores, history = score_retrieval(encoder, load_images(snakemake.input.images), settings, params.identity, device)
    write_csv(snakemake.output.scores, scores, float_format="%.6g")
    write_csv(snakemake.output.history, history, float_format="%.6g")


if __name__ == "__main__":
    run(main, snakemake)
