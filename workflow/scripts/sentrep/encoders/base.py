"""Define encoders, which are trained models that map sentences to vectors.

An encoder can be saved to a folder and loaded again with :func:`sentrep.encoders.registry.load_encoder`. The file
``meta.json`` in that folder names the model's family, which determines the encoder class that reads the other files.
"""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, repeat
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self, TypeAlias

import numpy as np
import numpy.typing as npt

from sentrep.corpora.tokenisers import tokeniser
from sentrep.encoders.model_folder import read_model, reading
from sentrep.errors import SentrepError
from sentrep.io.files import save_tensors, write_json
from sentrep.io.seal import seal

if TYPE_CHECKING:
    from scipy.sparse import csr_array  # imported at run time only where it is needed, because the import is slow

_AGAIN = "train or convert the model again"

Vectors: TypeAlias = "npt.NDArray[np.floating] | csr_array"
Counts = npt.NDArray[np.int64]


class Encoder(ABC):
    """A trained model that maps sentences to vectors.

    Attributes:
        meta: the model's provenance, which is written to ``meta.json``; the entry "family" names the model's family.
    """

    meta: dict[str, Any]

    @property
    @abstractmethod
    def dimension(self) -> int:
        """Number of components of a sentence vector."""

    @property
    def part_widths(self) -> tuple[int, ...]:
        """Number of components in each part of a sentence vector.

        A vector has several parts if it is a concatenation; for example, Quick Thoughts concatenates the outputs of two
        encoders. The numbers add up to ``dimension``. Evaluations may scale each part to Euclidean length one.
        """
        return (self.dimension,)

    def encode(self, sentences: str | Sequence[str]) -> Vectors:
        """Return one vector per sentence.

        Args:
            sentences: list of n sentences, or a single sentence.

        Returns:
            Array of shape (n, dimension), or (dimension,) for a single sentence; some models, such as tf-idf, return a
            sparse array. Models that omit unknown words return a zero vector for a sentence without known words.

        Raises:
            SentrepError: a sentence is not a string.
        """
        if isinstance(sentences, str):
            return self._encode((sentences,))[0]
        return self._encode(_checked(sentences))

    def count_tokens(self, sentences: Sequence[str]) -> tuple[Counts, Counts]:
        """Return the number of tokens and the number of known tokens in each sentence, as two (n,) int64 arrays.

        Raises:
            SentrepError: a sentence is not a string, or ``sentences`` is a single string.
        """
        if isinstance(sentences, str):
            raise SentrepError("sentences", expected="a list of strings", found="one string", remedy="pass a list")
        return self._count_tokens(_checked(sentences))

    @abstractmethod
    def _encode(self, sentences: Sequence[str]) -> Vectors:
        """Return the sentence vectors, (n, dimension)."""

    @abstractmethod
    def _count_tokens(self, sentences: Sequence[str]) -> tuple[Counts, Counts]:
        """Return the numbers of tokens and known tokens in each sentence; see :meth:`count_tokens`."""

    def use(self, device: str) -> None:  # noqa: B027 - most encoders do not use torch
        """Move the model to a torch device, such as "cuda"; models that do not use torch ignore this call."""

    @abstractmethod
    def write(self, directory: str | Path) -> None:
        """Write the model's files to an existing folder, without checksums."""

    def save(self, directory: str | Path) -> None:
        """Write the model's files to an existing folder, with checksums in ``meta.json`` (see :func:`seal`)."""
        self.write(directory)
        seal(directory)

    @classmethod
    @abstractmethod
    def load(cls, directory: str | Path) -> Self:
        """Load an encoder from a folder written by :meth:`save`.

        Raises:
            SentrepError: a file is missing or damaged.
        """


def _checked(sentences: Iterable[str]) -> Sequence[str]:
    """Return the sentences as a sequence, or raise a :class:`SentrepError` if one of them is not a string."""
    found = sentences if isinstance(sentences, Sequence) else list(sentences)
    if wrong := next((type(sentence).__name__ for sentence in found if not isinstance(sentence, str)), None):
        raise SentrepError(
            "sentences", expected="strings", found=f"an item of type {wrong}", remedy="remove or convert the item"
        )
    return found


