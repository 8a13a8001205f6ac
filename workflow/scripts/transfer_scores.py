"""Score one model on all transfer tasks."""

from typing import Any

from sentrep.encoders.registry import load_encoder
from sentrep.evaluation.transfer.predictions import write_predictions
from sentrep.evaluation.transfer.scoring import score_tasks
from sentrep.evaluation.transfer.tasks import load_task
from sentrep.io.csv_files import write_csv
from sentrep.runtime.devices import resolve_device
from sentrep.runtime.job import run


def main(snakemake: Any) -> None:
    """Write measures and, for ensembles, predictions."""
    params = snakemake.params
    encoder = load_encoder(snakemake.input.model)
    encoder.use(resolve_device(params.device))
    scores, predictions = score_tasks(
        encoder,
        (load_task(path) for path in snakemake.input.tasks),
        params.normalisation,
        params.identity,
        params.surface,
    )
    write_csv(snakemake.output.scores, scores, float_format="%.6g")
    write_predictions(snakemake.output.predictions, predictions)


if __name__ == "__main__":
    run(main, snakemake)
