"""The encoders of the released skip-thought models (ryankiros/skip-thoughts, skipthoughts.py).

Word tables are not parameters here: those of the released models take 2.3 GB each, so they stay in mapped files
and only the rows of a batch are read. GRUs have the reset gate after the recurrent product, as released.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from sentrep.networks.gru import GRU, last_states, reverse


class Network(nn.Module):
    """uni-skip, bi-skip or both, one after the other; each is a part.

    Args:
        width: length of a word vector.
        uni: units of the encoder that reads forwards; 0: there is none.
        bi: units of each of the two encoders that read forwards and backwards; 0: there are none.
        end: word number appended to every sentence; null: none.

    Attributes:
        tables: word vectors by name, "uni" and "bi", (words, width) float32 each; to be set.
    """

    def __init__(self, width: int, uni: int, bi: int, end: int | None) -> None:
        super().__init__()
        self.settings = {"width": width, "uni": uni, "bi": bi, "end": end}
        self.parts = [units for units in (uni, 2 * bi) if units]
        self.tables: Mapping[str, npt.NDArray[np.float32]] = {}
        sizes = {"uni": uni, "bi": bi, "bi_reverse": bi}
        self.encoders = nn.ModuleDict({name: GRU(width, n, "after") for name, n in sizes.items() if n})

    def word_tables(self) -> dict[str, torch.Tensor]:
        """Return nothing: the released tables are extended already."""
        return {}

    def load_released(self, encoder: str, arrays: Mapping[str, npt.NDArray[Any]], prefix: str) -> None:
        """Take over one GRU's weights from a released ``.npz``.

        Args:
            encoder: "uni", "bi" or "bi_reverse".
            arrays: W (width, 2 units) and U (units, 2 units) of reset and update gate, in this order, and their b;
                Wx, Ux and bx of the candidate; each under ``<prefix>_<name>``.
            prefix: "encoder" or "encoder_r".

        Raises:
            ValueError: an array has another shape.
            KeyError: an array is missing.
        """
        gru = self.encoders[encoder]
        W, U, b, Wx, Ux, bx = (np.asarray(arrays[f"{prefix}_{name}"]) for name in ("W", "U", "b", "Wx", "Ux", "bx"))
        n = gru.units
        # Here the update gate comes first.
        released = {
            "input.weight": np.concatenate([W[:, n:], W[:, :n], Wx], axis=1).T,
            "recurrent": np.concatenate([U[:, n:], U[:, :n], Ux], axis=1),
            "input.bias": np.concatenate([b[n:], b[:n], bx]),
        }
        for name, values in released.items():
            parameter = gru.get_parameter(name)
            if parameter.shape != values.shape:
                raise ValueError(f"{prefix}: {name} of shape {values.shape}, not {tuple(parameter.shape)}")
            parameter.data.copy_(torch.from_numpy(np.ascontiguousarray(values, dtype=np.float32)))

    def embed(self, ids: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
        """Return (n, sum(parts)) from (n, L) int64 word numbers and (n,) lengths."""
        if (end := self.settings["end"]) is not None:
            ids = torch.cat([ids, ids.new_zeros(len(ids), 1)], dim=1)
            ids[torch.arange(len(ids), device=ids.device), lengths] = end
            lengths = lengths + 1
        states = []
        for name, encoder in self.encoders.items():
            rows = (reverse(ids, lengths) if name == "bi_reverse" else ids).cpu().numpy()
            x = torch.from_numpy(np.asarray(self.tables[name.partition("_")[0]][rows])).to(ids.device)
            states.append(last_states(encoder(x), lengths))
        return torch.cat(states, dim=1)
