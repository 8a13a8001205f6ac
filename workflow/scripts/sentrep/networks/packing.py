"""Lay out sentences without padding, which is two thirds of a batch of 400 unsorted sentences.

For recurrent encoders, words are grouped by step, longest sentences first, as in torch's packed sequences: the first
words of all sentences, then the second words of all sentences that have one, and so on. For bags of words, sentences
follow each other.
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
    """The layout of the P words of n sentences.

    Attributes:
        words: (directions, P) int64, positions in the flattened (n, L) batch; the second row reads sentences backwards.
        sentences: (n,) int64, the position among the P of each sentence's last word (steps) or first word (bags).
        sizes: number of sentences at each step, not increasing; empty for bags.
    """

    words: torch.Tensor
    sentences: torch.Tensor
    sizes: list[int]


@dataclass(frozen=True)
class Layout:
    """A :class:`Packing` on the host, as arrays."""

    words: Indices
    sentences: Indices
    sizes: list[int]


def by_step(lengths: npt.NDArray[np.integer], columns: int, directions: int = 1, multiple: int = 1) -> Layout:
    """Lay out sentences of (n,) lengths, each at least 1, of an (n, columns) batch, word by word.

    Args:
        lengths: lengths of the sentences.
        columns: width of the batch.
        directions: 1, or 2 to also read backwards.
        multiple: round the number of sentences at each step up to a multiple of this, so that there are few different
            shapes of matrix products to plan. Sentences that have ended repeat their last word; the result is not used.
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
    """Lay out sentences of (n,) lengths of an (n, columns) batch by concatenation."""
    position = np.arange(columns)
    inside = position < lengths[:, None]
    words = (np.arange(len(lengths))[:, None] * columns + position)[inside]
    lengths = lengths.astype(np.int64)
    return Layout(words[None], np.cumsum(lengths) - lengths, [])


def upload(layouts: Sequence[Layout], device: torch.device) -> list[Packing]:
    """Copy layouts to a device in one transfer."""
    flat = np.concatenate([part.ravel() for layout in layouts for part in (layout.words, layout.sentences)])
    parts = torch.from_numpy(flat).to(device).split([n for x in layouts for n in (x.words.size, x.sentences.size)])
    return [
        Packing(words.view(layout.words.shape), sentences, layout.sizes)
        for layout, words, sentences in zip(layouts, parts[::2], parts[1::2], strict=True)
    ]
