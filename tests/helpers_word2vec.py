"""A small store in memory, and helpers that measure word2vec models in tests."""

from collections import Counter
from itertools import chain

import numpy as np

from sentrep.corpora.store import TokenStore, id_type

SMALL = [["a", "b", "c", "d"], [], ["b", "a", "e"], ["e"], ["c", "a", "d", "b", "a"]] * 20
ARCHITECTURES = ["skipgram", "cbow"]


def store_of(sentences, min_count=1, tokeniser="whitespace"):
    """Return a store of tokenised sentences, as one document."""
    counts = Counter(chain.from_iterable(sentences))
    ranked = sorted((w for w in counts if counts[w] >= min_count), key=lambda w: (-counts[w], w))
    row = {word: i for i, word in enumerate(ranked)}
    kept = [[row[word] for word in words if word in row] for words in sentences]
    offsets = np.cumsum([0, *map(len, kept)]).astype(np.int64)
    ids = np.fromiter(chain.from_iterable(kept), id_type(len(ranked)), offsets[-1])
    documents = np.array([0, len(sentences)], dtype=np.int64)
    totals = np.array([counts[word] for word in ranked], dtype=np.int64)
    return TokenStore(ids, offsets, documents, ranked, totals, {"encoding_tokeniser": tokeniser})
