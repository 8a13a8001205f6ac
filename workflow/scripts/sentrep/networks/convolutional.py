"""The convolutional sentence encoder of Gan et al. (EMNLP 2017, section 2.1), as in their released code.

A sentence is its words' vectors and the vector of a token that ends it; what surrounds it is zero. Filters of several
widths run over it, and each gives one number: the largest response wherever the filter lies, through tanh. The
released code runs every filter over a rectangle that is longer than any sentence, so one of these places is always
beside the sentence, where the response is the filter's bias alone. Here that place is counted explicitly: a vector
depends on the sentence alone, not on the lengths of others in its batch.
"""

from __future__ import annotations

import torch
from torch import nn

WORD_BOUND, FILTER_BOUND = 0.05, 0.01  # initial values are uniform within these, released code


class Network(nn.Module):
    """Word vectors, filters, maximum over time.

    Args:
        words: rows of the word table.
        word_dimension: length of a word vector, d.
        widths: words that a filter sees, one group of filters for each.
        maps: filters per group.

    Attributes:
        words: (words, d) parameter.
        end: (d,) parameter, vector of the token that ends a sentence.
    """

    def __init__(self, words: int, word_dimension: int, widths: list[int], maps: int) -> None:
        super().__init__()
        self.settings = {"words": words, "word_dimension": word_dimension, "widths": list(widths), "maps": maps}
        self.parts = [maps * len(widths)]
        self.words = nn.Parameter(torch.empty(words, word_dimension).uniform_(-WORD_BOUND, WORD_BOUND))
        self.end = nn.Parameter(torch.empty(word_dimension).uniform_(-WORD_BOUND, WORD_BOUND))
        # A filter covers at least one token of a sentence: w - 1 zeros on both sides, all other places are alike.
        self.filters = nn.ModuleList(nn.Conv1d(word_dimension, maps, width, padding=width - 1) for width in widths)
        for convolution in self.filters:
            nn.init.uniform_(convolution.weight, -FILTER_BOUND, FILTER_BOUND)
            nn.init.zeros_(convolution.bias)

    def word_tables(self) -> dict[str, nn.Parameter]:
        """Return the trained word table by name."""
        return {"words": self.words}

    def vectors(self, ids: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
        """Return word vectors, then the end's, then zeros, (n, L + 1, d), from (n, L) ids and (n,) lengths."""
        position = torch.arange(ids.shape[1] + 1, device=ids.device)
        words = nn.functional.pad(nn.functional.embedding(ids, self.words), (0, 0, 0, 1))
        words = words * (position < lengths[:, None])[..., None]
        return words + (position == lengths[:, None])[..., None] * self.end

    def embed(self, ids: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
        """Return sentence vectors, (n, widths * maps), from (n, L) word numbers and (n,) lengths."""
        return self.pool(self.vectors(ids, lengths))

    def pool(self, vectors: torch.Tensor) -> torch.Tensor:
        """Return sentence vectors from what :meth:`vectors` gives."""
        channels = vectors.transpose(1, 2)
        # tanh grows and the bias is the same everywhere, so the maximum can be taken before either.
        largest = [
            nn.functional.conv1d(channels, f.weight, padding=f.padding).amax(dim=2).clamp(min=0) + f.bias
            for f in self.filters
        ]
        return torch.cat(largest, dim=1).tanh()
