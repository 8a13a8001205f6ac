"""Encode each distinct text of an evaluation once, check that the vectors are finite, and normalise them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from sentrep.encoders.base import Vectors
from sentrep.errors import SentrepError

if TYPE_CHECKING:
    from scipy.sparse import csr_array  # imported at run time only for sparse vectors, because the import is slow

BLOCK = 2048
"""Default number of sentences that :func:`encode_in_blocks` encodes at a time."""
Normalisation = Literal["unit", "none"]
Features: TypeAlias = "npt.NDArray[np.float32] | csr_array"
Floats = npt.NDArray[np.float64]


class TextEncoder(Protocol):
    """The part of an encoder's interface that evaluations use."""

    @property
    def part_widths(self) -> tuple[int, ...]:
        """Number of components in each part of a vector; see :attr:`sentrep.encoders.base.Encoder.part_widths`."""
        ...

    def encode(self, sentences: Sequence[str]) -> Vectors:
        """Return the vectors of the sentences, one row per sentence."""
        ...


class CachedEncoder:
    """An encoder that encodes a fixed set of texts once, so that several protocols can evaluate the same vectors.

    Args:
        encoder: model that encodes the texts.
        texts: all texts that will be passed to :meth:`encode`.
    """

    def __init__(self, encoder: TextEncoder, texts: Iterable[str]) -> None:
        self.part_widths = encoder.part_widths
        self._row_of = {text: row for row, text in enumerate(dict.fromkeys(texts))}
        self._vectors = encoder.encode(list(self._row_of))

    def encode(self, sentences: Sequence[str]) -> Vectors:
        """Return copies of the cached vectors of the sentences, one row per sentence."""
        return self._vectors[[self._row_of[text] for text in sentences]]


@dataclass(frozen=True)
class Encoded:
    """The vectors of n texts.

    Attributes:
        vectors: (n, d) float32, dense or sparse.
        scale: mean length of the vectors before normalisation.
        zeros: number of texts with a zero vector.
    """

    vectors: Features
    scale: float
    zeros: int


def distinct_texts(texts: Iterable[str]) -> tuple[tuple[str, ...], npt.NDArray[np.intp]]:
    """Return the distinct texts in order of first occurrence, and the index of each text in them, (n,) intp."""
    position: dict[str, int] = {}
    rows = [position.setdefault(text, len(position)) for text in texts]
    return tuple(position), np.array(rows, dtype=np.intp)


def encode_finite(encoder: TextEncoder, texts: Sequence[str], where: str) -> Vectors:
    """Encode texts, check that the vectors are finite, and return the vectors, (n, d).

    Args:
        encoder: the model.
        texts: n texts.
        where: name of the evaluation, for error messages.

    Raises:
        SentrepError: a vector contains NaN or infinity.
    """
    vectors = encoder.encode(texts)
    if not np.isfinite(np.asarray(vectors if isinstance(vectors, np.ndarray) else vectors.data)).all():
        raise SentrepError(
            where,
            expected="finite sentence vectors",
            found="NaN or infinity",
            remedy="lower the learning rate and train again, or correct the function that computes the vectors",
        )
    return vectors


def encode(encoder: TextEncoder, texts: Sequence[str], normalisation: Normalisation, where: str) -> Encoded:
    """Encode each distinct text once, and return the vectors of all texts, optionally normalised.

    Args:
        encoder: the model.
        texts: n texts.
        normalisation: "unit" scales each part of a vector (see :attr:`TextEncoder.part_widths`) to length one, as Kiros
            et al. (2015) and Logeswaran and Lee (2018) do; zero vectors stay zero. "none" leaves the vectors unchanged,
            as SentEval does.
        where: name of the evaluation, for error messages.

    Raises:
        SentrepError: a vector contains NaN or infinity.
    """
    distinct, rows = distinct_texts(texts)
    vectors = encode_finite(encoder, distinct, where)[rows].astype(np.float32, copy=False)
    lengths = row_lengths(vectors)
    if normalisation == "unit":
        vectors = _unit_parts(vectors, encoder.part_widths)
    return Encoded(vectors, float(lengths.mean()) if len(lengths) else 0.0, int((lengths == 0).sum()))


def encode_in_blocks(
    encoder: TextEncoder, sentences: Iterable[str], where: str, size: int = BLOCK
) -> Iterator[Features]:
    """Encode sentences in blocks of ``size``, and yield the vectors of each block.

    The vectors have the normalisation "unit", which :func:`encode` describes.

    Raises:
        SentrepError: a vector contains NaN or infinity.
    """
    remaining = iter(sentences)
    while block := list(islice(remaining, size)):
        yield encode(encoder, block, "unit", where).vectors


def row_lengths(vectors: Vectors | Floats) -> Floats:
    """Return the Euclidean length of each row, (n,) float64."""
    if not isinstance(vectors, np.ndarray):
        import scipy.sparse as sp

        squares = sp.csr_array(vectors, dtype=np.float64, copy=True)
        squares.data **= 2
        return np.sqrt(np.asarray(squares.sum(axis=1)).ravel())
    return np.sqrt(np.einsum("ij,ij->i", vectors, vectors, dtype=np.float64))


def inverse_lengths(lengths: Floats) -> Floats:
    """Return the reciprocal of each length, or 0 where the length is 0."""
    return np.divide(1.0, lengths, out=np.zeros_like(lengths), where=lengths > 0)


def _unit_parts(vectors: Features, widths: Sequence[int]) -> Features:
    """Return vectors with each part of each row scaled to length one; dense vectors are changed in place."""
    ends = np.cumsum(widths)
    if not isinstance(vectors, np.ndarray):
        import scipy.sparse as sp

        parts = [vectors[:, end - width : end] for width, end in zip(widths, ends, strict=True)]
        scaled = [sp.diags_array(inverse_lengths(row_lengths(part))) @ part for part in parts]
        return sp.csr_array(sp.hstack(scaled, format="csr"), dtype=np.float32)
    for part in np.split(vectors, ends[:-1], axis=1):  # the parts are views of the vectors
        np.multiply(part, inverse_lengths(row_lengths(part)).astype(np.float32)[:, None], out=part)
    return vectors
