"""Train word2vec with torch in batches of words, on a GPU or a CPU.

Words are read from the token store in chunks of whole sentences. The device then subsamples words, draws windows and
noise words, and updates vectors. The host waits for the device only a few times per chunk, not after every batch.
Gradients are computed in closed form, and the updates are applied in place.

The algorithm is that of the original tool (word2vec.c v0.1c), with four main differences:

- All updates of a batch are computed from the vectors as they were before the batch.
- The centres (the words around which windows are placed) are shuffled within each chunk.
- The sigmoid is exact, whereas the tool reads it from a table for scores between -6 and 6, and rounds it to 0 or 1
  for all other scores.
- Sentences are never split, whereas the tool splits them after every 1,000 words.

Centres are shuffled because consecutive centres share context words. A batch of consecutive centres would update the
same few vectors many times, and the sum of these updates would overshoot. With consecutive centres, skip-gram diverged
at 4,096 centres per batch on 5 million words of novels, and CBOW diverged at 256 centres per batch on long, repetitive
articles. With shuffled centres, neither architecture diverged at 4,096 centres per batch, and the vectors were as good
as those of gensim: on WordSim-353, Spearman's correlation between the cosines of the vectors and the human scores was
.30 to .31 for skip-gram (gensim: .30 to .31) and .33 for CBOW (gensim: .29 to .30). Limiting the total update of each
vector in a batch also prevented divergence, but gave worse vectors than smaller batches did.
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

# Maximum number of words in a chunk, unless the chunk is a single sentence. With at most 5 context words on each side,
# the windows of a full chunk need about 60 MB on the device.
CHUNK_WORDS = 1 << 18


@dataclass(frozen=True)
class Windows:
    """The centres (centre words) of the context windows in a chunk or a batch, and the words around each centre.

    Attributes:
        centres: (n,) int64, ids of words that remained after subsampling and have context words, in random order.
        contexts: (P,) int64, ids of the context words of all centres, centre by centre.
        owners: (P,) int64, position in ``centres`` of the centre to which each context word belongs.
        starts: (n + 1,) int64, position in ``contexts`` at which each centre's context words begin, followed by P.
    """

    centres: Tensor
    contexts: Tensor
    owners: Tensor
    starts: Tensor


def windows(words: Tensor, sentences: Tensor, keep: Tensor, largest_radius: int, generator: torch.Generator) -> Windows:
    """Subsample the words of a chunk, and return the context windows of the remaining words in random order.

    The radius of each window is drawn uniformly from 1 to ``largest_radius``.

    Args:
        words: (T,) int64, word ids of whole sentences.
        sentences: (T,) int64, sentence index of each word, in ascending order.
        keep: (V,) float; for each word, the probability that subsampling keeps an occurrence of the word.
        largest_radius: maximum number of context words on each side of a centre, counted after subsampling.
        generator: random number generator on the device of the tensors.
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
    """The distribution from which noise words are drawn.

    Args:
        counts: (V,) int64, number of occurrences of each word in the corpus.
        exponent: exponent of the counts; the probability of a word is proportional to count ** exponent.
        generator: random number generator on the device on which words are drawn.
    """

    def __init__(self, counts: npt.NDArray[np.int64], exponent: float, generator: torch.Generator) -> None:
        weights = counts.astype(np.float64) ** exponent
        # float32 cannot resolve the probabilities of rare words in cumulative sums close to 1.
        cumulative = np.cumsum(weights / weights.sum())
        self._inner_bounds = torch.from_numpy(cumulative[:-1]).to(generator.device)
        self._generator = generator

    def draw(self, rows: int, columns: int) -> Tensor:
        """Draw ``rows * columns`` noise words, and return their ids as a (rows, columns) int64 tensor."""
        uniform = torch.rand(
            rows, columns, dtype=torch.float64, device=self._generator.device, generator=self._generator
        )
        return torch.searchsorted(self._inner_bounds, uniform, right=True)


