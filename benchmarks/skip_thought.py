"""Measure the training speed of skip-thought on a CPU or a GPU.

    python benchmarks/skip_thought.py [--device cuda] [--encoder uni bi] [--recurrence auto torch] [--profile]

By default, the model is uni-skip at the paper's size. The corpus is synthetic. Its words are drawn from 300,000 words
with Zipfian frequencies; the vocabulary of the model contains only the most frequent ones. Sentence lengths are
log-normal with a median of 11 words. Sentences are truncated to 29 words, because the released code skips sentences of
30 or more words. The training time includes the time to read the batches, but not the first steps, which are for
compilation and warm-up. The duration of one epoch over BookCorpus is extrapolated from this time, as if training
encoded all 74,004,228 sentences. The actual duration is slightly shorter, because training skips long sentences and
their neighbours. In the paper, training took two weeks (336 hours); the number of epochs is not stated.

The implementations differ in the computation of the recurrence and the loss:

- ``auto``, ``torch`` and ``triton`` are described in the docstring of ``sentrep.networks.gru.GRU``;
- ``cudnn``, which needs ``--reset after``, uses cuDNN only for the encoder;
- ``loop`` computes the GRUs one after the other, step by step under autograd, and all logits at once.

Before timing, the gradients of the loss of the first batch are compared with those of ``loop`` in float32. On a CPU,
the gradients of word tables are not compared. With bfloat16 matrix products, differences of a few percent are due to
rounding. If other programs use the CPU, compare CPU times instead of wall times.
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
from common import Row
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
from torch import nn
from torch.nn import functional

from sentrep.corpora.store import TokenStore
from sentrep.families.skip_thought import Parameters
from sentrep.networks import recurrent
from sentrep.networks.gru import GRU
from sentrep.training import decoders, skip_thought
from sentrep.training.neural import NeuralLearner, Optimisation, seeded
from sentrep.training.run import Run
from sentrep.training.sentences import Sentences

BOOK_CORPUS_SENTENCES = 74_004_228
CONTESTANTS = ("auto", "torch", "triton", "cudnn", "loop")


def read_by_steps(unit: GRU, gates: Sequence[torch.Tensor], h: torch.Tensor) -> list[torch.Tensor]:
    """Return the state of a GRU after each step.

    Args:
        unit: the GRU.
        gates: contributions of the inputs to the gates and the candidate, one tensor per step.
        h: initial states.
    """
    width, weight, states = unit.units, unit.recurrent, []
    for gate in gates:
        h = h[: len(gate)]
        z, r = (gate[:, : 2 * width] + h @ weight[:, : 2 * width]).sigmoid().split(width, dim=1)
        inside, outside = (r, 1) if unit.reset == "before" else (1, r)
        h = z * h + (1 - z) * (gate[:, 2 * width :] + outside * ((inside * h) @ weight[:, 2 * width :])).tanh()
        states.append(h)
    return states


class LoopGRU(GRU):
    """A GRU that is computed step by step under autograd."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the state after every step, (n, L, units)."""
        return torch.stack(read_by_steps(self, self.input(x).unbind(1), x.new_zeros(len(x), self.units)), dim=1)


def loop_decode(
    units: Sequence[GRU],
    table: nn.Embedding,
    script: decoders.Script,
    initial: torch.Tensor | None = None,
    context: torch.Tensor | None = None,
) -> torch.Tensor:
    """Run several decoders one after the other, and return their states."""
    n, states = script.sizes[0], []
    for unit, words, sentences in zip(units, script.words, script.sentences, strict=True):
        gates = unit.input(functional.pad(table(words), (0, 0, n, 0)))
        if context is not None:
            gates = gates + unit.context(context)[sentences]
        h = gates.new_zeros(n, unit.units) if initial is None else initial[sentences[:n]]
        states.append(torch.cat(read_by_steps(unit, gates.split(script.sizes), h)))
    return torch.stack(states)


def plain_cross_entropy(
    states: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor, targets: torch.Tensor
) -> torch.Tensor:
    """Return the summed cross-entropy, computed from all logits at once."""
    return functional.cross_entropy(functional.linear(states, weight, bias), targets, reduction="sum")


@contextlib.contextmanager
def recurrence(contestant: str) -> Iterator[None]:
    """Use the given implementation of the recurrence and the loss during a ``with`` block."""
    with contextlib.ExitStack() as stack:
        if contestant in ("torch", "triton", "cudnn"):
            stack.enter_context(mock.patch.object(GRU, "implementation", contestant))
        if contestant == "loop":
            stack.enter_context(mock.patch.object(recurrent, "GRU", LoopGRU))
            stack.enter_context(mock.patch.object(skip_thought, "decode", loop_decode))
            stack.enter_context(mock.patch.object(decoders, "summed_cross_entropy", plain_cross_entropy))
        yield


