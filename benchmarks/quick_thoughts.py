"""Speed of training Quick Thoughts, by default uni-QT at the paper's size, on a CPU or a GPU.

    python benchmarks/quick_thoughts.py [--device cuda] [--encoder uni bi] [--kernels auto torch] [--profile]

The corpus is drawn: word frequencies after Zipf's law over 300,000 words, of which the most frequent are known,
log-normal sentence lengths of 14.6 words on average, cut at 50. What is timed is training as the family does it,
reading the batches included, after a few steps that compile and warm up. The projection is to one epoch of the
paper's 45,786,400 sentences, for which it gives 11 hours on a Titan X (uni-QT).

Each contestant is a way to compute the recurrence:

- auto, torch, triton, cudnn: see ``GRU.implementation``; cudnn needs ``--reset after``;
- apart: auto, but the units of f and g are read one after the other instead of side by side;
- padded: auto, on padded batches: all sentences as long as the longest;
- loop: one unit after the other, padded, step by step under autograd.

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
from siamese_cbow import build_store, cpu_model, zipf_corpus

sys.path.insert(0, str(Path(__file__).parents[1] / "workflow" / "scripts"))

from sentrep.families import Run
from sentrep.families.quick_thoughts import Parameters, build_network
from sentrep.networks import gru, packing, two_towers
from sentrep.store import TokenStore
from sentrep.training.neural import NeuralLearner, Optimisation, seeded
from sentrep.training.quick_thoughts import Contiguous, QuickThoughts
from sentrep.training.sentences import Sentences

PAPER_SENTENCES = 45_786_400
CONTESTANTS = ("auto", "torch", "triton", "cudnn", "apart", "padded", "loop")


def apart(
    units: Sequence[gru.GRU], x: torch.Tensor, initial: torch.Tensor | None, sizes: Sequence[int]
) -> torch.Tensor:
    """Read with one unit after the other."""
    return torch.cat([gru.read_together([unit], x[i : i + 1], initial, sizes) for i, unit in enumerate(units)])


def loop(units: Sequence[gru.GRU], x: torch.Tensor, initial: torch.Tensor | None, sizes: Sequence[int]) -> torch.Tensor:
    """Read with one unit after the other, step by step under autograd."""
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


def padded_layout(lengths: np.ndarray, columns: int, directions: int = 1, multiple: int = 1) -> packing.Layout:
    """Lay out a batch with its padding, which a reader goes through without being asked for its states there."""
    columns = int(lengths.max())
    step, begin = np.arange(columns)[:, None], np.arange(len(lengths)) * columns
    backwards = np.where(step < lengths, lengths - 1 - step, step)
    rows = [(begin + order).ravel() for order in (np.broadcast_to(step, backwards.shape), backwards)]
    last = (lengths.astype(np.int64) - 1) * len(lengths) + np.arange(len(lengths))
    return packing.Layout(np.stack(rows[:directions]), last, [len(lengths)] * columns)


@contextlib.contextmanager
def recurrence(contestant: str) -> Iterator[None]:
    """Let a contestant compute the recurrence."""
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


def new_learner(store: TokenStore, p: Parameters, device: str, threads: int) -> tuple[NeuralLearner, Contiguous]:
    """Return what trains, and its batches."""
    sentences = Sentences(store, p.vocabulary, p.max_tokens, device)
    objective = seeded(1, lambda: QuickThoughts(build_network(p, sentences.words, None), p.context))
    batches = Contiguous(store, sentences, objective.network, device, p.batch_size, p.context)
    run = Run(1, threads=threads, device=device)
    optimisation = Optimisation(p.clip, p.largest_norm, precision=p.precision)
    return NeuralLearner(objective, batches, optimisation, run), batches


def first_gradients(store: TokenStore, p: Parameters, a: argparse.Namespace, contestant: str) -> list[torch.Tensor]:
    """Return the gradients of the first batch's loss before training, and change nothing."""
    with recurrence(contestant):
        learner, _ = new_learner(store, p, a.device, a.threads)
        learner.advance(0, np.zeros(1))
    return [parameter.grad for parameter in learner.objective.parameters()]


def largest_difference(found: list[torch.Tensor], expected: list[torch.Tensor]) -> float:
    """Return the largest norm of the difference of two gradients, in norms of the expected one."""
    return max(float((mine - its).norm() / its.norm()) for mine, its in zip(found, expected, strict=True))


def flops(store: TokenStore, p: Parameters) -> float:
    """Return the multiplications and additions of a batch's matrix products, backwards twice those forwards."""
    words = store.n_tokens / store.n_sentences * p.batch_size
    width = p.units // 2 if p.encoder == "bi" else p.units
    readers = {"bow": 0, "uni": 2, "bi": 4}[p.encoder]
    output = p.units if readers else p.word_dimension
    return 3 * 2 * (readers * words * 3 * width * (p.word_dimension + width) + p.batch_size**2 * output)


def measure(store: TokenStore, p: Parameters, a: argparse.Namespace, contestant: str) -> dict[str, object]:
    """Train with one contestant; return a row of the table."""
    cuda = a.device == "cuda"
    if cuda:
        torch.cuda.empty_cache()
        torch.cuda.reset_peak_memory_stats()
    with recurrence(contestant):
        learner, _ = new_learner(store, p, a.device, a.threads)
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
        "recurrence": contestant,
        "ms_per_step": round(1000 * seconds, 2),
        "processor_ms_per_step": round(1000 * cpu_seconds, 2),
        "sentences_per_second": round(p.batch_size / seconds),
        "tflops": round(flops(store, p) / seconds / 1e12, 3),
        "peak_memory_gb": round(peak / 1e9, 2),
        "hours_for_the_paper": round(PAPER_SENTENCES / p.batch_size * seconds / 3600, 2),
        "last_loss": round(float(losses[-1]), 4),
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
    parser.add_argument("--encoder", choices=["uni", "bi", "bow"], nargs="+", default=["uni"])
    parser.add_argument("--recurrence", choices=CONTESTANTS, nargs="+", default=["auto"])
    parser.add_argument("--reset", choices=["before", "after"], default="before")
    parser.add_argument("--precision", choices=["auto", "float32", "bfloat16"], default="auto")
    parser.add_argument("--units", type=int, default=1200)
    parser.add_argument("--word-dimension", type=int, default=620)
    parser.add_argument("--vocabulary", type=int, default=50_001)
    parser.add_argument("--batch-size", type=int, default=400)
    parser.add_argument("--steps", type=int, default=212)
    parser.add_argument("--warm-up", type=int, default=20)
    parser.add_argument("--profile", action="store_true", help="print where ten steps spend their time")
    a = parser.parse_args()
    name = torch.cuda.get_device_name() if a.device == "cuda" else f"{cpu_model()}, {a.threads} thread(s)"
    store = build_store([words[:50] for words in zipf_corpus(a.steps * a.batch_size, 300_000)], 300_000)
    print(f"{name}, torch {torch.__version__}")
    print(f"{store.n_tokens / store.n_sentences:.1f} words per sentence, reset {a.reset}, precision {a.precision}\n")
    rows = []
    for encoder in a.encoder:
        p = Parameters(
            **{"encoder": encoder, "units": a.units, "word_dimension": a.word_dimension, "reset": a.reset},
            **{"vocabulary": a.vocabulary, "batch_size": a.batch_size, "precision": a.precision},
        )
        oracle = "auto" if encoder == "bow" else "loop"
        expected = first_gradients(store, dataclasses.replace(p, precision="float32"), a, oracle)
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
