"""A recurrent encoder with one GRU, or with two GRUs that read a sentence in opposite directions.

A sentence vector is the last state of the GRU, or the concatenation of the last states of the two GRUs.
"""

from __future__ import annotations

import torch
from torch import nn
from torch.nn import functional

from sentrep.networks.gru import GRU, last_states, reverse
from sentrep.networks.tape import Reset


class Network(nn.Module):
    """The recurrent encoder of skip-thought (Kiros et al., NIPS 2015) and of SDAE (Hill et al., NAACL 2016).

    Args:
        words: number of rows in the word table; row 0 belongs to the unknown word.
        dimension: length of a word vector.
        units: length of a sentence vector.
        bidirectional: whether to use two GRUs, one for each direction, each with half of the units.
        reset: where the reset gate is applied; see :mod:`sentrep.networks.gru`.
        read_end: whether :meth:`embed` appends <eos> to each sentence. The vector of <eos> is a separate parameter and
            not a row of the word table.
    """

    def __init__(
        self,
        words: int,
        dimension: int,
        units: int,
        bidirectional: bool = False,
        reset: Reset = "after",
        read_end: bool = False,
    ) -> None:
        super().__init__()
        self.settings = {
            **{"words": words, "dimension": dimension, "units": units},
            **{"bidirectional": bidirectional, "reset": reset, "read_end": read_end},
        }
        # There is only one part, because the released skip-thought code does not normalise each direction separately.
        self.parts = [units]
        self.words, self.read_end = words, read_end
        self.table = nn.Embedding(words, dimension)
        self.end = nn.Parameter(torch.zeros(dimension))
        width = units // 2 if bidirectional else units
        self.forwards = GRU(dimension, width, reset)
        self.backwards = GRU(dimension, width, reset) if bidirectional else None

    def word_tables(self) -> dict[str, torch.Tensor]:
        """Return a dictionary with the word table, (words, dimension), under the key "table"."""
        return {"table": self.table.weight}

    def embed(self, ids: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
        """Return the sentence vectors, (n, units), for (n, L) word ids and (n,) sentence lengths of at least 1."""
        return self.read(ids, lengths, self.read_end)

    def read(self, ids: torch.Tensor, lengths: torch.Tensor, end: bool) -> torch.Tensor:
        """Return the sentence vectors, (n, units), for (n, L) word ids and (n,) sentence lengths.

        If ``end`` is true, <eos> is appended to each sentence, and sentences may be empty. Otherwise, each length must
        be at least 1.
        """
        if end:
            ids, lengths = with_end(ids, lengths, self.words), lengths + 1
        vector = last_states(self.forwards(self.look_up(ids)), lengths)
        if self.backwards is None:
            return vector
        backwards = self.backwards(self.look_up(reverse(ids, lengths)))
        return torch.cat([vector, last_states(backwards, lengths)], dim=1)

    def look_up(self, ids: torch.Tensor) -> torch.Tensor:
        """Return the word vectors, (n, L, dimension), for (n, L) word ids; the id ``self.words`` stands for <eos>."""
        is_end = ids == self.words
        return torch.where(is_end[..., None], self.end, self.table(ids.masked_fill(is_end, 0)))


def with_end(ids: torch.Tensor, lengths: torch.Tensor, end: int) -> torch.Tensor:
    """Insert the id ``end`` after the last word of each of n padded sentences, and return the (n, L + 1) ids.

    Args:
        ids: word ids, (n, L).
        lengths: lengths of the sentences, (n,).
        end: id to insert, such as the id of <eos>.
    """
    position = torch.arange(ids.shape[1] + 1, device=ids.device)
    return functional.pad(ids, (0, 1)).masked_fill(position == lengths[:, None], end)
