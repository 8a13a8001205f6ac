"""Put the transfer scores of all models into one file."""

from typing import Any

import pandas as pd

from sentrep.evaluation.transfer.tasks import SCORE_COLUMNS
from sentrep.io.csv_files import read_csv, write_csv
from sentrep.runtime.job import run


def main(snakemake: Any) -> None:
    """Join the score files, in the order given."""
    frames = [read_csv(path, SCORE_COLUMNS)[SCORE_COLUMNS] for path in snakemake.input.scores]
    scores = pd.concat(frames, ignore_index=True) if frames else pd.DataFrame(columns=SCORE_COLUMNS)
    write_csv(snakemake.output.scores, scores, float_format="%.6g")


if __name__ == "__main__":
    run(main, snakemake)
