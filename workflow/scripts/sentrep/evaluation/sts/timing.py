"""How long a model takes on all pairs: the protocol of Kenter et al. (2016, Table 3), and in batches.

One processor core. Pairs are presented one by one; tokenising and looking words up count, loading the model
and reading the sets do not.
"""

from __future__ import annotations

import platform
import statistics
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pandas as pd

from sentrep.encoders.base import Encoder
from sentrep.evaluation.sts.scoring import SentencePairs, row_cosines, similarities
from sentrep.evaluation.sts.sets import StsSet


def one_by_one(encoder: Encoder, sets: Sequence[StsSet]) -> None:
    """Encode and compare every pair on its own."""
    for sts in sets:
        for pair in zip(sts.sentences1, sts.sentences2, strict=True):
            vectors = encoder.encode(pair)
            row_cosines(vectors[:1], vectors[1:])


def batched(encoder: Encoder, sets: Sequence[StsSet]) -> None:
    """Encode and compare set by set, as scoring does."""
    for sts in sets:
        similarities(encoder, SentencePairs.of(sts.sentences1, sts.sentences2))


PRESENTATIONS: dict[str, Callable[[Encoder, Sequence[StsSet]], None]] = {
    "one by one": one_by_one,
    "batched": batched,
}


def time_encoder(encoder: Encoder, sets: Sequence[StsSet], repeats: int = 3) -> pd.DataFrame:
    """Measure both presentations.

    Args:
        encoder: the model.
        sets: the pairs.
        repeats: how often each is measured; the median counts.

    Returns:
        A row per presentation: presentation, pairs, repeats, seconds (median), seconds_min, seconds_max,
        seconds_per_pair, processor.
    """
    pairs = sum(sts.pairs for sts in sets)
    rows = []
    for name, work in PRESENTATIONS.items():
        seconds = []
        for _ in range(repeats):
            start = time.perf_counter()
            work(encoder, sets)
            seconds.append(time.perf_counter() - start)
        median = statistics.median(seconds)
        rows.append((name, pairs, repeats, median, min(seconds), max(seconds), median / pairs, processor()))
    return pd.DataFrame(
        rows,
        columns=[
            "presentation",
            "pairs",
            "repeats",
            "seconds",
            "seconds_min",
            "seconds_max",
            "seconds_per_pair",
            "processor",
        ],
    )


def processor() -> str:
    """Return the processor's name, or the machine's architecture where the system does not tell."""
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return " ".join(line.partition(":")[2].split())
    except OSError:
        pass
    return platform.machine()
