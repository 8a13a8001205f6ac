"""Train a network, and return an encoder that contains the trained network."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Protocol

from torch import nn

from sentrep.encoders.neural import NeuralEncoder
from sentrep.encoders.registry import load_word_vectors
from sentrep.training.expansion import expand
from sentrep.training.loop import Course, Rates, fit
from sentrep.training.neural import NeuralLearner, Optimisation
from sentrep.training.run import Run


class Batches(Protocol):
    """A callable that yields training batches; see :class:`sentrep.training.neural.NeuralLearner`.

    Attributes:
        per_epoch: number of steps per epoch.
    """

    per_epoch: int

    def __call__(self, first: int, n: int) -> Iterable[Any]:
        """Yield the batches of ``n`` steps, beginning with step ``first``; steps are counted over all epochs."""
        ...


def fit_network(
    objective: nn.Module,
    batches: Batches,
    optimisation: Optimisation,
    run: Run,
    label: str,
    encoder: Callable[[], NeuralEncoder],
    *,
    epochs: int,
    batch_size: int,
    rates: Rates,
    snapshots_per_epoch: int = 0,
) -> NeuralEncoder:
    """Train a module that contains a network, and return an encoder with the trained network.

    If the run has the input ``expansion``, which is a model with word vectors, the encoder's vocabulary is expanded
    with words of this model (see :mod:`sentrep.training.expansion`).

    Args:
        objective: module to train; its forward pass takes a batch and returns the loss.
        batches: source of the training batches.
        optimisation: settings of the optimiser.
        run: inputs and settings of the training run, such as its seed, device and checkpoints.
        label: name of the training run in the progress display and in error messages.
        encoder: function that returns an encoder with the current weights of the network.
        epochs: number of epochs.
        batch_size: number of sentences per batch.
        rates: function that returns the learning rates of steps; see :class:`sentrep.training.loop.Course`.
        snapshots_per_epoch: number of evenly spaced snapshots per epoch; the last one is taken at the end of the epoch.

    Raises:
        SentrepError: the input ``expansion`` has no word vectors, the vocabulary cannot be expanded (see
            :func:`sentrep.training.expansion.expand`), or training fails (see :func:`sentrep.training.loop.fit`).
    """
    extension = load_word_vectors(run.inputs["expansion"]) if "expansion" in run.inputs else None

    def expanded() -> NeuralEncoder:
        return expand(encoder(), extension.vocabulary, extension.embeddings) if extension else encoder()

    course = Course(epochs, batches.per_epoch, batch_size, rates, snapshots_per_epoch, unit="sentences")
    learner = NeuralLearner(objective, batches, optimisation, run)
    fit(learner, course, run, label, lambda epochs: run.snapshot(epochs, expanded()))
    return expanded()
