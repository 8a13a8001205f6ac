"""The encoder of weighted aggregation (De Boom et al. 2016): word vectors, idf, and one trained weight per idf rank.

Section 3.3 of the paper: m weights are trained. A text of n words takes its weights from n positions spread evenly
over them, by linear interpolation, so its weights are a linear map of the trained ones that depends only on n.
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
EPSILON = 1e-5  # "arbitrarily small" in the paper; this value is the released code's


class WeightedEncoder(WordEncoder):
    """Encode a sentence as the weighted sum of its word vectors by descending idf, divided by their number.

    Args:
        embeddings: (V, d) float32, one row per word of ``vocabulary``.
        idf: (V,) float64; words with equal values are sorted alphabetically.
        weights: (m,) float64, for descending idf; interpolated for sentences of other lengths than m.
        vocabulary: V words.
        divisor: "n" or "sqrt_n".
        cleaning: normalisation of text before it is split at white space.
        learning: record of the training of the weights: {"updates", "stopped"}.
        meta: provenance.

    Raises:
        SentrepError: shapes do not fit.
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
                expected=f"{len(vocabulary)} rows and idf values, one per word",
                found=f"{len(embeddings)} and {len(idf)}",
                remedy="train the model again",
            )
        if divisor not in get_args(Divisor):
            raise SentrepError("divisor", expected="n or sqrt_n", found=repr(divisor), remedy="train the model again")
        self.embeddings, self.idf, self.weights = embeddings, idf, weights
        self.divisor: Divisor = divisor
        self.cleaning: Cleaning = cleaning
        self.learning = dict(learning or {})
        by_word = np.array(sorted(range(len(vocabulary)), key=vocabulary.__getitem__), dtype=np.int64)
        self._place = np.empty(len(vocabulary), dtype=np.int64)
        self._place[by_word[np.argsort(-idf[by_word], kind="stable")]] = np.arange(len(vocabulary))

    @property
    def dimension(self) -> int:
        """Length of a sentence vector."""
        return int(self.embeddings.shape[1])

    def tokens(self, sentences: Sequence[str]) -> list[list[str]]:
        """Normalise each sentence like the texts of the pairs, and split it at white space."""
        normalise = normaliser(self.cleaning)
        return [normalise(sentence).split() for sentence in sentences]

    def _encode(self, sentences: Sequence[str]) -> npt.NDArray[np.float32]:
        """Return (n, d) float32; sentences without known words have rows of zeros."""
        from scipy.sparse import csr_array  # imported here to keep planning fast

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
        """Read what :meth:`save` wrote; see :meth:`Encoder.load`."""
        directory = Path(directory)
        files = read_model(directory, "embeddings")
        record = read_json(directory / "weights.json")
        with reading(directory):
            idf = np.load(directory / "idf.npy")
            weights, divisor = np.array(record.pop("weights"), dtype=np.float64), record.pop("divisor")
            embeddings, cleaning = files.tensors["embeddings"], files.settings["cleaning"]
        return cls(embeddings, idf, weights, files.vocabulary, divisor, cleaning, record, files.meta)


def interpolation(length: int, size: int) -> npt.NDArray[np.float64]:
    """Return the (length, size) matrix that turns ``size`` trained weights into those of a text's words.

    The position of word j is I = j (size - 1) / (length - 1), and its weight is
    (w[ceil I] - w[floor I]) (I - floor I) / (ceil I - floor I + EPSILON) + w[floor I].
    """
    places = np.linspace(0, size - 1, length)
    # rounding must not reduce integers
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
    """Return the (length, size) map from trained weights to the factors of a text's words, equation 3.

    A text's vector is the sum of factor times word vector over its words by descending idf. The paper divides by the
    number of words; "sqrt_n" shows how much of a result comes from the shorter vectors of longer texts.
    """
    return interpolation(length, size) / (length if divisor == "n" else np.sqrt(length))


def length_maps(longest: int, size: int, divisor: Divisor) -> npt.NDArray[np.float64]:
    """Return the maps for all lengths up to ``longest``, (longest + 1, longest, size); zeros after a text's end."""
    maps = np.zeros((longest + 1, longest, size))
    for length in range(1, longest + 1):
        maps[length, :length] = length_map(length, size, divisor)
    return maps
