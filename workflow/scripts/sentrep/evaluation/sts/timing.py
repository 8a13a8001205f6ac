"""Measure the time that a model takes to compute the similarities of sentence pairs, one by one and in batches.

The times for processing pairs one by one correspond to those in table 3 of Kenter et al. (2016). All times include
tokenising, encoding and comparing the sentences, but not loading the model or reading the sets. The workflow measures
the times on one processor core.
"""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import compress

import numpy as np
import numpy.typing as npt
import pandas as pd

from sentrep.encoders.base import Encoder
from sentrep.evaluation.sts.scoring import SentencePairs, row_cosines, similarities
from sentrep.evaluation.sts.sets import StsSet
from sentrep.runtime.machine import processor


def one_by_one(encoder: Encoder, sets: Sequence[StsSet]) -> None:
    """Encode and compare the two sentences of each pair, one pair at a time."""
    for sts in sets:
        for pair in zip(sts.sentences1, sts.sentences2, strict=True):
            vectors = encoder.encode(pair)
            row_cosines(vectors[:1], vectors[1:])


def batched(encoder: Encoder, sets: Sequence[StsSet]) -> None:
    """Encode all sentences of a set at once, and then compare the two sentences of each pair."""
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


def time_encoder(encoder: Encoder, sets: Sequence[StsSet], repeats: int = 3, limit: int | None = None) -> pd.DataFrame:
    """Measure the time that a model takes to compute the similarities of sentence pairs, one by one and in batches.

    Args:
        encoder: the model.
        sets: sets of sentence pairs.
        repeats: number of measurements for each way of presenting the pairs, one by one and in batches.
        limit: maximum number of pairs; if the sets contain more pairs, a random sample of this size is used. If None,
            all pairs are used.

    Returns:
        A table with the columns :data:`TIMING_COLUMNS`. Each measurement is the total time for all pairs. ``seconds``
        is the median of these times, and ``seconds_sd`` is their standard deviation (divisor n - 1; NaN for one
        measurement).
    """
    sets = sets if limit is None else drawn_pairs(sets, limit)
    pairs = sum(sts.pairs for sts in sets)
    # The first call takes longer, for example because functions are compiled, so it is not measured.
    encoder.encode([sets[0].sentences1[0], sets[0].sentences2[0]])
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


def drawn_pairs(sets: Sequence[StsSet], limit: int) -> list[StsSet]:
    """Reduce sets of sentence pairs to ``limit`` randomly drawn pairs in total; if there are fewer, keep all pairs.

    The drawn pairs depend only on the sets and the limit, so all models are timed with the same pairs.
    """
    sizes = [sts.pairs for sts in sets]
    kept = np.zeros(sum(sizes), dtype=bool)
    kept[np.random.default_rng(1).permutation(len(kept))[:limit]] = True
    parts = np.split(kept, np.cumsum(sizes)[:-1])
    return [_subset(sts, part) for sts, part in zip(sets, parts, strict=True) if part.any()]


def _subset(sts: StsSet, kept: npt.NDArray[np.bool_]) -> StsSet:
    first, second = (list(compress(sentences, kept)) for sentences in (sts.sentences1, sts.sentences2))
    return replace(sts, sentences1=first, sentences2=second, gold=sts.gold[kept])
