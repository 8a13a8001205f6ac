"""Paragraph Vector (Le and Mikolov, ICML 2014), trained with gensim's Doc2Vec; each sentence is treated as a paragraph.

In "dm" (distributed memory), the vectors of the sentence and of the surrounding words predict each word. In "dbow"
(distributed bag of words), the sentence vector alone predicts each word. A new sentence is encoded by training a vector
for it; see :mod:`sentrep.encoders.paragraph`.

Hill et al. (2016) trained both architectures on the Toronto Book Corpus with gensim, and the Quick Thoughts paper
(tables 1 and 8) reports the scores of these models. Hill et al. do not state all settings, so the defaults are those of
gensim in late 2015, shortly before their paper appeared.

Training needs one vector per sentence of the corpus. With 100 dimensions, these vectors take 1.6 GB for 3.9 million
sentences and 30 GB for the Toronto Book Corpus. If they take more than 1 GiB in total, they are stored in a
memory-mapped temporary file under TMPDIR. The sentence vectors are not part of the trained model.
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

_BLOCK = 1 << 14  # maximum number of sentences to process at a time
_LARGEST_IN_MEMORY = 1 << 30  # maximum size, in bytes, of sentence vectors that are kept in memory

CPU_ONLY = True


@dataclass(frozen=True)
class Parameters:
    """Settings of Paragraph Vector; the defaults are those of gensim's Doc2Vec in late 2015.

    Attributes:
        architecture: "dm" (distributed memory) or "dbow" (distributed bag of words).
        dimension: length of the word vectors and of the sentence vectors.
        window: maximum number of context words on each side of a word; used only with "dm" or ``train_words``. For
            each word, the actual number is drawn uniformly from 1 to this maximum, but with "dm" and the aggregation
            "concat", the maximum is always used.
        aggregation: with "dm", how the vectors of the sentence and of the context words are combined.
        train_words: with "dbow", also train word vectors by skip-gram.
        output: how words are predicted: by "hierarchical_softmax", with a Huffman tree, or by "negative_sampling".
        negatives: number of noise words per predicted word; used only with negative sampling.
        ns_exponent: exponent of the word counts; the probability that a word is drawn as a noise word is proportional
            to count ** ns_exponent.
        sample: threshold for subsampling frequent words; 0 disables subsampling.
        epochs: number of training epochs.
        learning_rate: initial learning rate.
        final_learning_rate: final learning rate of training and inference; the rate falls linearly.
        inference_epochs: number of epochs for which the vector of a new sentence is trained.
        inference_learning_rate: initial learning rate of inference.
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
            raise ValueError("`final_learning_rate` must not exceed `learning_rate` or `inference_learning_rate`")


class _Documents:
    """The sentences of a stream, as an iterable of gensim's tagged documents."""

    def __init__(self, stream: WordStream) -> None:
        self._stream = stream

    def __iter__(self) -> Iterator[TaggedDocument]:
        from gensim.models.doc2vec import TaggedDocument

        return (TaggedDocument(words, [number]) for number, words in self._stream)


def train(store: TokenStore, parameters: Parameters, run: Run) -> ParagraphEncoder:
    """Train Paragraph Vector on the sentences of a token store, and return the encoder.

    The result is reproducible only if training uses a single thread.

    Raises:
        SentrepError: the store has no words, or the disk has no room for the sentence vectors.
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
        # In 2015, gensim drew the initial word vectors from U(-.5, .5) / d, as word2vec does; it now uses U(-1, 1) / d.
        model.wv.vectors[:] = uniform_vectors(len(model.wv.vectors), p.dimension, run.seed)
        documents = _Documents(WordStream(store, recorder, max(1, min(_BLOCK, store.n_sentences // 100))))
        model.train(documents, total_examples=store.n_sentences, epochs=p.epochs)
        tensors = {**model_tensors(model), "counts": np.asarray(store.counts, dtype=np.int64)}
    return ParagraphEncoder(tensors, store.vocabulary, store.meta["encoding_tokeniser"], settings, run.seed)


@contextlib.contextmanager
def _sentence_vectors(n: int, dimension: int, seed: int) -> Iterator[npt.NDArray[np.float32]]:
    """Yield an (n, dimension) float32 array of initial sentence vectors, drawn from U(-.5, .5) / dimension.

    A large array is stored in a memory-mapped temporary file.

    Raises:
        SentrepError: the disk has no room for the file.
    """
    with contextlib.ExitStack() as stack:
        size = 4 * n * dimension
        if size <= _LARGEST_IN_MEMORY:
            vectors = np.empty((n, dimension), dtype=np.float32)
        else:
            file = stack.enter_context(tempfile.NamedTemporaryFile(suffix=".vectors"))
            try:
                os.posix_fallocate(file.fileno(), 0, size)  # report a full disk now instead of crashing later
            except OSError as error:
                raise SentrepError(
                    tempfile.gettempdir(),
                    expected=f"{size / 1e9:.1f} GB of free space for the vectors of {n} sentences",
                    found=f"an error when the space was allocated ({error})",
                    remedy="set TMPDIR to a folder on a larger disk, or train on a fraction of the corpus",
                ) from None
            vectors = np.memmap(file.name, np.float32, "r+", shape=(n, dimension))
        generator = np.random.default_rng([seed, 1])
        for first in range(0, n, _BLOCK):
            block = vectors[first : first + _BLOCK]
            block[:] = (generator.random(block.shape, dtype=np.float32) - np.float32(0.5)) / np.float32(dimension)
        yield vectors
