"""The numbers behind the figures: correlations against training progress or a swept parameter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from sentrep.evaluation.sts.sets import STANDARD

_SETS = {(standard.year, standard.dataset): place for place, standard in enumerate(STANDARD)}


def progress_curves(parts: Sequence[pd.DataFrame], preset: str) -> pd.DataFrame:
    """Return correlations per set against training progress.

    Args:
        parts: score tables of one model, one per seed, with rows of its snapshots.
        preset: name of the preset.

    Returns:
        preset, protocol, year, dataset, epochs, pearson, spearman (means over seeds), pearson_sd, seeds.
    """
    frames = [
        part[part["epochs"].notna()].assign(x=lambda frame: frame["epochs"], seed=seed)
        for seed, part in enumerate(parts)
    ]
    return _per_set(pd.concat(frames, ignore_index=True), "epochs", preset)


def parameter_curves(
    parts: Sequence[pd.DataFrame], models: Sequence[Mapping[str, Any]], parameter: str, preset: str
) -> pd.DataFrame:
    """Return correlations per set against a parameter's values.

    Args:
        parts: score tables; final models count.
        models: for each, an entry with ``values``, which holds the parameter, and ``seed``.
        parameter: its name.
        preset: name of the preset.

    Returns:
        As :func:`progress_curves`, with the parameter in the place of epochs.
    """
    frames = [
        part[part["epochs"].isna()].assign(x=model["values"][parameter], seed=model["seed"])
        for part, model in zip(parts, models, strict=True)
    ]
    return _per_set(pd.concat(frames, ignore_index=True), parameter, preset)


def _per_set(frame: pd.DataFrame, name: str, preset: str) -> pd.DataFrame:
    frame = frame[[key in _SETS for key in zip(frame["year"], frame["dataset"], strict=True)]]
    keys = ["protocol", "year", "dataset", "x"]
    grouped = frame.groupby(keys, sort=False)
    curves = grouped.agg(
        pearson=("pearson", _strict_mean),
        spearman=("spearman", _strict_mean),
        pearson_sd=("pearson", _strict_sd),
        seeds=("seed", "nunique"),
    ).reset_index()
    order = pd.DataFrame(
        {
            "protocol": curves["protocol"] != "paper",
            "set": [_SETS[key] for key in zip(curves["year"], curves["dataset"], strict=True)],
            "x": curves["x"],
        }
    )
    curves = curves.loc[order.sort_values(["protocol", "set", "x"]).index].reset_index(drop=True)
    curves.insert(0, "preset", preset)
    return curves.rename(columns={"x": name})


def corpus_size_curves(parts: Sequence[pd.DataFrame], models: Sequence[Mapping[str, Any]], preset: str) -> pd.DataFrame:
    """Return the mean correlation over the sets against the share of the corpus that was trained on.

    Only sets that every model has count; ``sets`` says how many they are.

    Args:
        parts: score tables; final models count.
        models: for each, an entry with label, seed, floor, and values: fraction (a floor may leave it out,
            and is then shown for all sizes) and, except for floors, epochs.
        preset: name of the preset.

    Returns:
        preset, protocol, label, floor, fraction, epochs, pearson (mean over sets and seeds), pearson_sd (over
        seeds), spearman, seeds, sets.
    """
    frames = []
    for part, model in zip(parts, models, strict=True):
        values = model["values"]
        floor = bool(model.get("floor", False))
        identity = {
            "label": model["label"],
            "floor": floor,
            "fraction": values.get("fraction", np.nan),
            # the untrained model is the same whatever the number of epochs
            "epochs": np.nan if floor else values.get("epochs", np.nan),
            "seed": model["seed"],
        }
        frames.append(part[part["epochs"].isna()].assign(**identity))
    frame = pd.concat(frames, ignore_index=True)
    frame = frame[[key in _SETS for key in zip(frame["year"], frame["dataset"], strict=True)]]
    same = ["protocol", "year", "dataset", "label", "floor", "fraction", "epochs", "seed"]
    frame = frame.drop_duplicates(same)  # a floor that is given for every number of epochs
    gaps = frame[frame["pearson"].isna()]
    missing = set(zip(gaps["year"], gaps["dataset"], strict=True))
    frame = frame[[key not in missing for key in zip(frame["year"], frame["dataset"], strict=True)]]
    model_keys = ["protocol", "label", "floor", "fraction", "epochs"]
    per_seed = frame.groupby([*model_keys, "seed"], sort=False, dropna=False).agg(
        pearson=("pearson", "mean"), spearman=("spearman", "mean"), sets=("pearson", "size")
    )
    curves = (
        per_seed.groupby(model_keys, sort=False, dropna=False)
        .agg(
            pearson=("pearson", "mean"),
            pearson_sd=("pearson", "std"),
            spearman=("spearman", "mean"),
            seeds=("pearson", "size"),
            sets=("sets", "first"),
        )
        .reset_index()
    )
    curves.insert(0, "preset", preset)
    return curves


def _strict_mean(values: pd.Series) -> float:
    return float(np.mean(values.to_numpy()))  # unlike pandas, NaN where one seed has none


def _strict_sd(values: pd.Series) -> float:
    return float(np.std(values.to_numpy(), ddof=1)) if len(values) > 1 else float("nan")
