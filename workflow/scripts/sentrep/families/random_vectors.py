"""The untrained baseline: average word vectors that are drawn from N(0, sigma).

With ``idf`` each vector is scaled by its word's inverse document frequency in the corpus, a document being one
sentence: ln(S / df). It shows how far word weighting alone goes, without trained vectors.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from pydantic.dataclasses import dataclass

from sentrep.corpora.store import TokenStore, inverse_document_frequencies
from sentrep.encoders.base import AveragingEncoder
from sentrep.training.initialisation import normal_vectors
from sentrep.training.parameters import Count, Positive
from sentrep.training.run import Run

CPU_ONLY = True


@dataclass(frozen=True)
class Parameters:
    """Settings of the untrained model; the defaults are Siamese CBOW's initialisation (Kenter et al. 2016, 3.4).

    Attributes:
        dimension: length of a word vector.
        sigma: standard deviation of its components.
        idf: scale each vector by its word's inverse document frequency.
        oov: what the encoder does with unknown words; see :class:`sentrep.encoders.base.AveragingEncoder`.
    """

    dimension: Count = 300
    sigma: Positive = 0.01
    idf: bool = False
    oov: Literal["omit", "random"] = "omit"


def train(store: TokenStore, parameters: Parameters, run: Run) -> AveragingEncoder:
    """Draw the vectors; nothing is learnt."""
    embeddings = normal_vectors(store.vocabulary_size, parameters.dimension, parameters.sigma, run.seed)
    if parameters.idf:
        embeddings *= inverse_document_frequencies(store).astype(np.float32)[:, None]
    return AveragingEncoder(embeddings, store.vocabulary, store.meta["encoding_tokeniser"], oov=parameters.oov)
