"""Arrange the items of a corpus in batches, in a new order in each epoch."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from sentrep.errors import SentrepError
from sentrep.training import distributed
from sentrep.training.sentences import bucketed_batches

Batches = npt.NDArray[np.int64]


def batches_per_epoch(items: int, batch_size: int, what: str) -> int:
    """Return the number of complete batches of items, which the error message calls ``what``.

    Raises:
        SentrepError: there are not enough items for one batch.
    """
    if items < batch_size:
        raise SentrepError(
            "corpus",
            expected=f"at least {batch_size} {what} (one batch)",
            found=f"{items}",
            remedy="use more text or a smaller batch_size",
        )
    return items // batch_size


class ShuffledBatches:
    """Batches in a new random order in each epoch, which depends only on the seed and the step number.

    Args:
        items: number of items.
        batch_size: items per batch, of all processes together.
        seed: seed of the order.
        what: name of the items, for errors.

    Attributes:
        per_epoch: batches per epoch; an incomplete batch is dropped.
        share: this process's part of a batch.

    Raises:
        SentrepError: there are not enough items for one batch, or processes cannot divide a batch.
    """

    def __init__(self, items: int, batch_size: int, seed: int, what: str) -> None:
        self.per_epoch = batches_per_epoch(items, batch_size, what)
        self.share = distributed.share(batch_size)
        self._items, self._batch_size, self._seed = items, batch_size, seed
        self._epoch, self._batches = -1, np.empty((0, batch_size), dtype=np.int64)

    def items(self, first: int, n: int) -> Batches:
        """Return the items of steps ``first`` to ``first + n - 1``, all of one epoch, (n, batch_size) int64."""
        epoch, done = divmod(first, self.per_epoch)
        if epoch != self._epoch:
            self._batches = self._draw(np.random.default_rng([self._seed, 2, epoch]))
            self._epoch = epoch
        return self._batches[done : done + n]

    def _draw(self, generator: np.random.Generator) -> Batches:
        order = generator.permutation(self._items)
        return order[: self.per_epoch * self._batch_size].reshape(-1, self._batch_size)


class Buckets(ShuffledBatches):
    """Shuffled batches of items of similar length; arguments as for :class:`ShuffledBatches`, with (N,) lengths."""

    def __init__(self, lengths: npt.NDArray[np.int32], batch_size: int, seed: int, what: str) -> None:
        super().__init__(len(lengths), batch_size, seed, what)
        self._lengths = lengths

    def _draw(self, generator: np.random.Generator) -> Batches:
        return bucketed_batches(self._lengths, self._batch_size, generator)
