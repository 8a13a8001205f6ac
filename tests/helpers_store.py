"""Token stores made from lists, for the tests of training."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path

import numpy as np

from sentrep.corpora.store import TokenStore, id_type
from sentrep.io.files import write_json


def words_of(store: TokenStore, sentence: int) -> list[str]:
    """Return the in-vocabulary words of a sentence in a store."""
    start, stop = store.sentence_offsets[sentence : sentence + 2]
    return [store.vocabulary[i] for i in store.ids[start:stop]]


def make_store(
    sentences: Sequence[Sequence[int]],
    vocabulary_size: int | None = None,
    documents: Sequence[int] | None = None,
) -> TokenStore:
    """Build a store from lists of word ids; ``documents`` lists the numbers of sentences (one document by default)."""
    flat = [i for sentence in sentences for i in sentence]
    size = vocabulary_size or max(flat, default=0) + 1
    lengths = [len(sentence) for sentence in sentences]
    documents = [len(sentences)] if documents is None else documents
    return TokenStore(
        np.array(flat, dtype=id_type(size)),
        np.array([0, *accumulate(lengths)], dtype=np.int64),
        np.array([0, *accumulate(documents)], dtype=np.int64),
        [f"w{i}" for i in range(size)],
        np.bincount(np.array(flat, dtype=np.int64), minlength=size),
        {"encoding_tokeniser": "whitespace"},
    )


def random_store(seed: int, n_sentences: int, vocabulary_size: int, longest: int = 12) -> TokenStore:
    """Build a store of random sentences of 1 to ``longest`` words, in which small ids are far more frequent."""
    rng = np.random.default_rng(seed)
    lengths = rng.integers(1, longest + 1, n_sentences)
    sentences = [(vocabulary_size * rng.random(n) ** 4).astype(int).tolist() for n in lengths]
    return make_store(sentences, vocabulary_size)


def topical_store(n_documents: int = 60) -> TokenStore:
    """Build documents whose sentences use the words of one topic, so that a model can learn to recognise neighbours."""
    rng = np.random.default_rng(0)
    sentences = [
        (10 * (document % 6) + rng.integers(0, 10, 4)).tolist() for document in range(n_documents) for _ in range(8)
    ]
    return make_store(sentences, 60, [8] * n_documents)


def save_store(store: TokenStore, folder: Path) -> None:
    """Save a store to a folder."""
    folder.mkdir()
    for name in ("ids", "sentence_offsets", "document_offsets"):
        np.save(folder / f"{name}.npy", getattr(store, name))
    lines = (f"{word}\t{count}\n" for word, count in zip(store.vocabulary, store.counts, strict=True))
    (folder / "vocabulary.tsv").write_text("".join(lines))
    write_json(folder / "meta.json", store.meta)
