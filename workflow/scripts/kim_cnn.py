"""Train and test the network of Kim (2014) on a transfer task."""

from typing import Any

import pandas as pd

from sentrep.encoders.registry import load_encoder
from sentrep.evaluation.transfer.kim_cnn import PROTOCOL, Settings, evaluate
from sentrep.evaluation.transfer.measures import score_rows
from sentrep.evaluation.transfer.score_columns import SCORE_COLUMNS
from sentrep.evaluation.transfer.tasks import load_task
from sentrep.io.csv_files import write_csv
from sentrep.runtime.devices import resolve_device
from sentrep.runtime.job import log, run


def main(snakemake: Any) -> None:
    """Write the task's measures; none if it is not one of single sentences."""
    params = snakemake.params
    words, device = load_encoder(snakemake.input.vectors[0]), resolve_device(params.device)
    task, found = load_task(snakemake.input.task), []
    if task.pairs:
        log.info("%s: a task of pairs, which the network cannot read", task.name)
    else:
        predicted = evaluate(task, words, Settings(**params.settings), params.identity["seed"], device)
        found = score_rows(task, predicted)
        log.info("%s: accuracy %.4g", task.name, found[0]["value"])
    rows = [{**params.identity, "protocol": PROTOCOL, **row} for row in found]
    write_csv(snakemake.output.scores, pd.DataFrame(rows, columns=SCORE_COLUMNS), float_format="%.6g")


if __name__ == "__main__":
    run(main, snakemake)
