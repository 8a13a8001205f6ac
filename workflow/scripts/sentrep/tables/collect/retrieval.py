"""Collect the values of table 4 of Logeswaran and Lee (2018): retrieval of images and captions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from sentrep.evaluation.retrieval.ranking import ANNOTATION, MEDIAN, RECALLS, SCORE_COLUMNS, SEARCH
from sentrep.sources.published import Published, read_published
from sentrep.tables.collect import NO_INTERVAL, joined_rows, reads
from sentrep.tables.systems import Entry, names, seed_means
from sentrep.tables.values import Value, facts, with_published

ROWS = {ANNOTATION: "Image Annotation", SEARCH: "Image Search"}
_PAPER, _ITEM = "quick_thoughts", "table4"


@reads(scores=joined_rows(SCORE_COLUMNS), reported=read_published)
def retrieval_values(
    scores: pd.DataFrame, reported: Published, systems: Sequence[Entry], settings: Mapping[str, Any]
) -> list[Value]:
    """Return the values of table 4 of Logeswaran and Lee (2018).

    The metrics are recall at 1, 5 and 10 (in percent) and the median rank, for image annotation and for image search.

    Args:
        scores: retrieval scores of all models and seeds.
        reported: published values.
        systems: systems of the table, in order.
        settings: settings for training the linear maps from image features and sentence vectors to the common space.

    Raises:
        SentrepError: the scores of a seed are missing.
    """
    values, described = [], []
    for entry in systems:
        means = seed_means(scores, entry, ["direction", "metric"], "value", "retrieval scores")
        for direction, row in ROWS.items():
            for metric in (*RECALLS, MEDIAN):
                if mean := means.get((direction, metric)):
                    unit = "" if metric == MEDIAN else "percent"
                    value: dict[str, Any] = {**names(entry), **mean._asdict(), "unit": unit, "note": NO_INTERVAL}
                    values.append(Value(_PAPER, _ITEM, row, metric=metric, **value))
        dimension = scores.loc[scores["model"] == entry["id"], "dimension"]
        if len(dimension):
            fact: dict[str, Any] = {**names(entry), "metric": "dimension", "mean": float(dimension.iloc[0])}
            described.append(Value(_PAPER, _ITEM, "Dim", **fact))
    if len(scores):
        how = (
            f"The common space of images and sentences has {settings['dimension']} dimensions. Training uses "
            f'"{settings["scoring"].replace("_", " ")}" scoring, a margin of {settings["margin"]}, and '
            f"{settings['contrasts']} contrastive images and as many contrastive captions for each "
            f"{settings['drawn_for']}. Sentence vectors and image features are scaled to length one before they "
            "are mapped to the common space. The parts of a concatenated sentence vector are scaled separately."
        )
        first = scores.iloc[0]
        described += facts(_PAPER, _ITEM, folds=first["folds"], images=first["fold_images"], settings=how)
    return [*described, *with_published(values, reported, _ITEM, 4, not scores["sample"].to_numpy().any())]
