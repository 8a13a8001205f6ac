"""The human scores of all sentence pairs as one table."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from sentrep.evaluation.sts.sets import StsSet


def gold_scores(sets: Sequence[StsSet]) -> pd.DataFrame:
    """Return year, dataset, pair (from 0 in each set) and gold, NaN for pairs without a score."""
    frames = [
        pd.DataFrame({"year": sts.year, "dataset": sts.dataset, "pair": range(sts.pairs), "gold": sts.gold})
        for sts in sets
    ]
    empty = pd.DataFrame(columns=["year", "dataset", "pair", "gold"])
    return pd.concat(frames, ignore_index=True) if frames else empty
