"""The towers of Quick Thoughts (Logeswaran and Lee, ICLR 2018), that is, its encoders f and g.

A tower is a bag-of-words encoder or a recurrent network. By default, the towers share no parameters. The sentence
vector [f; g] is the concatenation of the towers' outputs.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import torch
from torch import nn
from torch.nn import functional

from sentrep.networks.gru import GRU, read_together
from sentrep.networks.packing import Layout, Packing, by_sentence, by_step, upload
from sentrep.networks.tape import Reset

EncoderKind = Literal["bow", "uni", "bi"]


class Network(nn.Module):
    """A network of one or two towers, whose outputs are concatenated.

    Args:
        encoder: kind of tower. A tower outputs the sum of the word vectors ("bow"), the last state of a GRU ("uni"), or
            the last states of two GRUs that have half the units each and read in opposite directions ("bi").
        words: number of rows in each word table; row 0 belongs to the unknown word.
        dimension: length of a word vector.
        units: length of a tower's output; ignored for "bow", whose output has the length ``dimension``.
        reset: where the reset gate is applied; see :mod:`sentrep.networks.gru`.
        towers: 2 for f and g; 1 for f alone or for a single encoder that is used as both f and g.
        frozen: whether all towers share one word table that is not trained.
    """

    tables: Any  # torch does not declare the types of a ModuleList's items
    readers: Any

    def __init__(
        self,
        encoder: EncoderKind,
        words: int,
        dimension: int,
        units: int,
        reset: Reset = "before",
        towers: int = 2,
        frozen: bool = False,
    ) -> None:
        super().__init__()
        self.settings = {
            **{"encoder": encoder, "words": words, "dimension": dimension, "units": units},
            **{"reset": reset, "towers": towers, "frozen": frozen},
        }
        self.towers, self.frozen = towers, frozen
        self.directions = {"bow": 0, "uni": 1, "bi": 2}[encoder]
        self.parts = [units if self.directions else dimension] * towers
        self.tables = nn.ModuleList(nn.Embedding(words, dimension) for _ in range(1 if frozen else towers))
        for table in self.tables:
            nn.init.uniform_(table.weight, -0.1, 0.1)
            table.weight.requires_grad_(not frozen)
        width = units // max(1, self.directions)
        self.readers = nn.ModuleList(
            GRU(dimension, width, reset, gate_bias=1.0) for _ in range(towers * self.directions)
        )

    def word_tables(self) -> dict[str, torch.Tensor]:
        """Return a dictionary of the word tables, (words, dimension), with the keys "tower0" and "tower1".

        The key "tower1" exists only if there are two towers. The dictionary is empty if the word table is frozen.
        """
        return {} if self.frozen else {f"tower{i}": table.weight for i, table in enumerate(self.tables)}

    def layout(self, lengths: npt.NDArray[np.integer], columns: int) -> Layout:
        """Return the layout in which :meth:`encode` reads an (n, columns) batch of sentences with the given lengths."""
        if not self.directions:
            return by_sentence(lengths, columns)
        # On a GPU, the number of sentences at each step is rounded up to a multiple of 32, so that matrix products have
        # few distinct shapes: for a new shape, cuBLAS needs ten times as long to plan the product as to compute it.
        return by_step(lengths, columns, self.directions, multiple=32 if self.tables[0].weight.is_cuda else 1)

    def encode(self, ids: torch.Tensor, packing: Packing) -> torch.Tensor:
        """Return the outputs of all towers for (n, L) word ids and their packing.

        Returns:
            (towers, n, width) outputs; ``width`` is ``dimension`` for the encoder "bow", and ``units`` otherwise.
        """
        words = ids.flatten()[packing.words]
        if not self.directions:
            return torch.stack([_bags(words[0], packing.sentences, table) for table in self.tables])
        vectors = [table(words) for table in self.tables] * (self.towers // len(self.tables))
        states = read_together(self.readers, torch.cat(vectors), None, packing.sizes)
        last = states.index_select(1, packing.sentences).unflatten(0, (self.towers, self.directions))
        return last.transpose(1, 2).flatten(2)

    def embed(self, ids: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
        """Return the sentence vectors, which are the concatenated outputs of all towers.

        Args:
            ids: word ids, (n, L).
            lengths: lengths of the sentences, (n,), at least 1.

        Returns:
            (n, towers * width) vectors; see :meth:`encode` for ``width``.
        """
        layout = self.layout(lengths.cpu().numpy(), ids.shape[1])
        (packing,) = upload([layout], ids.device)
        return torch.cat(list(self.encode(ids, packing)), dim=1)

    def first_tower(self) -> Network:
        """Return a network that contains only the first tower, f, and shares its parameters with this network."""
        with torch.device("meta"):  # allocates no memory; the parameters are replaced below
            alone = Network(**{**self.settings, "towers": 1})
        alone.tables = self.tables[:1]
        alone.readers = self.readers[: self.directions]
        return alone


def _bags(words: torch.Tensor, starts: torch.Tensor, table: nn.Embedding) -> torch.Tensor:
    return functional.embedding_bag(words, table.weight, starts, mode="sum", sparse=table.sparse)
