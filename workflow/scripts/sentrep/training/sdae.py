"""Define the batches and the loss of the SDAE, a sequential denoising autoencoder (Hill et al. 2016)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from sentrep.networks.gru import GRU
from sentrep.networks.recurrent import Network
from sentrep.training.bucketing import Buckets
from sentrep.training.decoders import Readout, Script, decode, initialise, scripts
from sentrep.training.sentences import Padded, Sentences

Positions = npt.NDArray[np.int64]


def paper_noise(
    lengths: Positions, deletion: float, swap: float, generator: np.random.Generator
) -> tuple[Positions, Positions]:
    """Randomly choose words to delete, and adjacent words to swap, as described by Hill et al. (NAACL 2016).

    Each word is deleted with probability ``deletion``. The remaining words are divided into pairs (the first two, the
    next two and so on), and the words of each pair are swapped with probability ``swap``.

    Args:
        lengths: (n,) lengths of sentences.
        deletion: probability of deleting a word, p_o in the paper.
        swap: probability of swapping the words of a pair, p_x in the paper.
        generator: random number generator.

    Returns:
        Two int64 arrays. The first, (n, max(lengths)), contains the original position of the word at each new position,
        or 0 after the end of the sentence. The second, (n,), contains the new lengths, which may be 0.
    """
    columns = int(lengths.max())
    kept = generator.random((len(lengths), columns)) >= deletion
    kept &= np.arange(columns) < lengths[:, None]
    order = np.argsort(~kept, axis=1, kind="stable")
    remaining = kept.sum(axis=1)
    pairs = columns // 2
    swapped = generator.random((len(lengths), pairs)) < swap
    swapped &= 2 * np.arange(pairs) + 1 < remaining[:, None]
    bigrams = order[:, : 2 * pairs].reshape(len(lengths), pairs, 2)
    bigrams[swapped] = bigrams[swapped][:, ::-1]
    order[:, : 2 * pairs] = bigrams.reshape(len(lengths), 2 * pairs)
    order[np.arange(columns) >= remaining[:, None]] = 0
    return order, remaining


def released_noise(
    lengths: Positions, deletion: float, swap: float, generator: np.random.Generator
) -> tuple[Positions, Positions]:
    """Randomly choose words to replace with the unknown word, and adjacent words to swap, as in the code of Hill et al.

    Exactly round(deletion x length) words, chosen at random, are replaced. Then round(swap x length) pairs of adjacent
    words, but at most length - 1 pairs, are chosen at random and swapped one after the other; the pairs may overlap.
    Halves are rounded to the nearest even integer.

    Args:
        lengths: (n,) lengths of sentences.
        deletion: fraction of words to replace, p_o in the paper.
        swap: number of swaps as a fraction of the length, p_x in the paper.
        generator: random number generator.

    Returns:
        Positions and lengths as returned by :func:`paper_noise`, except that the position -1 denotes the unknown word.
        Lengths do not change.
    """
    columns = int(lengths.max())
    inside = np.arange(columns) < lengths[:, None]
    order = np.where(inside, np.arange(columns), 0)
    rank = _random_order(lengths, columns, generator).argsort(axis=1)
    order[inside & (rank < np.round(lengths * deletion)[:, None])] = -1
    places = _random_order(lengths - 1, columns, generator)
    swaps = np.minimum(np.round(lengths * swap), lengths - 1)
    for k in range(int(swaps.max(initial=0))):
        rows = np.flatnonzero(k < swaps)
        left = places[rows, k]
        order[rows, left], order[rows, left + 1] = order[rows, left + 1], order[rows, left]
    return order, lengths


def _random_order(lengths: Positions, columns: int, generator: np.random.Generator) -> Positions:
    """Return each sentence's word positions in random order, followed by the positions of padding, (n, columns)."""
    keys = generator.random((len(lengths), columns))
    keys[np.arange(columns) >= lengths[:, None]] = 2.0
    return keys.argsort(axis=1)


@dataclass(frozen=True)
class Corrupted:
    """A batch of sentences: noisy copies, which the encoder reads, and the originals, which the decoder predicts."""

    noisy: Padded
    clean: Script