def new_learner(store: TokenStore, p: Parameters, a: argparse.Namespace) -> NeuralLearner:
    """Return a learner that trains skip-thought."""
    sentences = Sentences(store, p.vocabulary - 1, p.max_tokens + 1, a.device)
    batches = skip_thought.TripleBatches(store, sentences, p.batch_size, p.max_tokens, p.document_boundaries, seed=1)

    def build() -> skip_thought.SkipThought:
        network = recurrent.Network(sentences.words, p.word_dimension, p.units, p.encoder == "bi", p.reset)
        return skip_thought.SkipThought(network, p.decoder_context)

    run = Run(1, threads=a.threads, device=a.device)
    optimisation = Optimisation(p.clip, p.largest_norm, precision=p.precision)
    return NeuralLearner(seeded(1, build), batches, optimisation, run)


def first_gradients(store: TokenStore, p: Parameters, a: argparse.Namespace, contestant: str) -> list[torch.Tensor]:
    """Return the gradients of the loss of the first batch, without changing the parameters."""
    with recurrence(contestant):
        learner = new_learner(store, p, a)
        learner.advance(0, np.zeros(1))
    return [parameter.grad for parameter in learner.objective.parameters()]


def flops(store: TokenStore, p: Parameters) -> float:
    """Return the approximate number of multiplications and additions in the matrix products of a training step."""
    steps = store.n_tokens / store.n_sentences + 1  # including <eos>
    width, readers = (p.units // 2, 2) if p.encoder == "bi" else (p.units, 1)
    encoder = readers * steps * 3 * width * (p.word_dimension + width)
    context = 3 * p.units**2 if p.decoder_context == "every_step" else 0
    decoder = steps * p.units * (3 * (p.word_dimension + p.units) + p.vocabulary) + context
    return 3 * 2 * p.batch_size * (encoder + 2 * decoder)


def measure(store: TokenStore, p: Parameters, a: argparse.Namespace, contestant: str) -> dict[str, object]:
    """Train with one implementation, and return a row of the table of results."""
    forget_peak_memory(a.device)
    with recurrence(contestant):
        learner = new_learner(store, p, a)
        seconds, cpu_seconds, loss = measure_steps(learner, p.learning_rate, a)
    return {
        "encoder": p.encoder,
        "context": p.decoder_context,
        "recurrence": contestant,
        "ms_per_step": round(1000 * seconds, 2),
        "processor_ms_per_step": round(1000 * cpu_seconds, 2),
        "sentences_per_second": round(p.batch_size / seconds),
        "tflops": round(flops(store, p) / seconds / 1e12, 3),
        "peak_memory_gb": round(peak_memory(a.device), 2),
        "hours_for_an_epoch": round(BOOK_CORPUS_SENTENCES / p.batch_size * seconds / 3600, 2),
        "last_loss": round(loss / p.batch_size, 2),
    }


def rows(settings: Settings) -> Iterator[Row]:
    """Measure the training speed of uni-skip at the paper's size on the GPU, and yield the rows for ``run.py``."""
    a = argparse.Namespace(device="cuda", threads=1, steps=settings.size(212, 40), warm_up=20, profile=False)
    p = Parameters()
    store = build_store([w[:29] for w in zipf_corpus((a.steps + 1) * p.batch_size, 300_000)], 300_000)
    row = measure(store, p, a, "auto")
    yield from projection("uni-skip with 2,400 units on the GPU, one epoch", row, row["hours_for_an_epoch"], 12, 336)


def main() -> None:
    """Measure the selected implementations, and print a table of results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_options(parser, CONTESTANTS)
    parser.add_argument("--encoder", choices=["uni", "bi"], nargs="+", default=["uni"])
    parser.add_argument("--context", choices=["every_step", "initial_state"], default="every_step")
    parser.add_argument("--reset", choices=["before", "after"], default="after")
    parser.add_argument("--units", type=int, default=2400)
    parser.add_argument("--vocabulary", type=int, default=20_000)
    parser.add_argument("--batch-size", type=int, default=128)
    a = parser.parse_args()
    store = draw((a.steps + 1) * a.batch_size, 29, a)
    table = []
    for encoder in a.encoder:
        p = Parameters(
            **{"encoder": encoder, "units": a.units, "word_dimension": a.word_dimension, "reset": a.reset},
            **{"vocabulary": a.vocabulary, "batch_size": a.batch_size, "precision": a.precision},
            decoder_context=a.context,
        )
        expected = first_gradients(store, dataclasses.replace(p, precision="float32"), a, "loop")
        gradients, measured = partial(first_gradients, store, p, a), partial(measure, store, p, a)
        table += compare(a.recurrence, gradients, expected, measured)
    print_all(table)


if __name__ == "__main__":
    main()