class WordEncoder(Encoder):
    """Base class of encoders that tokenise sentences and map each token to its position in a vocabulary.

    Args:
        vocabulary: V distinct words; the position of a word in this list, counted from 0, is called its row index.
        tokeniser_name: name of a tokeniser in :mod:`sentrep.corpora.tokenisers`.
        meta: the model's provenance, which is written to ``meta.json``.

    Raises:
        SentrepError: a word is empty or occurs more than once, or the tokeniser is unknown.
    """

    RESERVED = 0  # number of leading rows that do not correspond to words

    def __init__(self, vocabulary: list[str], tokeniser_name: str, meta: Mapping[str, Any] | None = None) -> None:
        self.vocabulary = vocabulary
        self.tokeniser_name = tokeniser_name
        self.meta = dict(meta or {})
        self.row_of = {word: row for row, word in enumerate(vocabulary)}
        words = vocabulary[self.RESERVED :]
        if len(set(words)) < len(words) or "" in self.row_of:
            word = next(word for word in words if not word or words.count(word) > 1)
            raise SentrepError(
                "vocabulary",
                expected="distinct, non-empty words",
                found=f"{word!r} more than once" if word else "an empty word",
                remedy=_AGAIN,
            )
        self._tokenise = tokeniser(tokeniser_name)
        self._last: tuple[Sequence[str], list[list[str]]] = ((), [])

    def tokens(self, sentences: Sequence[str]) -> list[list[str]]:
        """Return the tokens of each sentence.

        If ``sentences`` is a tuple, its tokens are cached until the method is called with another tuple. Encoding a
        tuple and then counting its tokens therefore requires only one tokenisation.
        """
        if sentences is not self._last[0]:
            tokens = [self._tokenise(sentence) for sentence in sentences]
            if not isinstance(sentences, tuple):  # a list may change before the next call, so it is not cached
                return tokens
            self._last = (sentences, tokens)
        return self._last[1]

    def _count_tokens(self, sentences: Sequence[str]) -> tuple[Counts, Counts]:
        rows, ends = self._rows(self.tokens(sentences))
        known = np.cumsum(np.concatenate(([0], rows >= 0)))
        return np.diff(ends), np.diff(known[ends])

    def term_counts(self, tokens: Sequence[Sequence[str]]) -> csr_array:
        """Return how often each known word occurs in each tokenised sentence, as a sparse (n, V) float64 array."""
        from scipy.sparse import csr_array

        rows, ends = self._rows(tokens)
        is_known = rows >= 0
        indptr = np.cumsum(np.concatenate(([0], is_known)))[ends]
        indices = rows[is_known]
        counts = csr_array((np.ones(len(indices)), indices, indptr), shape=(len(tokens), len(self.vocabulary)))
        counts.sum_duplicates()
        return counts

    def _rows(self, tokens: Sequence[Sequence[str]]) -> tuple[Counts, Counts]:
        """Return the row index of each token (-1 if unknown), and the n + 1 offsets that delimit the n sentences."""
        ends = np.cumsum([0, *map(len, tokens)])
        rows = map(self.row_of.get, chain.from_iterable(tokens), repeat(-1))
        return np.fromiter(rows, np.int64, int(ends[-1])), ends

    def _write(self, directory: str | Path, file: str, tensors: dict[str, npt.NDArray[Any]], **settings: Any) -> None:
        """Write ``<file>.safetensors``, ``vocabulary.txt``, and ``meta.json``, which includes ``settings``."""
        directory = Path(directory)
        save_tensors(tensors, directory / f"{file}.safetensors")
        lines = "".join(f"{word}\n" for word in self.vocabulary)
        (directory / "vocabulary.txt").write_text(lines, encoding="utf-8")
        encoder = {"tokeniser": self.tokeniser_name, **settings}
        write_json(directory / "meta.json", {**self.meta, "encoder": encoder})


