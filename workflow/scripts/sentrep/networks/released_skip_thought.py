"""The encoders of the released skip-thought models (ryankiros/skip-thoughts, skipthoughts.py).

The released word tables take up 2.3 GB each. They are therefore kept in numpy arrays instead of torch parameters.
During encoding, the arrays are memory-mapped, so only the rows that a batch needs are read. As in the released code,
the GRUs apply the reset gate after the recurrent product.
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
    """The uni-skip encoder, the bi-skip encoder, or a combination that concatenates the vectors of both.

    Args:
        width: length of a word vector in the word tables.
        uni: number of units of uni-skip; 0 to leave out uni-skip.
        bi: number of units in each of the two directions of bi-skip; 0 to leave out bi-skip.
        end: word id to append to every sentence, or None to append nothing.

    Attributes:
        tables: dictionary that maps the encoder names "uni" and "bi" to the word tables of these encoders, (words,
            width) float32. It is initially empty and must be set before :meth:`embed` is called.
    """

    def __init__(self, width: int, uni: int, bi: int, end: int | None) -> None:
        super().__init__()
        self.settings = {"width": width, "uni": uni, "bi": bi, "end": end}
        self.parts = [units for units in (uni, 2 * bi) if units]
        self.tables: Mapping[str, npt.NDArray[np.float32]] = {}
        sizes = {"uni": uni, "bi": bi, "bi_reverse": bi}
        self.encoders = nn.ModuleDict({name: GRU(width, n, "after") for name, n in sizes.items() if n})

    def word_tables(self) -> dict[str, torch.Tensor]:
        """Return an empty dictionary, because the word tables are not trainable.

        The released tables already contain the expanded vocabulary, so they need no vocabulary expansion.
        """
        return {}

    def load_released(self, encoder: str, arrays: Mapping[str, npt.NDArray[Any]], prefix: str) -> None:
        """Set the weights of one GRU to those in a released ``.npz`` file.

        Args:
            encoder: GRU whose weights are set: "uni", "bi" or "bi_reverse".
            arrays: content of the file, a mapping from the names ``<prefix>_W``, ``<prefix>_U``, ``<prefix>_b``,
                ``<prefix>_Wx``, ``<prefix>_Ux`` and ``<prefix>_bx`` to arrays. W (width, 2 * units), U (units,
                2 * units) and b (2 * units,) contain the weights of the reset gate followed by the weights of the
                update gate. Wx (width, units), Ux (units, units) and bx (units,) contain the weights of the candidate
                state.
            prefix: prefix of the names in ``arrays``: "encoder_r" for the GRU "bi_reverse", and "encoder" otherwise.

        Raises:
            ValueError: an array has an unexpected shape.
            KeyError: an array is missing, or this network does not contain the GRU.
        """
        gru = self.encoders[encoder]
        W, U, b, Wx, Ux, bx = (np.asarray(arrays[f"{prefix}_{name}"]) for name in ("W", "U", "b", "Wx", "Ux", "bx"))
        n = gru.units
        # In the released files, the reset gate comes first; in this project's GRU, the update gate comes first.
        released = {
            "input.weight": np.concatenate([W[:, n:], W[:, :n], Wx], axis=1).T,
            "recurrent": np.concatenate([U[:, n:], U[:, :n], Ux], axis=1),
            "input.bias": np.concatenate([b[n:], b[:n], bx]),
        }
        for name, values in released.items():
            parameter = gru.get_parameter(name)
            if parameter.shape != values.shape:
                wanted = tuple(parameter.shape)
                raise ValueError(f"{prefix}: expected {name} of shape {wanted}, found shape {values.shape}")
            parameter.data.copy_(torch.from_numpy(np.ascontiguousarray(values, dtype=np.float32)))

    def embed(self, ids: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
        """Return the sentence vectors, (n, uni + 2 * bi), for (n, L) word ids and (n,) sentence lengths."""
        if (end := self.settings["end"]) is not None:
            ids, lengths = with_end(ids, lengths, end), lengths + 1
        states = []
        for name, encoder in self.encoders.items():
            rows = (reverse(ids, lengths) if name == "bi_reverse" else ids).cpu().numpy()
            x = torch.from_numpy(np.asarray(self.tables[name.partition("_")[0]][rows])).to(ids.device)
            states.append(last_states(encoder(x), lengths))
        return torch.cat(states, dim=1)
