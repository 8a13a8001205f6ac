"""Features of transfer tasks: sentence vectors, normalised part by part, and what is made of a pair of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from sentrep.encoders.base import Encoder, Vectors
from sentrep.errors import SentrepError

Normalisation = Literal["unit", "none"]
Features = npt.NDArray[np.float32] | sp.csr_array


class TextEncoder(Protocol):
    """What is asked of an encoder here."""

    @property
    def part_widths(self) -> tuple[int, ...]:
        """Widths of the parts of a vector that are scaled on their own."""

    def encode(self, sentences: Sequence[str]) -> Vectors:
        """Return one row per text."""


class Remembered:
    """The vectors of some texts, to be asked for again: several protocols need those of the same task.

    Args:
        encoder: the model.
        texts: all texts that will be asked for.
    """

    def __init__(self, encoder: Encoder, texts: Iterable[str]) -> None:
        self.part_widths = encoder.part_widths
        self._row_of = {text: row for row, text in enumerate(dict.fromkeys(texts))}
        self._vectors = encoder.encode(list(self._row_of))

    def encode(self, sentences: Sequence[str]) -> Vectors:
        """Return copies of the vectors."""
        return self._vectors[[self._row_of[text] for text in sentences]]


@dataclass(frozen=True)
class Encoded:
    """Vectors of a list of texts.

    Attributes:
        vectors: (n, d) float32, dense or sparse.
        scale: mean length of the vectors as the encoder gives them, before normalisation.
        zeros: number of texts whose vector is zero.
    """

    vectors: Features
    scale: float
    zeros: int


def encode(encoder: TextEncoder, texts: Sequence[str], normalisation: Normalisation, where: str) -> Encoded:
    """Encode texts, each distinct one once.

    Args:
        encoder: the model.
        texts: n texts.
        normalisation: "unit": each of the encoder's parts (``part_widths``) is scaled to length one, as Kiros et al.
            and Logeswaran and Lee do (zero stays zero); "none": vectors as the encoder gives them, as SentEval does.
        where: what is being scored, for errors.

    Raises:
        SentrepError: a vector holds NaN or infinity.
    """
    position = {text: row for row, text in enumerate(dict.fromkeys(texts))}
    distinct = encoder.encode(list(position))
    values = distinct.data if sp.issparse(distinct) else distinct
    if not np.isfinite(values).all():
        raise SentrepError(
            where,
            expected="finite sentence vectors",
            found="NaN or infinity",
            remedy="train the model again with a lower learning rate",
        )
    vectors = distinct[[position[text] for text in texts]].astype(np.float32, copy=False)
    del distinct, values  # vectors may fill much of the memory
    lengths = _lengths(vectors)
    if normalisation == "unit":
        vectors = _normalised(vectors, encoder.part_widths)
    return Encoded(vectors, float(lengths.mean()) if len(lengths) else 0.0, int((lengths == 0).sum()))


def pair_features(first: Features, second: Features) -> Features:
    """Return |u - v| and u * v side by side, (n, 2d) (Tai et al. 2015; Kiros et al. 2015; SentEval)."""
    if sp.issparse(first):
        return sp.csr_array(sp.hstack([abs(first - second), first.multiply(second)], format="csr"))
    return np.hstack([np.abs(first - second), first * second])


def surface_features(first: Sequence[str], second: Sequence[str]) -> npt.NDArray[np.float32]:
    """Return six features of a pair's words, (n, 6): the ones Kiros et al. add for MSRP (released eval_msrp.py).

    Are the sets of numbers equal; equal and not empty; is one within the other; the share of the first text's words
    that the second has; the same the other way round; the mean of the ratios of the numbers of tokens. On MSRP they
    give about 73 % accuracy alone. Texts are cut by NLTK's word rules, without its sentence splitter.
    """
    from nltk.tokenize import NLTKWordTokenizer

    tokenise = NLTKWordTokenizer().tokenize
    features = np.zeros((len(first), 6), dtype=np.float32)
    for row, texts in enumerate(zip(first, second, strict=True)):
        a, b = (tokenise(text) for text in texts)
        if not a or not b:
            continue
        words_a, words_b = set(a), set(b)
        numbers_a, numbers_b = ({word for word in words if _is_number(word)} for words in (words_a, words_b))
        common = len(words_a & words_b)
        features[row] = (
            numbers_a == numbers_b,
            numbers_a == numbers_b and bool(numbers_a),
            numbers_a <= numbers_b or numbers_b <= numbers_a,
            common / len(words_a),
            common / len(words_b),
            (len(a) / len(b) + len(b) / len(a)) / 2,
        )
    return features


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True


def _lengths(vectors: Vectors) -> npt.NDArray[np.float64]:
    if sp.issparse(vectors):
        squares = vectors.astype(np.float64)
        squares.data **= 2
        return np.sqrt(np.asarray(squares.sum(axis=1)).ravel())
    return np.sqrt(np.einsum("ij,ij->i", vectors, vectors, dtype=np.float64))


def _normalised(vectors: Features, widths: Sequence[int]) -> Features:
    """Scale each part of each row to length one; dense vectors are changed in place."""
    if sp.issparse(vectors):
        parts = [vectors[:, end - width : end] for width, end in zip(widths, np.cumsum(widths), strict=True)]
        scaled = [sp.diags_array(_inverse(_lengths(part))) @ part for part in parts]
        return sp.csr_array(sp.hstack(scaled, format="csr"), dtype=np.float32)
    for part in np.split(vectors, np.cumsum(widths)[:-1], axis=1):  # views
        part *= _inverse(_lengths(part)).astype(np.float32)[:, None]
    return vectors


def _inverse(lengths: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    return np.divide(1.0, lengths, out=np.zeros_like(lengths), where=lengths > 0)
