"""Encode sentences with Paragraph Vector: gensim trains a vector for each new sentence while the model stays fixed.

A model consists of the output vectors, the word vectors if the architecture uses them, and the word counts, from which
gensim rebuilds its Huffman tree or its table of noise words. The random numbers for a sentence depend only on its known
words and on the model's seed. In contrast to vectors from gensim's ``infer_vector``, the vector of a sentence therefore
depends neither on previously encoded sentences nor on Python's hash seed.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import numpy.typing as npt

from sentrep.encoders.base import WordEncoder, check_finite
from sentrep.encoders.model_folder import read_model, reading

if TYPE_CHECKING:
    from gensim.models import Doc2Vec

Tensors = dict[str, npt.NDArray[Any]]
Settings = Mapping[str, Any]


def build_model(
    vocabulary: list[str],
    counts: npt.NDArray[np.int64],
    settings: Settings,
    seed: int,
    document_vectors: npt.NDArray[np.float32],
    threads: int = 1,
) -> Doc2Vec:
    """Return an untrained gensim ``Doc2Vec`` model with the given vocabulary and initial document vectors.

    Args:
        vocabulary: V words, in the order of their row indices.
        counts: number of occurrences of each word, (V,) int64.
        settings: parameters of :mod:`sentrep.families.paragraph_vector`, by name.
        seed: seed of gensim's random number generator.
        document_vectors: initial document vectors, (documents, d) float32; training changes them in place.
        threads: number of training threads.
    """
    from gensim.models import Doc2Vec

    logging.getLogger("gensim").setLevel(logging.WARNING)  # gensim's progress messages duplicate those of sentrep
    dm, hierarchical = settings["architecture"] == "dm", settings["output"] == "hierarchical_softmax"
    model = Doc2Vec(
        dm=int(dm),
        vector_size=settings["dimension"],
        window=settings["window"],
        # `dm_mean` would have no effect, because the base class overwrites it with `cbow_mean`.
        cbow_mean=int(settings["aggregation"] == "mean"),
        dm_concat=int(dm and settings["aggregation"] == "concat"),
        dbow_words=int(settings["train_words"]),
        hs=int(hierarchical),
        negative=0 if hierarchical else settings["negatives"],
        ns_exponent=settings["ns_exponent"],
        sample=settings["sample"],
        alpha=settings["learning_rate"],
        min_alpha=settings["final_learning_rate"],
        min_count=1,  # the token store has already discarded rare words
        sorted_vocab=0,  # keep the order of the token store
        seed=seed % 2**32,
        workers=threads,
    )
    documents = len(document_vectors)
    model.dv.index_to_key, model.dv.vectors = range(documents), document_vectors
    frequencies = dict(zip(vocabulary, np.maximum(counts, 1).tolist(), strict=True))
    model.build_vocab_from_freq(frequencies, corpus_count=documents)
    return model


def model_tensors(model: Doc2Vec) -> Tensors:
    """Return a dictionary with the arrays of a trained gensim model that are needed for inference."""
    tensors = {name: getattr(model, name) for name in ("syn1", "syn1neg") if hasattr(model, name)}
    return {**tensors, "word_vectors": model.wv.vectors} if model.dm else tensors


class ParagraphEncoder(WordEncoder):
    """An encoder that trains a vector for each sentence, by gradient descent, to predict the words of the sentence.

    Args:
        tensors: arrays from :func:`model_tensors`, and the word counts under the key "counts", (V,) int64.
        vocabulary: V words, in the order of their row indices.
        tokeniser_name: name of the tokeniser that is applied to sentences; unknown words are omitted.
        settings: parameters of :mod:`sentrep.families.paragraph_vector`, by name.
        seed: the model's seed; the random numbers for a sentence are derived from this seed and from the sentence's
            known words.
        meta: the model's provenance, which is written to ``meta.json``.

    Raises:
        SentrepError: an array contains NaN or infinity, or the vocabulary or tokeniser is invalid (see
            :class:`sentrep.encoders.base.WordEncoder`).
    """

    def __init__(
        self,
        tensors: Tensors,
        vocabulary: list[str],
        tokeniser_name: str,
        settings: Settings,
        seed: int,
        meta: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(vocabulary, tokeniser_name, meta)
        for name, values in tensors.items():
            check_finite(name, values)
        self.tensors, self.settings, self.seed = tensors, dict(settings), seed

    @property
    def dimension(self) -> int:
        """Number of components of a sentence vector."""
        return self.settings["dimension"]

    def _encode(self, sentences: Sequence[str]) -> npt.NDArray[np.float32]:
        """Return the sentence vectors, (n, d) float32; the vector of a sentence without known words is zero."""
        vectors = np.zeros((len(sentences), self.dimension), dtype=np.float32)
        found: dict[tuple[str, ...], int] = {}
        for row, words in enumerate(self.tokens(sentences)):
            known = tuple(word for word in words if word in self.row_of)
            if known:
                first = found.setdefault(known, row)
                vectors[row] = self._infer(known) if first == row else vectors[first]
        return vectors

    def _infer(self, words: tuple[str, ...]) -> npt.NDArray[np.float32]:
        """Infer the (d,) vector of a sentence from its known words."""
        from gensim.models import doc2vec

        settings, model = self.settings, self.model
        train = doc2vec.train_document_dbow
        if model.dm:
            train = doc2vec.train_document_dm_concat if model.dm_concat else doc2vec.train_document_dm
        vector, model.random = self.start(words)
        rates = np.linspace(
            settings["inference_learning_rate"], settings["final_learning_rate"], settings["inference_epochs"]
        )
        fixed = {"learn_words": False, "learn_hidden": False, "doctag_vectors": vector, "doctags_lockf": self._one}
        # gensim 4.4 keeps no reference to the arrays that it would otherwise create, so it could write to freed memory.
        for name in ("work", "neu1") if model.dm else ("work",):
            fixed[name] = np.zeros(model.layer1_size, dtype=np.float32)
        for rate in rates:
            train(model, words, [0], rate, **fixed)
        return vector[0]

    def start(self, words: tuple[str, ...]) -> tuple[npt.NDArray[np.float32], np.random.RandomState]:
        """Return the initial vector, (1, d), and the random number generator for inferring the vector of a sentence."""
        digest = hashlib.blake2b("\0".join([str(self.seed), *words]).encode(), digest_size=4).digest()
        random = np.random.RandomState(int.from_bytes(digest))  # gensim requires a RandomState
        start = (random.random_sample((1, self.dimension)) - 0.5) / self.dimension
        return start.astype(np.float32), random

    @cached_property
    def model(self) -> Doc2Vec:
        """The gensim model that infers sentence vectors."""
        empty = np.zeros((1, self.dimension), dtype=np.float32)
        model = build_model(self.vocabulary, self.tensors["counts"], self.settings, self.seed, empty)
        for name in ("syn1", "syn1neg"):
            if name in self.tensors:
                setattr(model, name, self.tensors[name])
        if "word_vectors" in self.tensors:
            model.wv.vectors = self.tensors["word_vectors"]
        return model

    @cached_property
    def _one(self) -> npt.NDArray[np.float32]:
        return np.ones(1, dtype=np.float32)

    def write(self, directory: str | Path) -> None:
        """Write ``inference.safetensors``, ``vocabulary.txt`` and ``meta.json``."""
        self._write(directory, "inference", self.tensors, settings=self.settings, seed=self.seed)

    @classmethod
    def load(cls, directory: str | Path) -> Self:
        """Load an encoder from a folder written by :meth:`save`; see :meth:`Encoder.load`."""
        files = read_model(directory, "inference")
        with reading(directory):
            how = files.settings["tokeniser"], files.settings["settings"], files.settings["seed"]
            return cls(files.tensors, files.vocabulary, *how, files.meta)
