"""FastSent (Hill, Cho and Korhonen, NAACL 2016): a sentence, the sum of its words' vectors, predicts its neighbours.

Each word has a source vector u and a target vector v. The sum of a sentence's u predicts every word of the previous and
of the next sentence, and with ``autoencode`` (the paper's FastSent+AE) its own words as well. A sentence is encoded as
the sum of u.

Hill et al. write a softmax over the vocabulary, too costly to run. Their code (fh295/SentenceRepresentation, a changed
gensim of 2015) computes a hierarchical softmax over a Huffman tree of the words, which is the default here: it is what
was run, and like the softmax it is a distribution over all words. Its negative sampling is commented out; ours is for
comparison.
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
    """Settings; the defaults are the released code's, where the paper does not say otherwise.

    Attributes:
        dimension: length of a vector: 100 is the default of trainFastSent.py; the example train_model.sh asks for 300.
            Quick Thoughts (table 1) says below 500.
        output: "hierarchical_softmax" over a Huffman tree, or "negative_sampling".
        autoencode: predict the sentence's own words, too (FastSent+AE).
        negatives: noise words per predicted word, with negative sampling.
        ns_exponent: noise words are drawn from count ** ns_exponent.
        epochs: passes over the corpus.
        learning_rate: at the start.
        final_learning_rate: at the end; the rate falls linearly, block by block.
        divide_error: a sentence's words receive the gradient divided by the sentence's length, as released (gensim
            with cbow_mean=0). Without, it is the gradient of the loss.
        largest_score: as released, a decision whose score is beyond this is not trained; null trains all.
        block_sentences: sentences between two learning rates (released: 1,000).
        block_edges: "skip" leaves the first and the last sentence of a block out as centres, as released: no triple
            crosses a block there.
        document_boundaries: "ignore" takes neighbours from other documents, as released.
    """

    dimension: Count = 100
    output: Literal["hierarchical_softmax", "negative_sampling"] = "hierarchical_softmax"
    autoencode: bool = False
    negatives: Count = 5
    ns_exponent: float = 0.75
    epochs: Count = 1
    learning_rate: Positive = 0.025
    final_learning_rate: Positive = 1e-4
    divide_error: bool = True
    largest_score: Positive | None = 6.0
    block_sentences: Count = 1000
    block_edges: Literal["train", "skip"] = "train"
    document_boundaries: Literal["respect", "ignore"] = "respect"

    def __post_init__(self) -> None:
        if self.final_learning_rate > self.learning_rate:
            raise ValueError("final_learning_rate must not be above learning_rate")


def train(store: TokenStore, parameters: Parameters, run: Run) -> AveragingEncoder:
    """Train on one processor core.

    Raises:
        SentrepError: no sentence stands between two others, or the loss is not finite.
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
