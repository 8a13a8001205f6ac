"""The long table of scores, ``results/scores.csv``, and looking values up in it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from sentrep.errors import SentrepError
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
    """Join the score tables of all models, final models only.

    Args:
        preset: name of the preset.
        parts: (model, seed, its score table) of each.

    Returns:
        The columns of :data:`COLUMNS`: models in the order given, each in the paper's order of sets.
    """
    frames = [
        in_paper_order(scores[scores["epochs"].isna()]).assign(preset=preset, model=model, seed=seed)
        for model, seed, scores in parts
    ]
    if not frames:
        return pd.DataFrame(columns=COLUMNS)
    return pd.concat(frames, ignore_index=True)[COLUMNS]


def in_paper_order(frame: pd.DataFrame) -> pd.DataFrame:
    """Sort rows with columns protocol, year and dataset: "paper" first, then the paper's order of sets."""
    protocol = (frame["protocol"] != "paper").to_numpy()
    keys = zip(frame["year"], frame["dataset"], strict=True)
    position = np.array([_ORDER.get(key, len(_ORDER)) for key in keys], dtype=np.intp)
    return frame.iloc[np.lexsort([position, protocol])].reset_index(drop=True)


def write_scores(path: str | Path, scores: pd.DataFrame) -> None:
    """Write the long table; correlations with four digits."""
    text = scores.copy()
    for column, digits in (("pearson", 4), ("spearman", 4), ("oov_rate", 6)):
        text[column] = [
            "" if pd.isna(value) else f"{value:.{digits}f}" for value in scores[column].to_numpy(dtype=float)
        ]
    write_csv(path, text)


def read_scores(path: str | Path) -> pd.DataFrame:
    """Read the long table."""
    return read_csv(path, COLUMNS)


class Score(NamedTuple):
    """A model's correlations on one set, averaged over its seeds.

    Attributes:
        pearson: mean over seeds; NaN for a missing set.
        spearman: mean over seeds.
        sd: standard deviation of Pearson's correlation over seeds (n - 1); NaN for one seed.
    """

    pearson: float
    spearman: float
    sd: float


def seed_means(
    scores: pd.DataFrame, model: Mapping[str, Any], where: str = "scores.csv"
) -> dict[tuple[str, int, str], Score]:
    """Return one model's scores by (protocol, year, dataset).

    Args:
        scores: the long table.
        model: an entry with ``id`` and ``seeds``.
        where: name of the table, for errors.

    Raises:
        SentrepError: a seed is not in the table; a mean of fewer seeds would be another number.
    """
    rows = scores[(scores["model"] == model["id"]) & scores["seed"].isin(model["seeds"])]
    absent = set(model["seeds"]) - set(rows["seed"])
    if absent:
        raise SentrepError(
            where,
            expected=f"scores of {model['id']} for seeds {', '.join(map(str, model['seeds']))}",
            found=f"none for {', '.join(map(str, sorted(absent)))}",
            remedy="score that model and collect the scores again",
        )
    means = {}
    for key, group in rows.groupby(["protocol", "year", "dataset"], sort=False):
        values = group["pearson"].to_numpy()
        if len(values) != len(model["seeds"]):
            raise SentrepError(
                where,
                expected=f"one row per seed of {model['id']} for {key}",
                found=f"{len(values)} rows for {len(model['seeds'])} seeds",
                remedy="score that model and collect the scores again",
            )
        sd = float(np.std(values, ddof=1)) if len(values) > 1 else float("nan")
        means[key] = Score(float(np.mean(values)), float(np.mean(group["spearman"])), sd)
    return means
