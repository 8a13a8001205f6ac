"""Divide the items of a corpus, such as sentences, into new random batches in each epoch."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from sentrep.errors import SentrepError
from sentrep.training import distributed
from sentrep.training.sentences import bucketed_batches

Batches = npt.NDArray[np.int64]


def batches_per_epoch(items: int, batch_size: int, what: str) -> int:
    """Return the number of complete batches per epoch.

    ``what`` is the plural name of the items, for error messages.

    Raises:
        SentrepError: there are not enough items for one batch.
    """
    if items < batch_size:
        raise SentrepError(
            "corpus",
            expected=f"at least {batch_size} {what} (1 batch)",
            found=f"only {items}",
            remedy="use more text or a smaller `batch_size`",
        )
    return items // batch_size


class ShuffledBatches:
    """A source of batches of item indices. The items are shuffled anew in each epoch.

    The order of the items depends only on the seed and the epoch.

    Args:
        items: number of items.
        batch_size: number of items per batch, summed over all processes.
        seed: random seed for the order.
        what: plural name of the items, for error messages.

    Attributes:
        per_epoch: number of batches per epoch; an incomplete batch is dropped.
        share: slice that selects this process's share of the items in a batch.

    Raises:
        SentrepError: there are not enough items for one batch, or the number of processes does not divide the batch
            size.
    """

    def __init__(self, items: int, batch_size: int, seed: int, what: str) -> None:
        self.per_epoch = batches_per_epoch(items, batch_size, what)
        self.share = distributed.share(batch_size)
        self._items, self._batch_size, self._seed = items, batch_size, seed
        self._epoch, self._batches = -1, np.empty((0, batch_size), dtype=np.int64)

    def items(self, first: int, n: int) -> Batches:
        """Return the indices of the items in ``n`` batches, beginning with batch ``first``.

        Batches are counted from 0 over all epochs. The ``n`` batches must belong to one epoch.

        Returns:
            The item indices, (n, batch_size) int64.
        """
        epoch, done = divmod(first, self.per_epoch)
        if epoch != self._epoch:
            self._batches = self._draw(np.random.default_rng([self._seed, 2, epoch]))
            self._epoch = epoch
        return self._batches[done : done + n]

    def _draw(self, generator: np.random.Generator) -> Batches:
        order = generator.permutation(self._items)
        return order[: self.per_epoch * self._batch_size].reshape(-1, self._batch_size)


class Buckets(ShuffledBatches):
    """A source of shuffled batches of item indices. The items in each batch have similar lengths.

    Args:
        lengths: (N,) int32 lengths of the items.
        batch_size: number of items per batch, summed over all processes.
        seed: random seed for the order.
        what: plural name of the items, for error messages.

    Raises:
        SentrepError: there are not enough items for one batch, or the number of processes does not divide the batch
            size.
    """

    def __init__(self, lengths: npt.NDArray[np.int32], batch_size: int, seed: int, what: str) -> None:
        super().__init__(len(lengths), batch_size, seed, what)
        self._lengths = lengths

    def _draw(self, generator: np.random.Generator) -> Batches:
        return bucketed_batches(self._lengths, self._batch_size, generator)
