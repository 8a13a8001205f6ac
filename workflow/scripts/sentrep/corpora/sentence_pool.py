"""Draw a random sample of distinct sentences, called a pool, in one pass over a corpus of any size."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass

_LETTERS = re.compile(r"[\W_]+")
_SLACK = 1.25  # the sample may grow to this multiple of its final size before it is reduced


@dataclass(frozen=True)
class Pool:
    """A random sample of distinct sentences.

    Attributes:
        sentences: the sampled sentences, in random order.
        read: number of sentences in the corpus.
        left_out: number of sentences in the corpus that were excluded at the caller's request.
    """

    sentences: list[str]
    read: int
    left_out: int


def sentence_key(text: str) -> str:
    """Return the letters and digits of a sentence, in lower case, as a key that does not depend on tokenisation."""
    return _LETTERS.sub("", text.casefold())


def sample_pool(sentences: Iterable[str], size: int, seed: int, leave_out: Iterable[str] = ()) -> Pool:
    """Draw a uniform random sample of distinct sentences from a corpus.

    Sentences with the same :func:`sentence_key` count as one sentence, of which the first copy is used. The sample
    consists of the sentences whose keys have the smallest hashes. The choice of keys therefore depends neither on the
    order of the corpus nor on how often a sentence occurs. Sentences that contain neither letters nor digits are
    skipped. No more than about 1.25 times ``size`` sentences are held in memory.

    Args:
        sentences: all sentences of the corpus, in order.
        size: size of the sample; if the corpus has fewer distinct sentences, all of them are returned.
        seed: seed of the hash function; it determines which sentences are drawn.
        leave_out: sentences that must not be in the sample, such as queries.
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