class CorruptedBatches:
    """A source of training batches (:class:`Corrupted`) for the SDAE; each process reads its share of every batch.

    The noise in a batch depends only on the seed, the step and the lengths of the sentences. The sentences in a batch
    have similar lengths, which reduces padding. In the released code, by contrast, sentences stay in the order of the
    text.

    Args:
        sentences: sentences of the corpus. They may be truncated, but only to a length greater than ``max_tokens``, so
            that sentences that are too long can be recognised.
        batch_size: number of sentences per batch, summed over all processes.
        max_tokens: maximum number of words in a sentence; longer sentences are skipped.
        noise: "paper" (:func:`paper_noise`) or "released" (:func:`released_noise`).
        deletion: parameter p_o of the noise.
        swap: parameter p_x of the noise.
        seed: random seed for the composition and order of the batches, and for the noise.

    Attributes:
        per_epoch: number of batches per epoch.

    Raises:
        SentrepError: there are not enough sentences for one batch, or the number of processes does not divide the batch
            size.
    """

    def __init__(
        self,
        sentences: Sentences,
        batch_size: int,
        max_tokens: int,
        noise: Literal["paper", "released"],
        deletion: float,
        swap: float,
        seed: int,
    ) -> None:
        self._sentences, self._seed = sentences, seed
        self._noise, self._probabilities = {"paper": paper_noise, "released": released_noise}[noise], (deletion, swap)
        self._rows = np.flatnonzero(sentences.lengths <= max_tokens)
        what = f"sentences of at most {max_tokens} words"
        self._buckets = Buckets(sentences.lengths[self._rows], batch_size, seed, what)
        self.per_epoch = self._buckets.per_epoch

    def __call__(self, first: int, n: int) -> Iterator[Corrupted]:
        """Yield the batches of ``n`` steps, beginning with step ``first``; all steps must belong to one epoch."""
        rows = self._rows[self._buckets.items(first, n)]
        share = rows[:, self._buckets.share]
        clean = list(self._sentences.batches(share))
        written = scripts(self._sentences.lengths[share][:, None], ([each] for each in clean), self._sentences.words)
        for step, script in enumerate(written):
            generator = np.random.default_rng([self._seed, 3, first + step])
            lengths = self._sentences.lengths[rows[step]].astype(np.int64)
            order, remaining = self._noise(lengths, *self._probabilities, generator)
            yield Corrupted(rearranged(clean[step], order[self._buckets.share], remaining[self._buckets.share]), script)


def rearranged(sentences: Padded, order: Positions, lengths: Positions) -> Padded:
    """Return a copy of padded sentences in which words are moved, deleted or replaced with the unknown word.

    Args:
        sentences: n sentences, padded to length L.
        order: (n, M) int64 original position of the word at each new position, M >= L; -1 denotes the unknown word.
        lengths: (n,) int64 new lengths.
    """
    device = sentences.ids.device
    columns = sentences.ids.shape[1]
    places = torch.from_numpy(np.ascontiguousarray(order[:, :columns])).to(device)
    new_lengths = torch.from_numpy(lengths).to(device)
    gone = (places < 0) | (torch.arange(columns, device=device) >= new_lengths[:, None])
    return Padded(sentences.ids.gather(1, places.clamp(min=0)).masked_fill(gone, 0), new_lengths)


class SDAE(nn.Module):
    """The training loss of the SDAE: the negative log-likelihood of a sentence, given the vector of its noisy copy.

    The model follows the released code of Hill et al. (NAACL 2016). The decoder's initial state is the tanh of a linear
    map of the sentence vector, and the decoder also reads this vector at every step. Encoder and decoder share the word
    table. The loss is summed over words and averaged over sentences. In contrast to this class, the released code adds
    1e-8 to each predicted probability.

    The recurrent weights, the weights that map the sentence vector to the decoder's initial state, and those that map
    it to the candidate state of the decoder's GRU are initialised as orthogonal matrices. All other weights are drawn
    from N(0, 0.01²), and biases are zero.

    Args:
        network: the encoder.
    """

    def __init__(self, network: Network) -> None:
        super().__init__()
        self.network = network
        units = network.parts[0]
        self.begin = nn.Linear(units, units)
        self.decoder: Any = GRU(network.settings["dimension"], units, network.settings["reset"], context=units)
        self.readout = Readout(units, network.words)
        initialise(self, lambda parameter: parameter.normal_(0, 0.01))
        with torch.no_grad():
            nn.init.orthogonal_(self.begin.weight)
            nn.init.orthogonal_(self.decoder.context.weight[2 * units :])

    def forward(self, batch: Corrupted) -> torch.Tensor:
        """Return this process's loss, a scalar tensor; the mean over processes is the loss of the batch."""
        vector = self.network.read(batch.noisy.ids, batch.noisy.lengths, end=True)
        begin = self.begin(vector).tanh()
        states = decode([self.decoder], self.network.table, batch.clean, initial=begin, context=vector)
        return self.readout(states, batch.clean) / len(vector)
