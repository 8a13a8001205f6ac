"""What the convolutional encoder of Gan et al. (EMNLP 2017) is trained by: LSTMs that write sentences from its codes.

Every LSTM shares the encoder's word table, for the words it reads and for those it predicts; all else is its own. The
equations are those of the released autoencoder. The other objectives were not released: they follow the paper.
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

FORGET_BIAS = 3.0  # released code


@dataclass(frozen=True)
class Batch:
    """Examples of ``span`` consecutive sentences each.

    Attributes:
        sentences: n * span sentences, example after example, on the device.
        lengths: (n, span) int64, their lengths, on the host.
    """

    sentences: Padded
    lengths: npt.NDArray[np.int64]


class Examples:
    """Batches of runs of consecutive sentences of a document; the sentences of a batch are of similar length.

    Args:
        store: the corpus.
        sentences: of that store, cut at ``max_tokens + 1`` or later.
        span: sentences of a run.
        disjoint: whether runs share no sentences; if not, one begins at every sentence where one can.
        max_tokens: words of the longest sentence; runs with a longer one are left out.
        batch_size: runs per batch, of all processes together.
        seed: of the order.

    Attributes:
        per_epoch: batches in an epoch.

    Raises:
        SentrepError: the corpus cannot fill one batch.
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
        what = f"runs of {span} consecutive sentences of 1 to {max_tokens} words"
        self._buckets = Buckets(longest, batch_size, seed, what)
        self.per_epoch = self._buckets.per_epoch

    def __call__(self, first: int, n: int) -> Iterator[Batch]:
        """Yield the batches of ``n`` steps from ``first`` on."""
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
    """Return where runs of ``span`` usable sentences begin that follow one another in their document, (E,) int64.

    Args:
        numbers: (N,) of the sentences in the corpus, ascending.
        documents: (N,) which one each belongs to.
        usable: (N,).
        span: length of a run.
        disjoint: take runs from the left, none sharing a sentence with another.
    """
    breaks = ~usable
    breaks[1:] |= ~usable[:-1] | (np.diff(numbers) != 1) | (np.diff(documents) != 0)
    breaks[:1] = True
    position = np.arange(len(numbers))
    stretch = np.maximum.accumulate(np.where(breaks, position, 0))  # where the unbroken stretch began
    begins = np.flatnonzero(usable[: max(0, len(numbers) - span + 1)])
    begins = begins[stretch[begins + span - 1] == stretch[begins]]
    return begins[(begins - stretch[begins]) % span == 0] if disjoint else begins


class LSTM(nn.LSTM):
    """torch's LSTM, one layer, with the released code's single bias and initial values.

    Torch adds two biases; the second stays zero and is not trained. Weights are uniform, recurrent ones orthogonal.

    Args:
        inputs: width of what is read at each step.
        units: width of the state.
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
        """Return the state after every step, (n, L, units); the cell begins at zero.

        Args:
            x: (n, L, inputs).
            initial: (n, units), the state before the first step; zeros if None.
        """
        kind = self.weight_hh_l0.dtype
        if initial is None:
            initial = x.new_zeros(len(x), self.hidden_size)
        state = initial.to(kind)[None].contiguous()
        with torch.autocast(x.device.type, enabled=False):  # it would run cuDNN's LSTM in float16, not in bfloat16
            return super().forward(x.to(kind), (state, torch.zeros_like(state)))[0]


class Decoder(nn.Module):
    """An LSTM that reads a code z in its first state and at every step, and predicts a sentence word by word.

    h_0 = tanh(C0 z + b0); h_t = LSTM(W x_t + C z + b, h_(t-1)) with x_t the vector of word t. From h_t word t + 1 is
    predicted, after the last word the end: softmax(E V' h_t + a), where E holds the vectors of all words and the end.

    Args:
        code: length of z.
        words: rows of the word table.
        dimension: length of a word vector.
        units: of the LSTM.
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
        """Return the states h_0 to h_L, (n, L + 1, units).

        Args:
            codes: (n, code).
            vectors: (n, L + 1, d) of words and end, as the encoder reads them.
        """
        initial = self.first(codes).tanh()
        words = vectors[:, :-1]
        read = torch.cat([words, codes[:, None].expand(-1, words.shape[1], -1)], dim=2)
        return torch.cat([initial[:, None], self.lstm(read, initial)], dim=1)


class SentenceLoss(nn.Module):
    """-log p per word of the sentences that an objective predicts.

    - "autoencoder": a sentence from its own code;
    - "future": the next sentence;
    - "composite": both, by two decoders; their losses are added;
    - "hierarchical": another LSTM reads the codes of a paragraph, sentence after sentence, and each of its states
      takes the place of the code from which the next sentence is predicted.

    Args:
        network: the encoder.
        objective: as above.
        units: of every LSTM.
        paragraph: sentences of a paragraph.

    Attributes:
        span: consecutive sentences that make an example.
    """

    decoders: Any  # torch's types do not know what a ModuleDict holds

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
        """Return the loss of this process's examples, (); its mean over processes is the loss of the batch."""
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
