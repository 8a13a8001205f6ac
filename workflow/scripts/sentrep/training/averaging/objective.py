"""Define the training objectives of averaging models, independently of their implementation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Aggregation = Literal["mean", "sum"]


@dataclass(frozen=True)
class Objective:
    """A training objective, which defines the loss of an example and how sentence vectors are computed.

    An example is a list of sentences: the centre, its neighbours and the negatives (see
    :mod:`sentrep.training.batches`). Each sentence occupies one *slot*. The *anchor* is computed from the sentence
    vectors in one or more slots. The loss compares the anchor with the *candidates*, which are the sentence vectors in
    the remaining slots.

    Attributes:
        loss: "softmax_cosine" (Siamese CBOW), for which the anchor is the vector of the centre, or "softmax_context"
            (CBOS), for which the anchor is the mean or sum of the vectors of the neighbours. Both losses are defined in
            :mod:`sentrep.training.averaging.autograd`.
        aggregation: whether a sentence vector is the "mean" or the "sum" of its word vectors.
        context: number of neighbours on each side of the centre.
        context_vector: whether the anchor of CBOS is the "mean" or the "sum" of the vectors of the neighbours.
    """

    loss: Literal["softmax_cosine", "softmax_context"] = "softmax_cosine"
    aggregation: Aggregation = "mean"
    context: int = 1
    context_vector: Aggregation = "mean"

    @property
    def anchor(self) -> tuple[int, int, float]:
        """The index of the anchor's first slot, the index after its last slot, and a factor.

        The anchor is the sum of the sentence vectors in its slots, multiplied by this factor.
        """
        if self.loss == "softmax_cosine":
            return 0, 1, 1.0
        neighbours = 2 * self.context
        return 1, 1 + neighbours, 1 / neighbours if self.context_vector == "mean" else 1.0


SIAMESE_CBOW = Objective()


def cbos(context: int, context_vector: Aggregation) -> Objective:
    """Return the objective of CBOS with ``context`` neighbours on each side of the central sentence."""
    return Objective("softmax_context", "sum", context, context_vector)
