"""Transformed word vectors of other models, for testing which property of the vectors explains a model's scores.

The norms of one model's vectors can be combined with the directions of another model's vectors, the mean vector can be
subtracted, and words can be weighted by their inverse document frequency. Nothing is trained.
"""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
import numpy.typing as npt
from pydantic.dataclasses import dataclass

from sentrep.corpora.store import TokenStore
from sentrep.encoders.base import AveragingEncoder
from sentrep.encoders.registry import load_word_vectors
from sentrep.errors import SentrepError
from sentrep.training.run import Run

DETERMINISTIC = True
CPU_ONLY = True
INPUTS = ("directions",)
OPTIONAL_INPUTS = ("norms",)


@dataclass(frozen=True)
class Parameters:
    """Settings for transforming the word vectors of the input model ``directions``.

    The transformations ``norms``, ``centre`` and ``idf`` are applied in this order.

    Attributes:
        norms: "own" keeps the norms of the vectors; "other" replaces them with the norms of the word vectors of the
            input model ``norms``, which must have the same vocabulary as ``directions``; "unit" sets all norms to 1.
        centre: "words" subtracts the mean vector of all words in the vocabulary; "tokens" subtracts the mean vector of
            all tokens in the corpus, that is, the mean of the word vectors weighted by word frequency; "none" subtracts
            nothing.
        idf: multiply each vector by the inverse document frequency of its word, ln(S / df), where S is the number of
            sentences in the corpus, and df is the number of sentences that contain the word, or 1 if there are none.
        oov: how the encoder treats unknown words; see :class:`sentrep.encoders.base.AveragingEncoder`.
    """

    norms: Literal["own", "other", "unit"] = "own"
    centre: Literal["none", "words", "tokens"] = "none"
    idf: bool = False
    oov: Literal["omit", "random"] = "omit"


def train(store: TokenStore, parameters: Parameters, run: Run) -> AveragingEncoder:
    """Transform the word vectors of the input models, and return an encoder that uses the transformed vectors.

    Raises:
        SentrepError: an input is missing or unexpected, an input is not a model that represents sentences by the mean
            or sum of word vectors, or the vocabularies of the inputs differ.
    """
    expected = {"directions", "norms"} if parameters.norms == "other" else {"directions"}
    if set(run.inputs) != expected:
        wanted = " and ".join(f"`{name}`" for name in sorted(expected))
        raise SentrepError(
            "inputs",
            expected=f"exactly {wanted}",
            found=" and ".join(f"`{name}`" for name in sorted(run.inputs)) or "no inputs",
            remedy=f"set only {wanted} under the `inputs` of this model, or change the parameter `norms`",
        )
    models = {name: load_word_vectors(run.inputs[name]) for name in expected}
    encoder = models["directions"]
    vectors = encoder.embeddings.astype(np.float64)
    if parameters.norms != "own":
        norms = 1.0
        if parameters.norms == "other":
            if models["norms"].vocabulary != encoder.vocabulary:
                raise SentrepError(
                    "inputs.norms",
                    expected="a model with the same vocabulary as the input `directions`",
                    found="a model with a different vocabulary",
                    remedy="use two models that were trained on the same corpus",
                )
            norms = _norms(models["norms"].embeddings.astype(np.float64))
        vectors *= norms / np.maximum(_norms(vectors), np.finfo(np.float64).tiny)
    if parameters.centre == "words":
        vectors -= vectors.mean(axis=0)
    elif parameters.centre == "tokens":
        count_of = dict(zip(store.vocabulary, store.counts.tolist(), strict=True))
        counts = [count_of.get(word, 0) for word in encoder.vocabulary]
        vectors -= np.average(vectors, axis=0, weights=counts)
    if parameters.idf:
        from sentrep.corpora.frequencies import inverse_document_frequencies  # numba is slow to import

        idf_of = dict(zip(store.vocabulary, inverse_document_frequencies(store).tolist(), strict=True))
        vectors *= np.array([[idf_of.get(word, math.log(store.n_sentences))] for word in encoder.vocabulary])
    return AveragingEncoder(
        vectors.astype(np.float32),
        encoder.vocabulary,
        encoder.tokeniser_name,
        aggregation=encoder.aggregation,
        oov=parameters.oov,
    )


def _norms(vectors: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    return np.linalg.norm(vectors, axis=1, keepdims=True)
