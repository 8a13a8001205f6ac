"""Measure the speed of training networks, and define the command-line options that these benchmarks share."""

from __future__ import annotations

import argparse
import resource
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from common import Goal, Row, figure
from host import cpu_model
from made_up import build_store, zipf_corpus

from sentrep.corpora.store import TokenStore
from sentrep.training.neural import NeuralLearner


def largest_difference(found: list[torch.Tensor], expected: list[torch.Tensor]) -> float:
    """Return the largest relative error of the gradients of all parameters.

    The relative error is the norm of the difference between the found and the expected gradient, divided by the norm of
    the expected gradient. Gradients of word tables are zero, because they are cleared after each step. For gradients of
    zero, the absolute error is used.
    """
    pairs = zip(found, expected, strict=True)
    return max(float((mine - its).norm() / (its.norm() if its.any() else 1.0)) for mine, its in pairs)


def measure_steps(learner: NeuralLearner, rate: float, a: argparse.Namespace) -> tuple[float, float, float]:
    """Take ``a.steps`` training steps, and measure the time of those after the first ``a.warm_up`` steps.

    Returns:
        The wall time and CPU time per step in seconds, and the last loss.
    """
    rates = np.full(a.steps, rate)
    learner.advance(0, rates[: a.warm_up])
    began, began_cpu, done = time.perf_counter(), time.process_time(), a.warm_up
    while done < a.steps:  # as in the training loop: 32 steps, then a check of the losses
        losses = learner.advance(done, rates[done : done + 32])
        done += len(losses)
    steps = a.steps - a.warm_up
    seconds, cpu_seconds = (time.perf_counter() - began) / steps, (time.process_time() - began_cpu) / steps
    if a.profile:
        profile(learner, rate, a.device)
    return seconds, cpu_seconds, float(losses[-1])


def profile(learner: NeuralLearner, rate: float, device: str) -> None:
    """Print a profile of ten training steps."""
    activities = [torch.profiler.ProfilerActivity.CPU]
    if device == "cuda":
        activities.append(torch.profiler.ProfilerActivity.CUDA)
    with torch.profiler.profile(activities=activities) as profiled:
        learner.advance(0, np.full(10, rate))
    order = "self_cuda_time_total" if device == "cuda" else "self_cpu_time_total"
    print(profiled.key_averages().table(sort_by=order, row_limit=25, max_name_column_width=60))


def forget_peak_memory(device: str) -> None:
    """Reset the peak memory use that :func:`peak_memory` returns, which is possible only on a GPU."""
    if device == "cuda":
        torch.cuda.empty_cache()
        torch.cuda.reset_peak_memory_stats()


def peak_memory(device: str) -> float:
    """Return the peak memory use of the GPU, or of this process, in gigabytes."""
    if device == "cuda":
        return torch.cuda.max_memory_allocated() / 1e9
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e9


def add_options(parser: argparse.ArgumentParser, contestants: tuple[str, ...]) -> None:
    """Add the command-line options that the benchmarks of all networks share."""
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--threads", type=int, default=1, help="number of CPU threads")
    parser.add_argument("--recurrence", choices=contestants, nargs="+", default=["auto"])
    parser.add_argument("--precision", choices=["auto", "float32", "bfloat16"], default="auto")
    parser.add_argument("--word-dimension", type=int, default=620)
    parser.add_argument("--steps", type=int, default=212)
    parser.add_argument("--warm-up", type=int, default=20)
    parser.add_argument("--profile", action="store_true", help="print a profile of ten steps")


def draw(n_sentences: int, longest: int, a: argparse.Namespace) -> TokenStore:
    """Draw a synthetic corpus with 300,000 distinct words, and print a description of it."""
    name = torch.cuda.get_device_name() if a.device == "cuda" else f"{cpu_model()}, {a.threads} thread(s)"
    store = build_store([words[:longest] for words in zipf_corpus(n_sentences, 300_000)], 300_000)
    print(f"{name}, torch {torch.__version__}")
    print(f"{store.n_tokens / store.n_sentences:.1f} words per sentence, reset {a.reset}, precision {a.precision}\n")
    return store


def compare(
    contestants: list[str],
    gradients: Callable[[str], list[torch.Tensor]],
    expected: list[torch.Tensor],
    measure: Callable[[str], dict[str, Any]],
) -> list[dict[str, Any]]:
    """Return one row of results for each implementation, including the error of its gradients."""
    rows = []
    for contestant in contestants:
        difference = largest_difference(gradients(contestant), expected)
        rows.append({**measure(contestant), "gradients_differ_by": f"{difference:.1e}"})
        print(rows[-1], flush=True)
    return rows


def print_all(rows: list[dict[str, Any]]) -> None:
    """Print a table of results in Markdown."""
    print("\n| " + " | ".join(rows[0]) + " |\n|" + "---|" * len(rows[0]))
    for row in rows:
        print("| " + " | ".join(map(str, row.values())) + " |")


def projection(work: str, row: dict[str, Any], hours: float, goal: float, papers: float) -> list[Row]:
    """Return rows with a speed measured on the GPU and the projected hours for the paper's corpus."""
    return [
        figure(work, "sentrep", "sentences/s", row["sentences_per_second"]),
        figure(
            *(work, "sentrep, projected", "h", hours, Goal("median", "<=", goal)),
            note=f"the paper reports {papers:g} h on the GPU that it used",
        ),
    ]
