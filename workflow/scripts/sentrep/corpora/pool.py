"""A pool of sentences: a random sample of distinct ones from a corpus of any size, read once."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from sentrep.errors import SentrepError

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


def corpus_lines(folder: str | Path) -> Iterator[str]:
    """Yield the sentences of a folder of shards, or of a file with a sentence a line.

    Raises:
        SentrepError: there is no such file, or no shard in the folder.
    """
    folder = Path(folder)
    paths = sorted(folder.glob("shard-*.txt")) if folder.is_dir() else [folder]
    if not paths or not paths[0].exists():
        raise SentrepError(
            folder, expected="shards of sentences", found="none", remedy="run the step `sentences` again"
        )
    for path in paths:
        with path.open(encoding="utf-8", newline="\n") as stream:
            for line in stream:
                if sentence := line.strip():
                    yield sentence
