"""Extract pairs of related texts from Wikipedia paragraphs, following the rules in :mod:`sentrep.pairs.wikipedia`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from sentrep.corpora.parallel import ordered_map
from sentrep.corpora.sentence_shards import shard_lines

Rows = npt.NDArray[np.int32]

_SKIPPED = 2  # number of words that are skipped after the first text
_row_of: dict[str, int] = {}  # id of each word; set once in each worker process


@dataclass(frozen=True)
class Mined:
    """A set of related text pairs in corpus order.

    Attributes:
        first: word ids of the first text of each pair, padded with -1, (n, L) int32.
        second: word ids of the second text of each pair, padded with -1, (n, L) int32.
        article: index of each pair's article, (n,) int64.
    """

    first: Rows
    second: Rows
    article: npt.NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.article)

    def __iter__(self) -> Iterator[npt.NDArray[Any]]:
        return iter((self.first, self.second, self.article))

    def take(self, chosen: npt.NDArray[Any]) -> Mined:
        """Return the pairs at the positions ``chosen``, or the pairs for which the mask ``chosen`` is true."""
        return Mined(*(part[chosen] for part in self))


def related_pairs(
    shards: Sequence[Path],
    vocabulary: Sequence[str],
    bounds: tuple[int, int],
    seed: int,
    maximum: int | None = None,
    processes: int = 1,
) -> tuple[Mined, dict[str, int]]:
    """Extract related pairs from Wikipedia paragraphs, and count the paragraphs and pairs that were left out.

    Args:
        shards: files of the corpus, with one normalised paragraph per line.
        vocabulary: known words; the id of a word is its position in the vocabulary.
        bounds: minimum and maximum number of words in a text; the number is drawn at random for each text.
        seed: random seed.
        maximum: maximum number of pairs, or None for no limit. With a limit, articles are drawn at random until they
            contain at least ``maximum`` pairs, and surplus pairs of the article drawn last are dropped. The memory for
            pairs is then proportional to ``maximum`` and does not grow with the corpus.
        processes: number of worker processes.

    Returns:
        The pairs in corpus order, and a dictionary with the number of paragraphs or pairs that were left out for each
        reason.
    """
    parts: list[Mined] = []
    held, limit = 0, np.uint64(2**64 - 1)  # articles whose key exceeds the limit are not drawn
    totals = {"paragraph too short": 0, "too few known words": 0}
    total = article = 0
    jobs = [(number, shard, bounds, seed) for number, shard in enumerate(shards)]
    rows = ({word: row for row, word in enumerate(vocabulary)},)
    for of_shard, short, unknown, ended in ordered_map(_mine_shard, jobs, processes, _set_rows, rows):
        part = replace(of_shard, article=of_shard.article + article)
        article += ended
        total += len(part)
        totals["paragraph too short"] += short
        totals["too few known words"] += unknown
        parts.append(part.take(np.flatnonzero(article_keys(part.article, seed) <= limit)) if maximum else part)
        held += len(parts[-1])
        if maximum and held > 2 * maximum:
            parts = [_drawn(_joined(parts, bounds[1]), maximum, seed)]
            limit = np.uint64(article_keys(parts[0].article, seed).max())
            held = len(parts[0])
    mined = _joined(parts, bounds[1])
    if maximum and len(mined) > maximum:
        mined = _drawn(mined, maximum, seed)
        mined = mined.take(np.sort(np.argsort(article_keys(mined.article, seed), kind="stable")[:maximum]))
    if maximum:
        totals["beyond maximum_pairs"] = total - len(mined)
    return mined, totals


def without_repetitions(mined: Mined) -> Mined:
    """Return the pairs whose two texts differ from each other and from all texts of earlier pairs."""
    texts = np.stack([_fingerprints(mined.first), _fingerprints(mined.second)], axis=1).ravel()
    fresh = np.zeros(len(texts), dtype=bool)
    fresh[np.unique(texts, return_index=True)[1]] = True
    return mined.take(fresh[::2] & fresh[1::2])


def _set_rows(rows: dict[str, int]) -> None:
    global _row_of  # noqa: PLW0603 - each worker process receives the vocabulary once, not with every shard
    _row_of = rows


def _mine_shard(job: tuple[int, Path, tuple[int, int], int]) -> tuple[Mined, int, int, int]:
    """Extract the related pairs from one shard of the corpus.

    Args:
        job: number and path of the shard, minimum and maximum number of words in a text, and random seed.

    Returns:
        The pairs, the number of paragraphs that are too short, the number of paragraphs with too few known words, and
        the number of articles.
    """
    number, shard, (low, high), seed = job
    lines = shard_lines(shard)
    # Each shard has its own random number generator, so that the result does not depend on the number of processes.
    lengths = np.random.default_rng([seed, 0, number]).integers(low, high + 1, size=(len(lines), 2)).tolist()
    row = _row_of.get
    texts: list[list[int]] = []
    articles: list[int] = []
    short = unknown = ended = 0
    for line, (n, m) in zip(lines, lengths, strict=True):
        if not line:
            ended += 1
            continue
        if 4 * (line.count(" ") + 1) < 5 * (n + m):
            short += 1
            continue
        rows = [row(word, -1) for word in line.split(" ")]
        known = [position for position, found in enumerate(rows) if found >= 0]
        if len(known) < n + m:
            unknown += 1
            continue
        start = known[n - 1] + 1 + _SKIPPED
        second = [found for found in rows[start:] if found >= 0][:m]
        if len(second) < m:
            unknown += 1
            continue
        texts.append([rows[position] for position in known[:n]] + [-1] * (high - n))
        texts.append(second + [-1] * (high - m))
        articles.append(ended)
    both = np.array(texts, dtype=np.int32).reshape(-1, 2, high)
    mined = Mined(both[:, 0].copy(), both[:, 1].copy(), np.array(articles, dtype=np.int64))
    return mined, short, unknown, ended


def _joined(parts: Sequence[Mined], width: int) -> Mined:
    empty = Mined(np.zeros((0, width), np.int32), np.zeros((0, width), np.int32), np.zeros(0, np.int64))
    return Mined(*(np.concatenate(columns) for columns in zip(empty, *parts, strict=True)))


def _drawn(mined: Mined, number: int, seed: int) -> Mined:
    """Draw whole articles at random until they contain at least ``number`` pairs, and return the pairs in them."""
    keys = article_keys(mined.article, seed)
    return mined.take(keys <= np.partition(keys, number - 1)[number - 1])


def article_keys(article: npt.NDArray[np.int64], seed: int) -> npt.NDArray[np.uint64]:
    """Return a random key for the article of each pair, (n,) uint64.

    The key of an article depends only on the index of the article and on the seed.
    """
    start = np.random.default_rng([seed, 2]).integers(2**63, dtype=np.uint64)
    return _mixed(article.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15) + start)


def _mixed(value: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    value = (value ^ (value >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    value = (value ^ (value >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return value ^ (value >> np.uint64(31))


def _fingerprints(texts: Rows) -> npt.NDArray[np.uint64]:
    """Return a 64-bit hash of each text, (n,) uint64; for ten million texts, the probability of a collision is 3e-6."""
    value = np.zeros(len(texts), dtype=np.uint64)
    for column in texts.T:
        value = _mixed(value * np.uint64(0x9E3779B97F4A7C15) + column.astype(np.uint64) + np.uint64(2))
    return value
