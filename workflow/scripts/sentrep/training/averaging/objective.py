"""What averaging models are trained to do, independent of the implementation that trains them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Aggregation = Literal["mean", "sum"]


@dataclass(frozen=True)
class Objective:
    """The loss of an example and how its sentences are made from words.

    An example is a number of sentences, its *slots*: the centre, its neighbours, the negatives
    (:mod:`sentrep.training.batches`). A loss compares one vector, the *anchor*, with the other slots, the candidates.

    Attributes:
        loss: "softmax_cosine" (Siamese CBOW): the anchor is the centre; or "softmax_context" (CBOS): the anchor is
            the neighbours together. Both are defined in :mod:`sentrep.training.averaging.autograd`.
        aggregation: a sentence is the "mean" or the "sum" of its words' vectors.
        context: neighbours on each side, k.
        context_vector: CBOS's anchor is the "mean" or the "sum" of the neighbours.
    """

    loss: Literal["softmax_cosine", "softmax_context"] = "softmax_cosine"
    aggregation: Aggregation = "mean"
    context: int = 1
    context_vector: Aggregation = "mean"

    @property
    def anchor(self) -> tuple[int, int, float]:
        """First and end slot of the anchor, and the factor of their sum."""
        if self.loss == "softmax_cosine":
            return 0, 1, 1.0
        neighbours = 2 * self.context
        return 1, 1 + neighbours, 1 / neighbours if self.context_vector == "mean" else 1.0


SIAMESE_CBOW = Objective()


def cbos(context: int, context_vector: Aggregation) -> Objective:
    """Return CBOS's objective: ``context`` sentences on each side, their mean or sum against the candidates."""
    return Objective("softmax_context", "sum", context, context_vector)
