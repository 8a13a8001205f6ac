"""Paragraph Vector (Le and Mikolov, ICML 2014) with gensim's Doc2Vec; every sentence is a paragraph.

In "dm" (distributed memory) a sentence's vector and the words around a word predict that word; in "dbow" (distributed
bag of words) the sentence's vector alone predicts each of its words. A new sentence is encoded by training a vector for
it, see :mod:`sentrep.encoders.paragraph`.

Hill et al. (2016) trained both on the Toronto Book Corpus with the gensim of their time, and Quick Thoughts (tables 1
and 8) prints their numbers. Settings they do not state are the defaults of gensim at the end of 2015.

There is a vector for every sentence of the corpus while training: 3.9 M sentences take 1.6 GB at 100 dimensions,
BookCorpus 30 GB. Beyond 1 GiB they lie in a temporary file (below TMPDIR), of which the system keeps in memory what
is in use; training goes through it in order. They are not part of the model.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Literal

import numpy as np
import numpy.typing as npt
from pydantic.dataclasses import dataclass

from sentrep.corpora.store import TokenStore
from sentrep.encoders.paragraph import ParagraphEncoder, build_model, model_tensors
from sentrep.errors import SentrepError
from sentrep.training.initialisation import uniform_vectors
from sentrep.training.parameters import Count, Positive, Share
from sentrep.training.run import Run
from sentrep.training.word_stream import Recorder, WordStream, check_words

if TYPE_CHECKING:
    from gensim.models.doc2vec import TaggedDocument

_BLOCK = 1 << 14  # sentences turned into words at a time
_LARGEST_IN_MEMORY = 1 << 30  # bytes of sentence vectors

CPU_ONLY = True


@dataclass(frozen=True)
class Parameters:
    """Settings; the defaults are those of gensim's Doc2Vec at the end of 2015.

    Attributes:
        architecture: "dm" or "dbow".
        dimension: length of a vector.
        window: with "dm", largest number of words on each side; the radius is drawn from 1 to this for every word.
        aggregation: with "dm", what the vectors of the sentence and of the words around are put together by.
        train_words: with "dbow", train word vectors by skip-gram in between.
        output: "hierarchical_softmax" over a Huffman tree, or "negative_sampling".
        negatives: noise words per predicted word, with negative sampling.
        ns_exponent: noise words are drawn from count ** ns_exponent.
        sample: threshold of frequent-word subsampling; 0: none.
        epochs: passes over the corpus.
        learning_rate: at the start.
        final_learning_rate: at the end, in training and in inference; the rate falls linearly.
        inference_epochs: passes over a new sentence.
        inference_learning_rate: at the start of inference.
    """

    architecture: Literal["dm", "dbow"] = "dm"
    dimension: Count = 300
    window: Count = 8
    aggregation: Literal["sum", "mean", "concat"] = "sum"
    train_words: bool = False
    output: Literal["hierarchical_softmax", "negative_sampling"] = "hierarchical_softmax"
    negatives: Count = 5
    ns_exponent: float = 0.75
    sample: Share = 0.0
    epochs: Count = 1
    learning_rate: Positive = 0.025
    final_learning_rate: Positive = 1e-4
    inference_epochs: Count = 5
    inference_learning_rate: Positive = 0.1

    def __post_init__(self) -> None:
        if self.final_learning_rate > min(self.learning_rate, self.inference_learning_rate):
            raise ValueError("final_learning_rate must not be above the other learning rates")


class _Documents:
    """The sentences of a stream as gensim's tagged documents."""

    def __init__(self, stream: WordStream) -> None:
        self._stream = stream

    def __iter__(self) -> Iterator[TaggedDocument]:
        from gensim.models.doc2vec import TaggedDocument

        return (TaggedDocument(words, [number]) for number, words in self._stream)


def train(store: TokenStore, parameters: Parameters, run: Run) -> ParagraphEncoder:
    """Train on the sentences of a store. With one thread the result is the same in every run with the same seed.

    Raises:
        SentrepError: the store has no words, or there is no room for the sentences' vectors.
    """
    check_words(store)
    p = parameters
    recorder = Recorder(
        *(store, p.epochs, f"paragraph vector {p.architecture}"),
        rate=lambda share: p.learning_rate - (p.learning_rate - p.final_learning_rate) * min(share, 1.0),
        run=run,
        rows=None,
    )
    settings = asdict(p)
    with _sentence_vectors(store.n_sentences, p.dimension, run.seed) as vectors, contextlib.closing(recorder):
        model = build_model(store.vocabulary, store.counts, settings, run.seed, vectors, run.threads)
        # gensim starts from U(-1, 1) / d; it was U(-.5, .5) / d, as in word2vec.
        model.wv.vectors[:] = uniform_vectors(len(model.wv.vectors), p.dimension, run.seed)
        documents = _Documents(WordStream(store, recorder, max(1, min(_BLOCK, store.n_sentences // 100))))
        model.train(documents, total_examples=store.n_sentences, epochs=p.epochs)
        tensors = {**model_tensors(model), "counts": np.asarray(store.counts, dtype=np.int64)}
    return ParagraphEncoder(tensors, store.vocabulary, store.meta["encoding_tokeniser"], settings, run.seed)


@contextlib.contextmanager
def _sentence_vectors(n: int, dimension: int, seed: int) -> Iterator[npt.NDArray[np.float32]]:
    """Yield (n, dimension) float32 from U(-.5, .5) / dimension, in memory or in a file that vanishes afterwards.

    Raises:
        SentrepError: the disk has no room.
    """
    with contextlib.ExitStack() as stack:
        size = 4 * n * dimension
        if size <= _LARGEST_IN_MEMORY:
            vectors = np.empty((n, dimension), dtype=np.float32)
        else:
            file = stack.enter_context(tempfile.NamedTemporaryFile(suffix=".vectors"))
            try:
                os.posix_fallocate(file.fileno(), 0, size)  # a full disk is an error here, not a crash later
            except OSError as error:
                raise SentrepError(
                    tempfile.gettempdir(),
                    expected=f"{size / 1e9:.1f} GB for the vectors of {n} sentences",
                    found=str(error),
                    remedy="set TMPDIR to a larger disk, or train on a fraction of the corpus",
                ) from None
            vectors = np.memmap(file.name, np.float32, "r+", shape=(n, dimension))
        generator = np.random.default_rng([seed, 1])
        for first in range(0, n, _BLOCK):
            block = vectors[first : first + _BLOCK]
            block[:] = (generator.random(block.shape, dtype=np.float32) - np.float32(0.5)) / np.float32(dimension)
        yield vectors
