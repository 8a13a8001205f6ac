"""Lay out the words of a batch of sentences without padding.

In a batch of 400 sentences that are not sorted by length, padding can take up two thirds of the space. For recurrent
encoders, words are grouped by step, with the longest sentences first, as in torch's packed sequences: the first words
of all sentences are followed by the second words of all sentences with at least two words, and so on. For bags of
words, sentences are concatenated.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch

Indices = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Packing:
    """Indices that describe how the P words of n sentences are laid out without padding.

    Attributes:
        words: position of each word in the flattened (n, L) padded batch, (directions, P) int64. If there are two
            directions, the words of each sentence are in reverse order in ``words[1]``.
        sentences: for each sentence, an index into the second axis of ``words``, (n,) int64: the index of the word that
            is read last (recurrent encoders) or of the first word (bags of words).
        sizes: number of sentences at each step, in non-increasing order; empty for bags of words.
    """

    words: torch.Tensor
    sentences: torch.Tensor
    sizes: list[int]


@dataclass(frozen=True)
class Layout:
    """The content of a :class:`Packing`, with numpy arrays instead of tensors."""

    words: Indices
    sentences: Indices
    sizes: list[int]


def by_step(lengths: npt.NDArray[np.integer], columns: int, directions: int = 1, multiple: int = 1) -> Layout:
    """Return the layout in which the words of a padded batch are grouped by step, for recurrent encoders.

    Args:
        lengths: lengths of the sentences, (n,), at least 1.
        columns: width of the padded batch.
        directions: 1 to read sentences forwards, 2 to read them in both directions.
        multiple: the number of sentences at each step is rounded up to a multiple of this number, but never above n.
            Rounding reduces the number of distinct shapes of matrix products. The additional positions belong to
            sentences that have already ended and repeat the last word that was read in each of them; the results for
            these positions are not used.
    """
    longest_first = np.argsort(-lengths, kind="stable")
    sorted_lengths = lengths[longest_first].astype(np.int64)
    step = np.arange(sorted_lengths[0])[:, None]
    begin = longest_first * columns
    sizes = (step < sorted_lengths).sum(axis=1)
    sizes = np.minimum(-(-sizes // multiple) * multiple, len(lengths))
    inside = np.arange(len(lengths)) < sizes[:, None]
    forwards = (begin + np.minimum(step, sorted_lengths - 1))[inside]
    backwards = (begin + np.maximum(sorted_lengths - 1 - step, 0))[inside]
    rows = [forwards, backwards][:directions]
    offsets = np.cumsum(sizes) - sizes
    last = np.empty(len(lengths), dtype=np.int64)
    last[longest_first] = offsets[sorted_lengths - 1] + np.arange(len(lengths))
    return Layout(np.stack(rows), last, sizes.tolist())


def by_sentence(lengths: npt.NDArray[np.integer], columns: int) -> Layout:
    """Return the layout in which the sentences of a padded batch are concatenated, for bag-of-words encoders.

    Args:
        lengths: lengths of the sentences, (n,).
        columns: width of the padded batch.
    """
    position = np.arange(columns)
    inside = position < lengths[:, None]
    words = (np.arange(len(lengths))[:, None] * columns + position)[inside]
    lengths = lengths.astype(np.int64)
    return Layout(words[None], np.cumsum(lengths) - lengths, [])


def upload(layouts: Sequence[Layout], device: torch.device) -> list[Packing]:
    """Copy layouts to a device in a single transfer, and return one :class:`Packing` for each layout."""
    flat = np.concatenate([part.ravel() for layout in layouts for part in (layout.words, layout.sentences)])
    parts = torch.from_numpy(flat).to(device).split([n for x in layouts for n in (x.words.size, x.sentences.size)])
    return [
        Packing(words.view(layout.words.shape), sentences, layout.sizes)
        for layout, words, sentences in zip(layouts, parts[::2], parts[1::2], strict=True)
    ]
