"""Concatenate the sentence vectors of several encoders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np

from sentrep.encoders.base import Counts, Encoder, Vectors
from sentrep.encoders.model_folder import reading
from sentrep.encoders.registry import load_encoder
from sentrep.io.files import write_json
from sentrep.io.seal import check_seal, read_meta


class Concatenation(Encoder):
    """An encoder that concatenates the sentence vectors of several encoders.

    Args:
        parts: mapping from names to encoders, in the order in which the vectors of the encoders are concatenated.
        meta: the model's provenance, which is written to ``meta.json``.
    """

    def __init__(self, parts: Mapping[str, Encoder], meta: Mapping[str, Any] | None = None) -> None:
        self.parts = dict(parts)
        self.meta = dict(meta or {})

    @property
    def dimension(self) -> int:
        """Number of components of a sentence vector."""
        return sum(part.dimension for part in self.parts.values())

    @property
    def part_widths(self) -> tuple[int, ...]:
        """Number of components in each part of the concatenated vectors, in the order of concatenation."""
        return tuple(width for part in self.parts.values() for width in part.part_widths)

    def use(self, device: str) -> None:
        """Move all encoders to a torch device."""
        for part in self.parts.values():
            part.use(device)

    def _encode(self, sentences: Sequence[str]) -> Vectors:
        """Return the sentence vectors, (n, dimension); the array is sparse if any encoder returns a sparse array."""
        from scipy.sparse import csr_array, hstack, issparse

        vectors: list[Any] = [part.encode(sentences) for part in self.parts.values()]
        if any(map(issparse, vectors)):
            return csr_array(hstack(vectors, format="csr"))
        return np.concatenate(vectors, axis=1)

    def _count_tokens(self, sentences: Sequence[str]) -> tuple[Counts, Counts]:
        """Return, for each sentence, the maximum numbers of tokens and of known tokens over all encoders."""
        counts = [part.count_tokens(sentences) for part in self.parts.values()]
        tokens, known = (np.max(each, axis=0) for each in zip(*counts, strict=True))
        return tokens, known

    def write(self, directory: str | Path) -> None:
        """Save each encoder in the folder ``parts/<name>``, and write ``meta.json``."""
        directory = Path(directory)
        for name, part in self.parts.items():
            folder = directory / "parts" / name
            folder.mkdir(parents=True)
            part.save(folder)
        write_json(directory / "meta.json", {**self.meta, "encoder": {"parts": list(self.parts)}})

    @classmethod
    def load(cls, directory: str | Path) -> Self:
        """Load an encoder from a folder written by :meth:`save`; see :meth:`Encoder.load`."""
        directory = Path(directory)
        meta = read_meta(directory)
        with reading(directory):
            check_seal(directory, meta)
            return cls({name: load_encoder(directory / "parts" / name) for name in meta["encoder"]["parts"]}, meta)
