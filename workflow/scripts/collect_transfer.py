"""Collect the transfer scores of all models in one file."""

import pandas as pd

from sentrep.evaluation.transfer.tasks import SCORE_COLUMNS
from sentrep.io.csv_files import read_csv, write_csv


def main(score_files: list[str], scores: str) -> None:
    """Concatenate the files of transfer scores in the order of ``score_files``, and write the result to ``scores``."""
    frames = [read_csv(path, SCORE_COLUMNS)[SCORE_COLUMNS] for path in score_files]
    whole = pd.concat(frames, ignore_index=True) if frames else pd.DataFrame(columns=SCORE_COLUMNS)
    write_csv(scores, whole, float_format="%.6g")
