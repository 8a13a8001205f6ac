"""word2vec: skip-gram or CBOW with negative sampling; a sentence vector is the mean of its words' input vectors.

The baselines of Kenter et al. 2016 (section 3.2) and of De Boom et al. 2016 (section 5). Settings that a paper does not
state follow the original tool (word2vec.c v0.1c). Two backends train the same model: gensim, word by word on CPU cores,
and torch, batch by batch on any device. They use different random numbers, so their vectors are equivalent in quality
but not equal.
"""

from __future__ import annotations

import contextlib

from sentrep.corpora.store import TokenStore
from sentrep.encoders.base import AveragingEncoder
from sentrep.training.initialisation import uniform_vectors
from sentrep.training.run import Run
from sentrep.training.word2vec.parameters import Parameters
from sentrep.training.word_stream import Recorder, check_words

__all__ = ["Parameters", "recorder", "train"]


def recorder(parameters: Parameters, store: TokenStore, run: Run) -> Recorder:
    """Return a recorder of at most 100 rows, with a learning rate that falls linearly to 1e-4 of its initial value."""
    rate = parameters.initial_learning_rate
    label = f"word2vec {parameters.architecture}"
    return Recorder(store, parameters.epochs, label, lambda share: rate * max(1 - share, 1e-4), run, rows=100)


def train(store: TokenStore, parameters: Parameters, run: Run) -> AveragingEncoder:
    """Train on the sentences of a token store.

    Raises:
        SentrepError: the store has no words, or the loss diverges.
    """
    check_words(store)
    backend = parameters.backend
    if backend == "auto":
        backend = "torch" if run.device == "cuda" else "gensim"
    if backend == "torch":
        from sentrep.training.word2vec.gpu import train_vectors
    else:
        from sentrep.training.word2vec.cpu import train_vectors
    vectors = uniform_vectors(store.vocabulary_size, parameters.dimension, run.seed)
    with contextlib.closing(recorder(parameters, store, run)) as words:
        vectors = train_vectors(store, parameters, run, vectors, words)
    return AveragingEncoder(vectors, store.vocabulary, store.meta["encoding_tokeniser"], oov=parameters.oov)
