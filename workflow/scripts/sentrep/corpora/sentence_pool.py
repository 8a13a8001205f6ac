"""Draw a pool of distinct sentences from a corpus of any size, which is read once."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass

_LETTERS = re.compile(r"[\W_]+")
_SLACK = 1.25  # how far the sample may grow before it is cut back


@dataclass(frozen=True)
class Pool:
    """A sample.

    Attributes:
        sentences: at most as many as were asked for, in random order.
        read: sentences of the corpus.
        left_out: of these, sentences that are to be left out.
    """

    sentences: list[str]
    read: int
    left_out: int


def sentence_key(text: str) -> str:
    """Return a sentence's letters and digits, small: the same however it is tokenised, spaced or cased."""
    return _LETTERS.sub("", text.casefold())


def sample_pool(sentences: Iterable[str], size: int, seed: int, leave_out: Iterable[str] = ()) -> Pool:
    """Draw distinct sentences without replacement; each distinct sentence has the same chance.

    Sentences are the same if their :func:`sentence_key` is; the first one met stands for all. The sample are the
    sentences whose keys have the smallest hashes under the seed, so that it depends neither on the order of the corpus
    nor on how often a sentence occurs, and memory is that of 1.25 ``size`` sentences.

    Args:
        sentences: of the corpus.
        size: of the sample; the corpus may have fewer.
        seed: of the hash.
        leave_out: sentences that the sample must not hold.
    """
    salt = seed.to_bytes(8, "little")
    banned = {sentence_key(text) for text in leave_out}
    kept: dict[int, str] = {}
    limit = 1 << 64
    read = left_out = 0
    for sentence in sentences:
        read += 1
        key = sentence_key(sentence)
        if not key:
            continue
        if key in banned:
            left_out += 1
            continue
        number = int.from_bytes(hashlib.blake2b(key.encode(), digest_size=8, salt=salt).digest())
        if number < limit and number not in kept:
            kept[number] = sentence
            if len(kept) > size * _SLACK:
                limit = sorted(kept)[size]
                kept = {number: text for number, text in kept.items() if number < limit}
    return Pool([kept[number] for number in sorted(kept)[:size]], read, left_out)
