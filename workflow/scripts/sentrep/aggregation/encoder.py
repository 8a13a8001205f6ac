"""The encoder of weighted aggregation: word vectors, idf, and one learnt weight per place in the idf order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, Self

import numpy as np
import numpy.typing as npt

from sentrep.aggregation.interpolation import Divisor, length_map
from sentrep.encoders.base import WordEncoder
from sentrep.errors import SentrepError
from sentrep.io.files import read_json, write_json


class WeightedEncoder(WordEncoder):
    """A sentence is the weighted sum of its known words' vectors, in the order of descending idf, over their number.

    Weights of a sentence that is not as long as there are weights, shorter or longer, are interpolated.

    Args:
        embeddings: (V, d) float32, one row per word of ``vocabulary``.
        idf: (V,) float64; the order of words, equal values by the word itself.
        weights: (m,) float64, for descending idf.
        vocabulary: V words.
        divisor: "n" or "sqrt_n".
        cleaning: how text is normalised before it is split at white space.
        learning: how the weights came about, kept with them: {"updates", "stopped"}.
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
        cleaning: Literal["paper", "released_code"] = "paper",
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
        self.embeddings, self.idf, self.weights = embeddings, idf, weights
        self.divisor, self.cleaning, self.learning = divisor, cleaning, dict(learning or {})
        by_word = np.array(sorted(range(len(vocabulary)), key=vocabulary.__getitem__), dtype=np.int64)
        self._place = np.empty(len(vocabulary), dtype=np.int64)
        self._place[by_word[np.argsort(-idf[by_word], kind="stable")]] = np.arange(len(vocabulary))

    @property
    def dimension(self) -> int:
        """Length of a sentence vector."""
        return int(self.embeddings.shape[1])

    def tokens(self, sentences: Sequence[str]) -> list[list[str]]:
        """Normalise each sentence as the pairs' texts were, and split it at white space."""
        from sentrep.corpora.normalise import normalise

        return [normalise(sentence, self.cleaning).split() for sentence in sentences]

    def encode(self, sentences: Sequence[str]) -> npt.NDArray[np.float32]:
        """Return (n, d) float32; a sentence without a known word is a row of zeros."""
        from scipy.sparse import csr_array  # not for planning, which loads this module, too

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

    def save(self, directory: str | Path) -> None:
        """Write ``embeddings.safetensors``, ``vocabulary.txt``, ``idf.npy``, ``weights.json`` and ``meta.json``."""
        directory = Path(directory)
        self._write(directory, "embeddings", self.embeddings, cleaning=self.cleaning)
        np.save(directory / "idf.npy", self.idf)
        write_json(
            directory / "weights.json", {"weights": self.weights.tolist(), "divisor": self.divisor, **self.learning}
        )

    @classmethod
    def load(cls, directory: str | Path) -> Self:
        """Read what :meth:`save` wrote.

        Raises:
            SentrepError: a file is missing or damaged.
        """
        directory = Path(directory)
        embeddings, words, encoder, meta = cls._read(directory, "embeddings")
        record = read_json(directory / "weights.json")
        try:
            idf = np.load(directory / "idf.npy")
            weights, divisor = np.array(record.pop("weights"), dtype=np.float64), record.pop("divisor")
        except (OSError, ValueError, KeyError) as error:
            raise SentrepError(
                directory, expected="a complete model folder", found=str(error), remedy="train the model again"
            ) from None
        return cls(embeddings, idf, weights, words, divisor, encoder["cleaning"], record, meta)
