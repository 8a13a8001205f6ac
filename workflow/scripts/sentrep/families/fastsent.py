"""FastSent (Hill, Cho and Korhonen, NAACL 2016): summed word vectors that predict the words of neighbouring sentences.

Each word has a source vector. A sentence vector is the sum of the source vectors of the sentence's words. The sentence
vector is trained to predict every word of the previous and the next sentence and, with ``autoencode`` (FastSent+AE in
the paper), the words of the sentence itself.

The paper describes a softmax over the vocabulary with a target vector for each word, but this softmax is too costly to
compute. The released code (fh295/SentenceRepresentation, a modified version of gensim from 2015) instead uses a
hierarchical softmax, whose target vectors belong to the inner nodes of a Huffman tree of the words. A hierarchical
softmax also defines a distribution over all words, and is the default in this module. Negative sampling, which is
commented out in the released code, is provided for comparison.

The released code also divides the gradient of each source vector by the number of words in the sentence, although the
paper defines a sentence vector as a sum. By default, this module instead uses the exact gradient of the loss. Scores
close to the published ones were reached only with the exact gradient (see docs/quick_thoughts.md).
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from pydantic.dataclasses import dataclass

from sentrep.corpora.store import TokenStore
from sentrep.encoders.base import AveragingEncoder
from sentrep.training.initialisation import uniform_vectors
from sentrep.training.parameters import Count, Positive
from sentrep.training.run import Run

CPU_ONLY = True


@dataclass(frozen=True)
class Parameters:
    """Settings of FastSent; most defaults follow the released code.

    The exceptions are ``divide_error``, ``largest_gain``, ``block_edges`` and ``document_boundaries``.

    Attributes:
        dimension: length of a word vector. The default is the dimension in the released trainFastSent.py; the released
            example train_model.sh uses 300, and the Quick Thoughts paper (table 1) reports a dimension below 500.
        output: how words are predicted: by "hierarchical_softmax", with a Huffman tree, or by "negative_sampling".
        autoencode: also predict the words of the sentence itself (FastSent+AE).
        negatives: number of noise words per predicted word; used only with negative sampling.
        ns_exponent: exponent of the word counts; the probability that a word is drawn as a noise word is proportional
            to count ** ns_exponent.
        epochs: number of training epochs.
        learning_rate: initial learning rate.
        final_learning_rate: final learning rate; the rate falls linearly and is updated once per block.
        divide_error: divide the gradient of each source vector by the number of words in the sentence, as in the
            released code (and in gensim's CBOW of 2015 with cbow_mean=0), although the vectors are summed. If false,
            the exact gradient of the loss is used.
        largest_score: threshold for the scores of the binary decisions of hierarchical softmax and negative sampling.
            The score of a decision is the inner product of the sentence vector and a target vector. As in the released
            code, a decision is not trained if the absolute value of its score is at least this number; null trains all
            decisions.
        largest_gain: limit on the gain of a sentence. The gain is the sum of m^2 over the distinct words of the
            sentence, where m is the number of occurrences of the word. An update changes the sentence vector by the
            gain times the change in the vector of a word that occurs once. If the gain exceeds the limit, the updates
            of the source vectors are multiplied by limit / gain, because training can diverge on long or repetitive
            sentences. Null means no limit, as in the released code.
        block_sentences: number of consecutive sentences in a block. The learning rate is updated after each block. The
            released code uses 1,000.
        block_edges: "skip" does not predict the neighbours of the first and the last sentence of a block, as in the
            released code; "train" also predicts these neighbours.
        document_boundaries: "ignore" also uses neighbours from other documents, as in the released code; "respect" does
            not.
    """

    dimension: Count = 100
    output: Literal["hierarchical_softmax", "negative_sampling"] = "hierarchical_softmax"
    autoencode: bool = False
    negatives: Count = 5
    ns_exponent: float = 0.75
    epochs: Count = 1
    learning_rate: Positive = 0.025
    final_learning_rate: Positive = 1e-4
    divide_error: bool = False
    largest_score: Positive | None = 6.0
    largest_gain: Positive | None = 50.0
    block_sentences: Count = 1000
    block_edges: Literal["train", "skip"] = "train"
    document_boundaries: Literal["respect", "ignore"] = "respect"

    def __post_init__(self) -> None:
        if self.final_learning_rate > self.learning_rate:
            raise ValueError("`final_learning_rate` must not exceed `learning_rate`")


def train(store: TokenStore, parameters: Parameters, run: Run) -> AveragingEncoder:
    """Train FastSent on one CPU core, and return an encoder that sums the source vectors.

    Raises:
        SentrepError: no sentence has two neighbours that can be predicted, or training fails (see
            :func:`sentrep.training.loop.fit`).
    """
    from sentrep.training.fastsent.learner import FastSentLearner
    from sentrep.training.loop import Course, fit

    p = parameters
    learner = FastSentLearner(
        store,
        uniform_vectors(store.vocabulary_size, p.dimension, run.seed),
        negatives=p.negatives if p.output == "negative_sampling" else 0,
        ns_exponent=p.ns_exponent,
        autoencode=p.autoencode,
        divide_error=p.divide_error,
        largest_score=p.largest_score,
        largest_gain=p.largest_gain,
        block=p.block_sentences,
        edges=p.block_edges,
        boundaries=p.document_boundaries,
        seed=run.seed,
    )
    total = p.epochs * learner.steps_per_epoch
    course = Course(
        *(p.epochs, learner.steps_per_epoch, p.block_sentences),
        rates=lambda first, n: (
            p.learning_rate - (p.learning_rate - p.final_learning_rate) * np.arange(first, first + n) / total
        ),
        unit="sentences",
    )
    fit(learner, course, run, "fastsent")
    return AveragingEncoder(
        learner.source_vectors(), store.vocabulary, store.meta["encoding_tokeniser"], aggregation="sum"
    )
