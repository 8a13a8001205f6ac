"""Compare how fast sentrep and torch train Siamese CBOW on the CPU.

    python benchmarks/siamese_cbow.py [--text FILE | --store DIR] [--threads 1 2] [--repetitions 5]

By default, the corpus is synthetic: word frequencies follow Zipf's law, and sentence lengths are log-normal. With
``--text``, each line of the file is a sentence, which is lower-cased and split at whitespace; with ``--store``, the
corpus is a token store of the pipeline. The torch implementations are slower and therefore train on only the first
fifth (sparse gradients) or fiftieth (dense gradients) of the batches on which sentrep trains. In most rows of the
table, the time does not include drawing the examples or converting them to index tensors for torch. In the rows "with
sampling", it includes both and is therefore the time of the complete training. Each ratio compares two results that
either both include or both exclude sampling. The implementations run alternately, so that load on the machine affects
all of them.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal

import numpy as np
import torch
from common import Contestant, Work, at_least, markdown, measure
from host import load_line, machine
from inputs import Settings, build_store, zipf_corpus

from sentrep.corpora.store import TokenStore
from sentrep.training.averaging.autograd import Loss, softmax_cosine
from sentrep.training.averaging.cpu import CpuTrainer
from sentrep.training.batches import Chunk, Sampler, TokenReader
from sentrep.training.initialisation import normal_vectors

RATE = 0.01
OURS_SAMPLED = "sentrep, with sampling"


class TorchLoop:
    """A straightforward implementation of averaging models in torch, with ``EmbeddingBag``, autograd and SGD."""

    def __init__(
        self,
        initial: np.ndarray,
        shape: tuple[int, ...],
        sparse: bool,
        loss: Loss = softmax_cosine,
        mode: Literal["mean", "sum"] = "mean",
        device: str = "cpu",
        rate: float = RATE,
    ) -> None:
        self._bag = torch.nn.EmbeddingBag.from_pretrained(
            torch.tensor(initial, device=device), freeze=False, mode=mode, sparse=sparse
        )
        self._optimiser = torch.optim.SGD(self._bag.parameters(), lr=rate)
        self._shape, self._loss = shape, loss

    def train(self, batches: Iterable[tuple[torch.Tensor, torch.Tensor]]) -> None:
        """Train once on each batch, which consists of the word ids and sentence offsets for ``EmbeddingBag``."""
        for ids, offsets in batches:
            self._optimiser.zero_grad()
            self._loss(self._bag(ids, offsets).view(self._shape)).backward()
            self._optimiser.step()


def index_tensors(chunk: Chunk) -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
    """Yield the input of ``EmbeddingBag`` for each batch: the word ids of all sentences, and the sentence offsets."""
    for starts, lengths in zip(chunk.starts, chunk.lengths, strict=True):
        flat = lengths.ravel().astype(np.int64)
        offsets = np.cumsum(flat) - flat
        positions = np.repeat(starts.ravel() - offsets, flat) + np.arange(flat.sum())
        yield torch.from_numpy(chunk.tokens[positions].astype(np.int64)), torch.from_numpy(offsets)


def first_batches(chunk: Chunk, n: int) -> Chunk:
    """Return a chunk with the first ``n`` batches of ``chunk``."""
    return Chunk(chunk.tokens, chunk.starts[:n], chunk.lengths[:n])


def work(store: TokenStore, a: argparse.Namespace, threads: int) -> Work:
    """Return the task of training Siamese CBOW on ``threads`` threads.

    If ``threads`` exceeds 1, sentrep is also measured on one thread, to show the speed-up.
    """
    sampler = Sampler(store, a.batch_size, a.negatives, seed=0)
    reader = TokenReader(store, 50, "clean", 32)
    n = min(a.batches, sampler.batches_per_epoch)
    chunk = reader.read(sampler.sentences(0, 0, n))
    initial = normal_vectors(store.vocabulary_size, a.dimension, 0.01, 0)
    rates, trainer = np.full(n, RATE), CpuTrainer(initial, "sgd", threads)
    n_sparse, n_dense = max(1, n // 5), max(1, n // 50)  # slower implementations get fewer batches
    shape = (*chunk.starts.shape[1:], initial.shape[1])
    sparse, dense = TorchLoop(initial, shape, True), TorchLoop(initial, shape, False)
    sparse_batches = list(index_tensors(first_batches(chunk, n_sparse)))
    dense_batches = list(index_tensors(first_batches(chunk, n_dense)))
    examples, sparse_examples = n * a.batch_size, n_sparse * a.batch_size
    goal = at_least(8) if threads == 1 else None
    found = [
        Contestant("sentrep", lambda: trainer.step(chunk, rates), examples),
        Contestant("torch, sparse gradient", lambda: sparse.train(sparse_batches), sparse_examples, goal),
        Contestant("torch, dense gradient", lambda: dense.train(dense_batches), n_dense * a.batch_size),
        Contestant(
            OURS_SAMPLED,
            lambda: trainer.step(reader.read(sampler.sentences(0, 0, n)), rates),
            examples,
            against=OURS_SAMPLED,
        ),
        Contestant(
            "torch, sparse gradient, with sampling",
            lambda: sparse.train(index_tensors(reader.read(sampler.sentences(0, 0, n_sparse)))),
            sparse_examples,
            against=OURS_SAMPLED,
        ),
    ]
    if threads > 1:
        alone = CpuTrainer(initial, "sgd", 1)
        goal = at_least(1.8) if threads == 2 else None
        found.append(Contestant("sentrep, 1 thread", lambda: alone.step(chunk, rates), examples, goal, threads=1))
    name = f"Siamese CBOW, d={a.dimension}, batch {a.batch_size}, {a.negatives} negatives, threads: {threads}"
    return Work(name, "examples/s", found, threads)


def works(settings: Settings) -> Iterator[Work]:
    """Yield the tasks that ``run.py`` measures."""
    sizes = argparse.Namespace(batches=settings.size(300, 20), batch_size=100, dimension=300, negatives=2)
    for threads in (1, 2):
        yield work(settings.store, sizes, threads)


def main() -> None:
    """Measure all tasks, and print a table of results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    corpora = parser.add_mutually_exclusive_group()
    corpora.add_argument("--text", type=Path, help="text file with one sentence per line")
    corpora.add_argument("--store", type=Path, help="token store of a pipeline run, results/PRESET/stores/CORPUS")
    parser.add_argument("--sentences", type=int, default=60_000, help="number of sentences in the synthetic corpus")
    parser.add_argument("--vocabulary", type=int, default=20_000, help="vocabulary size of the synthetic corpus")
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--batches", type=int, default=300, help="number of batches per repetition")
    parser.add_argument("--batch-size", type=int, default=100)
    parser.add_argument("--dimension", type=int, default=300)
    parser.add_argument("--negatives", type=int, default=2)
    a = parser.parse_args()
    settings = Settings(text=a.text, store_folder=a.store)
    store = settings.store if a.text or a.store else build_store(zipf_corpus(a.sentences, a.vocabulary), a.vocabulary)
    print(", ".join(machine().values()), load_line(), sep="\n")
    tokens = store.n_tokens / store.n_sentences
    print(
        f"corpus: {settings.corpus}, {store.n_sentences} sentences, {tokens:.1f} tokens per sentence, "
        f"{store.vocabulary_size} distinct words\n"
    )
    print(markdown([row for threads in a.threads for row in measure(work(store, a, threads), a.repetitions)]))
    print(load_line())


if __name__ == "__main__":
    main()
