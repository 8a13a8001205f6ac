"""Define the settings of weighted aggregation."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field
from pydantic.dataclasses import dataclass

from sentrep.training.parameters import Count, Positive


@dataclass(frozen=True)
class Parameters:
    """Settings of weighted aggregation; the defaults follow section 5.2 of the paper.

    Attributes:
        loss: "median" or "contrastive"; see :mod:`sentrep.aggregation.losses`.
        maximum_words: number of weights. In the paper, this is the number of words in a text if all texts have the same
            length (20), and the number of words in the longest text otherwise (30 for Wikipedia and 35 for tweets).
        variable_length: if true, train on texts of any length, and interpolate the weights to match each length; if
            false, train only on pairs in which both texts have exactly ``maximum_words`` known words.
        kappa: steepness of the median loss: the factor by which the loss multiplies the difference between each
            distance in a batch and the median of these distances. The default suits word vectors of Euclidean length 1;
            vectors of other lengths need another value.
        train_distance: how the loss measures the distance between the two texts of a pair: "euclidean" (the Euclidean
            distance, as in the paper) or "squared" (its square, as in the released code).
        divisor: divisor of the weighted sum: the number of known words in the text ("n", as in the paper) or the square
            root of this number ("sqrt_n").
        normalise_vectors: scale the word vectors to Euclidean length 1 before training. The word vectors that the
            authors released also have length 1.
        learning_rate: initial learning rate.
        lowered_learning_rate: learning rate after the mean loss has increased for the first time; see
            ``minimum_epoch_updates``.
        l2: factor by which the sum of squared weights is multiplied in the loss.
        initial_weight: initial value of all weights.
        batch_pairs: number of related pairs per batch; a batch also contains the same number of non-related pairs. If
            there are fewer than ``batch_pairs`` pairs of the rarer kind, each batch contains all of these pairs and the
            same number of pairs of the other kind.
        maximum_updates: maximum number of updates. With the paper's 1.5 million pairs of each kind, an epoch has 30,000
            updates; the released code runs 3 epochs, that is, 90,000 updates.
        minimum_epoch_updates: minimum number of updates over which the mean loss is computed. This mean determines when
            the learning rate is lowered and when training stops. With the value 1, the mean loss is computed over one
            epoch, as in the paper, where an epoch has 30,000 updates. If the set of pairs is small, an epoch has few
            updates, and its mean loss is too noisy. To compute the mean over several epochs, use a value above the
            number of updates per epoch.
        cleaning: how sentences are normalised before they are encoded: as described in the paper ("paper") or as in the
            released code ("released_code").
    """

    loss: Literal["median", "contrastive"] = "median"
    maximum_words: Count = 20
    variable_length: bool = False
    kappa: Positive = 160.0
    train_distance: Literal["euclidean", "squared"] = "euclidean"
    divisor: Literal["n", "sqrt_n"] = "n"
    normalise_vectors: bool = True
    learning_rate: Positive = 0.01
    lowered_learning_rate: Positive = 0.001
    l2: Annotated[float, Field(ge=0)] = 0.001
    initial_weight: float = 0.5
    batch_pairs: Count = 50
    maximum_updates: Count = 90_000
    minimum_epoch_updates: Count = 1
    cleaning: Literal["paper", "released_code"] = "paper"
