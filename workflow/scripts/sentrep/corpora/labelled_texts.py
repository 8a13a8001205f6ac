"""Define a data structure for labelled data sets: texts or pairs of texts, each with a class or a score."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Targets = npt.NDArray[np.int64 | np.float64]
"""Class indices (int64) or scores (float64)."""


@dataclass(frozen=True)
class LabelledTexts:
    """One split of a data set: n items, each of which is a text or a pair of texts.

    Attributes:
        first: the n texts or, for pairs, the first text of each pair.
        second: the second text of each pair; None for single texts.
        targets: class indices, (n,) int64, or scores, (n,) float64.
    """

    first: list[str]
    second: list[str] | None
    targets: Targets

    def __len__(self) -> int:
        """Return the number of items."""
        return len(self.first)

    def texts(self) -> list[str]:
        """Return all texts: the entries of ``first``, followed by the entries of ``second`` if the items are pairs."""
        return [*self.first, *(self.second or [])]

    def take(self, rows: npt.NDArray[np.integer]) -> LabelledTexts:
        """Return the items at the positions ``rows``, in that order."""
        second = None if self.second is None else [self.second[i] for i in rows]
        return LabelledTexts([self.first[i] for i in rows], second, self.targets[rows])
