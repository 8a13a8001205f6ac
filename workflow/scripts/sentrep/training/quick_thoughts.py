"""Quick Thoughts' objective: recognise a sentence's neighbours among all sentences of the batch (section 3).

A batch is a contiguous piece of the corpus, else it would hold no neighbours; batches of similar lengths, as other
networks here use, are out of the question. What padding would cost is saved otherwise, see
:mod:`sentrep.networks.packing`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from sentrep.corpora.store import TokenStore
from sentrep.errors import SentrepError
from sentrep.networks.packing import Packing, upload
from sentrep.networks.two_towers import Network
from sentrep.training import distributed
from sentrep.training.batches import Boundaries
from sentrep.training.sentences import Sentences

Diagonal = Literal["zero", "masked"]


@dataclass(frozen=True)
class Batch:
    """Contiguous sentences; several processes share them.

    Attributes:
        ids: (n, L) int64, word numbers of this process's share.
        packing: of the share.
        places: (B,) int64, where the sentences of the whole batch stand in the corpus: neighbours differ by at most
            the context size.
    """

    ids: torch.Tensor
    packing: Packing
    places: torch.Tensor


class Contiguous:
    """Batches of consecutive sentences: called with (first, n), gives the batches of these steps.

    Args:
        store: the corpus.
        sentences: its sentences that have words.
        network: says how a batch is laid out.
        device: of torch, the one that ``sentences`` has.
        size: B, sentences per batch.
        context: how far neighbours may be apart.
        boundaries: "ignore" takes neighbours from other documents too, as released.
        shuffle: take the batches in a new random order in each epoch, drawn from the seed; the sentences of a batch
            stay together.
        seed: of that order.
        held_out: so many first sentences are left out; see :meth:`validation`.
        rows: (words,) int64, row of the word table of each word number, if it is not the number itself.

    Attributes:
        per_epoch: batches; sentences that do not fill the last one are left out.

    Raises:
        SentrepError: the corpus does not fill a batch, or processes cannot share one.
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
        seed: int = 0,
        held_out: int = 0,
        rows: npt.NDArray[np.int64] | None = None,
    ) -> None:
        self._sentences, self._network, self._size, self._device = sentences, network, size, torch.device(device)
        self._seed, self._shuffle, self._epoch = seed, shuffle, -1
        self._begin = held_out // size * size
        self.per_epoch = (len(sentences) - self._begin) // size
        if self.per_epoch < 1:
            raise SentrepError(
                "corpus",
                expected=f"at least {size} sentences with words (one batch) beside {self._begin} for validation",
                found=f"{len(sentences)}",
                remedy="use more text, a smaller batch_size or smaller validation_sentences",
            )
        if size % distributed.world_size():
            raise SentrepError(
                "batch_size",
                expected=f"a multiple of {distributed.world_size()}, the number of processes",
                found=f"{size}",
                remedy="change one of the two",
            )
        # Documents are moved apart, so that one rule serves both: neighbours' places differ by at most the context.
        gap = sentences.documents(store) * context if boundaries == "respect" else 0
        self._places = sentences.filled + gap
        self._rows = None if rows is None else torch.from_numpy(rows).to(self._device)

    def __call__(self, first: int, n: int) -> Iterator[Batch]:
        """Yield the batches of steps ``first`` to ``first + n - 1``, counted over all epochs."""
        epochs, steps = np.divmod(np.arange(first, first + n), self.per_epoch)
        if self._shuffle:
            orders = {epoch: self._order(epoch) for epoch in np.unique(epochs)}
            steps = np.array([orders[epoch][step] for epoch, step in zip(epochs, steps, strict=True)])
        return self._at(self._begin + steps * self._size)

    def validation(self) -> Iterator[Batch]:
        """Yield the held-out sentences, in whole batches."""
        for begin in range(0, self._begin, self._size):
            yield from self._at(np.array([begin]))

    def _order(self, epoch: int) -> npt.NDArray[np.int64]:
        return np.random.default_rng([self._seed, 2, epoch]).permutation(self.per_epoch)

    def _at(self, begins: npt.NDArray[np.int64]) -> Iterator[Batch]:
        rows = begins[:, None] + np.arange(self._size)
        own = rows[:, distributed.share(self._size)]
        lengths = self._sentences.lengths[own]
        layouts = [self._network.layout(row, int(row.max())) for row in lengths]
        packings = upload(layouts, self._device)
        places = torch.from_numpy(self._places[rows]).to(self._device)
        for i, padded in enumerate(self._sentences.batches(own)):
            ids = padded.ids if self._rows is None else self._rows[padded.ids]
            yield Batch(ids, packings[i], places[i])


