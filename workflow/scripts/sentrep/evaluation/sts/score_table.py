"""Collect the scores of all models on sentence pairs in one table, ``results/scores.csv``."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pandas as pd

from sentrep.evaluation.sts.sets import STANDARD
from sentrep.io.csv_files import read_csv, write_csv

COLUMNS = [
    "preset",
    "protocol",
    "year",
    "dataset",
    "model",
    "seed",
    "pearson",
    "spearman",
    "pairs",
    "scored_pairs",
    "oov_rate",
    "all_oov_pairs",
]
_ORDER = {(standard.year, standard.dataset): row for row, standard in enumerate(STANDARD)}


def collect(preset: str, parts: Iterable[tuple[str, int, pd.DataFrame]]) -> pd.DataFrame:
    """Concatenate the score tables of all models, leaving out the rows for snapshots saved during training.

    Args:
        preset: name of the preset.
        parts: for each model and seed, a tuple of the model name, the seed and the score table.

    Returns:
        A table with the columns :data:`COLUMNS`. Models are in the order of ``parts``, and the rows of each model are
        sorted by :func:`in_paper_order`.
    """
    frames = [
        in_paper_order(scores.loc[scores["epochs"].isna()]).assign(preset=preset, model=model, seed=seed)
        for model, seed, scores in parts
    ]
    if not frames:
        return pd.DataFrame(columns=COLUMNS)
    return pd.concat(frames, ignore_index=True).reindex(columns=COLUMNS)


def in_paper_order(frame: pd.DataFrame) -> pd.DataFrame:
    """Sort rows by protocol, "paper" first, and then by set, in the order of the tables in Kenter et al. (2016).

    Within each protocol, sets that are not in these tables come last.

    Args:
        frame: a table with the columns protocol, year and dataset.
    """
    protocol = (frame["protocol"] != "paper").to_numpy()
    keys = zip(frame["year"], frame["dataset"], strict=True)
    position = np.array([_ORDER.get(key, len(_ORDER)) for key in keys], dtype=np.intp)
    return frame.iloc[np.lexsort([position, protocol])].reset_index(drop=True)


def write_scores(path: str | Path, scores: pd.DataFrame) -> None:
    """Write the table of all scores to a CSV file.

    Correlations are rounded to four decimals, and shares of unknown words to six.
    """
    text = scores.copy()
    for column, digits in (("pearson", 4), ("spearman", 4), ("oov_rate", 6)):
        text[column] = [
            "" if pd.isna(value) else f"{value:.{digits}f}" for value in scores[column].to_numpy(dtype=float)
        ]
    write_csv(path, text)


def read_scores(path: str | Path) -> pd.DataFrame:
    """Read a table of scores that :func:`write_scores` wrote."""
    return read_csv(path, COLUMNS)
