"""tf-idf: a baseline that uses only the word counts of the training corpus.

A sentence vector is sparse and has one component per word: the number of occurrences in the sentence times ln(S / df),
where df of the S sentences of the training corpus contain the word. Unknown words are omitted.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from pydantic.dataclasses import dataclass

from sentrep.corpora.store import TokenStore, inverse_document_frequencies
from sentrep.encoders.tfidf import TfIdfEncoder
from sentrep.training.run import Run

CPU_ONLY = True


@dataclass(frozen=True)
class Parameters:
    """Settings of tf-idf.

    Attributes:
        idf: "plain" is ln(S / df), natural logarithm, no smoothing, as in De Boom et al.'s released code.
    """

    idf: Literal["plain"] = "plain"


def train(store: TokenStore, parameters: Parameters, run: Run) -> TfIdfEncoder:
    """Count the sentences that contain each word."""
    idf = inverse_document_frequencies(store).astype(np.float32)
    return TfIdfEncoder(idf, store.vocabulary, store.meta["encoding_tokeniser"])
