"""Speed of training FastSent on one processor core, against torch.

    python benchmarks/fastsent.py [--text FILE] [--dimensions 100 300] [--batches 1 32 256]

Without ``--text`` the corpus is drawn: word frequencies after Zipf's law, log-normal sentence lengths. With it, each
line is a sentence, lower-cased and cut at white space. torch is the straightforward way: the words' vectors of a
batch of sentences are summed, the output vectors of all decisions are gathered, autograd and sparse gradients do the
rest. A batch of one sentence is nearest to what FastSent does, larger ones are quicker; indices are made outside
the measured time. Words are those of the corpus, each of which is read once and predicted about twice; time is
processor time.
"""

from __future__ import annotations

import argparse
import sys
import time
from itertools import pairwise
from pathlib import Path

import numpy as np
import torch
from siamese_cbow import build_store, cpu_model, read_corpus, zipf_corpus

sys.path.insert(0, str(Path(__file__).parents[1] / "workflow" / "scripts"))

from sentrep.families.word2vec import initial_input_vectors
from sentrep.store import TokenStore
from sentrep.training.fastsent_learner import FastSentLearner
from sentrep.training.fastsent_tree import Tree, huffman_tree

RATE = 0.025


def numba_speed(store: TokenStore, dimension: int, negatives: int, sentences: int) -> float:
    """Return words per second of processor time."""
    learner = FastSentLearner(store, initial_input_vectors(store.vocabulary_size, dimension, 1), negatives=negatives)
    learner.advance(0, np.empty(0))
    steps = sentences // 1000
    began = time.process_time()
    learner.advance(0, np.full(steps, RATE))
    return int(store.sentence_offsets[steps * 1000]) / (time.process_time() - began)


def torch_batch(store: TokenStore, tree: Tree, centres: range) -> tuple[torch.Tensor, ...]:
    """Return words, where each sentence begins, and row, sign and sentence of every decision of a batch."""
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


def torch_speed(store: TokenStore, tree: Tree, dimension: int, batch: int, sentences: int) -> float:
    """Return words per second of processor time, with hierarchical softmax."""
    U = torch.tensor(initial_input_vectors(store.vocabulary_size, dimension, 1), requires_grad=True)
    V = torch.zeros_like(U, requires_grad=True)
    optimiser = torch.optim.SGD([U, V], lr=RATE)
    cuts = range(1, sentences, batch)
    batches = [torch_batch(store, tree, range(*ends)) for ends in pairwise(cuts)]
    began = time.process_time()
    for words, begins, rows, signs, owners in batches:
        sums = torch.nn.functional.embedding_bag(words, U, begins, mode="sum", sparse=True)
        outputs = torch.nn.functional.embedding(rows, V, sparse=True)
        loss = -torch.nn.functional.logsigmoid((sums[owners] * outputs).sum(dim=1) * signs).sum()
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    return sum(len(words) for words, *_ in batches) / (time.process_time() - began)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--text", type=Path)
    parser.add_argument("--sentences", type=int, default=50_000)
    parser.add_argument("--vocabulary", type=int, default=50_000)
    parser.add_argument("--dimensions", type=int, nargs="+", default=[100, 300])
    parser.add_argument("--batches", type=int, nargs="*", default=[1, 32, 256], help="of torch")
    a = parser.parse_args()
    torch.set_num_threads(1)
    sentences, size = read_corpus(a.text) if a.text else (zipf_corpus(a.sentences, a.vocabulary), a.vocabulary)
    store = build_store(sentences[: a.sentences], size)
    tree = huffman_tree(np.maximum(store.counts, 1))
    decisions = (np.diff(tree.starts) * store.counts).sum() / store.n_tokens
    print(f"{cpu_model()}; {store.n_tokens} words, {decisions:.1f} decisions for each")
    for d in a.dimensions:
        for name, negatives in (("hierarchical softmax", 0), ("5 negatives", 5)):
            speed = numba_speed(store, d, negatives, store.n_sentences - 1)
            print(f"{d} dimensions, {name}: {speed / 1e6:.2f} M words/s")
        for batch in a.batches:
            speed = torch_speed(store, tree, d, batch, min(store.n_sentences - 1, max(20 * batch, 200)))
            print(f"{d} dimensions, hierarchical softmax, torch, {batch} a batch: {speed / 1e6:.4f} M words/s")


if __name__ == "__main__":
    main()
