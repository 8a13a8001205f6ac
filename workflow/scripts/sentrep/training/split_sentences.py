"""Split the long sentences of a token store."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from sentrep.corpora.store import TokenStore

_STEP = 1 << 22  # number of sentences processed at a time


def split_long(store: TokenStore, longest: int) -> TokenStore:
    """Return a token store in which sentences of more than ``longest`` words are split.

    Such a sentence becomes several consecutive sentences. All but the last of these have exactly ``longest`` words. The
    word ids are not copied. Words that the store omits do not count towards the length of a sentence.
    """
    offsets = store.sentence_offsets
    blocks = range(0, store.n_sentences, _STEP)
    found = [first + np.flatnonzero(np.diff(offsets[first : first + _STEP + 1]) > longest) for first in blocks]
    long = np.concatenate([np.empty(0, np.int64), *found])
    if len(long) == 0:
        return store
    cuts = (offsets[long + 1] - offsets[long] - 1) // longest
    before = np.concatenate([[0], np.cumsum(cuts)])
    place = np.arange(before[-1]) - np.repeat(before[:-1], cuts)  # index of each cut in its sentence
    values = np.repeat(offsets[long], cuts) + longest * (place + 1)
    documents = store.document_offsets + before[np.searchsorted(long, store.document_offsets)]
    return replace(
        store, sentence_offsets=np.insert(offsets, np.repeat(long + 1, cuts), values), document_offsets=documents
    )
