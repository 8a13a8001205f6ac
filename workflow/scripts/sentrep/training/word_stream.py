"""Stream the sentences of a token store to gensim, and record the progress of training."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise

import numpy as np

from sentrep.corpora.store import TokenStore
from sentrep.errors import SentrepError
from sentrep.runtime.progress import Progress
from sentrep.training.run import Run


class Recorder:
    """A recorder that counts the words used in training, shows the progress of training, and fills ``run.history``.

    Args:
        store: training corpus.
        epochs: number of epochs.
        label: label of the progress display.
        rate: function that maps the completed fraction of training, from 0 to 1, to the learning rate.
        run: training run. In its history, "examples" is the number of words used so far, counted before subsampling.
        rows: approximate maximum number of rows in the history; None adds one row at each call of :meth:`advance`.

    Attributes:
        total: total number of words in all epochs.
    """

    def __init__(
        self, store: TokenStore, epochs: int, label: str, rate: Callable[[float], float], run: Run, rows: int | None
    ) -> None:
        self.total = epochs * store.n_tokens
        self._epoch_words, self._history, self._rate = store.n_tokens, run.history, rate
        self._progress = Progress(self.total, "words", label)
        self._interval, self._next_row = self.total / rows if rows else 0.0, 0.0

    def learning_rate(self, words: float) -> float:
        """Return the learning rate after training on ``words`` words."""
        return self._rate(words / self.total)

    def advance(self, words: int, loss: float | None = None) -> None:
        """Count another ``words`` words as used in training.

        ``loss`` is the mean loss per prediction on these words, or None if it is unknown.
        """
        done = self._progress.done + words
        values = {"learning_rate": self.learning_rate(done)} | ({} if loss is None else {"loss": loss})
        self._progress.advance(words, **values)
        if done >= min(self._next_row, self.total):
            self._next_row = done + self._interval
            row = {"examples": done, "epoch": done / self._epoch_words, **values}
            self._history.append({**row, "examples_per_second": self._progress.rate})

    def close(self) -> None:
        """Close the progress bar."""
        self._progress.close()


class WordStream:
    """An iterable that yields the index and the words of each sentence, and keeps one block of sentences in memory.

    The words of a block are counted as used in training once its last sentence has been yielded. At that time, some of
    these words may still be waiting in gensim's queue, which holds up to two jobs of 10,000 words per thread.

    Args:
        store: training corpus.
        recorder: recorder that counts the words.
        block: number of sentences whose word ids are converted to words at a time.
    """

    def __init__(self, store: TokenStore, recorder: Recorder, block: int = 1 << 14) -> None:
        self._store, self._recorder, self._block = store, recorder, block
        self._words = np.array(store.vocabulary, dtype=object)

    def __iter__(self) -> Iterator[tuple[int, list[str]]]:
        """Yield the index of each sentence, counted from 0, and the words of the sentence."""
        store = self._store
        for first in range(0, store.n_sentences, self._block):
            offsets = np.asarray(store.sentence_offsets[first : first + self._block + 1])
            words = self._words[store.ids[offsets[0] : offsets[-1]]].tolist()
            bounds = (offsets - offsets[0]).tolist()
            for number, (start, stop) in enumerate(pairwise(bounds), start=first):
                yield number, words[start:stop]
            self._recorder.advance(len(words))


def check_words(store: TokenStore) -> None:
    """Check that a token store contains words.

    Raises:
        SentrepError: the store contains no words.
    """
    if store.n_tokens == 0:
        raise SentrepError(
            "token store",
            expected="at least one word",
            found="none",
            remedy="use more text or lower the `minimum_count` of the corpus",
        )
