"""word2vec, skip-gram or CBOW with negative sampling; a sentence is the mean of its words' input vectors.

The baselines of Kenter et al. 2016 (section 3.2) and of De Boom et al. 2016 (section 5). What a paper leaves
open is as in the original tool (word2vec.c v0.1c). Two backends train the same model: gensim, word by word on
processor cores, and torch, batch by batch on any device. They draw different random numbers, so their vectors
agree in quality, not number by number.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from sentrep.corpora.store import TokenStore
from sentrep.encoders.base import AveragingEncoder
from sentrep.errors import SentrepError
from sentrep.families import Run
from sentrep.runtime.progress import Progress


@dataclass(frozen=True)
class Parameters:
    """Settings of word2vec; a sentence of the store is what no window crosses.

    Attributes:
        architecture: "skipgram" or "cbow".
        dimension: length of a word vector (Kenter et al.: 300; the tool's own default is 100).
        window: largest number of words on each side; the radius is drawn from 1 to this for every centre.
        sample: threshold t of frequent-word subsampling, 0 for none (Kenter et al.: 1e-5; the tool's default
            is 1e-3).
        negatives: noise words per positive one.
        ns_exponent: noise words are drawn from count ** ns_exponent.
        epochs: passes over the corpus (the tool's default; no paper states it).
        learning_rate: at the start, from where it falls linearly to 1e-4 of itself; None for the tool's .025
            with skip-gram and .05 with CBOW.
        backend: "auto" is gensim on "cpu" and torch on "cuda".
        oov: what the encoder does with unknown words; see :class:`sentrep.encoders.base.AveragingEncoder`.
        batch_words: centre words per update, torch only. The updates of a batch are summed as they stand
            before it. On novels 4,096 still learn as well as 512; a small corpus or a learning rate far above
            the default needs small batches, and training says so if the sum diverges.
    """

    architecture: Literal["skipgram", "cbow"] = "skipgram"
    dimension: int = 300
    window: int = 5
    sample: float = 1e-5
    negatives: int = 5
    ns_exponent: float = 0.75
    epochs: int = 5
    learning_rate: float | None = None
    backend: Literal["auto", "gensim", "torch"] = "auto"
    oov: Literal["omit", "random"] = "omit"
    batch_words: int = 512

    def __post_init__(self) -> None:
        for name in ("dimension", "window", "negatives", "epochs", "batch_words"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} must be at least 1")
        if not 0 <= self.sample < 1:
            raise ValueError("sample must be at least 0 and below 1")
        if self.learning_rate is not None and not self.learning_rate > 0:
            raise ValueError("learning_rate must be positive")

    @property
    def initial_learning_rate(self) -> float:
        """The learning rate that training starts from."""
        if self.learning_rate is not None:
            return self.learning_rate
        return {"skipgram": 0.025, "cbow": 0.05}[self.architecture]


class Recorder:
    """Count words as they are trained on: shows progress and fills ``run.history``.

    Args:
        parameters: of the model.
        store: what it is trained on.
        run: whose history gets at most 100 rows; "examples" are words of the store, before subsampling.
    """

    def __init__(self, parameters: Parameters, store: TokenStore, run: Run) -> None:
        self._epoch_words = store.n_tokens
        self._history = run.history
        self._learning_rate = parameters.initial_learning_rate
        self._progress = Progress(parameters.epochs * store.n_tokens, "words", f"word2vec {parameters.architecture}")
        self._next_row = 0.0

    def learning_rate(self, words: int) -> float:
        """Return the learning rate after ``words`` words: linear, at least 1e-4 of the first."""
        return self._learning_rate * max(1 - words / self._progress.total, 1e-4)

    def advance(self, words: int, loss: float | None = None) -> None:
        """Count ``words`` more words; ``loss`` is the mean per prediction, None where it is not known."""
        done, total = self._progress.done + words, self._progress.total
        values = {"learning_rate": self.learning_rate(done)} | ({} if loss is None else {"loss": loss})
        self._progress.advance(words, **values)
        if done >= min(self._next_row, total):
            self._next_row = done + total / 100
            row = {"examples": done, "epoch": done / self._epoch_words, **values}
            self._history.append({**row, "examples_per_second": self._progress.rate})

    def close(self) -> None:
        """End the progress bar."""
        self._progress.close()


def initial_input_vectors(vocabulary_size: int, dimension: int, seed: int) -> npt.NDArray[np.float32]:
    """Return the original tool's start, U(-.5, .5) / d: (V, d) float32. The output vectors start at zero."""
    generator = np.random.default_rng([seed, 0])
    vectors = generator.random((vocabulary_size, dimension), dtype=np.float32)
    vectors -= np.float32(0.5)
    vectors /= np.float32(dimension)
    return vectors


def train(store: TokenStore, parameters: Parameters, run: Run) -> AveragingEncoder:
    """Train on the sentences of a store.

    Raises:
        SentrepError: the store has no words.
    """
    if store.n_tokens == 0:
        raise SentrepError(
            "token store",
            expected="at least one word",
            found="none",
            remedy="lower the vocabulary's min_count",
        )
    backend = parameters.backend
    if backend == "auto":
        backend = "torch" if run.device == "cuda" else "gensim"
    if backend == "torch":
        from sentrep.training.word2vec.gpu import train_vectors
    else:
        from sentrep.training.word2vec.cpu import train_vectors
    vectors = initial_input_vectors(store.vocabulary_size, parameters.dimension, run.seed)
    recorder = Recorder(parameters, store, run)
    try:
        vectors = train_vectors(store, parameters, run, vectors, recorder)
    finally:
        recorder.close()
    return AveragingEncoder(vectors, store.vocabulary, store.meta["encoding_tokeniser"], oov=parameters.oov)
