"""Measure how fast sentrep and torch train Siamese CBOW on a GPU, and how much of the memory bandwidth sentrep uses.

    python benchmarks/siamese_cbow_gpu.py [--sentences 74004228] [--steps 0]

The synthetic corpus is drawn on the GPU. By default, it has as many sentences and distinct words as BookCorpus. Word
frequencies follow Zipf's law, and sentence lengths are log-normal with a median of 11 words. The benchmark measures the
speed of

- training with sentrep for one epoch, or for the number of batches given by ``--steps``, including the shuffling of
  sentences;
- training with torch's ``EmbeddingBag``, sparse gradients and SGD on the same GPU;
- a plain copy within the memory of the GPU.

The bandwidth that training uses is calculated from three accesses for each word of an example: reading its vector for
the mean of the sentence, and reading and writing the vector to add the gradient. Caches are ignored.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator

import numpy as np
import torch
from common import Goal, Row, figure
from inputs import Settings
from siamese_cbow import TorchLoop, index_tensors

from sentrep.corpora.store import TokenStore
from sentrep.training.averaging.autograd import AutogradTrainer
from sentrep.training.averaging.gpu import GpuLearner
from sentrep.training.batches import Sampler, TokenReader

RATE = 1e-4


def draw_store(n_sentences: int, vocabulary_size: int) -> TokenStore:
    """Draw a synthetic corpus on the GPU, and return the corpus as a token store.

    Sentence lengths are log-normal (median 11, maximum 60), and the probability of a word is proportional to
    1 / (id + 2.7). Each document has 1,000 sentences; only the last document may be shorter.
    """
    generator = torch.Generator("cuda").manual_seed(0)
    normal = torch.randn(n_sentences, device="cuda", generator=generator)
    lengths = (normal * 0.72 + np.log(11)).exp().clamp(1, 60).long()
    offsets = torch.zeros(n_sentences + 1, dtype=torch.int64, device="cuda")
    torch.cumsum(lengths, 0, out=offsets[1:])
    cumulative = (1 / (torch.arange(vocabulary_size, device="cuda", dtype=torch.float64) + 2.7)).cumsum(0)
    total = int(offsets[-1])
    ids = np.empty(total, dtype=np.uint32)
    for begin in range(0, total, 1 << 27):
        end = min(total, begin + (1 << 27))
        drawn = torch.rand(end - begin, device="cuda", generator=generator, dtype=torch.float64) * cumulative[-1]
        ids[begin:end] = torch.searchsorted(cumulative, drawn).int().cpu().numpy()
    words = [f"w{i}" for i in range(vocabulary_size)]
    documents = np.arange(0, n_sentences + 1, 1000)
    documents = np.append(documents, n_sentences) if documents[-1] != n_sentences else documents
    return TokenStore(ids, offsets.cpu().numpy(), documents, words, np.zeros(vocabulary_size, np.int64), {})


def seconds(work: Callable[[], object]) -> float:
    """Call a function that computes on the GPU, and return its wall time in seconds."""
    torch.cuda.synchronize()
    began = time.perf_counter()
    work()
    torch.cuda.synchronize()
    return time.perf_counter() - began


def copy_bandwidth() -> float:
    """Return the bandwidth of the fastest of ten copies of 4 GB on the GPU, in bytes read and written per second."""
    source = torch.empty(1 << 30, device="cuda")
    target = torch.empty_like(source)
    return 2 * source.nbytes / min(seconds(lambda: target.copy_(source)) for _ in range(10))


def measure(a: argparse.Namespace) -> Iterator[dict[str, float]]:
    """Measure and print training speeds; yield the results for each number of Triton programs in ``a.programs``."""
    began = time.perf_counter()
    store = draw_store(a.sentences, a.vocabulary)
    per_sentence = store.n_tokens / store.n_sentences
    drawing = time.perf_counter() - began
    print(f"{store.n_sentences} sentences, {per_sentence:.2f} words per sentence, drawn in {drawing:.0f} s")
    initial = (np.random.default_rng(0).standard_normal((a.vocabulary, a.dimension)) * 0.01).astype(np.float32)
    sampler = Sampler(store, 100, 2, seed=1)
    per_example = 3 * 5 * per_sentence * a.dimension * 4
    bandwidth = copy_bandwidth()
    print(
        f"bandwidth of a copy: {bandwidth / 1e12:.2f} TB/s; "
        f"data read and written in training, ignoring caches: {per_example / 1000:.0f} kB per example"
    )

    chunk = TokenReader(store, 50, "clean", 32).read(sampler.sentences(0, 0, 300))
    batches = [(ids.cuda(), offsets.cuda()) for ids, offsets in index_tensors(chunk)]
    loop = TorchLoop(initial, (-1, 5, a.dimension), True, device="cuda", rate=RATE)
    loop.train(batches[:20])
    torch_speed = 100 * len(batches) / seconds(lambda: loop.train(batches))
    print(f"torch, sparse gradient: {torch_speed:,.0f} examples/s")

    for programs in a.programs:
        learner = GpuLearner(initial, store, sampler, 50, "cuda", programs or None)
        ours, theirs = (
            learner.advance(0, np.full(300, RATE)),
            AutogradTrainer(initial, "sgd", 1, device="cuda").step(chunk, np.full(300, RATE)),
        )
        print(f"the losses of 300 batches differ from those of torch by at most {np.abs(ours - theirs).max():.1e}")
        total = a.steps or sampler.batches_per_epoch

        sampler.order(1)  # replaces the order of the first epoch, so that shuffling is measured
        learner = GpuLearner(initial, store, sampler, 50, "cuda", programs or None)

        def epoch(learner: GpuLearner = learner, total: int = total) -> None:
            for first in range(0, total, 2560):
                learner.advance(first, np.full(min(2560, total - first), RATE))

        spent = seconds(epoch)
        speed = 100 * total / spent
        whole = 100 * sampler.batches_per_epoch / speed
        share = speed * per_example / bandwidth
        print(
            f"sentrep (programs: {programs or 'one per multiprocessor'}): {speed:,.0f} examples/s, "
            f"{speed / torch_speed:.0f} times as fast as torch; {total} batches in {spent:.1f} s, an epoch in "
            f"{whole:.1f} s; {share:.0%} of the bandwidth of the copy; "
            f"{torch.cuda.max_memory_allocated() / 1e9:.1f} GB of GPU memory"
        )
        yield {"ours": speed, "torch": torch_speed, "epoch": whole, "share": share}


def rows(settings: Settings) -> Iterator[Row]:
    """Yield the rows of results for ``run.py``."""
    a = argparse.Namespace(sentences=settings.size(74_004_228, 200_000), vocabulary=315_643, dimension=300)
    a.steps, a.programs = settings.size(0, 600), [0]
    name = f"Siamese CBOW on the GPU, {a.sentences / 1e6:.3g} M sentences, V = 315,643, d = 300"
    for found in measure(a):
        yield figure(name, "sentrep", "examples/s", found["ours"])
        ratio = found["ours"] / found["torch"]
        yield figure(name, "torch EmbeddingBag, sparse gradient, SGD", "examples/s", found["torch"], ratio=ratio)
        yield figure(name, "sentrep, one epoch", "s", found["epoch"], Goal("median", "<=", 60))
        goal = Goal("median", ">=", 0.4)
        yield figure(name, "sentrep, bandwidth", "of the bandwidth of a copy", found["share"], goal)


def main() -> None:
    """Measure training speeds and the bandwidth of a copy within GPU memory, and print the results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sentences", type=int, default=74_004_228)
    parser.add_argument("--vocabulary", type=int, default=315_643)
    parser.add_argument("--dimension", type=int, default=300)
    parser.add_argument("--steps", type=int, default=0, help="number of batches to train on; 0 for a whole epoch")
    parser.add_argument(
        "--programs", type=int, nargs="+", default=[0], help="number of Triton programs; 0 for one per multiprocessor"
    )
    print(f"{torch.cuda.get_device_name()}, torch {torch.__version__}")
    list(measure(parser.parse_args()))


if __name__ == "__main__":
    main()
