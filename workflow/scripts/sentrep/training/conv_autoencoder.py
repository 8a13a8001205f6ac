"""Define batches and losses for training the convolutional encoder of Gan et al. (EMNLP 2017).

LSTM decoders predict sentences from the encoder's sentence vectors. For their inputs and outputs, all decoders use the
encoder's vectors of words and of the end-of-sentence token. They share no other parameters. The objective "autoencoder"
follows the released code. The other objectives, whose code was not released, follow the paper.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from sentrep.corpora.store import TokenStore
from sentrep.networks.convolutional import WORD_BOUND, Network
from sentrep.networks.recurrent import with_end
from sentrep.training import distributed
from sentrep.training.bucketing import Buckets
from sentrep.training.decoders import real_positions, summed_cross_entropy
from sentrep.training.sentences import Padded, Sentences

Objective = Literal["autoencoder", "future", "composite", "hierarchical"]

FORGET_BIAS = 3.0  # initial bias of forget gates in the released code


@dataclass(frozen=True)
class Batch:
    """A batch of n examples, each of which consists of s consecutive sentences.

    Attributes:
        sentences: the n * s sentences, example after example, on the training device.
        lengths: (n, s) int64 lengths of the sentences, on the CPU.
    """

    sentences: Padded
    lengths: npt.NDArray[np.int64]


class Examples:
    """A source of training batches. Each example is a sequence of consecutive sentences.

    To reduce padding, each batch consists of sequences whose longest sentences have similar lengths.

    Args:
        store: the corpus.
        sentences: sentences of the corpus. They may be truncated, but only to a length greater than ``max_tokens``, so
            that sentences longer than ``max_tokens`` can be recognised.
        span: number of sentences per sequence.
        disjoint: if true, sequences share no sentences; if false, a sequence begins at every possible sentence.
        max_tokens: maximum number of words in a sentence; sequences that contain a longer sentence are skipped.
        batch_size: number of sequences per batch, summed over all processes.
        seed: random seed for the composition and order of the batches.

    Attributes:
        per_epoch: number of batches per epoch.

    Raises:
        SentrepError: there are not enough sequences for one batch, or the number of processes does not divide the batch
            size.
    """

    def __init__(
        self,
        store: TokenStore,
        sentences: Sentences,
        span: int,
        disjoint: bool,
        max_tokens: int,
        batch_size: int,
        seed: int,
    ) -> None:
        self._sentences, self._span = sentences, span
        lengths = sentences.lengths
        self._begins = runs(sentences.filled, sentences.documents(store), lengths <= max_tokens, span, disjoint)
        longest = lengths[self._begins]
        for k in range(1, span):
            np.maximum(longest, lengths[self._begins + k], out=longest)
        what = (
            f"sentences of 1 to {max_tokens} words"
            if span == 1
            else f"sequences of {span} consecutive sentences with 1 to {max_tokens} words each"
        )
        self._buckets = Buckets(longest, batch_size, seed, what)
        self.per_epoch = self._buckets.per_epoch

    def __call__(self, first: int, n: int) -> Iterator[Batch]:
        """Yield the batches of ``n`` steps, beginning with step ``first``; all steps must belong to one epoch."""
        rows = self._begins[self._buckets.items(first, n)][..., None] + np.arange(self._span)
        lengths = self._sentences.lengths[rows].astype(np.int64)
        for sentences, counts in zip(self._sentences.batches(rows.reshape(n, -1)), lengths, strict=True):
            yield Batch(sentences, counts)


def runs(
    numbers: npt.NDArray[np.int64],
    documents: npt.NDArray[np.int64],
    usable: npt.NDArray[np.bool_],
    span: int,
    disjoint: bool,
) -> npt.NDArray[np.int64]:
    """Return the start positions of sequences of ``span`` consecutive usable sentences from the same document.

    Args:
        numbers: (N,) int64, the index of each sentence in the corpus, in ascending order.
        documents: (N,) int64, the index of the document that contains each sentence.
        usable: (N,) bool mask of the sentences that a sequence may contain.
        span: number of sentences per sequence.
        disjoint: if true, sequences share no sentences, and each begins as early as possible; if false, all possible
            sequences are returned.

    Returns:
        Indices into ``numbers`` of the first sentence of each sequence, as a one-dimensional int64 array.
    """
    breaks = ~usable
    breaks[1:] |= ~usable[:-1] | (np.diff(numbers) != 1) | (np.diff(documents) != 0)
    breaks[:1] = True
    position = np.arange(len(numbers))
    stretch = np.maximum.accumulate(np.where(breaks, position, 0))  # start of each position's unbroken stretch
    begins = np.flatnonzero(usable[: max(0, len(numbers) - span + 1)])
    begins = begins[stretch[begins + span - 1] == stretch[begins]]
    return begins[(begins - stretch[begins]) % span == 0] if disjoint else begins


class LSTM(nn.LSTM):
    """One layer of torch's LSTM, with a single bias vector and the initial values of Gan et al.'s released code.

    The second of torch's two bias vectors stays zero. Initially, input weights are uniformly distributed, the recurrent
    weight matrix of each gate is orthogonal, and biases are zero except for those of the forget gates.

    Args:
        inputs: size of the input.
        units: size of the state.
    """

    weight_ih_l0: nn.Parameter
    weight_hh_l0: nn.Parameter
    bias_ih_l0: nn.Parameter
    bias_hh_l0: nn.Parameter

    def __init__(self, inputs: int, units: int) -> None:
        super().__init__(inputs, units, batch_first=True)
        with torch.no_grad():
            self.weight_ih_l0.uniform_(-WORD_BOUND, WORD_BOUND)
            for gate in self.weight_hh_l0.split(units):
                nn.init.orthogonal_(gate)
            self.bias_ih_l0.zero_()
            self.bias_ih_l0[units : 2 * units] = FORGET_BIAS  # torch's order: input, forget, cell, output
            self.bias_hh_l0.zero_()
        self.bias_hh_l0.requires_grad_(False)

    def forward(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, x: torch.Tensor, initial: torch.Tensor | None = None
    ) -> torch.Tensor:
        """Return the hidden states after each step, (n, L, units).

        Args:
            x: (n, L, inputs) input sequences.
            initial: (n, units) initial hidden states; zeros if None. The initial cell states are always zero.
        """
        kind = self.weight_hh_l0.dtype
        if initial is None:
            initial = x.new_zeros(len(x), self.hidden_size)
        state = initial.to(kind)[None].contiguous()
        with torch.autocast(x.device.type, enabled=False):  # autocast would run cuDNN's LSTM in float16
            return super().forward(x.to(kind), (state, torch.zeros_like(state)))[0]


class Decoder(nn.Module):
    """An LSTM that predicts a sentence word by word from a vector z, called the code.

    The code determines the initial state, h_0 = tanh(C0 z + b0), and is an input at every step:
    h_t = LSTM(W x_t + C z + b, h_(t-1)), where x_t is the vector of word t. The probabilities of token t + 1,
    which is a word or the end-of-sentence token, are softmax(E V' h_t + a). The rows of E are the vectors of all words
    and of the end-of-sentence token. The other matrices (C0, W, C, V) and the biases (b0, b, a) are parameters of the
    decoder.

    Args:
        code: size of z.
        words: number of words, without the end-of-sentence token.
        dimension: size of a word vector.
        units: size of the LSTM's state.
    """

    def __init__(self, code: int, words: int, dimension: int, units: int) -> None:
        super().__init__()
        self.first = nn.Linear(code, units)
        nn.init.uniform_(self.first.weight, -WORD_BOUND, WORD_BOUND)
        nn.init.zeros_(self.first.bias)
        self.lstm = LSTM(dimension + code, units)
        self.to_words = nn.Parameter(torch.empty(units, dimension).uniform_(-WORD_BOUND, WORD_BOUND))
        self.bias = nn.Parameter(torch.zeros(words + 1))

    def forward(self, codes: torch.Tensor, vectors: torch.Tensor) -> torch.Tensor:
        """Return the initial hidden state and the hidden state after each word, (n, L + 1, units).

        Args:
            codes: (n, code) vectors z from which the sentences are predicted.
            vectors: (n, L + 1, d) token vectors of the sentences to predict, including the vector of the
                end-of-sentence token; see :meth:`sentrep.networks.convolutional.Network.look_up`.
        """
        initial = self.first(codes).tanh()
        words = vectors[:, :-1]
        read = torch.cat([words, codes[:, None].expand(-1, words.shape[1], -1)], dim=2)
        return torch.cat([initial[:, None], self.lstm(read, initial)], dim=1)


class SentenceLoss(nn.Module):
    """The training loss of the convolutional encoder: the mean negative log-likelihood of the tokens to predict.

    The *code* of a sentence is the vector that the encoder computes for it. There are four objectives:

    - "autoencoder" predicts a sentence from its own code;
    - "future" predicts a sentence from the code of the previous sentence;
    - "composite" does both with two decoders and adds their losses;
    - "hierarchical" adds an LSTM that reads the codes of a paragraph's sentences in order. Each sentence except the
      first is predicted from the state of this LSTM after it has read the codes of all previous sentences.

    Args:
        network: the encoder.
        objective: one of the objectives listed above.
        units: number of units in each LSTM.
        paragraph: number of sentences per paragraph, for the hierarchical objective.

    Attributes:
        span: number of consecutive sentences per example.
    """

    decoders: Any  # torch does not declare the types of a ModuleDict's values

    def __init__(self, network: Network, objective: Objective, units: int, paragraph: int = 2) -> None:
        super().__init__()
        self.network = network
        self.span = {"autoencoder": 1, "hierarchical": paragraph}.get(objective, 2)
        words, dimension = network.table.weight.shape
        code = sum(network.parts)
        self.paragraph = LSTM(code, units) if objective == "hierarchical" else None
        names = {"autoencoder": ["same"], "composite": ["same", "next"]}.get(objective, ["next"])
        context = code if self.paragraph is None else units
        self.decoders = nn.ModuleDict({name: Decoder(context, words, dimension, units) for name in names})

    def forward(self, batch: Batch) -> torch.Tensor:
        """Return the loss of this process, a scalar tensor.

        The mean of this loss over all processes is the loss of the batch.
        """
        share = distributed.share(len(batch.lengths))
        sentences = slice(share.start * self.span, share.stop * self.span)
        ids, lengths = batch.sentences.ids[sentences], batch.sentences.lengths[sentences]
        vectors = self.network.look_up(ids, lengths).unflatten(0, (-1, self.span))
        targets = with_end(ids, lengths, self.network.table.num_embeddings).unflatten(0, (-1, self.span))
        lengths = lengths.unflatten(0, (-1, self.span))
        sources = vectors[:, : max(1, self.span - 1)]
        codes = self.network.pool(sources.flatten(0, 1)).unflatten(0, sources.shape[:2])
        if self.paragraph is not None:
            codes = self.paragraph(codes)
        classes = torch.cat([self.network.table.weight, self.network.end[None]])
        loss = classes.new_zeros(())
        for name, decoder in self.decoders.items():
            which = slice(0, 1) if name == "same" else slice(1, None)
            states = decoder(codes.flatten(0, 1), vectors[:, which].flatten(0, 1)).flatten(0, 1)
            here, all_words = (int((batch.lengths[part, which] + 1).sum()) for part in (share, slice(None)))
            index = real_positions(lengths[:, which].flatten() + 1, targets.shape[2], here)
            total = summed_cross_entropy(
                states.index_select(0, index) @ decoder.to_words,
                classes,
                decoder.bias,
                targets[:, which].flatten()[index],
            )
            loss = loss + total * distributed.world_size() / all_words
        return loss
