"""tf-idf: a baseline that uses only the word counts of the training corpus.

A sentence is a sparse vector with one component per word: how often the word occurs in it, times ln(S / df),
where df of the S sentences of the training corpus hold the word. Words the corpus does not know are left out.
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
    """Count in how many sentences each word occurs."""
    idf = inverse_document_frequencies(store).astype(np.float32)
    return TfIdfEncoder(idf, store.vocabulary, store.meta["encoding_tokeniser"])
