"""CBOS (Yuan and Zhang): summed word vectors; neighbouring sentences together predict the one between them.

A sentence is the sum of its words' vectors. The softmax over the inner products of the mean of its neighbours with the
sentence itself and with m random ones should be one for the sentence. The word vectors are all there is to learn.
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
    """Settings; the defaults are the paper's (section IV) where it has any.

    It leaves open how word vectors begin, the optimiser and its learning rate, how often the text is read ("number of
    iterations 10" is taken for epochs), what happens at the edges of documents, and whether the random sentences may
    be neighbours. All of this is as in Siamese CBOW, which the paper follows, but for the learning rate.

    Attributes:
        dimension: length of a word vector.
        context: sentences on each side that predict the one between them, k.
        negatives: random sentences per example, m.
        context_vector: "mean" of the neighbours (equation 5) or their "sum" (the text before it).
        batch_size: examples per step; the loss is their mean.
        epochs: passes over the corpus.
        learning_rate: initial rate; without it, 0.05 for sgd and 1.0 for adadelta.
        optimiser: "sgd" with a rate that falls linearly to zero, or "adadelta" (rho 0.95, epsilon 1e-6, constant
            rate).
        sigma: standard deviation of the initial vectors.
        longest_sentence: longer sentences are split, and their pieces are neighbours.
        document_boundaries: "ignore" pairs sentences across documents.
        exclude_neighbours: negatives are never the sentence itself nor its neighbours.
        oov: what the encoder does with unknown words; see :class:`sentrep.encoders.base.AveragingEncoder`.
        snapshots_per_epoch: intermediate models, evenly spaced, the last one at the end of the epoch.
        backend: "numba" on the CPU, "torch" anywhere; "auto" takes the faster for the device.
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
    """Train on a store.

    Raises:
        SentrepError: the corpus is too small, or the loss is not finite.
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
