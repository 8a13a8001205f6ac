"""CBOS (Yuan and Zhang 2017): summed word vectors that are trained to predict a sentence from its neighbours.

A sentence vector is the sum of the sentence's word vectors. In training, the mean vector of a sentence's neighbours is
compared, by inner products, with the vector of the sentence and with the vectors of m random sentences. A softmax turns
the inner products into probabilities, and training maximises the probability of the sentence. The word vectors are the
only parameters.
"""

from __future__ import annotations

from typing import Literal

from pydantic.dataclasses import dataclass

from sentrep.corpora.store import TokenStore
from sentrep.encoders.base import AveragingEncoder
from sentrep.training.parameters import Count, CountOrZero, Positive
from sentrep.training.run import Run

_DEFAULT_RATES = {"sgd": 0.05, "adadelta": 1.0}


@dataclass(frozen=True)
class Parameters:
    """Settings of CBOS; the defaults follow section IV of the paper where that section states a value.

    The paper does not specify the initial vectors, the optimiser, the learning rate, the treatment of document
    boundaries, or whether neighbours may be drawn as random sentences. Except for the learning rate, the defaults of
    these settings follow Siamese CBOW, on which the paper builds. The paper's "number of iterations 10" is taken to
    mean 10 epochs.

    Attributes:
        dimension: length of a word vector.
        context: number of neighbours on each side of the predicted sentence, k in the paper.
        negatives: number of random sentences per example, m in the paper.
        context_vector: whether the context vector is the "mean" of the neighbours' vectors (equation 5 of the paper) or
            their "sum" (the text before that equation).
        batch_size: number of examples per step; the loss is averaged over the examples.
        epochs: number of training epochs.
        learning_rate: initial learning rate; null means 0.05 for sgd and 1.0 for adadelta.
        optimiser: "sgd" with a learning rate that falls linearly to zero, or "adadelta" (rho 0.95, epsilon 1e-6,
            constant learning rate).
        sigma: standard deviation of the components of the initial word vectors.
        longest_sentence: maximum number of tokens per sentence; longer sentences are split into several consecutive
            sentences.
        document_boundaries: "ignore" also treats adjacent sentences from different documents as neighbours; "respect"
            does not.
        exclude_neighbours: if true, the predicted sentence and its neighbours are never drawn as random sentences.
        oov: how the encoder treats unknown words; see :class:`sentrep.encoders.base.AveragingEncoder`.
        snapshots_per_epoch: number of snapshots of the model that are saved in each epoch. They are evenly spaced, and
            the last one is saved at the end of the epoch.
        backend: "numba" (CPU only) or "torch" (any device); "auto" selects the faster one for the device.
    """

    dimension: Count = 100
    context: Count = 1
    negatives: Count = 2
    context_vector: Literal["mean", "sum"] = "mean"
    batch_size: Count = 10
    epochs: Count = 10
    learning_rate: Positive | None = None
    optimiser: Literal["sgd", "adadelta"] = "sgd"
    sigma: Positive = 0.01
    longest_sentence: Count = 120
    document_boundaries: Literal["respect", "ignore"] = "respect"
    exclude_neighbours: bool = True
    oov: Literal["omit", "random"] = "omit"
    snapshots_per_epoch: CountOrZero = 0
    backend: Literal["auto", "numba", "torch"] = "auto"


def train(store: TokenStore, parameters: Parameters, run: Run) -> AveragingEncoder:
    """Train CBOS word vectors on a token store, and return an encoder that uses these vectors.

    Raises:
        SentrepError: the corpus is too small, or training fails (see :func:`sentrep.training.loop.fit`).
    """
    from sentrep.training.averaging import objective
    from sentrep.training.averaging.learner import fit_vectors
    from sentrep.training.batches import Sampler, TokenReader
    from sentrep.training.initialisation import normal_vectors
    from sentrep.training.split_sentences import split_long

    p = parameters
    store = split_long(store, p.longest_sentence)
    return fit_vectors(
        store,
        normal_vectors(store.vocabulary_size, p.dimension, p.sigma, run.seed),
        Sampler(store, p.batch_size, p.negatives, run.seed, p.document_boundaries, p.exclude_neighbours, p.context),
        TokenReader(store, p.longest_sentence, "clean", 32),
        objective.cbos(p.context, p.context_vector),
        run,
        "cbos",
        optimiser=p.optimiser,
        backend=p.backend,
        rate=p.learning_rate or _DEFAULT_RATES[p.optimiser],
        epochs=p.epochs,
        horizon_epochs=p.epochs,
        snapshots_per_epoch=p.snapshots_per_epoch,
        oov=p.oov,
    )
