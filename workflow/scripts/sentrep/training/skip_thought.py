"""Skip-thought: batches of a sentence and its two neighbours, and the loss of writing the neighbours."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
import torch
from torch import nn

from sentrep.corpora.store import TokenStore
from sentrep.networks.gru import GRU
from sentrep.networks.recurrent import Network
from sentrep.training import distributed
from sentrep.training.batches import Boundaries, filled_sentences, find_centres
from sentrep.training.bucketing import Buckets
from sentrep.training.decoders import Readout, Script, decode, initialise, scripts
from sentrep.training.sentences import Padded, Sentences


@dataclass(frozen=True)
class Triples:
    """A batch: sentences and what stands before and after each.

    Attributes:
        source: the sentences to encode.
        neighbours: the next ones and the previous ones, to write.
    """

    source: Padded
    neighbours: Script


class TripleBatches:
    """Batches of :class:`Triples`, this process's share of each.

    A triple is left out if one of its sentences is too long or has no words. Batches hold sentences of the same length
    or nearly. In the released code it is exactly the same, batches of the few that remain of a length are smaller, and
    lengths take turns; here every batch is full, and their order is random. Neighbours are as long as they happen to
    be, there and here.

    Args:
        store: the corpus.
        sentences: of that store, cut at ``max_tokens + 1`` or later.
        batch_size: triples per batch, of all processes together.
        max_tokens: words of the longest sentence.
        boundaries: whether a neighbour may belong to another document.
        seed: of the order.

    Attributes:
        per_epoch: batches in an epoch.

    Raises:
        SentrepError: the corpus cannot fill one batch, or processes cannot share one.
    """

    def __init__(
        self,
        store: TokenStore,
        sentences: Sentences,
        batch_size: int,
        max_tokens: int,
        boundaries: Boundaries,
        seed: int,
    ) -> None:
        self._sentences = sentences
        centres = find_centres(filled_sentences(store), store.document_offsets, boundaries)
        rows = np.searchsorted(sentences.filled, centres)  # neighbours have words, so they are the next rows
        lengths = sentences.lengths
        longest = np.maximum(np.maximum(lengths[rows - 1], lengths[rows]), lengths[rows + 1])
        self._rows = rows[longest <= max_tokens]
        what = f"sentences between two others, none of more than {max_tokens} words"
        self._buckets = Buckets(lengths[self._rows], batch_size, seed, what)
        self.per_epoch = self._buckets.per_epoch

    def __call__(self, first: int, n: int) -> Iterator[Triples]:
        """Yield the batches of ``n`` steps from ``first`` on."""
        rows = self._rows[self._buckets.items(first, n)][:, self._buckets.share]
        written = np.stack([rows + 1, rows - 1], axis=1)
        padded = zip(*(self._sentences.batches(written[:, k]) for k in (0, 1)), strict=True)
        neighbours = scripts(self._sentences.lengths[written], padded, self._sentences.words)
        for source, script in zip(self._sentences.batches(rows), neighbours, strict=True):
            yield Triples(source, script)


class SkipThought(nn.Module):
    """-log p of the words of both neighbours, given the encoded sentence (Kiros et al., NIPS 2015, section 2.1).

    Two decoders with parameters of their own; one word table and one output layer for all. The released code adds
    1e-8 to each p, which bounds a word's loss at 18.4; that is not done here.

    Args:
        network: the encoder.
        context: how the sentence vector reaches a decoder: it enters every gate "every_step" (the paper; the state
            begins at zero), or it is the "initial_state" (the released code).
        initialisation: "paper" is orthogonal recurrent matrices and U(-0.1, 0.1) elsewhere; "glorot" is what Quick
            Thoughts' encoders start from: Glorot's uniform for matrices, gate biases of one, U(-0.1, 0.1) for words.
        loss_scale: the batch's "sum" over sentences, as released, or its "mean".
        read_end: whether the encoder sees <eos> in training.
    """

    def __init__(
        self,
        network: Network,
        context: Literal["every_step", "initial_state"] = "every_step",
        initialisation: Literal["paper", "glorot"] = "paper",
        loss_scale: Literal["sum", "mean"] = "sum",
        read_end: bool = True,
    ) -> None:
        super().__init__()
        self.network, self.loss_scale, self.read_end = network, loss_scale, read_end
        settings, units = network.settings, network.parts[0]
        self.every_step = context == "every_step"
        shape = (settings["dimension"], units, settings["reset"])
        self.decoders = nn.ModuleList(GRU(*shape, context=units if self.every_step else 0) for _ in range(2))
        self.readout = Readout(units, network.words)
        if initialisation == "paper":
            initialise(self, lambda parameter: parameter.uniform_(-0.1, 0.1))
        else:
            self._initialise_glorot()

    def _initialise_glorot(self) -> None:
        """Change what torch and :class:`GRU` do not start this way."""
        with torch.no_grad():
            for vectors in (self.network.table.weight, self.network.end):
                vectors.uniform_(-0.1, 0.1)
            nn.init.xavier_uniform_(self.readout.weight)
            self.readout.bias.zero_()
            for unit in (module for module in self.modules() if isinstance(module, GRU)):
                unit.input.bias[: 2 * unit.units] = 1.0

    def forward(self, batch: Triples) -> torch.Tensor:
        """Return the loss, () float32 or wider; the mean over processes is that of the whole batch."""
        network = self.network
        vector = network.read(batch.source.ids, batch.source.lengths, self.read_end)
        conditions = {"context": vector} if self.every_step else {"initial": vector}
        loss = self.readout(decode(self.decoders, network.table, batch.neighbours, **conditions), batch.neighbours)
        return loss / len(vector) if self.loss_scale == "mean" else loss * distributed.world_size()
