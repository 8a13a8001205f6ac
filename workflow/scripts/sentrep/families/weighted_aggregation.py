"""Weighted aggregation (De Boom et al. 2016): a weighted sum of word vectors, with one trained weight per idf rank.

The word vectors are those of another model (input ``embeddings``) and are not trained. The weights are trained on
related and non-related pairs of texts (input ``pairs``); see :mod:`sentrep.aggregation`.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Annotated, Literal

import numpy as np
from pydantic import Field
from pydantic.dataclasses import dataclass

from sentrep.aggregation.lexicon import (
    Lexicon,
    build_lexicon,
    check_both_kinds,
    inverse_document_frequencies,
    load_word_vectors,
    open_pairs,
    unit_length,
)
from sentrep.corpora.store import TokenStore
from sentrep.encoders.weighted import WeightedEncoder
from sentrep.errors import SentrepError
from sentrep.pairs.pair_set import Pairs, PairSet
from sentrep.runtime.progress import Progress
from sentrep.training.parameters import Count, Positive
from sentrep.training.run import Run

if TYPE_CHECKING:
    from sentrep.aggregation.learning import Learnt, Procedure

log = logging.getLogger("sentrep")


@dataclass(frozen=True)
class Parameters:
    """Settings of weighted aggregation; the defaults are the paper's, section 5.2.

    Attributes:
        loss: "median" or "contrastive".
        maximum_words: number of weights: 20 for texts of 20 words; for variable length, the length of the longest text
            (in the paper, 30 for Wikipedia and 35 for tweets).
        variable_length: train on texts of any length, by interpolating the weights; otherwise only on texts of exactly
            ``maximum_words`` known words.
        kappa: parameter of the median-based loss. 160 suits word vectors of length 1; because kappa multiplies
            distances, vectors of other lengths need another value.
        train_distance: distance in the loss: "euclidean" (paper) or "squared" (released code).
        divisor: the weighted sum of a text is divided by its number of words ("n", paper) or by the square root of it
            ("sqrt_n").
        normalise_vectors: scale word vectors to length 1 first, like the authors' vectors.
        learning_rate: initial learning rate.
        lowered_learning_rate: learning rate once the mean loss of an epoch exceeds that of the previous one.
        l2: factor of the sum of squared weights.
        initial_weight: initial value of all weights.
        batch_pairs: number of related pairs per batch, and of non-related pairs.
        maximum_updates: maximum number of updates. The paper's 1.5 million pairs of each kind are 30,000 updates per
            epoch; the released code runs 3 epochs.
        minimum_epoch_updates: minimum number of updates over which the mean loss is computed that lowers the rate and
            stops training. 1 corresponds to the paper, where an epoch has 30,000 updates; on a small set of pairs, the
            mean over a single epoch is too noisy.
        cleaning: text normalisation of sentences to encode; "paper" or "released_code".
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


def train(store: TokenStore, parameters: Parameters, run: Run) -> WeightedEncoder:
    """Train the weights on ``run.inputs["pairs"]`` over the word vectors of ``run.inputs["embeddings"]``.

    Args:
        store: not used; words, vectors and document frequencies are those of the inputs.
        parameters: see :class:`Parameters`.
        run: inputs, seed and device; its history gets one row per epoch, at most 1,000.

    Raises:
        SentrepError: an input is missing or unsuitable, no pair has texts of the right length, or weights overflow.
    """
    for name in ("embeddings", "pairs"):
        if name not in run.inputs:
            raise SentrepError(
                "models.inputs",
                expected="embeddings and pairs for the family weighted_aggregation",
                found=", ".join(run.inputs) or "none",
                remedy=f"set the folder of {name}",
            )
    corpus = open_pairs(run.inputs["pairs"])
    words = load_word_vectors(run.inputs["embeddings"])
    lexicon = build_lexicon(corpus, words.row_of, words.embeddings, parameters.normalise_vectors)
    learnt = _learn(lexicon, fitting_pairs(lexicon, corpus, parameters), parameters, run)
    log.info("%s after %d updates; weights %s", learnt.stopped, learnt.updates, np.round(learnt.weights, 3).tolist())
    # as in the released code, words that are not in the corpus of the pairs count as occurring in one document
    known = dict(zip(corpus.vocabulary, corpus.document_frequencies.tolist(), strict=True))
    frequencies = np.array([known.get(word, 1) for word in words.vocabulary], dtype=np.int64)
    return WeightedEncoder(
        unit_length(words.embeddings) if parameters.normalise_vectors else words.embeddings,
        inverse_document_frequencies(frequencies, corpus.documents),
        learnt.weights,
        words.vocabulary,
        parameters.divisor,
        parameters.cleaning,
        {"updates": learnt.updates, "stopped": learnt.stopped, "shape_change": learnt.shape_change},
    )


