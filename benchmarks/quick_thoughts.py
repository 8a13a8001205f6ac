"""Measure the training speed of Quick Thoughts on a CPU or a GPU (by default, uni-QT at the paper's size).

    python benchmarks/quick_thoughts.py [--device cuda] [--encoder uni bi] [--recurrence auto torch] [--profile]

The corpus is synthetic. Its words are drawn from 300,000 words with Zipfian frequencies; the vocabulary of the model
contains only the most frequent ones. Sentence lengths are log-normal with a median of 11 words, and sentences are
truncated to 50 words. The training time includes the time to read the batches, but not the first steps, which are for
compilation and warm-up. The duration of one epoch over the paper's 45,786,400 sentences is extrapolated from this time.
For uni-QT, the paper reports 11 hours on a Titan X.

The implementations differ in how they compute the recurrence:

- ``auto``, ``torch``, ``triton`` and ``cudnn`` are described in the docstring of ``sentrep.networks.gru.GRU``;
  ``cudnn`` needs ``--reset after``;
- ``apart`` is like ``auto``, but computes the GRUs of the encoders f and g one after the other instead of together;
- ``padded`` is like ``auto``, but uses batches padded to the longest sentence;
- ``loop`` computes the GRUs one after the other on padded batches, step by step under autograd.

Before each measurement, the gradients of the loss of the first batch are compared with those of ``loop`` in float32.
QT (BoW) has no recurrence; its gradients are compared with those of ``auto`` in float32. On a CPU, the gradients of
word tables are not compared. With bfloat16 matrix products, differences of a few percent are due to rounding. If other
programs use the CPU, compare CPU times instead of wall times.
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
from collections.abc import Iterator, Sequence
from functools import partial
from unittest import mock

import numpy as np
import torch
from common import Contestant, Row, Work, at_least
from inputs import Settings, build_store, zipf_corpus
from neural import (
    add_options,
    compare,
    draw,
    forget_peak_memory,
    measure_steps,
    peak_memory,
    print_all,
    projection,
)

from sentrep.corpora.store import TokenStore
from sentrep.families.quick_thoughts import Parameters, build_network
from sentrep.networks import gru, packing, two_towers
from sentrep.training.neural import NeuralLearner, Optimisation, seeded
from sentrep.training.quick_thoughts import QuickThoughts, SentenceBatches
from sentrep.training.run import Run
from sentrep.training.sentences import Sentences

PAPER_SENTENCES = 45_786_400
CONTESTANTS = ("auto", "torch", "triton", "cudnn", "apart", "padded", "loop")


def apart(
    units: Sequence[gru.GRU], x: torch.Tensor, initial: torch.Tensor | None, sizes: Sequence[int]
) -> torch.Tensor:
    """Run several GRUs one after the other, and return their states."""
    return torch.cat([gru.read_together([unit], x[i : i + 1], initial, sizes) for i, unit in enumerate(units)])


def loop(
    units: Sequence[gru.GRU], x: torch.Tensor, _initial: torch.Tensor | None, sizes: Sequence[int]
) -> torch.Tensor:
    """Run several GRUs one after the other, step by step under autograd, and return their states."""
    read = []
    for unit, words in zip(units, x, strict=True):
        gates = unit.input(words).split(sizes)
        width, weight = unit.units, unit.recurrent
        h, states = gates[0].new_zeros(sizes[0], width), []
        for gate in gates:
            z, r = (gate[:, : 2 * width] + h @ weight[:, : 2 * width]).sigmoid().split(width, dim=1)
            inside, outside = (r, 1) if unit.reset == "before" else (1, r)
            c = (gate[:, 2 * width :] + outside * ((inside * h) @ weight[:, 2 * width :])).tanh()
            h = z * h + (1 - z) * c
            states.append(h)
        read.append(torch.cat(states))
    return torch.stack(read)


def padded_layout(
    lengths: np.ndarray,
    columns: int,
    directions: int = 1,
    multiple: int = 1,  # noqa: ARG001 - as in by_step
) -> packing.Layout:
    """Return the layout of a padded batch, in which the states of the padding are computed but not used."""
    columns = int(lengths.max())
    step, begin = np.arange(columns)[:, None], np.arange(len(lengths)) * columns
    backwards = np.where(step < lengths, lengths - 1 - step, step)
    rows = [(begin + order).ravel() for order in (np.broadcast_to(step, backwards.shape), backwards)]
    last = (lengths.astype(np.int64) - 1) * len(lengths) + np.arange(len(lengths))
    return packing.Layout(np.stack(rows[:directions]), last, [len(lengths)] * columns)


@contextlib.contextmanager
def recurrence(contestant: str) -> Iterator[None]:
    """Use the given implementation of the recurrence during a ``with`` block."""
    with contextlib.ExitStack() as stack:
        if contestant in ("torch", "triton", "cudnn"):
            stack.enter_context(mock.patch.object(gru.GRU, "implementation", contestant))
        if contestant in ("apart", "loop"):
            stack.enter_context(
                mock.patch.object(two_towers, "read_together", {"apart": apart, "loop": loop}[contestant])
            )
        if contestant in ("padded", "loop"):
            stack.enter_context(mock.patch.object(two_towers, "by_step", padded_layout))
        yield


def new_learner(store: TokenStore, p: Parameters, device: str, threads: int) -> tuple[NeuralLearner, SentenceBatches]:
    """Return a learner that trains Quick Thoughts, and the batches on which it trains."""
    sentences = Sentences(store, p.vocabulary, p.max_tokens, device)
    objective = seeded(1, lambda: QuickThoughts(build_network(p, sentences.words, None), p.context))
    batches = SentenceBatches(store, sentences, objective.network, device, p.batch_size, p.context)
    run = Run(1, threads=threads, device=device)
    optimisation = Optimisation(p.clip, p.largest_norm, precision=p.precision)
    return NeuralLearner(objective, batches, optimisation, run), batches


def first_gradients(store: TokenStore, p: Parameters, a: argparse.Namespace, contestant: str) -> list[torch.Tensor]:
    """Return the gradients of the loss of the first batch, without changing the parameters."""
    with recurrence(contestant):
        learner, _ = new_learner(store, p, a.device, a.threads)
        learner.advance(0, np.zeros(1))
    return [parameter.grad for parameter in learner.objective.parameters()]


def flops(store: TokenStore, p: Parameters) -> float:
    """Return the approximate number of multiplications and additions in the matrix products of a training step."""
    words = store.n_tokens / store.n_sentences * p.batch_size
    width = p.units // 2 if p.encoder == "bi" else p.units
    readers = {"bow": 0, "uni": 2, "bi": 4}[p.encoder]
    output = p.units if readers else p.word_dimension
    return 3 * 2 * (readers * words * 3 * width * (p.word_dimension + width) + p.batch_size**2 * output)


def measure(store: TokenStore, p: Parameters, a: argparse.Namespace, contestant: str) -> dict[str, object]:
    """Train with one implementation, and return a row of the table of results."""
    forget_peak_memory(a.device)
    with recurrence(contestant):
        learner, _ = new_learner(store, p, a.device, a.threads)
        seconds, cpu_seconds, loss = measure_steps(learner, p.learning_rate, a)
    return {
        "encoder": p.encoder,
        "recurrence": contestant,
        "ms_per_step": round(1000 * seconds, 2),
        "processor_ms_per_step": round(1000 * cpu_seconds, 2),
        "sentences_per_second": round(p.batch_size / seconds),
        "tflops": round(flops(store, p) / seconds / 1e12, 3),
        "peak_memory_gb": round(peak_memory(a.device), 2),
        "hours_for_the_paper": round(PAPER_SENTENCES / p.batch_size * seconds / 3600, 2),
        "last_loss": round(loss, 4),
    }


class PlainBags(torch.nn.Module):
    """A straightforward implementation of the loss of QT (BoW), with padded sentences, a mask and word tables."""

    def __init__(self, words: int, dimension: int) -> None:
        super().__init__()
        self.towers = torch.nn.ModuleList(torch.nn.Embedding(words, dimension) for _ in range(2))
        for tower in self.towers:
            torch.nn.init.uniform_(tower.weight, -0.1, 0.1)

    def forward(self, sentences: list[torch.Tensor]) -> torch.Tensor:
        """Return the loss of a batch of consecutive sentences, each given as a tensor of word ids."""
        ids = torch.nn.utils.rnn.pad_sequence(sentences, batch_first=True)
        lengths = torch.tensor([len(sentence) for sentence in sentences])
        mask = (torch.arange(ids.shape[1]) < lengths[:, None]).unsqueeze(-1)
        f, g = ((tower(ids) * mask).sum(dim=1) for tower in self.towers)
        scores = (f @ g.T).fill_diagonal_(0.0)
        n = len(sentences)
        targets = torch.diag(torch.ones(n - 1), 1) + torch.diag(torch.ones(n - 1), -1)
        return torch.nn.functional.cross_entropy(scores, targets / targets.sum(dim=1, keepdim=True))


def train_plainly(
    objective: PlainBags, optimiser: torch.optim.Optimizer, store: TokenStore, steps: int, size: int, limit: float
) -> list[float]:
    """Train :class:`PlainBags` on the first sentences of a token store, and return the loss of each step.

    Args:
        objective: module that computes the loss from its word tables.
        optimiser: optimiser of the word tables.
        store: the corpus.
        steps: number of steps.
        size: number of sentences per batch.
        limit: maximum norm of the gradient of each word table.
    """
    losses = []
    known = objective.towers[0].num_embeddings - 1
    for step in range(steps):
        rows = range(step * size, (step + 1) * size)
        numbers = [store.ids[store.sentence_offsets[i] : store.sentence_offsets[i + 1]][:50] for i in rows]
        numbers = [np.where(ids < known, ids.astype(np.int64) + 1, 0) for ids in numbers]
        optimiser.zero_grad()
        loss = objective([torch.from_numpy(ids) for ids in numbers])
        loss.backward()
        for parameter in objective.parameters():
            torch.nn.utils.clip_grad_norm_(parameter, limit)
        optimiser.step()
        losses.append(loss.item())
    return losses


def works(settings: Settings) -> Iterator[Work]:
    """Yield the task that ``run.py`` measures on the CPU: training QT (BoW)."""
    p = Parameters(encoder="bow", batch_size=settings.size(400, 50), word_dimension=settings.size(620, 50))
    learner, batches = new_learner(settings.store, p, "cpu", 1)
    steps = min(settings.size(8, 3), batches.per_epoch)
    plain = PlainBags(learner.objective.network.settings["words"], p.word_dimension)
    optimiser = torch.optim.Adam(plain.parameters(), lr=p.learning_rate)
    sentences = steps * p.batch_size
    store = settings.store
    contestants = [
        Contestant("sentrep", lambda: learner.advance(0, np.full(steps, p.learning_rate)), sentences),
        Contestant(
            "torch, padded Embedding, Adam",
            lambda: train_plainly(plain, optimiser, store, steps, p.batch_size, p.largest_norm),
            sentences,
            at_least(5),
        ),
    ]
    yield Work(f"QT (BoW), d={p.word_dimension}, batch {p.batch_size}", "sentences/s", contestants)


def rows(settings: Settings) -> Iterator[Row]:
    """Measure the training speed of uni-QT at the paper's size on the GPU, and yield the rows for ``run.py``."""
    a = argparse.Namespace(device="cuda", threads=1, steps=settings.size(212, 40), warm_up=20, profile=False)
    p = Parameters()
    store = build_store([w[:50] for w in zipf_corpus(a.steps * p.batch_size, 300_000)], 300_000)
    row = measure(store, p, a, "auto")
    yield from projection("uni-QT with 1,200 units on the GPU, one epoch", row, row["hours_for_the_paper"], 1, 11)


def main() -> None:
    """Measure the selected implementations, and print a table of results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_options(parser, CONTESTANTS)
    parser.add_argument("--encoder", choices=["uni", "bi", "bow"], nargs="+", default=["uni"])
    parser.add_argument("--reset", choices=["before", "after"], default="before")
    parser.add_argument("--units", type=int, default=1200)
    parser.add_argument("--vocabulary", type=int, default=50_001)
    parser.add_argument("--batch-size", type=int, default=400)
    a = parser.parse_args()
    store = draw(a.steps * a.batch_size, 50, a)
    table = []
    for encoder in a.encoder:
        p = Parameters(
            **{"encoder": encoder, "units": a.units, "word_dimension": a.word_dimension, "reset": a.reset},
            **{"vocabulary": a.vocabulary, "batch_size": a.batch_size, "precision": a.precision},
        )
        oracle = "auto" if encoder == "bow" else "loop"
        expected = first_gradients(store, dataclasses.replace(p, precision="float32"), a, oracle)
        gradients, measured = partial(first_gradients, store, p, a), partial(measure, store, p, a)
        table += compare(a.recurrence, gradients, expected, measured)
    print_all(table)


if __name__ == "__main__":
    main()
