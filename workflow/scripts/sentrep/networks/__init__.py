"""Networks that map padded word ids to sentence vectors, by name.

A network is a module of this package with one class, ``Network``, a :class:`torch.nn.Module` built from
JSON-serialisable keyword arguments. It has:

- ``settings``: the arguments that it was built from;
- ``parts``: widths of the parts of a sentence vector that are normalised separately; their sum is its length;
- ``word_tables()``: its trained word tables by name, (words, d) parameters; vocabulary expansion extends them;
- ``embed(ids, lengths)``: (n, sum(parts)) vectors of (n, L) int64 word ids and (n,) int64 lengths, all at least 1.

Word id 0 is the unknown word and the padding; id i is the i-th word of the vocabulary, which begins with the unknown
word.
"""

from __future__ import annotations

import importlib
from typing import Any


def build(name: str, settings: dict[str, Any]) -> Any:
    """Return the network ``name`` with untrained parameters."""
    return importlib.import_module(f"sentrep.networks.{name}").Network(**settings)
