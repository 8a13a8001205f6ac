"""Predict relatedness scores (SICK) from the features of text pairs, with a softmax classifier over integer scores.

A score between two integers is represented by the distribution over these integers that has the score as its mean (Tai
et al. 2015, section 5.2). The predicted score is the mean of the predicted distribution. The classifier is trained with
Adam, in blocks of epochs, until Pearson's correlation on the dev items stops rising.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
import pandas as pd

from sentrep.corpora.labelled_texts import Targets

Matrix = npt.NDArray[np.float32]

_RATE, _FIRST, _SECOND, _EPSILON = 1e-3, 0.9, 0.999, 1e-8  # default hyper-parameters of Adam


@dataclass(frozen=True)
class Training:
    """Settings for training the softmax classifier.

    Attributes:
        loss: "cross_entropy" (averaged over the batch) or "squared" (the squared differences between the predicted and
            the true probabilities, summed over the batch).
        batch: number of items per update.
        block: number of epochs between two evaluations on the dev items.
        patience: training ends when the total number of blocks without a new best correlation exceeds this number.
        most_epochs: training also ends when the total number of epochs exceeds this number; None for no limit. If the
            total is equal to this number, another block follows, as in SentEval, where the condition of the loop is
            ``nepoch <= maxepoch``.
        shuffle: whether items are shuffled before every epoch; otherwise their order is fixed.
        initialisation: distribution of the initial weights for d features and k classes. "glorot" is uniform within
            ±sqrt(6 / (d + k)), with zero biases, as in Keras. "fan_in" is uniform within ±1 / sqrt(d), also for the
            biases, as in torch.
        seed: seed for the initial weights and the order of items.
    """

    loss: Literal["cross_entropy", "squared"]
    batch: int
    block: int
    patience: int
    most_epochs: int | None
    shuffle: bool
    initialisation: Literal["glorot", "fan_in"]
    seed: int


KIROS = Training(
    "cross_entropy",
    batch=128,
    block=100,
    patience=0,
    most_epochs=None,
    shuffle=False,
    initialisation="glorot",
    seed=1234,
)
SENTEVAL = Training(
    "squared",
    batch=64,
    block=50,
    patience=3,
    most_epochs=1000,
    shuffle=True,
    initialisation="fan_in",
    seed=1111,
)


def distributions(scores: Targets, low: int, high: int) -> Matrix:
    """Represent each score by a probability distribution over the integers from ``low`` to ``high``.

    If the score is an integer, this integer has probability 1. Otherwise, only the two adjacent integers have nonzero
    probabilities, which are chosen so that the mean of the distribution is the score.

    Args:
        scores: (n,) scores.
        low: lowest possible score.
        high: highest possible score.

    Returns:
        (n, high - low + 1) probabilities.
    """
    return np.maximum(0, 1 - np.abs(scores[:, None] - np.arange(low, high + 1))).astype(np.float32)


def expected_scores(log_probabilities: npt.NDArray[np.floating], low: int) -> npt.NDArray[np.float64]:
    """Return the means, (n,), of n distributions over the same k consecutive integers.

    Args:
        log_probabilities: (n, k) log-probabilities, which need not be normalised.
        low: lowest of the k integers.
    """
    shifted = log_probabilities.astype(np.float64)
    shares = np.exp(shifted - shifted.max(axis=1, keepdims=True))
    return shares @ (low + np.arange(shares.shape[1])) / shares.sum(axis=1)


def pearson(a: Targets, b: Targets) -> float:
    """Return Pearson's correlation between two variables; NaN if one of them is constant."""
    return math.nan if np.ptp(a) == 0 or np.ptp(b) == 0 else float(np.corrcoef(a, b)[0, 1])


def spearman(a: Targets, b: Targets) -> float:
    """Return Spearman's correlation between two variables; NaN if one of them is constant."""
    return pearson(*(pd.Series(side).rank().to_numpy() for side in (a, b)))


