"""The floor: the averaging encoder before any training, word vectors drawn from N(0, sigma).

With ``idf`` each vector is scaled by its word's inverse document frequency in the corpus, a document being one
sentence: ln(S / df). It shows how far word weighting alone goes, with no learnt vectors.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from sentrep.corpora.store import TokenStore, inverse_document_frequencies
from sentrep.encoders.base import AveragingEncoder
from sentrep.training.initialisation import normal_vectors
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

    dimension: int = 300
    sigma: float = 0.01
    idf: bool = False
    oov: Literal["omit", "random"] = "omit"

    def __post_init__(self) -> None:
        if self.dimension < 1 or self.sigma <= 0:
            raise ValueError("dimension and sigma must be positive")


def train(store: TokenStore, parameters: Parameters, run: Run) -> AveragingEncoder:
    """Draw the vectors; nothing is learnt."""
    embeddings = normal_vectors(store.vocabulary_size, parameters.dimension, parameters.sigma, run.seed)
    if parameters.idf:
        embeddings *= inverse_document_frequencies(store).astype(np.float32)[:, None]
    return AveragingEncoder(embeddings, store.vocabulary, store.meta["encoding_tokeniser"], oov=parameters.oov)
