"""Rank words by descending inverse document frequency (idf), and store their vectors in the order of these ranks.

A text is represented by the ranks of its known words, which are the words that have a vector. Rank 0 belongs to the
known word with the highest idf. To sort the words of a text by idf, it is therefore enough to sort integers. Ties
between words with equal idf are broken only once, when the whole vocabulary is ranked.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from sentrep.encoders.weighted import descending_idf
from sentrep.errors import SentrepError
from sentrep.pairs.pair_set import Pairs, PairSet

Ranks = npt.NDArray[np.int32]


def open_pairs(folder: str | Path) -> PairSet:
    """Read a folder of text pairs, and check that each split has related and non-related pairs.

    Raises:
        SentrepError: a file is missing or damaged, or a split lacks related or non-related pairs.
    """
    corpus = PairSet.load(folder)
    for name, pairs in corpus.splits.items():
        check_both_kinds(
            pairs, Path(folder) / f"{name}.npz", "both related and non-related pairs", "mine pairs from more text"
        )
    return corpus


def check_both_kinds(pairs: Pairs, where: str | Path, expected: str, remedy: str) -> None:
    """Check that a set of pairs has both related and non-related pairs.

    Args:
        pairs: pairs to check.
        where: path or name of the set, for the error message.
        expected: description of what was expected, for the error message.
        remedy: suggested fix, for the error message.

    Raises:
        SentrepError: there are no related pairs, or there are no non-related pairs.
    """
    related = int(pairs.related.sum())
    if not 0 < related < len(pairs):
        raise SentrepError(
            where,
            expected=expected,
            found=f"{related} related and {len(pairs) - related} non-related pairs",
            remedy=remedy,
        )


@dataclass(frozen=True)
class Lexicon:
    """The vectors and idf values of the K known words, in order of descending idf.

    The rank of a word is its position in this order, counted from 0. Rank K stands for "no word" and is used for
    padding. Its vector is zero and its idf is 0, so padding does not change sums of vectors or of idf values.

    Attributes:
        vectors: (K + 1, d) float32, vector of each rank.
        idf: (K + 1,) float64, inverse document frequency of each rank.
        rank_of_row: (V,) int32, the rank of each of the V words in the vocabulary of the pairs, or K if the word has no
            vector.
    """

    vectors: npt.NDArray[np.float32]
    idf: npt.NDArray[np.float64]
    rank_of_row: Ranks

    @property
    def nothing(self) -> int:
        """The rank K, which stands for "no word"."""
        return len(self.idf) - 1

    def rank(self, pairs: Pairs) -> Pairs:
        """Return the pairs with the vocabulary index of each word replaced by the rank of the word.

        Unknown words are removed. The ranks of a text are sorted in ascending order and padded with K, the rank that
        stands for "no word".
        """
        return Pairs(self._rank(pairs.first), self._rank(pairs.second), pairs.related)

    def _rank(self, rows: npt.NDArray[np.int32]) -> Ranks:
        ranks = np.where(rows >= 0, self.rank_of_row[rows], np.int32(self.nothing))
        ranks.sort(axis=1)
        return ranks

    def lengths(self, ranks: Ranks) -> npt.NDArray[np.int64]:
        """Return the number of known words in each text, (n,)."""
        return (ranks < self.nothing).sum(axis=1)


def inverse_document_frequencies(frequencies: npt.NDArray[np.int64], documents: int) -> npt.NDArray[np.float64]:
    """Return the inverse document frequency ln N - ln df of each word, (V,) float64.

    This is the formula in the released code of De Boom et al. (2016). There is no smoothing, but a document frequency
    of 0 counts as 1.

    Args:
        frequencies: (V,) document frequency df of each word.
        documents: number N of documents.
    """
    return np.log(documents) - np.log(np.maximum(frequencies, 1))


def build_lexicon(
    corpus: PairSet, vocabulary: Mapping[str, int], embeddings: npt.NDArray[np.float32], normalise: bool
) -> Lexicon:
    """Build a lexicon of the words that occur in the pairs and have a vector.

    Args:
        corpus: text pairs with their vocabulary and document frequencies.
        vocabulary: mapping from each word that has a vector to its row in ``embeddings``.
        embeddings: (W, d) float32 word vectors.
        normalise: whether to scale each vector to length 1, like the word vectors that De Boom et al. (2016) released.

    Raises:
        SentrepError: no word in the pairs has a vector.
    """
    found = np.array([vocabulary.get(word, -1) for word in corpus.vocabulary], dtype=np.int64)
    idf = inverse_document_frequencies(corpus.document_frequencies, corpus.documents)
    order = descending_idf(corpus.vocabulary, idf)
    order = order[found[order] >= 0]
    if not len(order):
        raise SentrepError(
            "word vectors",
            expected="vectors for words in the pairs",
            found="none",
            remedy="use word vectors that match the language and spelling of the pairs",
        )
    rank_of_row = np.full(len(found), len(order), dtype=np.int32)
    rank_of_row[order] = np.arange(len(order), dtype=np.int32)
    vectors = np.zeros((len(order) + 1, embeddings.shape[1]), dtype=np.float32)
    vectors[:-1] = embeddings[found[order]]
    if normalise:
        vectors = unit_length(vectors)
    return Lexicon(vectors, np.append(idf[order], 0.0), rank_of_row)


def unit_length(vectors: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Return the vectors, (n, d), scaled to length 1; zero vectors stay zero."""
    return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), np.float32(1e-12))


def first_pairs(pairs: Pairs, number: int) -> Pairs:
    """Return the first ``number`` related and the first ``number`` non-related pairs.

    If there are fewer pairs of one kind, all pairs of this kind are returned.
    """
    kept = [np.flatnonzero(kind)[:number] for kind in (pairs.related, ~pairs.related)]
    return pairs.take(np.sort(np.concatenate(kept)))
