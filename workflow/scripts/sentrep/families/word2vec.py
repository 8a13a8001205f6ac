"""word2vec: skip-gram or CBOW with negative sampling; a sentence vector is the mean of the words' input vectors.

Kenter et al. (2016, section 3.2) and De Boom et al. (2016, section 5) use word2vec for baselines. Settings that these
papers do not state follow the original tool (word2vec.c v0.1c). Two backends train the same model: compiled code trains
word by word on one CPU core, and torch trains batch by batch on any device. The two backends produce different vectors,
because they use different random numbers, and because torch applies all updates of a batch together.
"""

from __future__ import annotations

import contextlib

import numpy as np
import numpy.typing as npt

from sentrep.corpora.store import TokenStore
from sentrep.encoders.base import AveragingEncoder
from sentrep.training.initialisation import uniform_vectors
from sentrep.training.run import Run
from sentrep.training.word2vec.parameters import Parameters
from sentrep.training.word_stream import Recorder, check_words

__all__ = ["Parameters", "recorder", "train"]


def recorder(parameters: Parameters, store: TokenStore, run: Run) -> Recorder:
    """Return a recorder that adds at most about 100 rows to the training history.

    The recorded learning rate falls linearly to 1e-4 times its initial value.
    """
    rate = parameters.initial_learning_rate
    label = f"word2vec {parameters.architecture}"
    return Recorder(store, parameters.epochs, label, lambda share: rate * max(1 - share, 1e-4), run, rows=100)


def train(store: TokenStore, parameters: Parameters, run: Run) -> AveragingEncoder:
    """Train word2vec on the sentences of a token store, and return an encoder that averages the word vectors.

    Raises:
        SentrepError: the store has no words, the loss diverges, or training fails for another reason (see
            :func:`sentrep.training.loop.fit`).
    """
    check_words(store)
    vectors = uniform_vectors(store.vocabulary_size, parameters.dimension, run.seed)
    if parameters.backend == "torch" or (parameters.backend == "auto" and run.device == "cuda"):
        from sentrep.training.word2vec.gpu import train_vectors

        with contextlib.closing(recorder(parameters, store, run)) as words:
            vectors = train_vectors(store, parameters, run, vectors, words)
    else:
        vectors = _train_word_by_word(store, parameters, run, vectors)
    return AveragingEncoder(vectors, store.vocabulary, store.meta["encoding_tokeniser"], oov=parameters.oov)


def _train_word_by_word(
    store: TokenStore, parameters: Parameters, run: Run, vectors: npt.NDArray[np.float32]
) -> npt.NDArray[np.float32]:
    from sentrep.training.loop import Course, fit
    from sentrep.training.schedule import linear_decay
    from sentrep.training.word2vec.cpu import Word2VecLearner

    learner = Word2VecLearner(store, vectors, parameters, run.seed)
    horizon, rate = parameters.epochs * learner.steps_per_epoch, parameters.initial_learning_rate
    course = Course(
        *(parameters.epochs, learner.steps_per_epoch, learner.block),
        rates=lambda first, n: linear_decay(first, n, rate, horizon),
        unit="sentences",
    )
    fit(learner, course, run, f"word2vec {parameters.architecture}")
    return learner.vectors().astype(np.float32, copy=False)