class QuickThoughts(nn.Module):
    """The loss of a batch, as released (section 3; Logeswaran's build_loss).

    The scores are f(s_i) . g(s_j) for all sentences of the batch. Row i's softmax should spread evenly over the
    neighbours of s_i that are in the batch; the loss is the mean cross-entropy over the rows that have some. The
    paper's equation 2 has a term for each neighbour instead, which is proportional to it.

    Args:
        network: the towers; with one, g is f.
        context: neighbours are at most so many sentences away. The paper's "context size 3" is 1 here: a window of 3.
        diagonal: what becomes of a sentence's score with itself: "zero" sets it to 0, so that the sentence stays a
            candidate, as released; "masked" leaves it out.
        dropout: share of the outputs that a batch does without, the same for all its sentences and not made up for,
            as released; several processes draw one each.
    """

    def __init__(self, network: Network, context: int = 1, diagonal: Diagonal = "zero", dropout: float = 0.0) -> None:
        super().__init__()
        self.network, self.context, self.diagonal, self.dropout = network, context, diagonal, dropout

    def forward(self, batch: Batch) -> torch.Tensor:
        """Return the loss, (): its mean over processes is the loss of the whole batch."""
        scores, distance = self.scores(batch)
        targets = ((distance > 0) & (distance <= self.context)).to(scores.dtype)
        neighbours = targets.sum(dim=1)
        attracted = (scores * targets).sum(dim=1) / neighbours.clamp(min=1)
        losses = (scores.logsumexp(dim=1) - attracted) * (neighbours > 0)
        return losses.sum() * distributed.world_size() / self._rows_with_neighbours(batch).clamp(min=1)

    def scores(self, batch: Batch) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the (n, B) scores of this process's sentences with all, and how far apart they stand."""
        towers = self.network.encode(batch.ids, batch.packing)
        f, g = towers[0], towers[-1]
        if self.training and self.dropout:
            f = f * (torch.rand(f.shape[1], device=f.device) > self.dropout)  # of a product, one factor is enough
        with torch.autocast(f.device.type, enabled=False):  # unscaled products of long vectors can be large
            f, g = (tower.to(torch.promote_types(tower.dtype, torch.float32)) for tower in (f, g))
            scores = f @ distributed.gather_rows(g).T
        own = batch.places[distributed.share(len(batch.places))]
        distance = (own[:, None] - batch.places).abs()
        itself = 0.0 if self.diagonal == "zero" else torch.finfo(scores.dtype).min
        return scores.masked_fill(distance == 0, itself), distance

    def _rows_with_neighbours(self, batch: Batch) -> torch.Tensor:
        near = batch.places.diff() <= self.context  # places ascend
        with_one = torch.zeros_like(batch.places, dtype=torch.bool)
        with_one[1:] |= near
        with_one[:-1] |= near
        return with_one.sum()


@torch.inference_mode()
def accuracy(objective: QuickThoughts, batches: Iterable[Batch]) -> tuple[float, float]:
    """Return how often the best score of a sentence is that with the next one, and with the previous one.

    The measure by which the authors chose their settings: a sentence's score with itself takes part, as in training;
    the last sentence of a batch has no next one and the first no previous one, and they are left out. For one
    process.

    Args:
        objective: called in evaluation mode.
        batches: at least one.
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
