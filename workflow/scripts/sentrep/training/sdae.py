"""SDAE: batches of sentences with noise, and the loss of writing the sentence without it."""

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
    """Delete words and swap neighbours at random (Hill et al., NAACL 2016).

    Each word is deleted with probability ``deletion``; then the first two of the remaining words, the next two and so
    on are each swapped with probability ``swap``. All independently of each other.

    Args:
        lengths: (n,) of sentences.
        deletion: p_o.
        swap: p_x.
        generator: of the noise.

    Returns:
        (n, L) int64, which word comes at each place (0 after the end), and (n,) int64, the new lengths, maybe 0.
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
    """Make words unknown and swap neighbours, as the released code does.

    Exactly round(deletion x length) words become the unknown word. Then round(swap x length) of the length - 1
    pairs of neighbours are swapped one after the other; pairs may overlap. Half a word is rounded to even.

    Args:
        lengths: (n,) of sentences.
        deletion: p_o.
        swap: p_x.
        generator: of the noise.

    Returns:
        As :func:`paper_noise`; -1 stands for the unknown word. Lengths do not change.
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
    """Return (n, columns): the numbers below each length in random order, then the rest."""
    keys = generator.random((len(lengths), columns))
    keys[np.arange(columns) >= lengths[:, None]] = 2.0
    return keys.argsort(axis=1)


@dataclass(frozen=True)
class Corrupted:
    """A batch: sentences with noise, to encode, and the same without, to write."""

    noisy: Padded
    clean: Script


class CorruptedBatches:
    """Batches of :class:`Corrupted`, this process's share of each; the noise depends on the seed and the step.

    Sentences that are too long are left out. Batches hold sentences of similar length, for less padding; the released
    code takes them as they stand in the text.

    Args:
        sentences: cut at ``max_tokens + 1`` or later.
        batch_size: sentences per batch, of all processes together.
        max_tokens: words of the longest sentence.
        noise: "paper" (:func:`paper_noise`) or "released" (:func:`released_noise`).
        deletion: p_o.
        swap: p_x.
        seed: of order and noise.

    Attributes:
        per_epoch: batches in an epoch.

    Raises:
        SentrepError: the corpus cannot fill one batch, or processes cannot share one.
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
        """Yield the batches of ``n`` steps from ``first`` on."""
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
    """Return sentences whose words are taken from the places that ``order`` names; -1 is the unknown word.

    Args:
        sentences: (n, L).
        order: (n, M) places; M is at least L.
        lengths: (n,) of the result.
    """
    device = sentences.ids.device
    columns = sentences.ids.shape[1]
    places = torch.from_numpy(np.ascontiguousarray(order[:, :columns])).to(device)
    new_lengths = torch.from_numpy(lengths).to(device)
    gone = (places < 0) | (torch.arange(columns, device=device) >= new_lengths[:, None])
    return Padded(sentences.ids.gather(1, places.clamp(min=0)).masked_fill(gone, 0), new_lengths)


class SDAE(nn.Module):
    """-log p of the words of a sentence, given the vector of its noisy version (Hill et al., NAACL 2016).

    As in the released code: the decoder begins at tanh of a linear map of the vector, and sees the vector at every
    step; encoder and decoder share the word table; the loss is a sum over words, a mean over the batch. (Its 1e-8
    added to each p is left out.) Square matrices begin orthogonal, others at N(0, 0.01), biases at zero.

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
        """Return the loss, () float32 or wider; the mean over processes is that of the whole batch."""
        vector = self.network.read(batch.noisy.ids, batch.noisy.lengths, end=True)
        begin = self.begin(vector).tanh()
        states = decode([self.decoder], self.network.table, batch.clean, initial=begin, context=vector)
        return self.readout(states, batch.clean) / len(vector)
