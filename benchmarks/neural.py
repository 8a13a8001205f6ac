"""Provide the code that the benchmarks of neural networks share: measurements, command-line options and output."""

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
from inputs import build_store, zipf_corpus

from sentrep.corpora.store import TokenStore
from sentrep.training.neural import NeuralLearner


def largest_difference(found: list[torch.Tensor], expected: list[torch.Tensor]) -> float:
    """Return the largest relative error among the gradients of all parameters.

    The relative error is the norm of the difference between the found and the expected gradient, divided by the norm of
    the expected gradient. If the expected gradient is zero, the norm of the difference is used instead. On a CPU, word
    tables do not affect the result, because each training step ends by setting their gradients to zero.
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
    """Reset the peak memory use that :func:`peak_memory` returns for a GPU; do nothing for a CPU."""
    if device == "cuda":
        torch.cuda.empty_cache()
        torch.cuda.reset_peak_memory_stats()


def peak_memory(device: str) -> float:
    """Return the peak memory use of this process in gigabytes: GPU memory for "cuda", otherwise main memory."""
    if device == "cuda":
        return torch.cuda.max_memory_allocated() / 1e9
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e9


def add_options(parser: argparse.ArgumentParser, recurrences: tuple[str, ...]) -> None:
    """Add to a command-line parser the options that all benchmarks of neural networks share.

    Args:
        parser: parser of a benchmark.
        recurrences: names of the implementations of the recurrence.
    """
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--threads", type=int, default=1, help="number of CPU threads")
    parser.add_argument("--recurrence", choices=recurrences, nargs="+", default=["auto"])
    parser.add_argument("--precision", choices=["auto", "float32", "bfloat16"], default="auto")
    parser.add_argument("--word-dimension", type=int, default=620)
    parser.add_argument("--steps", type=int, default=212)
    parser.add_argument("--warm-up", type=int, default=20)
    parser.add_argument("--profile", action="store_true", help="print a profile of ten steps")


def draw(n_sentences: int, longest: int, a: argparse.Namespace) -> TokenStore:
    """Draw a synthetic corpus with up to 300,000 distinct words, and print a description of the corpus and the device.

    Args:
        n_sentences: number of sentences.
        longest: maximum number of words in a sentence; longer sentences are truncated.
        a: command-line options.
    """
    name = torch.cuda.get_device_name() if a.device == "cuda" else f"{cpu_model()}, threads: {a.threads}"
    store = build_store([words[:longest] for words in zipf_corpus(n_sentences, 300_000)], 300_000)
    print(f"{name}, torch {torch.__version__}")
    words_per_sentence = store.n_tokens / store.n_sentences
    print(f"{words_per_sentence:.1f} words per sentence, reset: {a.reset}, precision: {a.precision}\n")
    return store


def compare(
    contestants: list[str],
    gradients: Callable[[str], list[torch.Tensor]],
    expected: list[torch.Tensor],
    measure: Callable[[str], dict[str, Any]],
) -> list[dict[str, Any]]:
    """Print and return one row of results for each implementation, including the error of its gradients.

    The functions ``gradients`` and ``measure`` take the name of an implementation. ``gradients`` returns the gradients,
    which are compared with the correct gradients in ``expected``; ``measure`` returns the other results.
    """
    rows = []
    for contestant in contestants:
        difference = largest_difference(gradients(contestant), expected)
        rows.append({**measure(contestant), "gradients_differ_by": f"{difference:.1e}"})
        print(rows[-1], flush=True)
    return rows


def print_all(rows: list[dict[str, Any]]) -> None:
    """Print the rows of results as a Markdown table."""
    print("\n| " + " | ".join(rows[0]) + " |\n|" + "---|" * len(rows[0]))
    for row in rows:
        print("| " + " | ".join(map(str, row.values())) + " |")


def projection(work: str, row: dict[str, Any], hours: float, goal: float, papers: float) -> list[Row]:
    """Return two rows: the training speed on the GPU, and the projected time for one epoch over the paper's corpus.

    Args:
        work: name of the task.
        row: measured results.
        hours: projected time for one epoch, in hours.
        goal: longest time for one epoch that meets the goal, in hours.
        papers: training time that the paper reports, in hours.
    """
    return [
        figure(work, "sentrep", "sentences/s", row["sentences_per_second"]),
        figure(
            *(work, "sentrep, projected", "h", hours, Goal("median", "<=", goal)),
            note=f"the paper reports a training time of {papers:g} h on the authors' GPU",
        ),
    ]