def update_outputs(hidden: Tensor, targets: Tensor, outputs: Tensor, learning_rate: float) -> tuple[Tensor, Tensor]:
    """Train output vectors to distinguish true words from noise words; return the update of ``hidden`` and the loss.

    The loss of one prediction is ``-log s(u_0 . h) - sum_k log s(-u_k . h)``, where s is the sigmoid, h is the
    predicting vector, u_0 is the output vector of the true word, and u_k is the output vector of the k-th noise word.
    As in the original tool, noise words that equal the true word are ignored.

    Args:
        hidden: (B, d) float, predicting vectors.
        targets: (B, 1 + K) int64, ids of the true word (column 0) and of K noise words for each prediction.
        outputs: (V, d) float, output vectors, changed in place.
        learning_rate: learning rate.

    Returns:
        The change to add to ``hidden``, (B, d), which is -learning_rate * dloss/dhidden, and the loss summed over the
        predictions, a scalar tensor.
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
    """Train the vectors in place with skip-gram on one batch; return the summed loss and the number of predictions.

    As in the original tool, the vector of each context word predicts the centre, and each pair of a context word and a
    centre has its own noise words.
    """
    true = batch.centres[batch.owners]
    targets = torch.cat([true[:, None], noise.draw(len(true), negatives)], dim=1)
    step, loss = update_outputs(inputs[batch.contexts], targets, outputs, learning_rate)
    inputs.index_add_(0, batch.contexts, step)
    return loss, len(true)


def cbow_batch(
    inputs: Tensor, outputs: Tensor, batch: Windows, noise: NoiseWords, negatives: int, learning_rate: float
) -> tuple[Tensor, int]:
    """Train the vectors in place with CBOW on one batch; return the summed loss and the number of predictions.

    The mean of the context vectors predicts the centre. As in the original tool, the update of the mean is added to
    the vector of every context word and is not divided by the number of context words.
    """
    hidden = inputs.new_zeros(len(batch.centres), inputs.shape[1])
    hidden.index_add_(0, batch.owners, inputs[batch.contexts])
    hidden /= batch.starts.diff()[:, None]
    targets = torch.cat([batch.centres[:, None], noise.draw(len(batch.centres), negatives)], dim=1)
    step, loss = update_outputs(hidden, targets, outputs, learning_rate)
    inputs.index_add_(0, batch.contexts, step[batch.owners])
    return loss, len(batch.centres)


def chunks(store: TokenStore, chunk_words: int) -> Iterator[tuple[npt.NDArray, npt.NDArray]]:
    """Yield a corpus in chunks that consist of whole sentences.

    A chunk has at most ``chunk_words`` words, except that a longer sentence forms a chunk of its own.

    Yields:
        The word ids of a chunk and the sentence index of each word, both (T,) int64.
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
    """Yield the batches of a chunk. Each batch has ``batch_words`` centres, but the last one may have fewer.

    Yields:
        The fraction of the chunk's centres that are in earlier batches, and the batch.
    """
    n = len(chunk.centres)
    edges = [*range(0, n, batch_words), n]
    starts = chunk.starts[edges].tolist()
    for (a, b), (p, q) in zip(pairwise(edges), pairwise(starts), strict=True):
        owners = chunk.owners[p:q] - a
        yield a / n, Windows(chunk.centres[a:b], chunk.contexts[p:q], owners, chunk.starts[a : b + 1] - p)


def train_vectors(
    store: TokenStore, parameters: Parameters, run: Run, vectors: npt.NDArray[np.float32], recorder: Recorder
) -> npt.NDArray[np.float32]:
    """Train word2vec, starting from (V, d) float32 input vectors, and return the trained input vectors.

    On a CPU, ``vectors`` is changed in place, and runs with the same seed and number of threads give identical results.
    On a GPU, the results of such runs differ slightly, because the order of additions varies.

    Raises:
        SentrepError: the loss diverges.
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
    # Vectors that diverge may remain finite for a long time, so the limit is ten times the loss of the untrained model.
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
                    found=f"a loss of {loss:.3g} after {done} words",
                    remedy="lower `batch_words` or `learning_rate`",
                )
            recorder.advance(len(ids), loss)
    return inputs.cpu().numpy()
