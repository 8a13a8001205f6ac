"""Speed of training skip-thought, by default uni-skip at the paper's size, on a CPU or a GPU.

    python benchmarks/skip_thought.py [--device cuda] [--encoder uni bi] [--recurrence auto torch] [--profile]

The corpus is drawn: word frequencies after Zipf's law over 300,000 words, of which the most frequent are known,
log-normal sentence lengths cut at 29 words, 13 on average: the released code leaves out sentences of 30 and more. What
is timed is training as the family does it, reading the batches included, after a few steps that compile and warm up.
The projection takes each of the corpus' 74,004,228 sentences as a source once. That is one epoch, or rather more, for
of long sentences and their neighbours an epoch makes no use. The paper trained for two weeks, 336 hours; how many
epochs that was it does not say.

Each contestant is a way to compute the recurrence and the loss:

- auto, torch, triton: see ``GRU.implementation``; cuDNN may then do the encoder alone (cudnn, with ``--reset after``);
- loop: one unit after the other, step by step under autograd; all logits at once.

Before it is timed, its gradients of the first batch's loss are compared with those of the loop in float32; where
matrix products are bfloat16, a few percent are rounding. On a CPU that others use too, look at the processor time
instead of the wall time.
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import resource
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from unittest import mock

import numpy as np
import torch
from quick_thoughts import largest_difference
from siamese_cbow import build_store, cpu_model, zipf_corpus
from torch import nn
from torch.nn import functional

sys.path.insert(0, str(Path(__file__).parents[1] / "workflow" / "scripts"))

from sentrep.families import Run
from sentrep.families.skip_thought import Parameters
from sentrep.networks import recurrent
from sentrep.networks.gru import GRU
from sentrep.store import TokenStore
from sentrep.training import decoders, skip_thought
from sentrep.training.neural import NeuralLearner, Optimisation, seeded
from sentrep.training.sentences import Sentences

BOOK_CORPUS_SENTENCES = 74_004_228
CONTESTANTS = ("auto", "torch", "triton", "cudnn", "loop")


def read_by_steps(unit: GRU, gates: Sequence[torch.Tensor], h: torch.Tensor) -> list[torch.Tensor]:
    """Return the states after each step, from what the input adds to the gates at each step."""
    width, weight, states = unit.units, unit.recurrent, []
    for gate in gates:
        h = h[: len(gate)]
        z, r = (gate[:, : 2 * width] + h @ weight[:, : 2 * width]).sigmoid().split(width, dim=1)
        inside, outside = (r, 1) if unit.reset == "before" else (1, r)
        h = z * h + (1 - z) * (gate[:, 2 * width :] + outside * ((inside * h) @ weight[:, 2 * width :])).tanh()
        states.append(h)
    return states


class LoopGRU(GRU):
    """A unit that reads step by step under autograd."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the states, (n, L, units); as the encoder uses it."""
        return torch.stack(read_by_steps(self, self.input(x).unbind(1), x.new_zeros(len(x), self.units)), dim=1)


def loop_decode(
    units: Sequence[GRU],
    table: nn.Embedding,
    script: decoders.Script,
    initial: torch.Tensor | None = None,
    context: torch.Tensor | None = None,
) -> torch.Tensor:
    """Decode with one unit after the other."""
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
    """Return the loss from all logits at once."""
    return functional.cross_entropy(functional.linear(states, weight, bias), targets, reduction="sum")


@contextlib.contextmanager
def recurrence(contestant: str) -> Iterator[None]:
    """Let a contestant compute recurrence and loss."""
    with contextlib.ExitStack() as stack:
        if contestant in ("torch", "triton", "cudnn"):
            stack.enter_context(mock.patch.object(GRU, "implementation", contestant))
        if contestant == "loop":
            stack.enter_context(mock.patch.object(recurrent, "GRU", LoopGRU))
            stack.enter_context(mock.patch.object(skip_thought, "decode", loop_decode))
            stack.enter_context(mock.patch.object(decoders, "summed_cross_entropy", plain_cross_entropy))
        yield


def new_learner(store: TokenStore, p: Parameters, a: argparse.Namespace) -> NeuralLearner:
    """Return what trains."""
    sentences = Sentences(store, p.vocabulary - 1, p.max_tokens + 1, a.device)
    batches = skip_thought.TripleBatches(store, sentences, p.batch_size, p.max_tokens, p.document_boundaries, seed=1)

    def build() -> skip_thought.SkipThought:
        network = recurrent.Network(sentences.words, p.word_dimension, p.units, p.encoder == "bi", p.reset)
        return skip_thought.SkipThought(network, p.decoder_context)

    run = Run(1, threads=a.threads, device=a.device)
    optimisation = Optimisation(p.clip, p.largest_norm, precision=p.precision)
    return NeuralLearner(seeded(1, build), batches, optimisation, run)


def first_gradients(store: TokenStore, p: Parameters, a: argparse.Namespace, contestant: str) -> list[torch.Tensor]:
    """Return the gradients of the first batch's loss before training."""
    with recurrence(contestant):
        learner = new_learner(store, p, a)
        learner.advance(0, np.zeros(1))
    return [parameter.grad for parameter in learner.objective.parameters()]


