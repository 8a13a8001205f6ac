"""Train and test the network of Kim (2014) on a transfer task."""

from typing import Any

from sentrep.encoders.registry import load_encoder
from sentrep.evaluation.transfer.kim_cnn import Settings, score_task
from sentrep.evaluation.transfer.tasks import load_task
from sentrep.io.csv_files import write_csv
from sentrep.runtime.devices import resolve_device
from sentrep.runtime.job import run


def main(snakemake: Any) -> None:
    """Write the measures of the task; none if it is not one of single texts."""
    params = snakemake.params
    words, task = load_encoder(snakemake.input.vectors[0]), load_task(snakemake.input.task)
    scores = score_task(task, words, Settings(**params.settings), params.identity, resolve_device(params.device))
    write_csv(snakemake.output.scores, scores, float_format="%.6g")


if __name__ == "__main__":
    run(main, snakemake)
