"""tf-idf, a baseline that weights word counts by inverse document frequencies from the training corpus.

A sentence vector is sparse and has one component for each word of the vocabulary. The component is the number of times
that the word occurs in the sentence, multiplied by ln(S / df), where S is the number of sentences in the training
corpus, and df is the number of training sentences that contain the word. Unknown words are omitted.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from pydantic.dataclasses import dataclass

from sentrep.corpora.store import TokenStore
from sentrep.encoders.tfidf import TfIdfEncoder
from sentrep.training.run import Run

DETERMINISTIC = True
CPU_ONLY = True


@dataclass(frozen=True)
class Parameters:
    """Settings of tf-idf.

    Attributes:
        idf: formula of the inverse document frequency. The only option is "plain", which means ln(S / df) without
            smoothing, as in the released code of De Boom et al. (2016). S is the number of sentences in the training
            corpus, and df is the number of these sentences that contain the word.
    """

    idf: Literal["plain"] = "plain"


def train(store: TokenStore, parameters: Parameters, run: Run) -> TfIdfEncoder:
    """Compute the inverse document frequencies of the words in a token store, and return a tf-idf encoder."""
    from sentrep.corpora.frequencies import inverse_document_frequencies  # numba is slow to import

    idf = inverse_document_frequencies(store).astype(np.float32)
    return TfIdfEncoder(idf, store.vocabulary, store.meta["encoding_tokeniser"])