class AveragingEncoder(WordEncoder):
    """An encoder that represents a sentence by the mean or the sum of its word vectors.

    Args:
        embeddings: word vectors, (V, d), one row per word of ``vocabulary``; stored as float32.
        vocabulary: V distinct words, in the order of the rows of ``embeddings``.
        tokeniser_name: name of the tokeniser that is applied to sentences.
        aggregation: how the word vectors of a sentence are aggregated, "mean" or "sum".
        oov: "omit" ignores unknown words, as in Kenter et al. (2016, section 3); "random" gives each unknown word a
            random vector, as the released code of Siamese CBOW does by default (see :func:`random_word_vector`).
        meta: the model's provenance, which is written to ``meta.json``.

    Raises:
        SentrepError: the number of vectors differs from the number of words, a component is not finite, ``aggregation``
            or ``oov`` has an unknown value, or the vocabulary or tokeniser is invalid (see :class:`WordEncoder`).
    """

    def __init__(
        self,
        embeddings: npt.NDArray[np.floating],
        vocabulary: list[str],
        tokeniser_name: str,
        aggregation: Literal["mean", "sum"] = "mean",
        oov: Literal["omit", "random"] = "omit",
        meta: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(vocabulary, tokeniser_name, meta)
        if embeddings.shape[0] != len(vocabulary):
            raise SentrepError(
                "embeddings",
                expected=f"{len(vocabulary)} word vectors, one per word of the vocabulary",
                found=f"{embeddings.shape[0]} vectors",
                remedy=_AGAIN,
            )
        check_finite("embeddings", embeddings)
        self.embeddings = np.ascontiguousarray(embeddings, dtype=np.float32)
        for name, value, known in (("aggregation", aggregation, ("mean", "sum")), ("oov", oov, ("omit", "random"))):
            if value not in known:
                raise SentrepError(
                    name, expected=" or ".join(known), found=repr(value), remedy=f"correct it, or {_AGAIN}"
                )
        self.aggregation: Literal["mean", "sum"] = aggregation
        self.oov: Literal["omit", "random"] = oov

    @property
    def dimension(self) -> int:
        """Number of components of a sentence vector."""
        return int(self.embeddings.shape[1])

    def _encode(self, sentences: Sequence[str]) -> npt.NDArray[np.float32]:
        """Compute the sentence vectors, (n, d), in float64, and return them as float32."""
        from scipy.sparse import csr_array

        tokens = self.tokens(sentences)
        counts = self.term_counts(tokens)
        used, columns = np.unique(counts.indices, return_inverse=True)
        narrow = csr_array((counts.data, columns, counts.indptr), shape=(len(tokens), len(used)))
        vectors = narrow @ self.embeddings[used].astype(np.float64)
        lengths = np.asarray(counts.sum(axis=1), dtype=np.float64)
        if self.oov == "random":
            for row, words in enumerate(tokens):
                for word in words:
                    if word not in self.row_of:
                        vectors[row] += random_word_vector(word, self.dimension)
                        lengths[row] += 1
        if self.aggregation == "mean":
            vectors /= np.maximum(lengths, 1)[:, None]
        return vectors.astype(np.float32)

    def write(self, directory: str | Path) -> None:
        """Write ``embeddings.safetensors``, ``vocabulary.txt`` and ``meta.json``."""
        tensors = {"embeddings": self.embeddings}
        self._write(directory, "embeddings", tensors, aggregation=self.aggregation, oov=self.oov)

    @classmethod
    def load(cls, directory: str | Path) -> Self:
        """Load an encoder from a folder written by :meth:`save`; see :meth:`Encoder.load`."""
        files = read_model(directory, "embeddings")
        with reading(directory):
            settings = files.settings
            how = settings["tokeniser"], settings["aggregation"], settings["oov"]
            return cls(files.tensors["embeddings"], files.vocabulary, *how, files.meta)


def check_finite(name: str, values: npt.NDArray[Any]) -> None:
    """Raise a :class:`SentrepError` if an array contains NaN or infinity."""
    if not np.isfinite(values).all():
        raise SentrepError(
            name, expected="finite numbers", found="NaN or infinity", remedy="lower the learning rate and train again"
        )


def random_word_vector(word: str, dimension: int) -> npt.NDArray[np.float64]:
    """Return a vector of ``dimension`` numbers drawn from N(0, 0.01²), with a hash of ``word`` as the seed."""
    seed = int.from_bytes(hashlib.blake2b(word.encode(), digest_size=8).digest())
    return np.random.default_rng(seed).normal(0.0, 0.01, dimension)
