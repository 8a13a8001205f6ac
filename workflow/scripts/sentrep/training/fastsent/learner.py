"""Train FastSent on one CPU core, in blocks of consecutive sentences."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from sentrep.corpora.store import TokenStore
from sentrep.errors import SentrepError
from sentrep.training.averaging.cpu import aligned_rows
from sentrep.training.batches import Boundaries
from sentrep.training.checkpoints import State
from sentrep.training.fastsent.huffman import huffman_tree, noise_words
from sentrep.training.fastsent.kernels import train_sentences

Matrix = npt.NDArray[np.floating]
Edges = Literal["train", "skip"]


class FastSentLearner:
    """A FastSent model in training (see :class:`sentrep.training.loop.Learner`).

    Each step trains on one block of sentences.

    Args:
        store: the corpus.
        initial: (V, d) initial source vectors, float32 or float64; the learner trains a copy. The initial target
            vectors are zero.
        negatives: number of noise words per predicted word; 0 to use hierarchical softmax instead.
        ns_exponent: exponent of the word counts; noise words are drawn with probability proportional to
            count ** ns_exponent.
        autoencode: whether to also predict the words of the sentence itself.
        divide_error: whether to divide the update of each source vector by the number of words in the sentence.
        largest_score: binary decisions whose score has an absolute value of at least this number are not trained; None
            to train all decisions.
        largest_gain: limit on the gain of a sentence; see :class:`sentrep.families.fastsent.Parameters`. None for no
            limit.
        block: number of sentences in a block; blocks follow the order of the corpus.
        edges: "train" also uses the first and the last sentence of each block as centres, that is, as sentences whose
            neighbours are predicted; "skip" does not.
        boundaries: "ignore" also uses neighbours from other documents; "respect" does not.
        seed: random seed for the noise words.

    Attributes:
        steps_per_epoch: number of blocks in the corpus, including an incomplete last block.

    Raises:
        SentrepError: no block has a sentence that can be used as a centre.
    """

    def __init__(
        self,
        store: TokenStore,
        initial: Matrix,
        *,
        negatives: int = 0,
        ns_exponent: float = 0.75,
        autoencode: bool = False,
        divide_error: bool = False,
        largest_score: float | None = 6.0,
        largest_gain: float | None = None,
        block: int = 1000,
        edges: Edges = "train",
        boundaries: Boundaries = "respect",
        seed: int = 1,
    ) -> None:
        self._store, self._seed, self._block, self._edges = store, seed, block, edges
        self.steps_per_epoch = -(-store.n_sentences // block)
        self._dimension = initial.shape[1]
        self._U = aligned_rows(initial)
        self._V = aligned_rows(np.zeros_like(initial))
        self._autoencode, self._negatives, self._divide_error = autoencode, negatives, divide_error
        self._largest_score = np.inf if largest_score is None else largest_score
        self._largest_gain = np.inf if largest_gain is None else largest_gain
        counts = np.maximum(store.counts, 1)
        self._tree = huffman_tree(counts)
        self._noise = noise_words(counts, ns_exponent)
        longest = max(1 + negatives, int(np.diff(self._tree.starts).max(initial=0)))
        self._scratch = np.empty(longest, initial.dtype)
        self._occurrences = np.zeros(len(initial), np.int32)
        documents = np.asarray(store.document_offsets) if boundaries == "respect" else np.array([0, store.n_sentences])
        # The first and the last sentence of a document lack a neighbour. For an empty document, the expressions below
        # give the last sentence before it and the first sentence after it, which lack a neighbour, too.
        self._lonely = np.unique(np.concatenate([documents[:-1], documents[1:] - 1]))
        if not any(len(self._centres(step)) for step in range(self.steps_per_epoch)):
            raise SentrepError(
                "corpus",
                expected=(
                    "at least one sentence with a neighbour on each side (in the same document unless "
                    "`document_boundaries: ignore` is set, and in the same block if `block_edges: skip` is set)"
                ),
                found=f"none (sentences in the corpus: {store.n_sentences}, documents: {store.n_documents})",
                remedy="use more text, longer documents or a larger `block_sentences`",
            )

    def advance(self, first: int, rates: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Train on one block for each learning rate, and return the mean loss per predicted word in each block, (n,).

        The loss of a block without predicted words is 0.
        """
        if len(rates) == 0:
            self._train(np.empty(0, self._store.ids.dtype), np.zeros(1, np.int64), np.empty(0, np.int64), 0, 0.0)
        losses = np.zeros(len(rates))
        for i, rate in enumerate(rates):
            centres = self._centres((first + i) % self.steps_per_epoch)
            if len(centres):
                begin, end = centres[0] - 1, centres[-1] + 2
                offsets = np.array(self._store.sentence_offsets[begin : end + 1])
                ids = np.array(self._store.ids[offsets[0] : offsets[-1]])
                loss, words = self._train(ids, offsets - offsets[0], centres - begin, first + i, rate)
                losses[i] = loss / max(words, 1)
        return losses

    def source_vectors(self) -> Matrix:
        """Return a copy of the (V, d) source vectors."""
        return self._U[:, : self._dimension].copy()

    def target_vectors(self) -> Matrix:
        """Return a copy of the (V, d) target vectors.

        The rows belong to the words or, with hierarchical softmax, to the inner nodes of the Huffman tree. In the
        latter case, the last row is unused.
        """
        return self._V[:, : self._dimension].copy()

    def state(self) -> State:
        """Return copies of the source and target vectors.

        The state of the random number generator is not included, because noise words depend only on the seed and the
        step number.
        """
        return {"source": self.source_vectors(), "target": self.target_vectors()}

    def restore(self, state: State) -> None:
        """Restore a state that :meth:`state` returned."""
        self._U[:, : self._dimension], self._V[:, : self._dimension] = state["source"], state["target"]

    def _centres(self, block: int) -> npt.NDArray[np.int64]:
        """Return the indices of the sentences in a block that are used as centres, (n,) int64."""
        begin, end = block * self._block, min((block + 1) * self._block, self._store.n_sentences)
        if self._edges == "skip":
            begin, end = begin + 1, end - 1
        low, high = np.searchsorted(self._lonely, [begin, end])
        return np.setdiff1d(np.arange(begin, end), self._lonely[low:high], assume_unique=True)

    def _train(
        self,
        ids: npt.NDArray[np.integer],
        offsets: npt.NDArray[np.int64],
        centres: npt.NDArray[np.int64],
        step: int,
        rate: float,
    ) -> tuple[float, int]:
        random_state = np.random.SeedSequence([self._seed, 1, step]).generate_state(1, np.uint64)
        tree, noise = self._tree, self._noise
        kernel: Any = train_sentences  # compiled for the types it is called with
        return kernel(
            *(ids, offsets, centres, self._autoencode, self._U, self._V),
            *(tree.starts, tree.nodes, tree.signs, self._negatives, noise.keep, noise.others, random_state),
            *(rate, self._divide_error, self._largest_score, self._largest_gain, self._occurrences, self._scratch),
        )
