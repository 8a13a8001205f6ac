"""Measure the time that a model takes to encode and compare all sentence pairs, one by one and in batches.

Encoding pairs one by one corresponds to table 3 of Kenter et al. (2016). The times include tokenising, encoding and
comparing the sentences, but not loading the model or reading the sets. The workflow measures the times on one
processor core.
"""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Callable, Sequence

import pandas as pd

from sentrep.encoders.base import Encoder
from sentrep.evaluation.sts.scoring import SentencePairs, row_cosines, similarities
from sentrep.evaluation.sts.sets import StsSet
from sentrep.runtime.machine import processor


def one_by_one(encoder: Encoder, sets: Sequence[StsSet]) -> None:
    """Encode and compare every pair separately."""
    for sts in sets:
        for pair in zip(sts.sentences1, sts.sentences2, strict=True):
            vectors = encoder.encode(pair)
            row_cosines(vectors[:1], vectors[1:])


def batched(encoder: Encoder, sets: Sequence[StsSet]) -> None:
    """Encode and compare all pairs of a set at once, as in scoring."""
    for sts in sets:
        similarities(encoder, SentencePairs.of(sts.sentences1, sts.sentences2))


PRESENTATIONS: dict[str, Callable[[Encoder, Sequence[StsSet]], None]] = {
    "one by one": one_by_one,
    "batched": batched,
}
TIMING_COLUMNS = [
    "presentation",
    "pairs",
    "repeats",
    "seconds",
    "seconds_min",
    "seconds_max",
    "seconds_sd",
    "seconds_per_pair",
    "processor",
]


def time_encoder(encoder: Encoder, sets: Sequence[StsSet], repeats: int = 3) -> pd.DataFrame:
    """Measure the time that a model takes to encode and compare all pairs, one by one and in batches.

    Args:
        encoder: the model.
        sets: sets of sentence pairs.
        repeats: number of measurements for each way of presenting the pairs, one by one and in batches.

    Returns:
        A table with the columns :data:`TIMING_COLUMNS`. ``seconds`` is the median of the measurements, and
        ``seconds_sd`` is their standard deviation (divisor n - 1; NaN for one measurement).
    """
    pairs = sum(sts.pairs for sts in sets)
    rows = []
    for name, work in PRESENTATIONS.items():
        seconds = []
        for _ in range(repeats):
            start = time.perf_counter()
            work(encoder, sets)
            seconds.append(time.perf_counter() - start)
        median, sd = statistics.median(seconds), statistics.stdev(seconds) if repeats > 1 else math.nan
        rows.append((name, pairs, repeats, median, min(seconds), max(seconds), sd, median / pairs, processor()))
    return pd.DataFrame(rows, columns=TIMING_COLUMNS)
