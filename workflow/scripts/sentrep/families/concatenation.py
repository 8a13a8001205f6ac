"""Concatenation of other models' sentence vectors, each trained on its own.

combine-skip (Kiros et al. 2015) and combine-QT (Logeswaran and Lee 2018) are a uni- and a bidirectional model side by
side, MC-QT is a model with fixed pre-trained word vectors beside one with its own. Parts are taken as they are:
those that should weigh the same must be normalised by their own encoders. The parts are the model's inputs, whatever
their names.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from sentrep.corpora.store import TokenStore
from sentrep.encoders.base import Encoder, Vectors
from sentrep.errors import SentrepError
from sentrep.families import Run, load_encoder
from sentrep.io.files import read_json, write_json


@dataclass(frozen=True)
class Parameters:
    """There is nothing to set."""


class Concatenation(Encoder):
    """Several encoders' vectors, one after the other.

    Args:
        parts: encoders by name, in order.
        meta: provenance.
    """

    def __init__(self, parts: Mapping[str, Encoder], meta: dict[str, Any] | None = None) -> None:
        self.parts = dict(parts)
        self.meta = dict(meta or {})

    @property
    def dimension(self) -> int:
        """Length of a sentence vector."""
        return sum(part.dimension for part in self.parts.values())

    @property
    def part_widths(self) -> tuple[int, ...]:
        """Widths of all encoders' parts, one after the other."""
        return tuple(width for part in self.parts.values() for width in part.part_widths)

    def use(self, device: str) -> None:
        """Compute on a device of torch from now on."""
        for part in self.parts.values():
            part.use(device)

    def encode(self, sentences: Sequence[str]) -> Vectors:
        """Return (n, dimension) float32, sparse if a part's vectors are."""
        from scipy.sparse import hstack, issparse

        vectors = [part.encode(sentences) for part in self.parts.values()]
        if any(map(issparse, vectors)):
            return hstack(vectors, format="csr")
        return np.concatenate(vectors, axis=1)

    def count_tokens(self, sentences: Sequence[str]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Return, per sentence, tokens and known tokens, each as the part counts that finds most."""
        counts = [part.count_tokens(sentences) for part in self.parts.values()]
        tokens, known = (np.max(each, axis=0) for each in zip(*counts, strict=True))
        return tokens, known

    def save(self, directory: str | Path) -> None:
        """Write each part as a model folder ``parts/<name>``, and ``meta.json``: nothing outside is needed."""
        directory = Path(directory)
        for name, part in self.parts.items():
            folder = directory / "parts" / name
            folder.mkdir(parents=True)
            part.save(folder)
        write_json(directory / "meta.json", {**self.meta, "encoder": {"parts": list(self.parts)}})

    @classmethod
    def load(cls, directory: str | Path) -> Self:
        """Read what :meth:`save` wrote.

        Raises:
            SentrepError: a file is missing or damaged.
        """
        directory = Path(directory)
        meta = read_json(directory / "meta.json")
        return cls({name: load_encoder(directory / "parts" / name) for name in meta["encoder"]["parts"]}, meta)


ENCODER = Concatenation


def train(store: TokenStore, parameters: Parameters, run: Run) -> Concatenation:
    """Put the inputs together; the store is not read.

    Raises:
        SentrepError: there are fewer than two inputs.
    """
    if len(run.inputs) < 2:
        raise SentrepError(
            "inputs",
            expected="two models or more",
            found=f"{len(run.inputs)}",
            remedy="name the models to put together",
        )
    return Concatenation({name: load_encoder(path) for name, path in run.inputs.items()})
