"""Draw training examples that consist of a sentence, its neighbours and random sentences, and read their tokens.

An example consists of 1 + 2 k + n sentences, in this order: a sentence (the centre), the k sentences before it and the
k sentences after it (its neighbours), and n random sentences (the negatives). A :class:`Chunk` refers to each sentence
by its position and length in an array of tokens, usually the array of the token store. The chunk has its own array
instead if sentences are padded with additional tokens, or if 16-bit indices are configured and the vocabulary is too
large for them (see :class:`TokenReader`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from sentrep.corpora.store import Ids, TokenStore
from sentrep.errors import SentrepError
from sentrep.training.checkpoints import State
from sentrep.training.parameters import Padding

Boundaries = Literal["respect", "ignore"]

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True)
class Chunk:
    """A sequence of training batches, in which each sentence is stored as a range of positions in a token array.

    Attributes:
        tokens: (T,) uint16 or uint32 word ids of the whole store or of this chunk only; the array is read-only.
        starts: (n, batch, sentences) int64 position in ``tokens`` of the first token of each sentence.
        lengths: (n, batch, sentences) int32 number of tokens in each sentence.
    """

    tokens: Ids
    starts: npt.NDArray[np.int64]
    lengths: npt.NDArray[np.int32]


class Sampler:
    """A sampler of training examples in random order; each sentence is the centre of at most one example per epoch.

    An incomplete last batch is dropped. Negatives are drawn uniformly from the non-empty sentences. They depend only on
    the seed, the epoch and the position of the example in the epoch, so a batch depends neither on how the epoch is
    divided into chunks nor on the device.

    Args:
        store: the corpus.
        batch_size: number of examples per batch.
        negatives: number of negatives drawn for each example, with replacement.
        seed: random seed for the order of the centres and for the negatives.
        boundaries: "ignore" allows neighbours from other documents, as in the released Siamese CBOW code; "respect"
            does not.
        exclude_neighbours: whether to redraw a negative if it is the centre or a neighbour. Kenter et al. (2016,
            section 2) define negatives as sentences that are not neighbours, but their released code does not exclude
            neighbours.
        context: number of neighbours on each side of the centre.

    Raises:
        SentrepError: the corpus has too few centres for one batch, or too few sentences to draw negatives from.
    """

    def __init__(
        self,
        store: TokenStore,
        batch_size: int,
        negatives: int,
        seed: int,
        boundaries: Boundaries = "respect",
        exclude_neighbours: bool = True,
        context: int = 1,
    ) -> None:
        self.batch_size, self.negatives, self.seed = batch_size, negatives, seed
        self.exclude_neighbours, self.context = exclude_neighbours, context
        self._filled = filled_sentences(store)
        self.centres = find_centres(self._filled, store.document_offsets, boundaries, context)
        self.batches_per_epoch = len(self.centres) // batch_size
        n_filled = int(np.count_nonzero(self._filled))
        if self.batches_per_epoch == 0:
            raise SentrepError(
                "corpus",
                expected=(
                    f"at least {batch_size} sequences of {1 + 2 * context} consecutive sentences with known words "
                    "(1 batch)"
                ),
                found=f"only {len(self.centres)} (number of sentences in the corpus: {store.n_sentences})",
                remedy="use more text or a smaller `batch_size`",
            )
        if exclude_neighbours and n_filled <= 1 + 2 * context:
            raise SentrepError(
                "corpus",
                expected=f"at least {2 + 2 * context} sentences with known words",
                found=f"{n_filled} sentences",
                remedy="use more text, or set `exclude_neighbours: false` to allow neighbours as negative examples",
            )
        self._order = self.centres.copy()
        self._epoch = -1

    def sentences(self, epoch: int, first: int, n: int) -> npt.NDArray[np.int64]:
        """Return the sentence indices of ``n`` batches of an epoch, beginning with batch ``first``.

        Returns:
            The sentence indices, (n, batch, sentences) int64.
        """
        begin, end, k = first * self.batch_size, (first + n) * self.batch_size, self.context
        sentences = np.empty((end - begin, 1 + 2 * k + self.negatives), dtype=np.int64)
        centres = self.order(epoch)[begin:end].astype(np.int64)
        sentences[:, : 1 + 2 * k] = centres[:, None] + [0, *range(-k, 0), *range(1, k + 1)]
        sentences[:, 1 + 2 * k :] = self._draw_negatives(epoch, begin, centres)
        return sentences.reshape(n, self.batch_size, sentences.shape[1])

    def order(self, epoch: int) -> npt.NDArray[np.unsignedinteger]:
        """Return the (C,) sentence indices of an epoch's centres in training order.

        A later call for another epoch overwrites the returned array.
        """
        if epoch != self._epoch:
            self._order[:] = self.centres
            np.random.default_rng([self.seed, 1, epoch]).shuffle(self._order)  # stream 0 is for the initialisation
            self._epoch = epoch
        return self._order

    def key(self, epoch: int) -> np.uint64:
        """Return the key of the random number generator that draws the negatives of an epoch."""
        return np.random.SeedSequence([self.seed, 2, epoch]).generate_state(1, np.uint64)[0]

    def _draw_negatives(self, epoch: int, begin: int, centres: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Return the sentence indices of the negatives for consecutive centres of an epoch, (examples, negatives).

        Args:
            epoch: number of the epoch.
            begin: position of the first centre in the order of the epoch.
            centres: sentence indices of the centres.
        """
        key = self.key(epoch)
        size = len(self._filled)
        shape = (len(centres), self.negatives)
        counters = np.arange(begin * self.negatives, (begin + len(centres)) * self.negatives, dtype=np.uint64)
        drawn = _uniform(key, counters, size)
        centre_of = np.repeat(centres, self.negatives)
        attempt = 0
        redraw = np.flatnonzero(self._unusable(drawn, centre_of))
        while len(redraw):
            attempt += 1
            drawn[redraw] = _uniform(key, counters[redraw] + np.uint64(attempt << 40), size)
            redraw = redraw[self._unusable(drawn[redraw], centre_of[redraw])]
        return drawn.reshape(shape)

    def _unusable(self, drawn: npt.NDArray[np.int64], centres: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
        unusable = ~self._filled[drawn]
        if self.exclude_neighbours:
            unusable |= np.abs(drawn - centres) <= self.context
        return unusable


def filled_sentences(store: TokenStore) -> npt.NDArray[np.bool_]:
    """Return an (S,) bool mask of the sentences that have tokens. The store is read in blocks to save memory."""
    offsets, step = store.sentence_offsets, 1 << 22
    filled = np.empty(store.n_sentences, dtype=np.bool_)
    for first in range(0, store.n_sentences, step):
        part = offsets[first : first + step + 1]
        np.greater(part[1:], part[:-1], out=filled[first : first + step])
    return filled


def find_centres(
    filled: npt.NDArray[np.bool_], document_offsets: npt.NDArray[np.int64], boundaries: Boundaries, context: int = 1
) -> npt.NDArray[np.unsignedinteger]:
    """Return the indices of the sentences that can be centres of training examples, in ascending order.

    A centre has tokens, and so do the ``context`` sentences before it and the ``context`` sentences after it.

    Args:
        filled: (S,) bool mask of the sentences that have tokens.
        document_offsets: (D + 1,) int64 index of the first sentence of each document, followed by S.
        boundaries: "respect" requires all neighbours to be in the centre's document; "ignore" treats the store as one
            document, as the released Siamese CBOW code does.
        context: number of neighbours on each side.

    Returns:
        The sentence indices, (C,) uint32, or uint64 for corpora with more than 2^32 sentences.
    """
    centre = filled.copy()
    begins, ends = np.zeros(1, np.int64), np.full(1, len(filled))
    if boundaries == "respect":
        begins, ends = np.asarray(document_offsets[:-1]), np.asarray(document_offsets[1:])
    full = ends > begins
    for distance in range(1, context + 1):
        centre[distance:] &= filled[:-distance]
        centre[:-distance] &= filled[distance:]
        # If a document has fewer than `distance` sentences, these lines exclude its last and its first sentence, which
        # cannot be centres anyway.
        centre[np.minimum(begins + distance, ends)[full] - 1] = False
        centre[np.maximum(ends - distance, begins)[full]] = False
    return np.flatnonzero(centre).astype(np.uint32 if len(filled) <= 1 << 32 else np.uint64)


def _uniform(key: np.uint64, counters: npt.NDArray[np.uint64], size: int) -> npt.NDArray[np.int64]:
    """Return a pseudorandom integer in [0, ``size``) for each counter (splitmix64; Steele et al., OOPSLA 2014)."""
    with np.errstate(over="ignore"):
        x = key + (counters + np.uint64(1)) * _GOLDEN
        x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        x ^= x >> np.uint64(31)
    return ((x >> np.uint64(11)) * 2.0**-53 * size).astype(np.int64)


class TokenReader:
    """A reader that truncates training sentences and returns their tokens.

    If the padding is "clean" and the vocabulary size fits into ``index_bits`` bits, a chunk refers directly to the
    tokens in the store, namely to the first ``max_tokens`` tokens of each of its sentences. Otherwise, the tokens of
    each batch are written into an array of word slots, and a chunk refers to a copy of the tokens in the slots that are
    not empty. The slots reproduce defects of the released Siamese CBOW code; :mod:`sentrep.training.slots` explains
    these defects and the kinds of padding.

    Args:
        store: the corpus.
        max_tokens: number of tokens to which longer sentences are truncated.
        padding: what the unused slots of a sentence contain; "clean" leaves them empty.
        index_bits: number of bits in a slot, 32 or 16.

    Attributes:
        max_tokens: maximum number of tokens in a sentence.
        copies: whether chunks contain copies of the tokens, which may differ from the tokens in the store.
    """

    def __init__(self, store: TokenStore, max_tokens: int, padding: Padding, index_bits: int) -> None:
        # The view is a plain array even if the store is memory-mapped, so the same compiled kernel serves all stores.
        self._ids = np.asarray(store.ids).view()
        self._ids.flags.writeable = False
        self._offsets = store.sentence_offsets
        self._words = store.vocabulary_size
        self.max_tokens = max_tokens
        self._padding: Padding = padding
        self._index_type = np.uint32 if index_bits == 32 else np.uint16
        self.copies = padding != "clean" or (index_bits == 16 and store.vocabulary_size >= 1 << 16)
        self._slots: npt.NDArray[np.unsignedinteger] | None = None

    def start_epoch(self) -> None:
        """Empty the word slots, as the released Siamese CBOW code does between epochs."""
        self._slots = None

    def state(self) -> State:
        """Return a dictionary with a copy of the array of word slots under the key "slots".

        The array is empty if no slots have been used in the current epoch.
        """
        return {"slots": np.empty(0, self._index_type) if self._slots is None else self._slots.copy()}

    def restore(self, state: State) -> None:
        """Restore a state that :meth:`state` returned."""
        self._slots = state["slots"].copy() if state["slots"].size else None

    def read(self, sentences: npt.NDArray[np.int64]) -> Chunk:
        """Return the chunk for an (n, batch, sentences) array of sentence indices.

        Chunks must be read in training order, because the contents of the word slots depend on earlier chunks.
        """
        starts = np.asarray(self._offsets[sentences])
        lengths = np.minimum(self._offsets[sentences + 1] - starts, self.max_tokens).astype(np.int32)
        if not self.copies:
            return Chunk(self._ids, starts, lengths)
        from sentrep.training.slots import fill

        if self._slots is None:
            self._slots = np.zeros((*starts.shape[1:], self.max_tokens), dtype=self._index_type)
        batches = [
            fill(self._slots, self._ids, sentences[b], starts[b], lengths[b], self._padding, self._words)
            for b in range(len(starts))
        ]
        tokens = np.concatenate([np.empty(0, self._index_type), *(kept for kept, _ in batches)])
        tokens.flags.writeable = False
        kept_lengths = np.array([kept for _, kept in batches], dtype=np.int32).reshape(starts.shape)
        ends = np.cumsum(kept_lengths, dtype=np.int64).reshape(kept_lengths.shape)
        return Chunk(tokens, ends - kept_lengths, kept_lengths)
