"""Compare the training speed of averaging models on one core with the limits set by the memory and by the core.

A training step reads the vector of each word once to compute sentence vectors, and reads and writes the vector once
more to add gradients. Each occurrence of a word therefore counts as traffic of three times the size of a word vector.
The traffic per second is compared with the bandwidth of a plain copy of 1 GB. It can exceed this bandwidth, because the
vectors of frequent words stay in the caches. In a second measurement, training uses the same batches, but all their
words are mapped to 256 word vectors, which fit into the second-level cache. This measurement shows how fast the core
would be if it never had to wait for memory.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from typing import Any

import numpy as np
from common import Row, figure, timed
from inputs import Settings

from sentrep.families import cbos as cbos_family
from sentrep.training.averaging.cpu import CpuTrainer
from sentrep.training.averaging.objective import cbos
from sentrep.training.batches import Chunk, Sampler, TokenReader
from sentrep.training.initialisation import normal_vectors

CACHED_ROWS = 256


def copy_bandwidth(size: int = 1 << 30, turns: int = 5) -> float:
    """Copy ``size`` bytes ``turns`` times, and return the highest bandwidth in bytes read and written per second."""
    source, target = np.ones(size, np.uint8), np.zeros(size, np.uint8)
    return 2 * size / min(timed(lambda: np.copyto(target, source))[1] for _ in range(turns))


def word_bytes(chunk: Chunk, dimension: int) -> float:
    """Return the mean number of bytes of word vectors that training reads and writes for one example."""
    return 3 * 4 * dimension * float(chunk.lengths.sum()) / (chunk.lengths.shape[0] * chunk.lengths.shape[1])


def in_cache(chunk: Chunk) -> Chunk:
    """Map the words of a chunk to :data:`CACHED_ROWS` word vectors, which fit into the cache; return the new chunk."""
    return Chunk(chunk.tokens % CACHED_ROWS, chunk.starts, chunk.lengths)


def speed(chunk: Chunk, trainer: CpuTrainer, turns: int) -> float:
    """Train on a chunk ``turns`` times, and return the median speed in examples per second.

    One run for compilation and warm-up comes first and is not timed.
    """
    rates = np.full(len(chunk.starts), 0.001)
    trainer.step(chunk, rates)
    seconds = statistics.median(timed(lambda: trainer.step(chunk, rates))[1] for _ in range(turns))
    return chunk.lengths.shape[0] * chunk.lengths.shape[1] / seconds


def rows(settings: Settings) -> Iterator[Row]:
    """Yield the rows of results for ``run.py``: the bandwidth of a plain copy, and the memory traffic of training."""
    bandwidth = copy_bandwidth(settings.size(1 << 30, 1 << 24))
    yield figure("memory, 1 thread", "numpy copy, bytes read and written", "GB/s", bandwidth / 1e9)
    p = cbos_family.Parameters()
    n = settings.size(300, 10)
    kinds: dict[str, tuple[int, int, dict[str, Any], Any]] = {
        "Siamese CBOW, d=300, batch 100": (300, n, {"batch_size": 100, "negatives": 2}, None),
        f"CBOS, d={p.dimension}, batch {p.batch_size}": (
            p.dimension,
            10 * n,
            {"batch_size": p.batch_size, "negatives": p.negatives, "context": p.context},
            cbos(p.context, p.context_vector),
        ),
    }
    store = settings.store
    for name, (dimension, batches, sampling, model) in kinds.items():
        sampler = Sampler(store, seed=0, **sampling)
        chunk = TokenReader(store, 50, "clean", 32).read(
            sampler.sentences(0, 0, min(batches, sampler.batches_per_epoch))
        )
        initial = normal_vectors(store.vocabulary_size, dimension, 0.01, 0)
        trainer = CpuTrainer(initial, "sgd", 1, *([model] if model else []))
        size, work = word_bytes(chunk, dimension), f"word vectors read and written: {name}, 1 thread"
        found = speed(chunk, trainer, settings.repetitions)
        cached = speed(in_cache(chunk), trainer, settings.repetitions)
        yield figure(work, "bytes per example", "kB", size / 1e3)
        note = f"{found * size / bandwidth:.1f} times the traffic of the numpy copy"
        yield figure(work, "traffic", "GB/s", found * size / 1e9, note=note)
        note = f"the limit of the core; with the actual words, training reaches {found / cached:.0%} of this limit"
        yield figure(
            work, f"traffic with all words mapped to {CACHED_ROWS} word vectors", "GB/s", cached * size / 1e9, note=note
        )
