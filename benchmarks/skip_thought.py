"""Speed of training skip-thought at the paper's size, and what that means for the Toronto Book Corpus.

    python benchmarks/skip_thought.py [--device cuda] [--steps 256] [--encoder uni]

The corpus is drawn: word frequencies after Zipf's law, log-normal sentence lengths of 13 words on average, all below
30, the length from which the released code leaves sentences out. Everything that training does is in the measured
time: choosing and fetching batches, loss, gradients, clipping, Adam.

The projection takes every one of the corpus' 74,004,228 sentences as a source once, at the measured speed. That is an
epoch, and a little more than an epoch holds, for sentences of 30 words and more and their neighbours are left out. The
paper trained for two weeks (336 hours) and does not say how many epochs that is.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from pathlib import Path

import numpy as np
import torch

sys.path.insert(0, str(Path(__file__).parents[1] / "workflow" / "scripts"))

from sentrep.families import Run
from sentrep.networks.recurrent import Network
from sentrep.store import TokenStore, id_type
from sentrep.training.neural import NeuralLearner, Optimisation, seeded
from sentrep.training.sentences import Sentences
from sentrep.training.skip_thought import SkipThought, TripleBatches

BOOK_CORPUS = 74_004_228
PAPER_HOURS = 336
MAX_TOKENS = 29


def draw_store(n_sentences: int, vocabulary_size: int) -> TokenStore:
    """Draw a corpus: p(rank) falls as 1 / (rank + 2.7), lengths log-normal with median 11, redrawn if too long."""
    rng = np.random.default_rng(0)
    lengths = np.zeros(n_sentences, dtype=np.int64)
    while (redraw := np.flatnonzero((lengths < 1) | (lengths > MAX_TOKENS))).size:
        lengths[redraw] = np.rint(rng.lognormal(np.log(12.5), 0.6, redraw.size))
    cumulative = np.cumsum(1 / (np.arange(vocabulary_size) + 2.7))
    ids = np.searchsorted(cumulative / cumulative[-1], rng.random(lengths.sum()))
    return TokenStore(
        ids.astype(id_type(vocabulary_size)),
        np.concatenate([[0], np.cumsum(lengths)]),
        np.array([0, n_sentences]),
        [f"w{i}" for i in range(vocabulary_size)],
        np.bincount(ids, minlength=vocabulary_size),
        {},
    )


def operations(a: argparse.Namespace, words: float) -> float:
    """Return the floating-point operations that a sentence takes, forwards and backwards, with its two neighbours.

    Only matrix products are counted, twice their multiplications, and three products for each: the result and the
    gradients of both factors.
    """
    steps = words + 1  # with <eos>
    width = a.units // 2 if a.encoder == "bi" else a.units
    encoder = (a.units // width) * steps * 3 * width * (a.word_dimension + width)
    context = 3 * a.units * a.units if a.decoder_context == "every_step" else 0
    decoder = steps * 3 * a.units * (a.word_dimension + a.units) + context + steps * a.units * a.vocabulary
    return 6 * (encoder + 2 * decoder)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu", choices=["cpu", "cuda"])
    parser.add_argument("--threads", type=int, default=1, help="on the CPU")
    parser.add_argument("--steps", type=int, default=256)
    parser.add_argument("--warm-up", type=int, default=32, help="steps before the measured ones")
    parser.add_argument("--chunk", type=int, default=32, help="steps between two looks at the clock")
    parser.add_argument("--sentences", type=int, default=400_000, help="of the drawn corpus")
    parser.add_argument("--encoder", choices=["uni", "bi"], default="uni")
    parser.add_argument("--units", type=int, default=2400)
    parser.add_argument("--word-dimension", type=int, default=620)
    parser.add_argument("--vocabulary", type=int, default=20_000)
    parser.add_argument("--batch-size", type=int, default=128)
    parser.add_argument("--decoder-context", choices=["every_step", "initial_state"], default="every_step")
    parser.add_argument("--reset", choices=["after", "before"], default="after")
    parser.add_argument("--precision", choices=["auto", "float32", "bfloat16"], default="auto")
    parser.add_argument("--profile", action="store_true", help="print what a chunk of steps spends its time on")
    a = parser.parse_args()
    store = draw_store(a.sentences, a.vocabulary)
    words = store.n_tokens / store.n_sentences
    run = Run(1, threads=a.threads, device=a.device)
    name = torch.cuda.get_device_name() if a.device == "cuda" else f"CPU, {a.threads} thread(s)"
    print(f"{name}, torch {torch.__version__}; {words:.1f} words a sentence, {a.vocabulary} words")

    sentences = Sentences(store, a.vocabulary - 1, MAX_TOKENS + 1, a.device)
    batches = TripleBatches(store, sentences, a.batch_size, MAX_TOKENS, "respect", run.seed)

    def build() -> SkipThought:
        network = Network(sentences.words, a.word_dimension, a.units, a.encoder == "bi", a.reset)
        return SkipThought(network, a.decoder_context)

    objective = seeded(run.seed, build)
    learner = NeuralLearner(objective, batches, Optimisation("global", 10.0, precision=a.precision), run)
    parameters = sum(parameter.numel() for parameter in objective.parameters())
    rate, losses, times = np.full(a.chunk, 2e-4), [], []
    for first in range(0, a.warm_up, a.chunk):
        learner.advance(first, rate)
    begin = -(-a.warm_up // a.chunk) * a.chunk
    if begin + a.steps > batches.per_epoch:
        parser.error(f"{begin + a.steps} steps need more than {a.sentences} sentences")
    for first in range(begin, begin + a.steps, a.chunk):
        began = time.perf_counter()
        losses.append(learner.advance(first, rate).mean() / a.batch_size)
        times.append((time.perf_counter() - began) / a.chunk)
    spent = statistics.mean(times)
    speed = a.batch_size / spent
    memory = (
        f"{torch.cuda.max_memory_allocated() / 1e9:.1f} GB at most" if a.device == "cuda" else "memory not measured"
    )
    print(
        f"{a.encoder}-skip, {a.units} units, {a.word_dimension}-d words, batch {a.batch_size}, {parameters / 1e6:.0f} M "
        f"parameters, context at {a.decoder_context}, reset {a.reset}\n"
        f"{1000 * spent:.2f} ms a step (chunks of {a.chunk}: {1000 * min(times):.2f} to {1000 * max(times):.2f}), "
        f"{speed:,.0f} sentences/s, {speed * operations(a, words) / 1e12:.2f} TFLOP/s of matrix products; {memory}\n"
        f"loss per sentence {losses[0]:.1f} at first, {losses[-1]:.1f} at last\n"
        f"the Toronto Book Corpus once: {BOOK_CORPUS / speed / 3600:,.1f} h; the paper: {PAPER_HOURS} h"
    )
    if a.profile:
        activities = [torch.profiler.ProfilerActivity.CPU, torch.profiler.ProfilerActivity.CUDA]
        with torch.profiler.profile(activities=activities[: 1 + (a.device == "cuda")]) as profile:
            learner.advance(0, rate)
        order = f"self_{a.device}_time_total"
        print(profile.key_averages().table(sort_by=order, row_limit=25, max_name_column_width=60))


if __name__ == "__main__":
    main()
