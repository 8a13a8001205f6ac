"""The encoder of released skip-thought models: a network whose word tables are kept in memory-mapped files."""

from __future__ import annotations

from pathlib import Path
from typing import Self

import numpy as np

from sentrep.encoders.model_folder import reading
from sentrep.encoders.neural import NeuralEncoder


class ReleasedSkipThoughtEncoder(NeuralEncoder):
    """A :class:`sentrep.encoders.neural.NeuralEncoder` that also saves the network's ``tables``."""

    def write(self, directory: str | Path) -> None:
        """Write the network's files, and ``uni.npy`` and ``bi.npy``, each (words, width) float32."""
        super().write(directory)
        for name, table in self.network.tables.items():
            np.save(Path(directory) / f"{name}.npy", table)

    @classmethod
    def load(cls, directory: str | Path) -> Self:
        """Read what :meth:`save` wrote, word tables memory-mapped; see :meth:`Encoder.load`."""
        encoder = super().load(directory)
        names = {name.partition("_")[0] for name in encoder.network.encoders}
        with reading(directory):
            encoder.network.tables = {
                name: np.load(Path(directory) / f"{name}.npy", mmap_mode="r", allow_pickle=False) for name in names
            }
        return encoder
