"""Weighted aggregation (De Boom et al. 2016): a sum of word vectors in which a word's idf rank determines its weight.

The words of a text are sorted by descending inverse document frequency (idf), and each position in this order has a
weight. The weights are trained on related and non-related pairs of texts (the input ``pairs``); see
:mod:`sentrep.aggregation`. The word vectors come from another model (the input ``embeddings``) and are not trained.
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
    open_pairs,
    unit_length,
)
from sentrep.corpora.store import TokenStore
from sentrep.encoders.registry import load_word_vectors
from sentrep.encoders.weighted import WeightedEncoder
from sentrep.pairs.pair_set import Pairs, PairSet
from sentrep.runtime.progress import Progress
from sentrep.training.parameters import Count, Positive
from sentrep.training.run import Run

if TYPE_CHECKING:
    from sentrep.aggregation.learning import Learnt, Procedure

log = logging.getLogger("sentrep")

# Descriptions of the reasons why training stopped, for the log.
_REASONS = {
    "converged": "the loss converged",
    "maximum_updates": "the maximum number of updates was reached",
    "weights_grew": "the magnitude of a weight became too large",
}


INPUTS = ("embeddings", "pairs")


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


def train(store: TokenStore, parameters: Parameters, run: Run) -> WeightedEncoder:
    """Train the weights on the input ``pairs``, and return an encoder that uses the word vectors in ``embeddings``.

    Args:
        store: not used; words, vectors and document frequencies come from the inputs.
        parameters: settings of the training procedure and of the encoder.
        run: inputs, seed, threads and device; the history of the run receives one row per epoch, but at most about
            1,000 rows.

    Raises:
        SentrepError: an input is unsuitable, all related pairs or all non-related pairs contain a text of
            unsuitable length (see :func:`fitting_pairs`), or a weight or the loss is not finite.
    """
    corpus = open_pairs(run.inputs["pairs"])
    words = load_word_vectors(run.inputs["embeddings"])
    lexicon = build_lexicon(corpus, words.row_of, words.embeddings, parameters.normalise_vectors)
    learnt = _learn(lexicon, fitting_pairs(lexicon, corpus, parameters), parameters, run)
    rounded = np.round(learnt.weights, 3).tolist()
    log.info(
        "training of the weights stopped after %d updates, because %s; weights: %s",
        learnt.updates,
        _REASONS[learnt.stopped],
        rounded,
    )
    # As in the released code, words that do not occur in the corpus of the pairs have document frequency 1.
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
    """Return the training pairs in which both texts have a suitable number of known words.

    If the parameter ``variable_length`` is true, all numbers above 0 are suitable; otherwise, only ``maximum_words`` is
    suitable. In the result, words are represented by their ranks in the lexicon.

    Raises:
        SentrepError: there are no suitable related pairs, or no suitable non-related pairs.
    """
    pairs = lexicon.rank(corpus.train)
    lengths = np.stack([lexicon.lengths(pairs.first), lexicon.lengths(pairs.second)])
    if parameters.variable_length:
        fit, wanted = (lengths >= 1).all(axis=0), "at least one known word"
        remedy = "use more pairs, or word vectors that cover more of the words in the pairs"
    else:
        fit = (lengths == parameters.maximum_words).all(axis=0)
        wanted = f"exactly {parameters.maximum_words} known words"
        remedy = "set `variable_length: true`, or set `maximum_words` to the number of known words in each text"
    left = pairs.take(np.asarray(fit))
    expected = f"both related and non-related pairs with {wanted} in each text"
    check_both_kinds(left, f"{len(pairs)} training pairs", expected, remedy)
    if len(left) < len(pairs):
        omitted = len(pairs) - len(left)
        log.warning("omitted %d of %d training pairs, because both texts must have %s", omitted, len(pairs), wanted)
    return left


def procedure_of(parameters: Parameters) -> Procedure:
    """Return the settings of weighted aggregation that control training, as a ``Procedure``."""
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
    """Train the weights, display progress, and record the course of training in ``run.history``."""
    import torch

    from sentrep.aggregation.learning import QuadraticPairs, learn

    torch.set_num_threads(run.threads)
    training = QuadraticPairs(lexicon, pairs, parameters.maximum_words, parameters.divisor, run.device)
    progress = Progress(parameters.maximum_updates, "updates", f"weights, {parameters.loss}")
    # An epoch over a small set of pairs has only a few updates, so not every epoch needs a row in the history.
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
