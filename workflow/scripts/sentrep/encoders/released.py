"""Encode sentences with the released skip-thought models, whose large tables of word vectors are memory-mapped."""

from __future__ import annotations

from pathlib import Path
from typing import Self

import numpy as np

from sentrep.encoders.model_folder import reading
from sentrep.encoders.neural import NeuralEncoder


class ReleasedSkipThoughtEncoder(NeuralEncoder):
    """A :class:`sentrep.encoders.neural.NeuralEncoder` that stores each word table in a separate file.

    A word table is a matrix with one vector per word; see :mod:`sentrep.networks.released_skip_thought`.
    """

    def write(self, directory: str | Path) -> None:
        """Write the same files as :meth:`NeuralEncoder.write`, and each word table as ``uni.npy`` or ``bi.npy``.

        The word tables have the shape (words, width) and the data type float32. Only combine-skip has both tables.
        """
        super().write(directory)
        for name, table in self.network.tables.items():
            np.save(Path(directory) / f"{name}.npy", table)

    @classmethod
    def load(cls, directory: str | Path) -> Self:
        """Load an encoder from a folder written by :meth:`save`, and memory-map its word tables."""
        encoder = super().load(directory)
        names = {name.partition("_")[0] for name in encoder.network.encoders}
        with reading(directory):
            encoder.network.tables = {
                name: np.load(Path(directory) / f"{name}.npy", mmap_mode="r", allow_pickle=False) for name in names
            }
        return encoder
