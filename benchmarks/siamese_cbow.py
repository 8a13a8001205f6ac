"""Speed of training Siamese CBOW on the CPU, against torch on the same batches, in the same run.

    python benchmarks/siamese_cbow.py [--text FILE | --store DIR] [--threads 1 2] [--repetitions 5]

Without a corpus one is drawn: word frequencies after Zipf's law, log-normal sentence lengths. With ``--text``, each
line is a sentence, lower-cased and cut at white space; with ``--store``, the corpus is a token store of the pipeline.
All contestants train on the same examples, already drawn and, for torch, already gathered into index tensors outside
the measured time; "with sampling" adds what drawing the examples, looking them up and, for torch, making its index
tensors costs: the whole of training. Each is compared with torch's sparse gradients of the same kind. Contestants take
turns, so that a busy machine is busy for all of them.
"""

from __future__ import annotations

import argparse
import collections
import csv
import os
import platform
import re
import statistics
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import numpy as np
import torch

sys.path.insert(0, str(Path(__file__).parents[1] / "workflow" / "scripts"))

from sentrep.families.random_vectors import initial_embeddings
from sentrep.store import TokenStore, id_type
from sentrep.training.averaging_torch import softmax_cosine
from sentrep.training.batches import Chunk, Sampler, TokenReader
from sentrep.training.numba_trainer import NumbaTrainer

RATE = 0.01
SAMPLED = ", with sampling"


def zipf_corpus(n_sentences: int, vocabulary_size: int) -> list[np.ndarray]:
    """Draw sentences of ids: p(rank) falls as 1 / (rank + 2.7), median length 11."""
    rng = np.random.default_rng(0)
    cumulative = np.cumsum(1 / (np.arange(vocabulary_size) + 2.7))
    lengths = np.maximum(1, rng.lognormal(np.log(11), 0.75, n_sentences).astype(int))
    ids = np.searchsorted(cumulative / cumulative[-1], rng.random(lengths.sum()))
    return np.split(ids, np.cumsum(lengths)[:-1])


def read_corpus(path: Path) -> tuple[list[np.ndarray], int]:
    """Read one sentence per line; words that occur less than five times are left out."""
    sentences = [line.lower().split() for line in path.read_text(encoding="utf-8").split("\n")]
    counts = collections.Counter(word for words in sentences for word in words)
    rows = {word: row for row, (word, n) in enumerate(counts.most_common()) if n >= 5}
    return [np.array([rows[word] for word in words if word in rows], int) for words in sentences], len(rows)


def build_store(sentences: list[np.ndarray], vocabulary_size: int) -> TokenStore:
    """Put sentences into a store of one document."""
    ids = np.concatenate(sentences)
    offsets = np.cumsum([0, *map(len, sentences)], dtype=np.int64)
    words = [f"w{i}" for i in range(vocabulary_size)]
    counts = np.bincount(ids, minlength=vocabulary_size)
    documents = np.array([0, len(sentences)], dtype=np.int64)
    return TokenStore(ids.astype(id_type(vocabulary_size)), offsets, documents, words, counts, {})


class TorchLoop:
    """The usual way in torch: EmbeddingBag, autograd and torch.optim.SGD."""

    def __init__(self, initial: np.ndarray, shape: tuple[int, ...], sparse: bool) -> None:
        self._bag = torch.nn.EmbeddingBag.from_pretrained(
            torch.tensor(initial), freeze=False, mode="mean", sparse=sparse
        )
        self._optimiser = torch.optim.SGD(self._bag.parameters(), lr=RATE)
        self._shape = shape

    def train(self, batches: Iterable[tuple[torch.Tensor, torch.Tensor]]) -> None:
        """Train batches of (ids, offsets of sentences) once."""
        for ids, offsets in batches:
            self._optimiser.zero_grad()
            softmax_cosine(self._bag(ids, offsets).view(self._shape)).backward()
            self._optimiser.step()


def index_tensors(chunk: Chunk) -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
    """Yield each batch as EmbeddingBag wants it: ids of all its sentences, and where each sentence begins."""
    for starts, lengths in zip(chunk.starts, chunk.lengths, strict=True):
        flat = lengths.ravel().astype(np.int64)
        offsets = np.cumsum(flat) - flat
        positions = np.repeat(starts.ravel() - offsets, flat) + np.arange(flat.sum())
        yield torch.from_numpy(chunk.tokens[positions].astype(np.int64)), torch.from_numpy(offsets)


def cpu_model() -> str:
    """Name the processor."""
    info = Path("/proc/cpuinfo")
    found = re.search(r"model name\s*:\s*(.+)", info.read_text()) if info.exists() else None
    return found[1].strip() if found else platform.processor() or platform.machine()


def first_batches(chunk: Chunk, n: int) -> Chunk:
    """Return the first ``n`` batches."""
    return Chunk(chunk.tokens, chunk.starts[:n], chunk.lengths[:n])


