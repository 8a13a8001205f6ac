"""Networks that map padded word ids to sentence vectors.

The modules ``bilstm_max``, ``convolutional``, ``recurrent``, ``released_skip_thought`` and ``two_towers`` each define a
class ``Network``; the other modules contain building blocks. Each class ``Network`` is a subclass of
:class:`torch.nn.Module`, and its constructor takes JSON-serialisable keyword arguments. A network has these members:

- ``settings``: a dictionary of the arguments of the constructor.
- ``parts``: the widths of the separately normalised parts of a sentence vector. The widths add up to the length of the
  vector.
- ``word_tables()``: returns a dictionary that maps names to trainable word tables. A word table is a (words, d)
  parameter that contains one vector per word; vocabulary expansion adds rows to the table.
- ``embed(ids, lengths)``: returns (n, sum(parts)) sentence vectors for n sentences, given (n, L) int64 word ids and
  (n,) int64 sentence lengths of at least 1.

Word ids are positions in the vocabulary. Id 0 stands for the unknown word and is also used for padding.
"""

from __future__ import annotations

import importlib
from typing import Any


def build(name: str, settings: dict[str, Any]) -> Any:
    """Return an untrained ``Network`` from the module ``name``, constructed with the keyword arguments ``settings``."""
    return importlib.import_module(f"sentrep.networks.{name}").Network(**settings)
