"""Define the batches and the loss of skip-thought, which predicts the two neighbours of a sentence."""

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
    """A batch of sentences, each with the sentence before it and the sentence after it.

    Attributes:
        source: the sentences to encode.
        neighbours: the inputs and targets of the two decoders, which predict the next and the previous sentences.
    """

    source: Padded
    neighbours: Script


class TripleBatches:
    """A source of training batches (:class:`Triples`); each process reads its share of every batch.

    A triple of consecutive sentences is skipped if any of its sentences is too long or has no words. The middle
    sentences in a batch have similar lengths. All batches have the same size, and their order is random. In the
    released code, the middle sentences in a batch have equal lengths, successive batches cycle through the lengths, and
    some batches are smaller than others.

    Args:
        store: the corpus.
        sentences: sentences of the corpus. They may be truncated, but only to a length greater than ``max_tokens``, so
            that sentences that are too long can be recognised.
        batch_size: number of triples per batch, summed over all processes.
        max_tokens: maximum number of words in a sentence.
        boundaries: "ignore" allows neighbours from other documents; "respect" does not.
        seed: random seed for the composition and order of the batches.

    Attributes:
        per_epoch: number of batches per epoch.

    Raises:
        SentrepError: there are not enough triples for one batch, or the number of processes does not divide the batch
            size.
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
        rows = np.searchsorted(sentences.filled, centres)  # neighbours have words, so their rows are the adjacent rows
        lengths = sentences.lengths
        longest = np.maximum(np.maximum(lengths[rows - 1], lengths[rows]), lengths[rows + 1])
        self._rows = rows[longest <= max_tokens]
        what = f"sequences of three consecutive sentences with 1 to {max_tokens} words each"
        self._buckets = Buckets(lengths[self._rows], batch_size, seed, what)
        self.per_epoch = self._buckets.per_epoch

    def __call__(self, first: int, n: int) -> Iterator[Triples]:
        """Yield the batches of ``n`` steps, beginning with step ``first``; all steps must belong to one epoch."""
        rows = self._rows[self._buckets.items(first, n)][:, self._buckets.share]
        written = np.stack([rows + 1, rows - 1], axis=1)
        padded = zip(*(self._sentences.batches(written[:, k]) for k in (0, 1)), strict=True)
        neighbours = scripts(self._sentences.lengths[written], padded, self._sentences.words)
        for source, script in zip(self._sentences.batches(rows), neighbours, strict=True):
            yield Triples(source, script)


class SkipThought(nn.Module):
    """The training loss of skip-thought: the negative log-likelihood of the neighbours of an encoded sentence.

    See section 2.1 of Kiros et al. (NIPS 2015). The two decoders use the encoder's word table and share one output
    layer. The released code adds 1e-8 to each predicted probability, which limits the loss of a word to 18.4; this
    class uses the probabilities unchanged.

    Args:
        network: the encoder.
        context: how the decoders use the sentence vector. With "every_step" (paper), the vector is an additional input
            at every step, and the initial state is zero. With "initial_state" (released code), the vector is the
            initial state.
        initialisation: "paper" uses orthogonal recurrent matrices, zero biases and U(-0.1, 0.1) for other parameters.
            "glorot" follows the Quick Thoughts code: Glorot's uniform distribution for matrices, gate biases of one,
            and U(-0.1, 0.1) for word vectors.
        loss_scale: whether the loss of a batch is the "sum" (released code) or the "mean" of the losses of its encoded
            sentences.
        read_end: whether the encoder reads <eos> after each sentence in training.
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
        """Apply the initialisation "glorot" to the parameters that are not initialised in this way by default."""
        with torch.no_grad():
            for vectors in (self.network.table.weight, self.network.end):
                vectors.uniform_(-0.1, 0.1)
            nn.init.xavier_uniform_(self.readout.weight)
            self.readout.bias.zero_()
            for unit in (module for module in self.modules() if isinstance(module, GRU)):
                unit.input.bias[: 2 * unit.units] = 1.0

    def forward(self, batch: Triples) -> torch.Tensor:
        """Return this process's loss, a scalar tensor; the mean over processes is the loss of the batch."""
        network = self.network
        vector = network.read(batch.source.ids, batch.source.lengths, self.read_end)
        conditions = {"context": vector} if self.every_step else {"initial": vector}
        loss = self.readout(decode(self.decoders, network.table, batch.neighbours, **conditions), batch.neighbours)
        return loss / len(vector) if self.loss_scale == "mean" else loss * distributed.world_size()
