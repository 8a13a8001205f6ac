"""Put the final scores of all models into one file."""

from typing import Any

from sentrep.evaluation.sts.scoring import SCORE_COLUMNS
from sentrep.io.csv_files import read_csv
from sentrep.runtime.job import run
from sentrep.tables.scores import collect, write_scores


def main(snakemake: Any) -> None:
    """Collect score files; `params.models` gives each one's model and seed, in order."""
    files = zip(snakemake.params.models, snakemake.input.scores, strict=True)
    parts = [(model["id"], model["seed"], read_csv(path, SCORE_COLUMNS)) for model, path in files]
    write_scores(snakemake.output.scores, collect(snakemake.params.preset, parts))


if __name__ == "__main__":
    run(main, snakemake)
