"""Train word2vec on one CPU core, in blocks of consecutive sentences."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from sentrep.corpora.store import TokenStore
from sentrep.training.averaging.cpu import aligned_rows
from sentrep.training.checkpoints import State
from sentrep.training.fastsent.huffman import noise_words
from sentrep.training.word2vec.kernels import SOURCES, train_sentences
from sentrep.training.word2vec.parameters import Parameters
from sentrep.training.word2vec.subsampling import keep_probabilities

Matrix = npt.NDArray[np.floating]
# Maximum number of sentences in a block. All sentences of a block have the same learning rate; word2vec.c changes the
# learning rate every 10,000 words.
_LARGEST_BLOCK = 1000
_FEWEST_BLOCKS = 50  # minimum number of blocks per epoch, if the corpus is large enough


def noise_table(counts: npt.NDArray[np.int64], exponent: float) -> npt.NDArray[np.uint64]:
    """Return the distribution of noise words as a table for the alias method.

    The table has a single entry per word, so that each draw reads only one memory location.

    Args:
        counts: (V,) word counts.
        exponent: exponent of the counts; noise words are drawn with probability proportional to count ** exponent.

    Returns:
        (V,) uint64 table. To draw a noise word, draw a word id i uniformly from 0 to V - 1, and let e be entry i of the
        table. Keep word i with probability (e % 2**32) / 2**32; otherwise, replace it with word e // 2**32.
    """
    noise = noise_words(counts, exponent)
    shares = np.minimum(np.ceil(noise.keep * 2.0**32), 2.0**32 - 1).astype(np.uint64)
    return noise.others.astype(np.uint64) << np.uint64(32) | shares


class Word2VecLearner:
    """A word2vec model in training (see :class:`sentrep.training.loop.Learner`).

    Each step trains on one block of sentences.

    Args:
        store: training corpus.
        initial: (V, d) initial input vectors, float32 or float64; the learner trains a copy. The initial output vectors
            are zero.
        parameters: settings of word2vec.
        seed: random seed for subsampling, windows and noise words.

    Attributes:
        block: number of sentences per step.
        steps_per_epoch: number of blocks in the corpus, including an incomplete last block.
    """

    def __init__(self, store: TokenStore, initial: Matrix, parameters: Parameters, seed: int) -> None:
        self.block = max(1, min(_LARGEST_BLOCK, store.n_sentences // _FEWEST_BLOCKS))
        self.steps_per_epoch = -(-store.n_sentences // self.block)
        self._store, self._parameters, self._seed = store, parameters, seed
        self._dimension = initial.shape[1]
        self._vectors = aligned_rows(initial)
        self._outputs = aligned_rows(np.zeros_like(initial))
        counts = np.maximum(store.counts, 1)
        self._keep = keep_probabilities(counts, parameters.sample)
        self._noise = noise_table(counts, parameters.ns_exponent)

    def advance(self, first: int, rates: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Train on one block per learning rate, (n,), and return the mean loss per prediction of each block, (n,).

        ``first`` is the number of the first step, counted from 0 over all epochs. The loss of a block without
        predictions is 0.
        """
        if len(rates) == 0:
            self._train(np.empty(0, self._store.ids.dtype), np.zeros(1, np.int64), 0, 0.0)
        losses = np.zeros(len(rates))
        for i, rate in enumerate(rates):
            begin = (first + i) % self.steps_per_epoch * self.block
            offsets = np.array(self._store.sentence_offsets[begin : begin + self.block + 1])
            ids = np.array(self._store.ids[offsets[0] : offsets[-1]])
            loss, predictions = self._train(ids, offsets - offsets[0], first + i, rate)
            losses[i] = loss / max(predictions, 1)
        return losses

    def vectors(self) -> Matrix:
        """Return a copy of the (V, d) input vectors."""
        return self._vectors[:, : self._dimension].copy()

    def outputs(self) -> Matrix:
        """Return a copy of the (V, d) output vectors."""
        return self._outputs[:, : self._dimension].copy()

    def state(self) -> State:
        """Return copies of the input and output vectors.

        The state of the random number generator is not included, because random numbers depend only on the seed and the
        step number.
        """
        return {"vectors": self.vectors(), "outputs": self.outputs()}

    def restore(self, state: State) -> None:
        """Restore a state that :meth:`state` returned."""
        self._vectors[:, : self._dimension] = state["vectors"]
        self._outputs[:, : self._dimension] = state["outputs"]

    def _train(
        self, ids: npt.NDArray[np.integer], offsets: npt.NDArray[np.int64], step: int, rate: float
    ) -> tuple[float, int]:
        state = np.random.SeedSequence([self._seed, 1, step]).generate_state(1, np.uint64)
        p = self._parameters
        kernel: Any = train_sentences  # compiled for the types it is called with
        return kernel(
            *(ids, offsets, p.architecture == "skipgram", self._vectors, self._outputs),
            *(p.window, p.negatives, self._keep, self._noise, state, float(rate), SOURCES),
        )
