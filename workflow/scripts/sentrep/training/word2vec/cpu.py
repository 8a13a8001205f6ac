"""word2vec with gensim: Hogwild training on processor cores, one update per pair of words.

gensim differs from the original tool in two respects. It initialises vectors from U(-1, 1) / d instead of U(-.5, .5) /
d, which is undone here. It skips updates with scores beyond +-6, where the tool takes the sigmoid as 0 or 1.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from sentrep.corpora.store import TokenStore
from sentrep.training.run import Run
from sentrep.training.word2vec.parameters import Parameters
from sentrep.training.word_stream import Recorder, WordStream

LONGEST = 10_000  # words; gensim truncates longer sentences (MAX_WORDS_IN_BATCH)


class Sentences:
    """The sentences of a store as gensim reads them.

    Sentences of more than ``LONGEST`` words, which gensim would truncate, are split; windows across the splits are
    lost. gensim's own reader of text files, which does not hold Python's lock, is no faster on two threads (0.67 to 1.1
    M words/s compared with 0.9 to 1.0 M at sample 1e-5) and needs a copy of the corpus on disk.

    Args:
        store: the training corpus.
        recorder: counts the words.
    """

    def __init__(self, store: TokenStore, recorder: Recorder) -> None:
        self._stream = WordStream(store, recorder)

    def __iter__(self) -> Iterator[list[str]]:
        """Yield lists of at most ``LONGEST`` words."""
        for _, words in self._stream:
            if len(words) > LONGEST:
                yield from (words[start : start + LONGEST] for start in range(0, len(words), LONGEST))
            elif words:
                yield words


def train_vectors(
    store: TokenStore, parameters: Parameters, run: Run, vectors: npt.NDArray[np.float32], recorder: Recorder
) -> npt.NDArray[np.float32]:
    """Train from the given input vectors, (V, d) float32; return the trained ones.

    With one thread, runs with the same seed give the same result. With several threads, updates race, as in the
    original tool. No loss is recorded: gensim's is a float32 running sum that stops growing on long runs.
    """
    from gensim.models import Word2Vec

    logging.getLogger("gensim").setLevel(logging.WARNING)  # progress is logged here
    rate = recorder.learning_rate(0)
    model = Word2Vec(
        sg=int(parameters.architecture == "skipgram"),
        vector_size=vectors.shape[1],
        window=parameters.window,
        sample=parameters.sample,
        negative=parameters.negatives,
        ns_exponent=parameters.ns_exponent,
        hs=0,
        cbow_mean=1,
        alpha=rate,
        min_alpha=1e-4 * rate,
        min_count=1,  # the store has already discarded rare words
        sorted_vocab=0,  # keep the store's order: row i is word i
        seed=run.seed % 2**32,
        workers=run.threads,
    )
    frequencies = dict(zip(store.vocabulary, store.counts.tolist(), strict=True))
    model.build_vocab_from_freq(frequencies, corpus_count=store.n_sentences)
    model.wv.vectors[:] = vectors
    model.train(Sentences(store, recorder), total_words=store.n_tokens, epochs=parameters.epochs)
    return np.asarray(model.wv.vectors, dtype=np.float32)
