"""word2vec with gensim: Hogwild training on processor cores, one update per pair of words.

gensim differs from the original tool in two things. It starts from U(-1, 1) / d where the tool has U(-.5, .5)
/ d: that is undone here. It skips an update whose score is beyond +-6 where the tool takes the sigmoid as 0
or 1.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from sentrep.corpora.store import TokenStore
from sentrep.families import Run
from sentrep.families.word2vec import Parameters, Recorder

LONGEST = 10_000  # gensim drops what a sentence has beyond this many words (MAX_WORDS_IN_BATCH)
BLOCK = 1 << 14  # sentences turned into words at a time


class Sentences:
    """The sentences of a store as lists of words, streamed anew in every epoch, memory bounded by one block.

    A sentence of more than ``LONGEST`` words is cut into pieces, which costs the windows at the cuts; gensim
    would drop its tail. Words are counted as they are handed out: gensim's queue is at most 2 jobs of 10,000
    words per thread ahead of the training. gensim's own reader of text files, free of Python's lock, is no
    faster than this on two threads (0.67 to 1.1 M words/s against 0.9 to 1.0 M at sample 1e-5) and needs the
    corpus on disk once more.

    Args:
        store: the corpus.
        recorder: told about every block.
    """

    def __init__(self, store: TokenStore, recorder: Recorder) -> None:
        self._store, self._recorder = store, recorder
        self._words = np.array(store.vocabulary, dtype=object)

    def __iter__(self) -> Iterator[list[str]]:
        store = self._store
        for first in range(0, store.n_sentences, BLOCK):
            offsets = np.asarray(store.sentence_offsets[first : first + BLOCK + 1])
            bounds = (offsets - offsets[0]).tolist()
            words = self._words[store.ids[offsets[0] : offsets[-1]]].tolist()
            for start, stop in pairwise(bounds):
                for piece in range(start, stop, LONGEST):
                    yield words[piece : min(piece + LONGEST, stop)]
            self._recorder.advance(len(words))


def train_vectors(
    store: TokenStore, parameters: Parameters, run: Run, vectors: npt.NDArray[np.float32], recorder: Recorder
) -> npt.NDArray[np.float32]:
    """Train from the given input vectors, (V, d) float32; return the trained ones.

    With one thread the result is the same in every run with the same seed; with more, threads race for the
    matrices, as in the original tool. No loss is recorded: gensim's is a float32 running sum that stops
    growing on long runs.
    """
    from gensim.models import Word2Vec

    # Its progress lines repeat ours.
    logging.getLogger("gensim").setLevel(logging.WARNING)
    rate = parameters.initial_learning_rate
    model = Word2Vec(
        sg=int(parameters.architecture == "skipgram"),
        vector_size=parameters.dimension,
        window=parameters.window,
        sample=parameters.sample,
        negative=parameters.negatives,
        ns_exponent=parameters.ns_exponent,
        hs=0,
        cbow_mean=1,
        alpha=rate,
        min_alpha=1e-4 * rate,
        min_count=1,  # the store has already left out rare words
        sorted_vocab=0,  # keep the store's order: row i is word i
        seed=run.seed % 2**32,
        workers=run.threads,
    )
    frequencies = dict(zip(store.vocabulary, store.counts.tolist(), strict=True))
    model.build_vocab_from_freq(frequencies, corpus_count=store.n_sentences)
    model.wv.vectors[:] = vectors
    model.train(Sentences(store, recorder), total_words=store.n_tokens, epochs=parameters.epochs)
    return model.wv.vectors