def flops(store: TokenStore, p: Parameters) -> float:
    """Return the multiplications and additions of a batch's matrix products, backwards twice those forwards."""
    steps = store.n_tokens / store.n_sentences + 1  # with <eos>
    width, readers = (p.units // 2, 2) if p.encoder == "bi" else (p.units, 1)
    encoder = readers * steps * 3 * width * (p.word_dimension + width)
    context = 3 * p.units**2 if p.decoder_context == "every_step" else 0
    decoder = steps * p.units * (3 * (p.word_dimension + p.units) + p.vocabulary) + context
    return 3 * 2 * p.batch_size * (encoder + 2 * decoder)


def measure(store: TokenStore, p: Parameters, a: argparse.Namespace, contestant: str) -> dict[str, object]:
    """Train with one contestant; return a row of the table."""
    cuda = a.device == "cuda"
    if cuda:
        torch.cuda.empty_cache()
        torch.cuda.reset_peak_memory_stats()
    with recurrence(contestant):
        learner = new_learner(store, p, a)
        rates = np.full(a.steps, p.learning_rate)
        learner.advance(0, rates[: a.warm_up])
        began, began_cpu, done = time.perf_counter(), time.process_time(), a.warm_up
        while done < a.steps:  # as the training loop does: 32 steps, then a look at the losses
            losses = learner.advance(done, rates[done : done + 32])
            done += len(losses)
        steps = a.steps - a.warm_up
        seconds, cpu_seconds = (time.perf_counter() - began) / steps, (time.process_time() - began_cpu) / steps
        if a.profile:
            profile(learner, p, a)
    peak = torch.cuda.max_memory_allocated() if cuda else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return {
        "encoder": p.encoder,
        "context": p.decoder_context,
        "recurrence": contestant,
        "ms_per_step": round(1000 * seconds, 2),
        "processor_ms_per_step": round(1000 * cpu_seconds, 2),
        "sentences_per_second": round(p.batch_size / seconds),
        "tflops": round(flops(store, p) / seconds / 1e12, 3),
        "peak_memory_gb": round(peak / 1e9, 2),
        "hours_for_an_epoch": round(BOOK_CORPUS_SENTENCES / p.batch_size * seconds / 3600, 2),
        "last_loss": round(float(losses[-1]) / p.batch_size, 2),
    }


def profile(learner: NeuralLearner, p: Parameters, a: argparse.Namespace) -> None:
    """Print where ten steps spend their time."""
    activities = [torch.profiler.ProfilerActivity.CPU]
    if a.device == "cuda":
        activities.append(torch.profiler.ProfilerActivity.CUDA)
    with torch.profiler.profile(activities=activities) as profiled:
        learner.advance(0, np.full(10, p.learning_rate))
    order = "self_cuda_time_total" if a.device == "cuda" else "self_cpu_time_total"
    print(profiled.key_averages().table(sort_by=order, row_limit=25, max_name_column_width=60))


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--threads", type=int, default=1, help="where the device is the CPU")
    parser.add_argument("--encoder", choices=["uni", "bi"], nargs="+", default=["uni"])
    parser.add_argument("--recurrence", choices=CONTESTANTS, nargs="+", default=["auto"])
    parser.add_argument("--context", choices=["every_step", "initial_state"], default="every_step")
    parser.add_argument("--reset", choices=["before", "after"], default="after")
    parser.add_argument("--precision", choices=["auto", "float32", "bfloat16"], default="auto")
    parser.add_argument("--units", type=int, default=2400)
    parser.add_argument("--word-dimension", type=int, default=620)
    parser.add_argument("--vocabulary", type=int, default=20_000)
    parser.add_argument("--batch-size", type=int, default=128)
    parser.add_argument("--steps", type=int, default=212)
    parser.add_argument("--warm-up", type=int, default=20)
    parser.add_argument("--profile", action="store_true", help="print where ten steps spend their time")
    a = parser.parse_args()
    name = torch.cuda.get_device_name() if a.device == "cuda" else f"{cpu_model()}, {a.threads} thread(s)"
    store = build_store([words[:29] for words in zipf_corpus((a.steps + 1) * a.batch_size, 300_000)], 300_000)
    print(f"{name}, torch {torch.__version__}")
    print(f"{store.n_tokens / store.n_sentences:.1f} words per sentence, reset {a.reset}, precision {a.precision}\n")
    rows = []
    for encoder in a.encoder:
        p = Parameters(
            **{"encoder": encoder, "units": a.units, "word_dimension": a.word_dimension, "reset": a.reset},
            **{"vocabulary": a.vocabulary, "batch_size": a.batch_size, "precision": a.precision},
            decoder_context=a.context,
        )
        expected = first_gradients(store, dataclasses.replace(p, precision="float32"), a, "loop")
        for contestant in a.recurrence:
            difference = largest_difference(first_gradients(store, p, a, contestant), expected)
            row = measure(store, p, a, contestant)
            rows.append({**row, "gradients_differ_by": f"{difference:.1e}"})
            print(rows[-1], flush=True)
    print("\n| " + " | ".join(rows[0]) + " |\n|" + "---|" * len(rows[0]))
    for row in rows:
        print("| " + " | ".join(map(str, row.values())) + " |")


if __name__ == "__main__":
    main()
