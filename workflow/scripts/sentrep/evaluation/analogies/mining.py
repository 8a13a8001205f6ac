"""Mining pairs of sentences that differ by one word, the two words being related as in a word analogy.

No sentence is compared with another. Each sentence gives a key for each related word it has: a hash of its other
words. Sentences with the same key and different words are the pairs. Time is that of reading the text twice and of
sorting the keys; memory is 20 bytes a key, the order of the keys, and the sentences found.
"""

from __future__ import annotations

import hashlib
import re
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

Match = Literal["set", "sequence"]
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
WordPair = tuple[str, str]


class SentencePair(NamedTuple):
    """Two sentences, the one with the first word of a word pair and the one with the second, by number."""

    first: int
    second: int


@dataclass(frozen=True)
class Mined:
    """What was found.

    Attributes:
        pairs: sentence pairs of each word pair, in the order of the text.
        texts: the sentences they are made of, by number.
        read: sentences of the text.
        used: sentences of a fitting length that have a related word.
    """

    pairs: dict[WordPair, list[SentencePair]]
    texts: dict[int, str]
    read: int
    used: int


def words_of(sentence: str) -> list[str]:
    """Return a sentence's words in small letters, without punctuation; an apostrophe inside a word is part of it."""
    return _WORD.findall(sentence.casefold().replace("’", "'"))


def signature(words: Sequence[str], word: str, match: Match) -> str | None:
    """Return what two sentences must share to differ by one word only: all but that word.

    Args:
        words: of the sentence.
        word: one of them.
        match: "sequence": the other words stand in the same order, and the word occurs once; "set": the sentences
            have the same other words, whatever their order and number. So the paper's examples are related: "the egg
            drop soup is the best ." and "the egg drop soup is good ."

    Returns:
        The signature; None if the word occurs twice in a sequence.
    """
    if match == "set":
        return " ".join(sorted({other for other in words if other != word}))
    if words.count(word) != 1:
        return None
    return " ".join(other if other != word else "_" for other in words)


def mine_pairs(
    read: Callable[[], Iterable[str]],
    word_pairs: Iterable[WordPair],
    *,
    match: Match = "set",
    minimum_common: int = 3,
    maximum_words: int = 30,
) -> Mined:
    """Find the sentence pairs of each word pair.

    Of several sentences that could be one side of a pair, the first one in the text is taken.

    Args:
        read: opens the text: sentences in order. It is read twice.
        word_pairs: related words, in small letters.
        match: see :func:`signature`.
        minimum_common: distinct words that the two sentences share at least.
        maximum_words: longer sentences are left out.
    """
    wanted = list(dict.fromkeys((a, b) for a, b in word_pairs if a != b))
    number_of = {word: number for number, word in enumerate(sorted({word for pair in wanted for word in pair}))}
    keys, words, sentences, total, used = _keys(read(), number_of, match, minimum_common, maximum_words)
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
    found = {pair: sorted(p for p in each if _truly(pair, p, texts, match)) for pair, each in pairs.items() if each}
    return Mined({pair: each for pair, each in found.items() if each}, texts, total, used)


def _keys(
    sentences: Iterable[str], number_of: Mapping[str, int], match: Match, minimum_common: int, maximum_words: int
) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.int32], npt.NDArray[np.int64], int, int]:
    """Return a key, a word's number and a sentence's number for each related word of each sentence.

    Besides: the numbers of sentences read and used.
    """
    keys, words, numbers = array("Q"), array("i"), array("q")
    total = used = 0
    for number, sentence in enumerate(sentences):
        total += 1
        found = words_of(sentence)
        distinct = set(found)
        related = distinct & number_of.keys()
        if not related or len(found) > maximum_words or len(distinct) <= minimum_common:
            continue
        used += 1
        for word in related:
            shared = signature(found, word, match)
            if shared is not None:
                keys.append(_hash(shared))
                words.append(number_of[word])
                numbers.append(number)
    as_arrays = (np.array(each, dtype=each.typecode) for each in (keys, words, numbers))
    return *as_arrays, total, used


def _groups(keys: npt.NDArray[np.uint64]) -> Iterator[npt.NDArray[np.int64]]:
    """Yield the places of equal keys, in order of place, where there are at least two."""
    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    ends = np.flatnonzero(np.append(ordered[1:] != ordered[:-1], True)) + 1 if len(keys) else np.array([], np.int64)
    begins = np.concatenate([[0], ends[:-1]]) if len(ends) else ends
    for begin, end in zip(begins, ends, strict=True):
        if end - begin > 1:
            yield order[begin:end]


def _truly(pair: WordPair, numbers: SentencePair, texts: Mapping[int, str], match: Match) -> bool:
    """Whether two sentences have the same signature, not only the same hash."""
    first, second = (
        signature(words_of(texts[number]), word, match) for number, word in zip(numbers, pair, strict=True)
    )
    return first == second


def _hash(text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest())
