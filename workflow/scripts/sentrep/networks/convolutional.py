"""The convolutional sentence encoder of Gan et al. (EMNLP 2017, section 2.1), as in their released code.

A sentence is its words' vectors and the vector of a token that ends it; what surrounds it is zero. Filters of several
widths run over it, and each gives one number: tanh of its largest response, wherever it lies. The released code runs
its filters over a rectangle that is longer than any sentence, so there is always a place beside the sentence, where
the response is the filter's bias alone. Here that place is counted explicitly: a sentence's vector depends on the
sentence, not on how long the others of its batch are.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import nn
from torch.nn import functional

WORD_BOUND, FILTER_BOUND = 0.05, 0.01  # initial values are uniform between these and their negatives (released code)


class Network(nn.Module):
    """Word vectors, filters, maximum over time.

    Args:
        words: rows of the word table, the unknown word (row 0) among them.
        dimension: length of a word vector, d.
        widths: numbers of tokens that a filter sees; there is a group of filters for each.
        maps: filters per group.
    """

    filters: Any  # torch's types do not know what a ModuleList holds

    def __init__(self, words: int, dimension: int, widths: list[int], maps: int) -> None:
        super().__init__()
        self.settings = {"words": words, "dimension": dimension, "widths": list(widths), "maps": maps}
        self.parts = [maps * len(widths)]
        self.table = nn.Embedding(words, dimension)
        self.end = nn.Parameter(torch.empty(dimension).uniform_(-WORD_BOUND, WORD_BOUND))
        nn.init.uniform_(self.table.weight, -WORD_BOUND, WORD_BOUND)
        # With w - 1 zeros on both sides a filter of width w lies at every place where it sees a token.
        self.filters = nn.ModuleList(nn.Conv1d(dimension, maps, width, padding=width - 1) for width in widths)
        for group in self.filters:
            nn.init.uniform_(group.weight, -FILTER_BOUND, FILTER_BOUND)
            nn.init.zeros_(group.bias)

    def word_tables(self) -> dict[str, torch.Tensor]:
        """Return the word table, (words, d)."""
        return {"table": self.table.weight}

    def embed(self, ids: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
        """Return sentence vectors, (n, len(widths) * maps), of (n, L) word numbers and (n,) lengths, at least 1."""
        return self.pool(self.look_up(ids, lengths))

    def look_up(self, ids: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
        """Return the vectors of (n, L) word numbers, then the end's, then zeros, (n, L + 1, d)."""
        position = torch.arange(ids.shape[1] + 1, device=ids.device)
        vectors = functional.pad(self.table(ids), (0, 0, 0, 1))
        vectors = vectors.masked_fill((position >= lengths[:, None])[..., None], 0)
        return torch.where((position == lengths[:, None])[..., None], self.end, vectors)

    def pool(self, vectors: torch.Tensor) -> torch.Tensor:
        """Return the sentence vectors, (n, len(widths) * maps), of what :meth:`look_up` gives."""
        channels = vectors.transpose(1, 2)
        # The bias is the same everywhere and tanh grows: the largest response may be sought before both. Where a
        # filter sees no token it is 0.
        largest = [
            functional.conv1d(channels, group.weight, padding=group.padding).amax(dim=2).clamp(min=0) + group.bias
            for group in self.filters
        ]
        return torch.cat(largest, dim=1).tanh()