class SoftmaxRegression:
    """A softmax classifier that is trained with Adam.

    Args:
        features: number of features d.
        classes: number of classes k.
        training: settings for training the classifier.
    """

    def __init__(self, features: int, classes: int, training: Training) -> None:
        self.training = training
        # SentEval draws the order of items with numpy's legacy generator, which is seeded only once.
        self.dice = np.random.RandomState(training.seed)
        # The last row contains the biases.
        self.weights = np.zeros((features + 1, classes), dtype=np.float32)
        if training.initialisation == "glorot":
            limit = math.sqrt(6 / (features + classes))
            self.weights[:-1] = np.random.default_rng(training.seed).uniform(-limit, limit, (features, classes))
        else:
            limit = 1 / math.sqrt(features)
            self.weights[:] = np.random.default_rng(training.seed).uniform(-limit, limit, self.weights.shape)
        self.mean, self.square = np.zeros_like(self.weights), np.zeros_like(self.weights)
        self.updates = 0

    def log_probabilities(self, features: Matrix) -> Matrix:
        """Return the log-probabilities of the classes, (n, k), for n items."""
        outputs = features @ self.weights[:-1] + self.weights[-1]
        outputs -= outputs.max(axis=1, keepdims=True)
        return outputs - np.log(np.exp(outputs).sum(axis=1, keepdims=True))

    def train(self, features: Matrix, targets: Matrix, epochs: int) -> None:
        """Train the classifier for the given number of epochs.

        Args:
            features: (n, d) features of the training items.
            targets: (n, k) distribution over the classes for each training item.
            epochs: number of epochs.
        """
        for _ in range(epochs):
            for rows in self.batches(len(features)):
                self._update(features[rows], targets[rows])

    def batches(self, items: int) -> Iterator[slice | npt.NDArray[np.int64]]:
        """Yield the row indices of each batch in an epoch, as a slice or an array."""
        size = self.training.batch
        order = self.dice.permutation(items) if self.training.shuffle else None
        for first in range(0, items, size):
            yield slice(first, first + size) if order is None else order[first : first + size]

    def gradient(self, features: Matrix, targets: Matrix) -> Matrix:
        """Return the gradient of the loss on a batch with respect to the weights, (d + 1, k).

        The last row is the gradient with respect to the biases.
        """
        shares: Matrix = np.exp(self.log_probabilities(features))
        if self.training.loss == "cross_entropy":
            error = (shares - targets) / np.float32(len(features))
        else:
            outer = 2 * (shares - targets)
            error = shares * (outer - (outer * shares).sum(axis=1, keepdims=True))
        return np.concatenate([features.T @ error, error.sum(axis=0, keepdims=True)], dtype=np.float32)

    def _update(self, features: Matrix, targets: Matrix) -> None:
        gradient = self.gradient(features, targets)
        self.updates += 1
        self.mean += np.float32(1 - _FIRST) * (gradient - self.mean)
        self.square += np.float32(1 - _SECOND) * (gradient * gradient - self.square)
        rate = _RATE * math.sqrt(1 - _SECOND**self.updates) / (1 - _FIRST**self.updates)
        self.weights -= np.float32(rate) * self.mean / (np.sqrt(self.square) + np.float32(_EPSILON))


def fit(
    train: Matrix,
    scores: Targets,
    dev: Matrix,
    dev_scores: Targets,
    test: Matrix,
    limits: tuple[int, int],
    training: Training,
) -> tuple[Matrix, float, int]:
    """Train a softmax classifier until the correlation on the dev items stops rising, and predict the test items.

    Args:
        train: (n, d) features of the training items, in the order that the protocol prescribes.
        scores: (n,) human scores of the training items.
        dev: features of the dev items.
        dev_scores: human scores of the dev items.
        test: (m, d) features of the test items.
        limits: lowest and highest possible scores.
        training: settings for training the classifier.

    Returns:
        The (m, k) log-probabilities of the classes for the test items; the correlation on the dev items; and the number
        of epochs after which this correlation was highest. The log-probabilities and the correlation are those after
        this number of epochs. If the correlation is undefined at every evaluation on the dev items, the
        log-probabilities are those of the untrained classifier, the correlation is given as -1, and the number of
        epochs is 0.
    """
    low, high = limits
    targets = distributions(scores, low, high)
    model = SoftmaxRegression(train.shape[1], targets.shape[1], training)
    best, best_epoch, predicted = -1.0, 0, model.log_probabilities(test)
    failures = epoch = 0
    while failures <= training.patience and (training.most_epochs is None or epoch <= training.most_epochs):
        model.train(train, targets, training.block)
        epoch += training.block
        correlation = pearson(expected_scores(model.log_probabilities(dev), low), dev_scores)
        if correlation > best:
            best, best_epoch, predicted = correlation, epoch, model.log_probabilities(test)
        else:
            failures += 1
    return predicted, best, best_epoch
