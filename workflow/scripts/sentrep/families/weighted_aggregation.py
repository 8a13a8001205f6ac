"""Weighted aggregation (De Boom et al. 2016): a sum of word vectors in which a word's idf rank determines its weight.

The words of a text are sorted by descending inverse document frequency (idf), and each position in this order has a
weight. The weights are trained on related and non-related pairs of texts (the input ``pairs``); see
:mod:`sentrep.aggregation`. The word vectors come from another model (the input ``embeddings``) and are not trained.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

import numpy as np

from sentrep.aggregation.lexicon import (
    Lexicon,
    build_lexicon,
    check_both_kinds,
    inverse_document_frequencies,
    open_pairs,
    unit_length,
)
from sentrep.aggregation.parameters import Parameters
from sentrep.corpora.store import TokenStore
from sentrep.encoders.registry import load_word_vectors
from sentrep.encoders.weighted import WeightedEncoder
from sentrep.pairs.pair_set import Pairs, PairSet
from sentrep.runtime.progress import Progress
from sentrep.training.run import Run

if TYPE_CHECKING:
    from sentrep.aggregation.learning import Learnt

log = logging.getLogger("sentrep")

# Descriptions of the reasons why training stopped, for the log.
_REASONS = {
    "converged": "the loss converged",
    "maximum_updates": "the maximum number of updates was reached",
    "weights_grew": "the magnitude of a weight became too large",
}

INPUTS = ("embeddings", "pairs")


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
        return learn(training, parameters, run.seed, watch)
    finally:
        progress.close()
