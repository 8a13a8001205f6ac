"""The encoders of the released skip-thought models (ryankiros/skip-thoughts, skipthoughts.py).

The released word tables take 2.3 GB each. They are therefore not parameters but memory-mapped files, of which only the
rows of a batch are read. GRUs have the reset gate after the recurrent product, as released.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from sentrep.networks.gru import GRU, last_states, reverse
from sentrep.networks.recurrent import with_end


class Network(nn.Module):
    """uni-skip, bi-skip or both, as parts of the vector.

    Args:
        width: length of a word vector.
        uni: number of units of the forward encoder uni-skip; 0 for none.
        bi: number of units of each of the two encoders of bi-skip; 0 for none.
        end: word id appended to every sentence, or null.

    Attributes:
        tables: (words, width) float32 word vectors by name, "uni" and "bi"; set after the initialisation.
    """

    def __init__(self, width: int, uni: int, bi: int, end: int | None) -> None:
        super().__init__()
        self.settings = {"width": width, "uni": uni, "bi": bi, "end": end}
        self.parts = [units for units in (uni, 2 * bi) if units]
        self.tables: Mapping[str, npt.NDArray[np.float32]] = {}
        sizes = {"uni": uni, "bi": bi, "bi_reverse": bi}
        self.encoders = nn.ModuleDict({name: GRU(width, n, "after") for name, n in sizes.items() if n})

    def word_tables(self) -> dict[str, torch.Tensor]:
        """Return an empty dictionary, because the released tables have already been extended."""
        return {}

    def load_released(self, encoder: str, arrays: Mapping[str, npt.NDArray[Any]], prefix: str) -> None:
        """Copy one GRU's weights from a released ``.npz``.

        Args:
            encoder: "uni", "bi" or "bi_reverse".
            arrays: by ``<prefix>_<name>``: W (width, 2 units), U (units, 2 units) and b of reset and update gate, in
                this order, and Wx, Ux and bx of the candidate.
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
        """Return (n, sum(parts)) sentence vectors of (n, L) word ids and (n,) lengths."""
        if (end := self.settings["end"]) is not None:
            ids, lengths = with_end(ids, lengths, end), lengths + 1
        states = []
        for name, encoder in self.encoders.items():
            rows = (reverse(ids, lengths) if name == "bi_reverse" else ids).cpu().numpy()
            x = torch.from_numpy(np.asarray(self.tables[name.partition("_")[0]][rows])).to(ids.device)
            states.append(last_states(encoder(x), lengths))
        return torch.cat(states, dim=1)
