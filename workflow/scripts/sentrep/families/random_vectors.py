"""The untrained baseline, which encodes a sentence as the mean of random, normally distributed word vectors.

If ``idf`` is true, each word vector is multiplied by the inverse document frequency (idf) of the word, ln(S / df),
where S is the number of sentences in the corpus, and df is the number of sentences that contain the word. This option
shows the effect of idf weights without trained vectors.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from pydantic.dataclasses import dataclass

from sentrep.corpora.store import TokenStore
from sentrep.encoders.base import AveragingEncoder
from sentrep.training.initialisation import normal_vectors
from sentrep.training.parameters import Count, Positive
from sentrep.training.run import Run

CPU_ONLY = True


@dataclass(frozen=True)
class Parameters:
    """Settings of the baseline; the defaults follow the initialisation of Kenter et al. (2016, section 3.4).

    Attributes:
        dimension: length of a word vector.
        sigma: standard deviation of the components of a word vector.
        idf: multiply each word vector by the inverse document frequency of the word.
        oov: how the encoder treats unknown words; see :class:`sentrep.encoders.base.AveragingEncoder`.
    """

    dimension: Count = 300
    sigma: Positive = 0.01
    idf: bool = False
    oov: Literal["omit", "random"] = "omit"


def train(store: TokenStore, parameters: Parameters, run: Run) -> AveragingEncoder:
    """Return an encoder with random vectors for the words of a token store."""
    embeddings = normal_vectors(store.vocabulary_size, parameters.dimension, parameters.sigma, run.seed)
    if parameters.idf:
        from sentrep.corpora.frequencies import inverse_document_frequencies  # numba is slow to import

        embeddings *= inverse_document_frequencies(store).astype(np.float32)[:, None]
    return AveragingEncoder(embeddings, store.vocabulary, store.meta["encoding_tokeniser"], oov=parameters.oov)
