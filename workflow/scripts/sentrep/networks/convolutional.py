"""The convolutional sentence encoder of Gan et al. (EMNLP 2017, section 2.1), as in the authors' released code.

The input consists of the word vectors of a sentence and the vector of an end token, with zero vectors on both sides.
Each filter contributes one component of the sentence vector: the tanh of its maximum response over all positions. In
the released code, every sentence has positions at which a filter covers only padding; there, the response is the bias
of the filter. In this module, a sentence has such positions only if its batch contains a longer sentence. The bias is
nevertheless included in the maximum for every sentence, so the vector of a sentence does not depend on the other
sentences in its batch.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import nn
from torch.nn import functional

# The initial values of word vectors and filter weights are drawn from U(-bound, bound), as in the released code.
WORD_BOUND, FILTER_BOUND = 0.05, 0.01


class Network(nn.Module):
    """A network that consists of word vectors, convolutional filters and max pooling over time.

    Args:
        words: number of rows in the word table; row 0 belongs to the unknown word.
        dimension: length d of a word vector.
        widths: widths of the filters, in tokens.
        maps: number of filters of each width.
    """

    filters: Any  # torch does not declare the types of a ModuleList's items

    def __init__(self, words: int, dimension: int, widths: list[int], maps: int) -> None:
        super().__init__()
        self.settings = {"words": words, "dimension": dimension, "widths": list(widths), "maps": maps}
        self.parts = [maps * len(widths)]
        self.table = nn.Embedding(words, dimension)
        self.end = nn.Parameter(torch.empty(dimension).uniform_(-WORD_BOUND, WORD_BOUND))
        nn.init.uniform_(self.table.weight, -WORD_BOUND, WORD_BOUND)
        # With w - 1 zero vectors on each side, a filter of width w is applied wherever it overlaps the sentence.
        self.filters = nn.ModuleList(nn.Conv1d(dimension, maps, width, padding=width - 1) for width in widths)
        for group in self.filters:
            nn.init.uniform_(group.weight, -FILTER_BOUND, FILTER_BOUND)
            nn.init.zeros_(group.bias)

    def word_tables(self) -> dict[str, torch.Tensor]:
        """Return a dictionary with the word table, (words, dimension), under the key "table"."""
        return {"table": self.table.weight}

    def embed(self, ids: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
        """Return the sentence vectors, (n, len(widths) * maps), for (n, L) word ids and (n,) sentence lengths."""
        return self.pool(self.look_up(ids, lengths))

    def look_up(self, ids: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
        """Return the token vectors of sentences, (n, L + 1, dimension).

        For each sentence, these are the word vectors, followed by the vector of the end token and by zero vectors as
        padding.

        Args:
            ids: word ids, (n, L).
            lengths: lengths of the sentences, (n,).
        """
        position = torch.arange(ids.shape[1] + 1, device=ids.device)
        vectors = functional.pad(self.table(ids), (0, 0, 0, 1))
        vectors = vectors.masked_fill((position >= lengths[:, None])[..., None], 0)
        return torch.where((position == lengths[:, None])[..., None], self.end, vectors)

    def pool(self, vectors: torch.Tensor) -> torch.Tensor:
        """Return the sentence vectors, (n, len(widths) * maps), for token vectors from :meth:`look_up`."""
        channels = vectors.transpose(1, 2)
        # The bias and tanh preserve the order of the responses, so they can be applied after the maximum. Clamping at 0
        # includes a position outside the sentence, where the response without bias is 0.
        largest = [
            functional.conv1d(channels, group.weight, padding=group.padding).amax(dim=2).clamp(min=0) + group.bias
            for group in self.filters
        ]
        return torch.cat(largest, dim=1).tanh()
