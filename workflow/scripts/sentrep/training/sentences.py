"""Copy sentences from a token store to a torch device in padded batches."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch

from sentrep.corpora.store import TokenStore
from sentrep.training.batches import filled_sentences

Indices = npt.NDArray[np.int64]
_POOL = 100  # number of batches whose items are sorted by length together


@dataclass(frozen=True)
class Padded:
    """A padded batch of sentences.

    Attributes:
        ids: word ids, padded with 0, (n, L) int64.
        lengths: number of words in each sentence, (n,) int64; 0 only for a sentence from which noise has deleted all
            words (see :mod:`sentrep.training.sdae`).
    """

    ids: torch.Tensor
    lengths: torch.Tensor


class Sentences:
    """The non-empty sentences of a token store, which are read in padded batches.

    Id 0 denotes unknown words and padding; id i denotes the i-th most frequent word in the store. If all tokens fit
    into half of the free memory of the GPU, they are uploaded once; otherwise, the tokens of each batch are read from
    the store.

    Args:
        store: the corpus.
        words: maximum number of rows of the word table, including the row for unknown words.
        max_tokens: maximum number of tokens in a sentence; longer sentences are truncated.
        device: torch device of the batches.

    Attributes:
        words: number of rows of the word table.
        vocabulary: words in the order of their ids; the first is "<unk>".
        filled: (N,) int64 indices of the non-empty sentences in the store, ascending.
        lengths: (N,) int32 lengths of the non-empty sentences after truncation.
    """

    def __init__(self, store: TokenStore, words: int, max_tokens: int, device: str) -> None:
        known = store.vocabulary_size - (store.unknown_id is not None)
        self.words = min(words, known + 1)
        self.vocabulary = ["<unk>", *store.vocabulary[: self.words - 1]]
        self.filled: Indices = np.flatnonzero(filled_sentences(store))
        self._offsets = store.sentence_offsets
        self._starts = np.asarray(self._offsets[self.filled])
        self.lengths = np.minimum(self._offsets[self.filled + 1] - self._starts, max_tokens).astype(np.int32)
        self._device = torch.device(device)
        self._tokens: torch.Tensor | npt.NDArray[np.unsignedinteger] = store.ids
        if self._device.type == "cuda" and 8 * store.n_tokens < torch.cuda.mem_get_info(self._device)[0]:
            self._tokens = torch.from_numpy(np.asarray(store.ids, dtype=np.int32)).to(self._device)

    def __len__(self) -> int:
        """Return the number of non-empty sentences."""
        return len(self.filled)

    def documents(self, store: TokenStore) -> Indices:
        """Return, for each non-empty sentence, the index of the document that contains it, (N,) int64."""
        return np.searchsorted(store.document_offsets, self.filled, side="right") - 1

    def batches(self, rows: Indices) -> Iterator[Padded]:
        """Yield one padded batch for each row of a (steps, n) array of positions in :attr:`filled`."""
        starts, lengths = self._starts[rows], self.lengths[rows].astype(np.int64)
        longest = lengths.max(axis=1, initial=1).tolist()
        if isinstance(self._tokens, np.ndarray):
            for step, columns in enumerate(longest):
                yield self._read(self._tokens, starts[step], lengths[step], columns)
            return
        device_starts, device_lengths = (torch.from_numpy(a).to(self._device) for a in (starts, lengths))
        for step, columns in enumerate(longest):
            position = torch.arange(columns, device=self._device)
            inside = position < device_lengths[step, :, None]
            index = torch.where(inside, device_starts[step, :, None] + position, 0)
            ids = self._tokens[index].long() + 1
            yield Padded(torch.where(inside & (ids < self.words), ids, 0), device_lengths[step])

    def _read(self, tokens: npt.NDArray[np.unsignedinteger], starts: Indices, lengths: Indices, columns: int) -> Padded:
        position = np.arange(columns)
        inside = position < lengths[:, None]
        ids = np.zeros(inside.shape, dtype=np.int64)
        ids[inside] = tokens[(starts[:, None] + position)[inside]].astype(np.int64) + 1
        ids[ids >= self.words] = 0
        return Padded(torch.from_numpy(ids).to(self._device), torch.from_numpy(lengths).to(self._device))


def bucketed_batches(
    lengths: npt.NDArray[np.int32], batch_size: int, generator: np.random.Generator
) -> npt.NDArray[np.int64]:
    """Return the indices of the items in each batch of an epoch; the items in a batch have similar lengths.

    Items are shuffled, sorted by length within pools of 100 batches, and divided into batches. The order of the
    batches is then shuffled. An incomplete batch is dropped.

    Args:
        lengths: (N,) int32 lengths of the items.
        batch_size: number of items per batch.
        generator: random number generator for shuffling the items and the batches.

    Returns:
        A (batches, batch_size) int64 array of item indices.
    """
    order = generator.permutation(len(lengths))[: len(lengths) // batch_size * batch_size]
    pool = _POOL * batch_size
    for begin in range(0, len(order), pool):
        part = order[begin : begin + pool]
        part[:] = part[np.argsort(lengths[part], kind="stable")]
    batches = order.reshape(-1, batch_size)
    return batches[generator.permutation(len(batches))]
