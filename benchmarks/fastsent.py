"""Compare how fast sentrep and torch train FastSent on one processor core.

    python benchmarks/fastsent.py [--text FILE] [--dimensions 100 300] [--batches 1 32 256]

Without ``--text``, the corpus is synthetic: word frequencies follow Zipf's law, and sentence lengths are log-normal.
With ``--text``, each line of the file is a sentence, which is lower-cased and split at whitespace. The torch
implementation sums the word vectors of each sentence in a batch, gathers the output vectors of all binary decisions of
the hierarchical softmax, and uses autograd with sparse gradients. The released FastSent code updates vectors after each
predicted word. With batches of one sentence, the torch implementation is closest to the released code; with larger
batches, it is faster. The time to compute the indices that torch needs is not measured. Speeds are in corpus words per
second; each of these words is read once and predicted about twice.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
import torch
from common import Contestant, Goal, Work, at_least, markdown, measure
from host import cpu_model, load_line
from inputs import Settings, build_store, read_corpus, zipf_corpus

from sentrep.corpora.store import TokenStore
from sentrep.training.fastsent.huffman import Tree, huffman_tree
from sentrep.training.fastsent.learner import FastSentLearner
from sentrep.training.initialisation import uniform_vectors

RATE = 0.025


def ours(store: TokenStore, dimension: int, negatives: int, sentences: int) -> Contestant:
    """Return sentrep's implementation of FastSent, which trains on 1,000 sentences per step.

    Args:
        store: the corpus.
        dimension: length of a word vector.
        negatives: number of noise words per predicted word; 0 to use hierarchical softmax instead.
        sentences: number of sentences to train on, rounded down to a multiple of 1,000.
    """
    learner = FastSentLearner(store, uniform_vectors(store.vocabulary_size, dimension, 1), negatives=negatives)
    learner.advance(0, np.empty(0))
    steps = sentences // 1000
    words = int(store.sentence_offsets[steps * 1000])
    name = f"sentrep, {negatives} negatives" if negatives else "sentrep, hierarchical softmax"
    return Contestant(name, lambda: learner.advance(0, np.full(steps, RATE)), words, against=name if negatives else "")


def torch_batch(store: TokenStore, tree: Tree, centres: range) -> tuple[torch.Tensor, ...]:
    """Return the indices that torch needs to train on a batch of centres (sentences whose neighbours are predicted).

    Returns:
        Five tensors: the word ids of all centres, the position of each centre's first id, and, for each binary
        decision of the hierarchical softmax, the row of the output vector, the correct branch (1 for left, -1 for
        right), and the index of the centre in the batch.
    """
    offsets, ids = store.sentence_offsets, store.ids
    words, begins, rows, signs, owners = [], [], [], [], []
    for owner, centre in enumerate(centres):
        begins.append(sum(map(len, words)))
        words.append(ids[offsets[centre] : offsets[centre + 1]])
        around = [ids[offsets[s] : offsets[s + 1]] for s in (centre - 1, centre + 1)]
        for word in np.concatenate(around).tolist():
            way = slice(tree.starts[word], tree.starts[word + 1])
            rows.append(tree.nodes[way])
            signs.append(tree.signs[way])
            owners += [owner] * len(tree.nodes[way])
    index = [torch.from_numpy(np.concatenate(part).astype(np.int64)) for part in (words, rows)]
    return index[0], torch.tensor(begins), index[1], torch.from_numpy(np.concatenate(signs)), torch.tensor(owners)


class TorchLoop:
    """A straightforward torch implementation of FastSent, with hierarchical softmax, sparse gradients and SGD."""

    def __init__(self, vocabulary_size: int, dimension: int) -> None:
        self._U = torch.tensor(uniform_vectors(vocabulary_size, dimension, 1), requires_grad=True)
        self._V = torch.zeros_like(self._U, requires_grad=True)
        self._optimiser = torch.optim.SGD([self._U, self._V], lr=RATE)

    def train(self, batches: list[tuple[torch.Tensor, ...]]) -> None:
        """Train on each batch once."""
        for words, begins, rows, signs, owners in batches:
            sums = torch.nn.functional.embedding_bag(words, self._U, begins, mode="sum", sparse=True)
            outputs = torch.nn.functional.embedding(rows, self._V, sparse=True)
            loss = -torch.nn.functional.logsigmoid((sums[owners] * outputs).sum(dim=1) * signs).sum()
            self._optimiser.zero_grad()
            loss.backward()
            self._optimiser.step()


def torch_contestant(store: TokenStore, dimension: int, batch: int, sentences: int, goal: Goal | None) -> Contestant:
    """Return a torch implementation of FastSent that trains on batches of ``batch`` sentences."""
    tree = huffman_tree(np.maximum(store.counts, 1))
    cuts = range(1, sentences, batch)
    batches = [torch_batch(store, tree, range(*ends)) for ends in pairwise(cuts)]
    loop = TorchLoop(store.vocabulary_size, dimension)
    words = sum(len(words) for words, *_ in batches)
    return Contestant(f"torch, batch {batch}", lambda: loop.train(batches), words, goal)


def work(store: TokenStore, dimension: int, batches: list[int], goal: Goal | None) -> Work:
    """Return the task of training FastSent, with its implementations in sentrep and torch."""
    last = store.n_sentences - 1
    contestants = [ours(store, dimension, negatives, last) for negatives in (0, 5)]
    contestants += [
        torch_contestant(store, dimension, batch, min(last, max(20 * batch, 200)), goal) for batch in batches
    ]
    return Work(f"FastSent, d={dimension}", "words/s", contestants)


def works(settings: Settings) -> Iterator[Work]:
    """Yield the task that ``run.py`` measures: training FastSent."""
    yield work(settings.store, 100, settings.size([1, 256], [32]), at_least(5))


def main() -> None:
    """Measure all tasks, and print the results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--text", type=Path)
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--sentences", type=int, default=50_000)
    parser.add_argument("--vocabulary", type=int, default=50_000)
    parser.add_argument("--dimensions", type=int, nargs="+", default=[100, 300])
    parser.add_argument("--batches", type=int, nargs="*", default=[1, 32, 256], help="batch sizes for torch")
    a = parser.parse_args()
    sentences, size = read_corpus(a.text) if a.text else (zipf_corpus(a.sentences, a.vocabulary), a.vocabulary)
    store = build_store(sentences[: a.sentences], size)
    tree = huffman_tree(np.maximum(store.counts, 1))
    decisions = (np.diff(tree.starts) * store.counts).sum() / store.n_tokens
    print(f"{cpu_model()}; {store.n_tokens} words, {decisions:.1f} binary decisions per word; {load_line()}\n")
    print(markdown([row for d in a.dimensions for row in measure(work(store, d, a.batches, None), a.repetitions)]))


if __name__ == "__main__":
    main()
