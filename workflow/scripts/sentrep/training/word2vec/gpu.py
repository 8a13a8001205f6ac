"""word2vec with torch in batches of words, for a GPU (and for tests on a CPU).

Words stream from the store in chunks of whole sentences. Subsampling, windows, noise words and updates run on the
device; the host waits for it a few times per chunk, never per batch. Gradients are in closed form, added in place.

The algorithm is that of the original tool (word2vec.c v0.1c), with four differences: all updates of a batch use the
matrices before it; the centres of a chunk are shuffled; the sigmoid is exact, where the tool has a table up to +-6; and
sentences are never split, where the tool splits after 1,000 words.

Centres are shuffled because consecutive ones share their contexts, so a batch would have many updates of the same few
vectors, whose sum overshoots. With consecutive centres, skip-gram diverged at 4,096 per batch on 5 M words of novels,
and CBOW at 256 on long, repetitive articles. With shuffled centres, neither does at 4,096, and vectors are as good as
gensim's (WordSim-353, Spearman: skip-gram .30 to .31 compared with .30 to .31, CBOW .33 with .29 to .30). Limiting each
vector's sum instead gave worse vectors than a smaller batch.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor
from torch.nn.functional import softplus

from sentrep.corpora.store import TokenStore
from sentrep.errors import SentrepError
from sentrep.training.run import Run
from sentrep.training.word2vec.parameters import Parameters
from sentrep.training.word2vec.subsampling import keep_probabilities
from sentrep.training.word_stream import Recorder

CHUNK_WORDS = 1 << 18  # windows of radius 5 take about 60 MB on the device


@dataclass(frozen=True)
class Windows:
    """The centres of a chunk and the words around them.

    Attributes:
        centres: (n,) int64, words that survived subsampling and have a context, in random order.
        contexts: (P,) int64, the words around each centre, centre by centre.
        owners: (P,) int64, the centre of each context.
        starts: (n + 1,) int64, where each centre's contexts begin.
    """

    centres: Tensor
    contexts: Tensor
    owners: Tensor
    starts: Tensor


def windows(words: Tensor, sentences: Tensor, keep: Tensor, largest_radius: int, generator: torch.Generator) -> Windows:
    """Subsample a chunk, draw each word's radius from 1 to ``largest_radius``, collect windows and shuffle.

    Args:
        words: (T,) int64, words of whole sentences.
        sentences: (T,) int64, the sentence of each word, not decreasing.
        keep: (V,) float, probability of keeping each word.
        largest_radius: window size in words to each side, after subsampling.
        generator: on the device of the tensors.
    """
    device = words.device
    drawn = torch.rand(words.shape, device=device, dtype=keep.dtype, generator=generator)
    kept = drawn < keep[words]
    words, sentences = words[kept], sentences[kept]
    n = len(words)
    order = torch.randperm(n, device=device, generator=generator)
    radius = torch.randint(1, largest_radius + 1, (n, 1), device=device, generator=generator)
    shifts = torch.arange(-largest_radius, largest_radius + 1, device=device)
    shifts = shifts[shifts != 0]
    other = order[:, None] + shifts
    inside = (shifts.abs() <= radius) & (other >= 0) & (other < n)
    other.clamp_(0, max(n - 1, 0))
    inside &= sentences[other] == sentences[order][:, None]
    full = inside.any(1)
    order, other, inside = order[full], other[full], inside[full]
    sizes = inside.sum(1)
    owners = torch.arange(len(order), device=device).repeat_interleave(sizes)
    starts = torch.cat([sizes.new_zeros(1), sizes.cumsum(0)])
    return Windows(words[order], words[other[inside]], owners, starts)


class NoiseWords:
    """Draws words with probability proportional to count ** exponent.

    Args:
        counts: (V,) int64.
        exponent: 0.75 in the papers.
        generator: on the device of the draws.
    """

    def __init__(self, counts: npt.NDArray[np.int64], exponent: float, generator: torch.Generator) -> None:
        weights = counts.astype(np.float64) ** exponent
        # float64: the steps between rare words are smaller than float32 resolves near 1.
        cumulative = np.cumsum(weights / weights.sum())
        self._inner_bounds = torch.from_numpy(cumulative[:-1]).to(generator.device)
        self._generator = generator

    def draw(self, rows: int, columns: int) -> Tensor:
        """Return (rows, columns) int64 words."""
        uniform = torch.rand(
            rows, columns, dtype=torch.float64, device=self._generator.device, generator=self._generator
        )
        return torch.searchsorted(self._inner_bounds, uniform, right=True)


def update_outputs(hidden: Tensor, targets: Tensor, outputs: Tensor, learning_rate: float) -> tuple[Tensor, Tensor]:
    """Predict the true word against noise words; move the output vectors.

    The loss of one prediction is ``-log s(u_0 . h) - sum_k log s(-u_k . h)`` with the sigmoid s. As in the original
    tool, a noise word equal to the true one does not count.

    Args:
        hidden: (B, d) h, float.
        targets: (B, 1 + K) int64, the true word, then noise words.
        outputs: (V, d) float, changed in place.
        learning_rate: step size.

    Returns:
        The step for ``hidden``, -learning_rate * dloss/dhidden, (B, d), and the summed loss, a scalar tensor.
    """
    rows = outputs[targets]
    scores = torch.bmm(rows, hidden[:, :, None]).squeeze(2)
    counted = targets != targets[:, :1]
    counted[:, 0] = True
    errors = torch.sigmoid(scores)
    errors[:, 0] -= 1
    errors *= counted
    errors *= -learning_rate
    step = torch.bmm(errors[:, None, :], rows).squeeze(1)
    changes = errors[:, :, None] * hidden[:, None, :]
    outputs.index_add_(0, targets.flatten(), changes.view(-1, hidden.shape[1]))
    scores[:, 0] *= -1
    return step, (softplus(scores) * counted).sum()


def skipgram_batch(
    inputs: Tensor, outputs: Tensor, batch: Windows, noise: NoiseWords, negatives: int, learning_rate: float
) -> tuple[Tensor, int]:
    """Make one skip-gram update in place; return the summed loss and the number of predictions.

    As in the original tool the context word's vector predicts the centre word, each pair with its own noise
    words.
    """
    true = batch.centres[batch.owners]
    targets = torch.cat([true[:, None], noise.draw(len(true), negatives)], dim=1)
    step, loss = update_outputs(inputs[batch.contexts], targets, outputs, learning_rate)
    inputs.index_add_(0, batch.contexts, step)
    return loss, len(true)


def cbow_batch(
    inputs: Tensor, outputs: Tensor, batch: Windows, noise: NoiseWords, negatives: int, learning_rate: float
) -> tuple[Tensor, int]:
    """Make one CBOW update in place; return the summed loss and the number of predictions.

    The mean of the context vectors predicts the centre. As in the original tool, the step of the mean is added to every
    context word without division by their number.
    """
    hidden = inputs.new_zeros(len(batch.centres), inputs.shape[1])
    hidden.index_add_(0, batch.owners, inputs[batch.contexts])
    hidden /= batch.starts.diff()[:, None]
    targets = torch.cat([batch.centres[:, None], noise.draw(len(batch.centres), negatives)], dim=1)
    step, loss = update_outputs(hidden, targets, outputs, learning_rate)
    inputs.index_add_(0, batch.contexts, step[batch.owners])
    return loss, len(batch.centres)


def chunks(store: TokenStore, chunk_words: int) -> Iterator[tuple[npt.NDArray, npt.NDArray]]:
    """Yield whole sentences, about ``chunk_words`` words at most: ids and sentence numbers, (T,) int64.

    A longer sentence forms a chunk of its own.
    """
    first = 0
    while first < store.n_sentences:
        limit = store.sentence_offsets[first] + chunk_words
        last = int(np.searchsorted(store.sentence_offsets, limit, side="right")) - 1
        last = max(last, first + 1)
        offsets = np.asarray(store.sentence_offsets[first : last + 1])
        sentences = np.repeat(np.arange(first, last, dtype=np.int64), np.diff(offsets))
        yield store.ids[offsets[0] : offsets[-1]].astype(np.int64), sentences
        first = last


def batches(chunk: Windows, batch_words: int) -> Iterator[tuple[float, Windows]]:
    """Yield batches of ``batch_words`` centres, each with the fraction of the chunk that precedes it."""
    n = len(chunk.centres)
    edges = [*range(0, n, batch_words), n]
    starts = chunk.starts[edges].tolist()
    for (a, b), (p, q) in zip(pairwise(edges), pairwise(starts), strict=True):
        owners = chunk.owners[p:q] - a
        yield a / n, Windows(chunk.centres[a:b], chunk.contexts[p:q], owners, chunk.starts[a : b + 1] - p)


def train_vectors(
    store: TokenStore, parameters: Parameters, run: Run, vectors: npt.NDArray[np.float32], recorder: Recorder
) -> npt.NDArray[np.float32]:
    """Train from the given input vectors, (V, d) float32; return the trained ones.

    On a CPU, runs with the same seed give the same result; on a GPU, the order of additions varies.

    Raises:
        SentrepError: the loss grows without bound.
    """
    device = torch.device(run.device)
    if device.type == "cpu":
        torch.set_num_threads(run.threads)
    generator = torch.Generator(device).manual_seed(run.seed)
    keep = torch.from_numpy(keep_probabilities(store.counts, parameters.sample)).to(device, torch.float32)
    noise = NoiseWords(store.counts, parameters.ns_exponent, generator)
    inputs = torch.from_numpy(vectors).to(device)
    outputs = torch.zeros_like(inputs)
    update = skipgram_batch if parameters.architecture == "skipgram" else cbow_batch
    # Ten times the loss of the untrained model, because vectors that diverge may remain finite for a long time.
    worst = 10 * (1 + parameters.negatives) * math.log(2)
    done = 0
    for _ in range(parameters.epochs):
        for ids, sentences in chunks(store, CHUNK_WORDS):
            words = torch.from_numpy(ids).to(device)
            chunk = windows(words, torch.from_numpy(sentences).to(device), keep, parameters.window, generator)
            total, predictions = outputs.new_zeros(()), 0
            for before, batch in batches(chunk, parameters.batch_words):
                rate = recorder.learning_rate(done + before * len(ids))
                batch_loss, n = update(inputs, outputs, batch, noise, parameters.negatives, rate)
                total += batch_loss
                predictions += n
            done += len(ids)
            loss = total.item() / predictions if predictions else None
            if loss is not None and not loss < worst:
                raise SentrepError(
                    "word2vec",
                    expected=f"a loss below {worst:.3g}",
                    found=f"{loss:.3g} after {done} words",
                    remedy="lower batch_words or learning_rate",
                )
            recorder.advance(len(ids), loss)
    return inputs.cpu().numpy()
