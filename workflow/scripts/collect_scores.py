"""Collect the final scores of all models in one file."""

from typing import Any

from sentrep.evaluation.sts.score_table import collect, write_scores
from sentrep.evaluation.sts.scoring import SCORE_COLUMNS
from sentrep.io.csv_files import read_csv


def main(score_files: list[str], models: list[dict[str, Any]], preset: str, scores: str) -> None:
    """Write the scores of all final models to one file, without the scores of snapshots saved during training.

    Args:
        score_files: CSV files of scores, one for each model and seed.
        models: for each score file, the id and the seed of its model.
        preset: name of the preset, which is repeated in every row of the output file.
        scores: file to write.
    """
    files = zip(models, score_files, strict=True)
    parts = [(model["id"], model["seed"], read_csv(path, SCORE_COLUMNS)) for model, path in files]
    write_scores(scores, collect(preset, parts))
