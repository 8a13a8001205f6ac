"""Encode sentences by weighted aggregation (De Boom et al., 2016).

The words of a text are sorted by descending idf, and each position in this order has its own weight. The model has m
trained weights. For a text of n words, n weights are computed from them by linear interpolation at evenly spaced
positions (section 3.3 of the paper). These n weights are therefore a linear function of the trained weights, and this
function depends only on n.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, Self, get_args

import numpy as np
import numpy.typing as npt

from sentrep.corpora.normalise import Cleaning, normaliser
from sentrep.encoders.base import WordEncoder
from sentrep.encoders.model_folder import read_model, reading
from sentrep.errors import SentrepError
from sentrep.io.files import read_json, write_json

Divisor = Literal["n", "sqrt_n"]
EPSILON = 1e-5  # "arbitrarily small" in De Boom et al. (2016); the value is from their released code


class WeightedEncoder(WordEncoder):
    """An encoder that sorts the words of a sentence by descending idf and computes a weighted sum of their vectors.

    Args:
        embeddings: word vectors, (V, d) float32, one row per word of ``vocabulary``.
        idf: idf of each word, (V,) float64; words with equal idf are sorted alphabetically.
        weights: trained weights, (m,) float64. In each sentence, the first weight applies to the word with the highest
            idf, and the last weight to the word with the lowest idf. If a sentence does not have exactly m known words,
            the weights of the other words are interpolated.
        vocabulary: V distinct words, in the order of the rows of ``embeddings``.
        divisor: divisor of the weighted sum, "n" for the number n of known words or "sqrt_n" for the square root of n.
        cleaning: text normalisation that is applied before a sentence is split at whitespace.
        learning: record of how the weights were trained, with the keys "updates", "stopped" and "shape_change".
        meta: the model's provenance, which is written to ``meta.json``.

    Raises:
        SentrepError: ``embeddings``, ``idf`` and ``vocabulary`` differ in length, the divisor is unknown, or a word is
            empty or occurs more than once.
    """

    def __init__(
        self,
        embeddings: npt.NDArray[np.float32],
        idf: npt.NDArray[np.float64],
        weights: npt.NDArray[np.float64],
        vocabulary: list[str],
        divisor: Divisor = "n",
        cleaning: Cleaning = "paper",
        learning: Mapping[str, Any] | None = None,
        meta: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(vocabulary, "whitespace", meta)
        if not len(embeddings) == len(idf) == len(vocabulary):
            raise SentrepError(
                "embeddings",
                expected=f"one vector and one idf value for each of the {len(vocabulary)} words",
                found=f"{len(embeddings)} vectors and {len(idf)} idf values",
                remedy="train the model again",
            )
        if divisor not in get_args(Divisor):
            raise SentrepError("divisor", expected="n or sqrt_n", found=repr(divisor), remedy="train the model again")
        self.embeddings, self.idf, self.weights = embeddings, idf, weights
        self.divisor: Divisor = divisor
        self.cleaning: Cleaning = cleaning
        self.learning = dict(learning or {})
        self._place = np.empty(len(vocabulary), dtype=np.int64)
        self._place[descending_idf(vocabulary, idf)] = np.arange(len(vocabulary))

    @property
    def dimension(self) -> int:
        """Number of components of a sentence vector."""
        return int(self.embeddings.shape[1])

    def tokens(self, sentences: Sequence[str]) -> list[list[str]]:
        """Normalise each sentence as ``cleaning`` specifies, and return its whitespace-separated tokens."""
        normalise = normaliser(self.cleaning)
        return [normalise(sentence).split() for sentence in sentences]

    def _encode(self, sentences: Sequence[str]) -> npt.NDArray[np.float32]:
        """Return the sentence vectors, (n, d) float32; the vector of a sentence without known words is zero."""
        from scipy.sparse import csr_array  # imported here because the import is slow

        rows = [
            np.array([self.row_of[word] for word in words if word in self.row_of], dtype=np.int64)
            for words in self.tokens(sentences)
        ]
        rows = [words[np.argsort(self._place[words], kind="stable")] for words in rows]
        indptr = np.cumsum([0, *map(len, rows)])
        lengths = {len(words) for words in rows if len(words)}
        factors = {n: length_map(n, len(self.weights), self.divisor) @ self.weights for n in lengths}
        data = np.concatenate([np.empty(0), *(factors[len(words)] for words in rows if len(words))])
        used, columns = np.unique(np.concatenate([np.empty(0, dtype=np.int64), *rows]), return_inverse=True)
        matrix = csr_array((data, columns, indptr), shape=(len(rows), len(used)))
        return (matrix @ self.embeddings[used].astype(np.float64)).astype(np.float32)

    def write(self, directory: str | Path) -> None:
        """Write ``embeddings.safetensors``, ``vocabulary.txt``, ``idf.npy``, ``weights.json`` and ``meta.json``."""
        directory = Path(directory)
        self._write(directory, "embeddings", {"embeddings": self.embeddings}, cleaning=self.cleaning)
        np.save(directory / "idf.npy", self.idf)
        weights = {"weights": self.weights.tolist(), "divisor": self.divisor, **self.learning}
        write_json(directory / "weights.json", weights)

    @classmethod
    def load(cls, directory: str | Path) -> Self:
        """Load an encoder from a folder written by :meth:`save`; see :meth:`Encoder.load`."""
        directory = Path(directory)
        files = read_model(directory, "embeddings")
        record = read_json(directory / "weights.json")
        with reading(directory):
            idf = np.load(directory / "idf.npy")
            weights, divisor = np.array(record.pop("weights"), dtype=np.float64), record.pop("divisor")
            embeddings, cleaning = files.tensors["embeddings"], files.settings["cleaning"]
        return cls(embeddings, idf, weights, files.vocabulary, divisor, cleaning, record, files.meta)


def descending_idf(words: Sequence[str], idf: npt.NDArray[np.float64]) -> npt.NDArray[np.int64]:
    """Return the indices, (V,) int64, that sort words by descending idf; words of equal idf are sorted alphabetically.

    Args:
        words: V words.
        idf: (V,) inverse document frequency of each word.
    """
    by_word = np.array(sorted(range(len(words)), key=words.__getitem__), dtype=np.int64)
    return by_word[np.argsort(-idf[by_word], kind="stable")]


def interpolation(length: int, size: int) -> npt.NDArray[np.float64]:
    """Return the (length, size) matrix that interpolates ``size`` trained weights for a text of ``length`` words.

    The words of the text are numbered j = 0, 1, ... in descending order of idf, and w is the vector of trained weights.
    Word j has the position I = j (size - 1) / (length - 1) in w, and its weight is
    w[floor I] + (w[ceil I] - w[floor I]) (I - floor I) / (ceil I - floor I + EPSILON). If the text consists of a single
    word, the position of this word is 0.
    """
    places = np.linspace(0, size - 1, length)
    # Positions that differ from an integer only by rounding errors are set to this integer. Otherwise, they could
    # be rounded down or up to a neighbouring integer.
    whole = np.round(places)
    places = np.where(np.abs(places - whole) < 1e-9, whole, places)
    low, high = np.floor(places).astype(np.int64), np.ceil(places).astype(np.int64)
    share = (places - low) / (high - low + EPSILON)
    matrix = np.zeros((length, size))
    rows = np.arange(length)
    matrix[rows, low] += 1 - share
    matrix[rows, high] += share
    return matrix


def length_map(length: int, size: int, divisor: Divisor) -> npt.NDArray[np.float64]:
    """Return the (length, size) matrix that maps the trained weights to factors for the word vectors of a text.

    The word vectors of a text, in order of descending idf, are multiplied by these factors and added up (equation 3 of
    De Boom et al., 2016). The paper divides the sum by the number of words ("n"), so the vectors of longer texts tend
    to have smaller norms. Dividing by the square root of the number of words instead ("sqrt_n") reduces this effect.
    """
    return interpolation(length, size) / (length if divisor == "n" else np.sqrt(length))


def length_maps(longest: int, size: int, divisor: Divisor) -> npt.NDArray[np.float64]:
    """Return the matrices from :func:`length_map` for all lengths from 0 to ``longest``, padded with zeros.

    The shape of the result is (longest + 1, longest, size).
    """
    maps = np.zeros((longest + 1, longest, size))
    for length in range(1, longest + 1):
        maps[length, :length] = length_map(length, size, divisor)
    return maps
