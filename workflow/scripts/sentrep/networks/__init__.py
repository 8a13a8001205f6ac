"""Networks that turn padded word numbers into sentence vectors, by name.

A network is a module with one class, ``Network``, built from keyword arguments that JSON can hold. It has:

- ``settings``: these arguments, to build it again;
- ``parts``: widths of the parts of a sentence vector that are normalised one by one; their sum is its length;
- ``word_tables()``: its trained word tables by name, (words, d) parameters, the ones that vocabulary expansion extends;
- ``embed(ids, lengths)``: (n, L) int64 word numbers and (n,) int64 lengths, all at least 1, to (n, sum(parts)).

Word number 0 is the unknown word and the padding; number i is the i-th word of the vocabulary, which begins with the
unknown word.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from torch import nn


def build(name: str, settings: dict[str, Any]) -> nn.Module:
    """Return a network with fresh parameters."""
    return importlib.import_module(f"sentrep.networks.{name}").Network(**settings)
