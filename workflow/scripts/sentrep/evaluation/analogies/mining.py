"""Mine pairs of sentences that differ in a single word, given pairs of related words such as "good" and "better".

For each of the given words that a sentence contains, a key is computed: a hash of the other words of the sentence. Two
sentences form a sentence pair if one contains the first word of a pair of related words, the other contains the second
word, and their keys for these words are equal. Equal keys are found by sorting, so it is not necessary to compare every
sentence with every other. The text is read twice: first to compute the keys, and then to collect the sentences of the
sentence pairs. These sentences, the keys (20 bytes each, including the indices of the word and the sentence), and the
sort order of the keys are kept in memory.
"""

from __future__ import annotations

import hashlib
import re
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from sentrep.evaluation.analogies.settings import Mining

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
WordPair = tuple[str, str]


class SentencePair(NamedTuple):
    """The indices of two sentences, one with the first word of a word pair and one with the second word.

    The index of a sentence is its position in the text, counted from 0.
    """

    first: int
    second: int


@dataclass(frozen=True)
class Mined:
    """The sentence pairs found in a text.

    Attributes:
        pairs: the sentence pairs of each word pair, in the order of the text; word pairs without sentence pairs are
            left out.
        texts: the sentences that occur in ``pairs``, keyed by their indices.
        read: number of sentences in the text.
    """

    pairs: dict[WordPair, list[SentencePair]]
    texts: dict[int, str]
    read: int


def words_of(sentence: str) -> list[str]:
    """Return the words of a sentence in lower case, without punctuation; apostrophes inside words are kept."""
    return _WORD.findall(sentence.casefold().replace("’", "'"))


def signature(words: Sequence[str], word: str) -> str:
    """Return the signature of a sentence, a string that represents the set of all of its words except one.

    Two sentences with equal signatures differ only in the words that are left out, and in the order and the repetition
    of words. Order and repetition are ignored because sentence pairs in Logeswaran and Lee (2018) differ in them, such
    as "the egg drop soup is the best ." and "the egg drop soup is good .".

    Args:
        words: words of the sentence.
        word: the word to leave out.
    """
    return " ".join(sorted({other for other in words if other != word}))


def mine_pairs(
    read: Callable[[], Iterable[str]], word_pairs: Iterable[WordPair], settings: Mining | None = None
) -> Mined:
    """Find, for each pair of related words, the pairs of sentences that differ only in these two words.

    The two sentences may also differ in the order and the repetition of words. If several sentences contain the same
    word and have the same :func:`signature` without this word, only the first of these sentences is used.

    Args:
        read: function that returns an iterable of the sentences in order; it is called twice.
        word_pairs: pairs of related words, in lower case.
        settings: criteria that the sentences of a pair must meet; None for the default criteria.
    """
    settings = settings or Mining()
    wanted = list(dict.fromkeys((a, b) for a, b in word_pairs if a != b))
    number_of = {word: number for number, word in enumerate(sorted({word for pair in wanted for word in pair}))}
    keys, words, sentences, total = _keys(read(), number_of, settings)
    partners: dict[int, list[int]] = {}
    for a, b in wanted:
        partners.setdefault(number_of[a], []).append(number_of[b])
    names = list(number_of)
    pairs: dict[WordPair, list[SentencePair]] = {pair: [] for pair in wanted}
    for group in _groups(keys):
        first_with: dict[int, int] = {}
        for place in group:
            first_with.setdefault(int(words[place]), int(sentences[place]))
        for a, sentence in first_with.items():
            for b in partners.get(a, ()):
                if b in first_with and first_with[b] != sentence:
                    pairs[names[a], names[b]].append(SentencePair(sentence, first_with[b]))
    needed = {number for found in pairs.values() for pair in found for number in pair}
    texts = {number: sentence for number, sentence in enumerate(read()) if number in needed}
    found = {pair: sorted(p for p in each if _same_signature(pair, p, texts)) for pair, each in pairs.items() if each}
    return Mined({pair: each for pair, each in found.items() if each}, texts, total)


def _keys(
    sentences: Iterable[str], number_of: Mapping[str, int], settings: Mining
) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.int32], npt.NDArray[np.int64], int]:
    """Return arrays of keys, word indices and sentence indices, and the number of sentences.

    A key is the hash of a :func:`signature`. A sentence adds one entry to the arrays for each word of ``number_of``
    that it contains. Sentences that do not meet the criteria in ``settings`` add no entries.
    """
    keys, words, numbers = array("Q"), array("i"), array("q")
    total = 0
    for number, sentence in enumerate(sentences):
        total += 1
        found = words_of(sentence)
        distinct = set(found)
        related = distinct & number_of.keys()
        if not related or len(found) > settings.maximum_words or len(distinct) <= settings.minimum_common:
            continue
        for word in related:
            keys.append(_hash(signature(found, word)))
            words.append(number_of[word])
            numbers.append(number)
    return np.array(keys, np.uint64), np.array(words, np.int32), np.array(numbers, np.int64), total


def _groups(keys: npt.NDArray[np.uint64]) -> Iterator[npt.NDArray[np.int64]]:
    """Yield the positions of each key that occurs at least twice, in ascending order of the keys."""
    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    edges = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1], [True]]))
    yield from (order[begin:end] for begin, end in pairwise(edges) if end - begin > 1)


def _same_signature(pair: WordPair, numbers: SentencePair, texts: Mapping[int, str]) -> bool:
    """Return whether two sentences whose signatures have equal hashes also have equal signatures."""
    first, second = (signature(words_of(texts[number]), word) for number, word in zip(numbers, pair, strict=True))
    return first == second


def _hash(text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest())
