"""Networks that map padded word ids to sentence vectors.

The modules ``bilstm_max``, ``convolutional``, ``recurrent``, ``released_skip_thought`` and ``two_towers`` define one
network each; the other modules contain building blocks. A network is a class ``Network``, a :class:`torch.nn.Module`
whose constructor takes JSON-serialisable keyword arguments. A network has these members:

- ``settings``: the arguments of its constructor.
- ``parts``: widths of the parts of a sentence vector that are normalised separately. The widths add up to the length
  of the vector.
- ``word_tables()``: returns a dictionary of trained word tables by name. A word table is a (words, d) parameter that
  contains one vector per word; vocabulary expansion adds rows to it.
- ``embed(ids, lengths)``: returns (n, sum(parts)) sentence vectors for (n, L) int64 word ids and (n,) int64 lengths of
  at least 1.

Word ids are positions in the vocabulary. Id 0 is the unknown word and is also used for padding.
"""

from __future__ import annotations

import importlib
from typing import Any


def build(name: str, settings: dict[str, Any]) -> Any:
    """Return an untrained ``Network`` from the module ``name``, constructed with the keyword arguments ``settings``."""
    return importlib.import_module(f"sentrep.networks.{name}").Network(**settings)
