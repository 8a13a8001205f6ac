"""The encoder of released skip-thought models: a network whose word tables lie beside it in mapped files."""

from __future__ import annotations

from pathlib import Path
from typing import Self

import numpy as np

from sentrep.encoders.neural import NeuralEncoder
from sentrep.errors import SentrepError


class ReleasedSkipThoughtEncoder(NeuralEncoder):
    """A :class:`sentrep.encoders.neural.NeuralEncoder` that saves the network's ``tables``, too."""

    def save(self, directory: str | Path) -> None:
        """Write what the network needs, and ``uni.npy`` and ``bi.npy``, each (words, width) float32."""
        super().save(directory)
        for name, table in self.network.tables.items():
            np.save(Path(directory) / f"{name}.npy", table)

    @classmethod
    def load(cls, directory: str | Path) -> Self:
        """Read what :meth:`save` wrote; word tables are mapped, not read.

        Raises:
            SentrepError: a file is missing or damaged.
        """
        encoder = super().load(directory)
        names = {name.partition("_")[0] for name in encoder.network.encoders}
        try:
            encoder.network.tables = {
                name: np.load(Path(directory) / f"{name}.npy", mmap_mode="r", allow_pickle=False) for name in names
            }
        except (OSError, ValueError) as error:
            raise SentrepError(
                directory, expected="a complete model folder", found=str(error), remedy="train the model again"
            ) from None
        return encoder