def contestants(store: TokenStore, a: argparse.Namespace, threads: int) -> dict[str, tuple[int, Callable]]:
    """Return {name: (batches, function that trains them)}."""
    sampler = Sampler(store, a.batch_size, a.negatives, seed=0)
    reader = TokenReader(store, 50, "clean", 32)
    n = min(a.batches, sampler.batches_per_epoch)
    chunk = reader.read(sampler.sentences(0, 0, n))
    initial = initial_embeddings(store.vocabulary_size, a.dimension, 0.01, 0)
    rates, trainer = np.full(n, RATE), NumbaTrainer(initial, "sgd", threads)
    n_sparse, n_dense = max(1, n // 5), max(1, n // 50)  # slower ones get fewer batches
    shape = (*chunk.starts.shape[1:], initial.shape[1])
    sparse, dense = TorchLoop(initial, shape, True), TorchLoop(initial, shape, False)
    sparse_batches = list(index_tensors(first_batches(chunk, n_sparse)))
    dense_batches = list(index_tensors(first_batches(chunk, n_dense)))
    return {
        "sentrep": (n, lambda: trainer.step(chunk, rates)),
        "sentrep, with sampling": (n, lambda: trainer.step(reader.read(sampler.sentences(0, 0, n)), rates)),
        "torch, sparse gradient": (n_sparse, lambda: sparse.train(sparse_batches)),
        "torch, sparse gradient, with sampling": (
            n_sparse,
            lambda: sparse.train(index_tensors(reader.read(sampler.sentences(0, 0, n_sparse)))),
        ),
        "torch, dense gradient": (n_dense, lambda: dense.train(dense_batches)),
    }


def measure(store: TokenStore, a: argparse.Namespace, threads: int) -> list[dict[str, object]]:
    """Let the contestants take turns; return one row for each."""
    runs = contestants(store, a, threads)
    wall: dict[str, list[float]] = {name: [] for name in runs}
    cpu: dict[str, list[float]] = {name: [] for name in runs}
    for repetition in range(a.repetitions + 1):
        for name, (n, train) in runs.items():
            torch.set_num_threads(threads)  # numba changes it: both use the OpenMP of the process
            began, began_cpu = time.perf_counter(), time.process_time()
            train()
            seconds, cpu_seconds = time.perf_counter() - began, time.process_time() - began_cpu
            if repetition:  # the first one compiles and warms up
                wall[name].append(n * a.batch_size / seconds)
                cpu[name].append(n * a.batch_size / cpu_seconds)
    median = {name: statistics.median(speeds) for name, speeds in wall.items()}
    return [
        {
            "threads": threads,
            "contestant": name,
            "examples_per_second": round(median[name]),
            "slowest": round(min(wall[name])),
            "fastest": round(max(wall[name])),
            "per_cpu_second": round(statistics.median(cpu[name])),
            "times_torch_sparse": round(
                median[name] / median["torch, sparse gradient" + (SAMPLED if name.endswith(SAMPLED) else "")], 2
            ),
        }
        for name in runs
    ]


def main() -> None:
    """Measure, print a table, write it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    corpora = parser.add_mutually_exclusive_group()
    corpora.add_argument("--text", type=Path, help="one sentence per line")
    corpora.add_argument("--store", type=Path, help="results/PRESET/stores/CORPUS")
    parser.add_argument("--sentences", type=int, default=60_000, help="of the drawn corpus")
    parser.add_argument("--vocabulary", type=int, default=20_000, help="of the drawn corpus")
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--batches", type=int, default=300, help="per repetition")
    parser.add_argument("--batch-size", type=int, default=100)
    parser.add_argument("--dimension", type=int, default=300)
    parser.add_argument("--negatives", type=int, default=2)
    parser.add_argument("--output", type=Path, default=Path(__file__).parent / "results")
    a = parser.parse_args()
    if a.store:
        corpus, store = f"store {a.store.name}", TokenStore.open(a.store)
    elif a.text:
        corpus, store = "text", build_store(*read_corpus(a.text))
    else:
        corpus, store = "zipf", build_store(zipf_corpus(a.sentences, a.vocabulary), a.vocabulary)
    size = store.vocabulary_size
    print(f"{cpu_model()}, {os.cpu_count()} cores, load average {os.getloadavg()[0]:.2f} before")
    print(
        f"{corpus}: {store.n_sentences} sentences, {store.n_tokens / store.n_sentences:.1f} tokens each, "
        f"{size} words; d={a.dimension}, batch {a.batch_size}, {a.negatives} negatives; "
        f"torch {torch.__version__}\n"
    )
    rows = [row for threads in a.threads for row in measure(store, a, threads)]
    print("| " + " | ".join(rows[0]) + " |\n|" + "---|" * len(rows[0]))
    for row in rows:
        print("| " + " | ".join(map(str, row.values())) + " |")
    print(f"\nload average {os.getloadavg()[0]:.2f} after")
    settings = {
        "corpus": corpus,
        "vocabulary": size,
        "tokens_per_sentence": round(store.n_tokens / store.n_sentences, 1),
        "dimension": a.dimension,
        "batch_size": a.batch_size,
        "negatives": a.negatives,
        "load_average": round(os.getloadavg()[0], 2),
        "torch": torch.__version__,
    }
    a.output.mkdir(parents=True, exist_ok=True)
    machine = re.sub(r"[^a-z0-9]+", "-", f"{cpu_model()} {os.cpu_count()} cores".lower()).strip("-")
    path = a.output / f"{machine}.csv"
    is_new = not path.exists()
    with path.open("a", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, [*settings, *rows[0]])
        if is_new:
            writer.writeheader()
        writer.writerows({**settings, **row} for row in rows)
    print(f"added to {path}")


if __name__ == "__main__":
    main()
