"""Batches of items of similar length, epoch after epoch, by the number of the step."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from sentrep.errors import SentrepError
from sentrep.training import distributed
from sentrep.training.sentences import bucketed_batches


class Buckets:
    """Says which items each step takes; depends on nothing but the seed and the number of the step.

    Args:
        lengths: (N,) of the items.
        batch_size: items per batch.
        seed: of the order.
        what: the items, named in an error.

    Attributes:
        per_epoch: batches; an incomplete one is dropped.
        share: this process's part of a batch.

    Raises:
        SentrepError: there are not enough items for one batch, or processes cannot share one.
    """

    def __init__(self, lengths: npt.NDArray[np.int32], batch_size: int, seed: int, what: str) -> None:
        self.per_epoch = len(lengths) // batch_size
        if self.per_epoch == 0:
            raise SentrepError(
                "corpus",
                expected=f"at least {batch_size} {what} (one batch)",
                found=f"{len(lengths)}",
                remedy="use more text or a smaller batch_size",
            )
        if batch_size % distributed.world_size():
            raise SentrepError(
                "batch_size",
                expected=f"a multiple of {distributed.world_size()}, the number of processes",
                found=f"{batch_size}",
                remedy="change one of the two",
            )
        self.share = distributed.share(batch_size)
        self._lengths, self._batch_size, self._seed = lengths, batch_size, seed
        self._epoch, self._batches = -1, np.empty((0, batch_size), dtype=np.int64)

    def items(self, first: int, n: int) -> npt.NDArray[np.int64]:
        """Return the items of steps ``first`` to ``first + n - 1``, all of one epoch, (n, batch_size) int64."""
        epoch, done = divmod(first, self.per_epoch)
        if epoch != self._epoch:
            generator = np.random.default_rng([self._seed, 2, epoch])
            self._batches = bucketed_batches(self._lengths, self._batch_size, generator)
            self._epoch = epoch
        return self._batches[done : done + n]
