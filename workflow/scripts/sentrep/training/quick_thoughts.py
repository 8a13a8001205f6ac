"""Define the batches and the loss of Quick Thoughts (Logeswaran and Lee 2018, section 3).

The task is to identify the neighbours of a sentence. All sentences in a batch are candidates, and the neighbours of a
sentence are the correct candidates. Sentences differ in length; :mod:`sentrep.networks.packing` lays out their words
without padding.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
import torch
from torch import nn
from torch.nn.functional import softplus

from sentrep.corpora.store import TokenStore
from sentrep.networks.packing import Packing, upload
from sentrep.networks.two_towers import Network
from sentrep.training import distributed
from sentrep.training.batches import Boundaries
from sentrep.training.bucketing import batches_per_epoch
from sentrep.training.sentences import Sentences

Candidates = Literal["contiguous", "random"]
Diagonal = Literal["zero", "masked"]
Loss = Literal["softmax", "max_margin", "binary"]


@dataclass(frozen=True)
class Batch:
    """A batch of sentences; each process encodes a share of them.

    Attributes:
        ids: (n, L) int64 index of each word's row in the word table, for the n sentences of this process, padded to
            length L.
        packing: layout of this process's words without padding.
        places: (B,) int64 positions in the corpus of all B sentences in the batch, in ascending order. Two sentences
            are neighbours if their positions differ by at most ``context`` (see :class:`SentenceBatches`). If
            neighbours must be in the same document, positions are shifted so that sentences in different documents are
            never neighbours.
    """

    ids: torch.Tensor
    packing: Packing
    places: torch.Tensor


class SentenceBatches:
    """A source of training batches for Quick Thoughts; each process reads its share of every batch.

    Args:
        store: the corpus.
        sentences: the non-empty sentences of the corpus.
        network: encoder network with one or two towers; it determines how the words of a batch are packed.
        device: torch device of ``sentences``.
        size: number of sentences per batch, B.
        context: maximum distance between neighbours, in sentences.
        boundaries: "ignore" allows neighbours in different documents, as in the released code; "respect" does not.
        shuffle: whether to shuffle the order of contiguous batches in each epoch.
        candidates: "contiguous" fills a batch with consecutive sentences. "random" divides the corpus into windows of
            2 * context + 1 consecutive sentences, and fills each batch with randomly chosen windows, so that the
            candidates come from the whole corpus. With "random", the batch size is rounded down to a multiple of the
            window size.
        seed: random seed for the order of the batches or, with "random", of the windows.
        held_out: number of sentences at the beginning of the corpus that are held out for :meth:`validation`, rounded
            down to a multiple of the batch size.
        rows: (words,) int64 index of each word's row in the word table; None if the index is equal to the word id.

    Attributes:
        per_epoch: number of batches per epoch; an incomplete batch is dropped.

    Raises:
        SentrepError: there are not enough sentences for one batch, or the number of processes does not divide the batch
            size.
    """

    def __init__(
        self,
        store: TokenStore,
        sentences: Sentences,
        network: Network,
        device: str,
        size: int,
        context: int,
        boundaries: Boundaries = "ignore",
        shuffle: bool = False,
        candidates: Candidates = "contiguous",
        seed: int = 0,
        held_out: int = 0,
        rows: npt.NDArray[np.int64] | None = None,
    ) -> None:
        self._window = min(2 * context + 1, size) if candidates == "random" else size
        size = size // self._window * self._window
        self._sentences, self._network, self._size, self._device = sentences, network, size, torch.device(device)
        self._seed, self._shuffle = seed, shuffle or candidates == "random"
        self._begin = held_out // size * size
        what = "non-empty sentences" + (f" after the {self._begin} held-out sentences" if self._begin else "")
        self.per_epoch = batches_per_epoch(len(sentences) - self._begin, size, what)
        self._share = distributed.share(size)
        # With these gaps, the places of sentences in different documents differ by more than ``context``.
        gap = sentences.documents(store) * context if boundaries == "respect" else 0
        self._places = sentences.filled + gap
        self._rows = None if rows is None else torch.from_numpy(rows).to(self._device)

    def __call__(self, first: int, n: int) -> Iterator[Batch]:
        """Yield the batches of ``n`` steps, beginning with step ``first``; steps are counted over all epochs."""
        epochs, steps = np.divmod(np.arange(first, first + n), self.per_epoch)
        windows = steps[:, None] * (self._size // self._window) + np.arange(self._size // self._window)
        if self._shuffle:
            for epoch in np.unique(epochs):
                windows[epochs == epoch] = self._order(epoch)[windows[epochs == epoch]]
            windows.sort(axis=1)
        return self._at(self._begin + windows * self._window)

    def validation(self) -> Iterator[Batch]:
        """Yield batches of consecutive held-out sentences, even if ``candidates`` is "random"."""
        for begin in range(0, self._begin, self._size):
            yield from self._at(np.arange(begin, begin + self._size, self._window)[None])

    def _order(self, epoch: int) -> npt.NDArray[np.int64]:
        return np.random.default_rng([self._seed, 2, epoch]).permutation(self.per_epoch * (self._size // self._window))

    def _at(self, windows: npt.NDArray[np.int64]) -> Iterator[Batch]:
        """Yield a batch for each row of ``windows``.

        A row contains the position of the first sentence of each window in the batch.
        """
        rows = (windows[:, :, None] + np.arange(self._window)).reshape(len(windows), self._size)
        own = rows[:, self._share]
        lengths = self._sentences.lengths[own]
        layouts = [self._network.layout(row, int(row.max())) for row in lengths]
        packings = upload(layouts, self._device)
        places = torch.from_numpy(self._places[rows]).to(self._device)
        for i, padded in enumerate(self._sentences.batches(own)):
            ids = padded.ids if self._rows is None else self._rows[padded.ids]
            yield Batch(ids, packings[i], places[i])


class QuickThoughts(nn.Module):
    """The training loss of Quick Thoughts (Logeswaran and Lee 2018, section 3; ``build_loss`` in the released code).

    Each pair of sentences s_i and s_j in the batch has the score f(s_i) . g(s_j). For each sentence s_i that has
    neighbours in the batch, the loss is the cross-entropy between the softmax over its scores and the uniform
    distribution over its neighbours. The loss of the batch is the mean over these sentences. If all of them have the
    same number of neighbours, this loss is proportional to equation 2 of the paper, which has a term for each
    neighbour. Sentences at the ends of a batch, however, have fewer neighbours.

    The paper reports that two other losses performed worse (sections 3 and 4.3), without giving their formulas. In this
    class, these two losses compare the scores of the neighbours with the scores of the other candidates, which do not
    include the sentence itself. "max_margin" is the mean of max(0, 1 - score of a neighbour + score of another
    candidate). "binary" is the logistic loss of a classifier that predicts from the score of two sentences whether they
    are neighbours; the neighbours of a sentence have the same total weight as its other candidates.

    Args:
        network: the towers f and g; if there is only one tower, g is f.
        context: maximum distance between neighbours, in sentences. The paper's "context size 3" is a window of three
            sentences, which corresponds to a distance of 1.
        diagonal: treatment of a sentence's score with itself. "zero", as in the released code, sets it to 0, so that
            the sentence remains a candidate; "masked" excludes the sentence.
        loss: "softmax", "max_margin" or "binary".
        dropout: probability with which each output dimension is dropped in training. As in the released code, the same
            dimensions are dropped for all sentences of a process in a step, and the other dimensions are not rescaled.
    """

    def __init__(
        self,
        network: Network,
        context: int = 1,
        diagonal: Diagonal = "zero",
        loss: Loss = "softmax",
        dropout: float = 0.0,
    ) -> None:
        super().__init__()
        self.network, self.context, self.diagonal, self.loss, self.dropout = network, context, diagonal, loss, dropout

    def forward(self, batch: Batch) -> torch.Tensor:
        """Return this process's loss, a scalar tensor; the mean over processes is the loss of the batch."""
        scores, distance = self.scores(batch)
        near, far = (distance > 0) & (distance <= self.context), distance > self.context
        if self.loss == "softmax":
            losses = scores.logsumexp(dim=1) - _mean_where(near, scores)
        elif self.loss == "max_margin":
            losses = self._hinge(scores, near, far)
        else:
            losses = _mean_where(near, softplus(-scores)) + _mean_where(far, softplus(scores))
        losses = losses * near.any(dim=1)
        return losses.sum() * distributed.world_size() / self._rows_with_neighbours(batch).clamp(min=1)

    def scores(self, batch: Batch) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the score of each sentence pair, and the distance between its sentences in the text, (n, B) each.

        A row belongs to one of this process's n sentences, and a column to one of the B sentences in the batch.
        """
        towers = self.network.encode(batch.ids, batch.packing)
        f, g = towers[0], towers[-1]
        if self.training and self.dropout:
            # It is enough to drop one factor of each product.
            f = f * (torch.rand(f.shape[1], device=f.device) > self.dropout)
        with torch.autocast(f.device.type, enabled=False):  # bfloat16 is too imprecise for large scores
            f, g = (tower.to(torch.promote_types(tower.dtype, torch.float32)) for tower in (f, g))
            scores = f @ distributed.gather_rows(g).T
        own = batch.places[distributed.share(len(batch.places))]
        distance = (own[:, None] - batch.places).abs()
        itself = 0.0 if self.diagonal == "zero" else torch.finfo(scores.dtype).min
        return scores.masked_fill(distance == 0, itself), distance

    def _hinge(self, scores: torch.Tensor, near: torch.Tensor, far: torch.Tensor) -> torch.Tensor:
        found, columns = near.to(scores.dtype).topk(min(2 * self.context, scores.shape[1]), dim=1)
        hinges = [
            _mean_where(far, (1 - scores.gather(1, column[:, None]) + scores).clamp(min=0)) for column in columns.T
        ]
        return _mean_where(found > 0, torch.stack(hinges, dim=1))

    def _rows_with_neighbours(self, batch: Batch) -> torch.Tensor:
        near = batch.places.diff() <= self.context  # places ascend
        with_one = torch.zeros_like(batch.places, dtype=torch.bool)
        with_one[1:] |= near
        with_one[:-1] |= near
        return with_one.sum()


def _mean_where(chosen: torch.Tensor, values: torch.Tensor) -> torch.Tensor:
    """Return the mean of the chosen values in each row, or 0 for a row without chosen values."""
    return values.where(chosen, 0).sum(dim=1) / chosen.sum(dim=1).clamp(min=1)


@torch.inference_mode()
def accuracy(objective: QuickThoughts, batches: Iterable[Batch]) -> tuple[float, float]:
    """Return how often a sentence's highest-scoring candidate is the next sentence, and how often the previous one.

    Both results are fractions of the sentences that have the respective neighbour in their batch. Logeswaran and Lee
    chose their settings by the accuracy of such predictions. As in training, a sentence is a candidate for itself
    unless ``objective.diagonal`` is "masked". This function does not support training in several processes.
    """
    objective.eval()
    found, total = np.zeros(2), 0
    for batch in batches:
        best = objective.scores(batch)[0].argmax(dim=1)
        i = torch.arange(len(best), device=best.device)
        found += (best[:-1] == i[1:]).sum().item(), (best[1:] == i[:-1]).sum().item()
        total += len(best) - 1
    forward, backward = found / total
    return float(forward), float(backward)
