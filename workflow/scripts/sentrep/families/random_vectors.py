"""The untrained baseline: means of random word vectors drawn from N(0, sigma).

With ``idf``, each vector is scaled by the inverse document frequency of its word in the corpus, ln(S / df), where each
of the S sentences counts as a document. This shows the effect of word weighting without trained vectors.
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
        idf: scale each vector by the inverse document frequency of its word.
        oov: treatment of unknown words by the encoder; see :class:`sentrep.encoders.base.AveragingEncoder`.
    """

    dimension: Count = 300
    sigma: Positive = 0.01
    idf: bool = False
    oov: Literal["omit", "random"] = "omit"


def train(store: TokenStore, parameters: Parameters, run: Run) -> AveragingEncoder:
    """Draw random vectors."""
    embeddings = normal_vectors(store.vocabulary_size, parameters.dimension, parameters.sigma, run.seed)
    if parameters.idf:
        embeddings *= inverse_document_frequencies(store).astype(np.float32)[:, None]
    return AveragingEncoder(embeddings, store.vocabulary, store.meta["encoding_tokeniser"], oov=parameters.oov)
