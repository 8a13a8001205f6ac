"""Score the ensemble of several models on all transfer tasks."""

from typing import Any

from sentrep.evaluation.transfer.predictions import read_predictions
from sentrep.evaluation.transfer.scoring import score_ensemble
from sentrep.evaluation.transfer.tasks import load_task
from sentrep.io.csv_files import write_csv
from sentrep.runtime.job import run


def main(snakemake: Any) -> None:
    """Combine the members' predictions; `params.members` names them, in the order of the input."""
    params = snakemake.params
    paths = zip(params.members, snakemake.input.predictions, strict=True)
    members = {name: read_predictions(path) for name, path in paths}
    tasks = [load_task(path) for path in snakemake.input.tasks]
    write_csv(snakemake.output.scores, score_ensemble(tasks, members, params.identity), float_format="%.6g")


if __name__ == "__main__":
    run(main, snakemake)