def fitting_pairs(lexicon: Lexicon, corpus: PairSet, parameters: Parameters) -> Pairs:
    """Return the training pairs, as ranks, whose texts have enough words for training.

    Raises:
        SentrepError: no related pair or no non-related pair is left.
    """
    pairs = lexicon.rank(corpus.train)
    lengths = np.stack([lexicon.lengths(pairs.first), lexicon.lengths(pairs.second)])
    if parameters.variable_length:
        fit, wanted = (lengths >= 1).all(axis=0), "at least one known word"
    else:
        fit = (lengths == parameters.maximum_words).all(axis=0)
        wanted = f"exactly {parameters.maximum_words} known words"
    left = pairs.take(np.asarray(fit))
    remedy = "set variable_length: true, or maximum_words to the length of the texts"
    check_both_kinds(left, f"{len(pairs)} training pairs", f"some of both kinds with {wanted} in each text", remedy)
    if len(left) < len(pairs):
        log.warning(
            "%d of %d pairs omitted, because a text does not have %s", len(pairs) - len(left), len(pairs), wanted
        )
    return left


def procedure_of(parameters: Parameters) -> Procedure:
    """Return the training procedure that these parameters describe."""
    from sentrep.aggregation.learning import Procedure

    return Procedure(
        loss=parameters.loss,
        size=parameters.maximum_words,
        kappa=parameters.kappa,
        distance=parameters.train_distance,
        divisor=parameters.divisor,
        learning_rate=parameters.learning_rate,
        lowered_learning_rate=parameters.lowered_learning_rate,
        l2=parameters.l2,
        initial_weight=parameters.initial_weight,
        batch_pairs=parameters.batch_pairs,
        maximum_updates=parameters.maximum_updates,
        minimum_epoch_updates=parameters.minimum_epoch_updates,
    )


def _learn(lexicon: Lexicon, pairs: Pairs, parameters: Parameters, run: Run) -> Learnt:
    """Train the weights, show progress and fill ``run.history``."""
    import torch

    from sentrep.aggregation.learning import QuadraticPairs, learn

    torch.set_num_threads(run.threads)
    training = QuadraticPairs(lexicon, pairs, parameters.maximum_words, parameters.divisor, run.device)
    progress = Progress(parameters.maximum_updates, "updates", f"weights, {parameters.loss}")
    # epochs of a small set take only a few updates; not every epoch needs a row
    next_row = 0.0

    def watch(updates: int, epochs: float, loss: float, rate: float) -> None:
        nonlocal next_row
        progress.advance(updates - progress.done, loss=loss)
        if updates >= next_row:
            next_row = updates + parameters.maximum_updates / 1000
            seen = {"examples": updates * 2 * parameters.batch_pairs, "epoch": epochs, "loss": loss}
            speed = progress.rate * 2 * parameters.batch_pairs
            run.history.append({**seen, "learning_rate": rate, "examples_per_second": speed})

    try:
        return learn(training, procedure_of(parameters), run.seed, watch)
    finally:
        progress.close()
