"""Find related and non-related pairs of tweets, following the rules in section 4.2 of De Boom et al. (2016).

A pair is *related* if

1. both tweets have at least 5 veritable words;
2. the Jaccard similarity of their sets of informative hashtags is at least .5;
3. the tweets were sent at most 15 minutes apart;
4. the Jaccard similarity of their sets of veritable words is less than .5.

A pair is *non-related* if rules 1 and 4 hold and the tweets share no informative hashtag.
:mod:`sentrep.pairs.twitter.cleaning` defines which words are veritable and which hashtags are informative.

To find related pairs, tweets are placed in buckets, one for each informative hashtag. Two tweets are candidates for a
related pair if they are in the same bucket and satisfy rule 3. A tweet need not be in the buckets of all of its
hashtags: if the hashtag sets of two tweets have a Jaccard similarity of at least one half, the rarest hashtag that they
share is among the m // 2 + 1 rarest hashtags of each set, where m is the size of that set. A tweet with m informative
hashtags is therefore placed only in the buckets of its m // 2 + 1 rarest hashtags, few of which are frequent. The
running time is linear in the numbers of tweets and candidates instead of quadratic in the number of tweets.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sentrep.errors import SentrepError
from sentrep.pairs.settings import NonPairHashtags, NonPairs, Slots
from sentrep.pairs.twitter import kernels
from sentrep.pairs.twitter.index import Bools, Int32, Int64, TweetIndex

WINDOW = 15 * 60 * 1000  # milliseconds
MINIMUM_WORDS = 5
_SLOT_MINIMUM = 5  # minimum number of tweets in a time slot from which non-related pairs are drawn
_TRIES = 30  # maximum number of draws per wanted pair; the released code draws at most 30 partners for each tweet
_CHUNK = 1 << 22  # approximate number of candidates per call of the kernel
_MOST_PAIRS = 30_000_000


@dataclass(frozen=True)
class Related:
    """A set of related pairs of tweets.

    Attributes:
        first: index of the earlier tweet of each pair, (p,) int32.
        second: index of the later tweet of each pair, (p,) int32.
        keys: hash of the hashtags that the tweets of each pair share, (p,) uint64.
        found: number of pairs before ``cap`` was applied; see :func:`mine`.
    """

    first: Int32
    second: Int32
    keys: npt.NDArray[np.uint64]
    found: int


def eligible(index: TweetIndex) -> Bools:
    """Return a mask, (n,) bool, of the tweets that satisfy rule 1 (at least 5 veritable words)."""
    return index.n_veritable >= MINIMUM_WORDS


def mine(index: TweetIndex, *, slots: Slots = "sliding", cap: int | None = None, seed: int = 1) -> Related:
    """Find the related pairs of tweets, and return them in chronological order.

    Args:
        index: the tweets.
        slots: "sliding" requires two related tweets to have been sent at most 15 minutes apart, as in the paper;
            "clock" requires them to have been sent in the same time slot of 15 minutes (such as 10:00 to 10:15), as in
            the released code.
        cap: maximum number of pairs with the same set of shared hashtags. If there are more such pairs, ``cap`` of them
            are chosen at random. None keeps all pairs, as in the paper.
        seed: random seed for choosing pairs if ``cap`` is given.

    Raises:
        SentrepError: more than about 30 million pairs remain after ``cap`` has been applied.
    """
    buckets, members = _buckets(index)
    ends = kernels.window_ends(buckets, index.times[members], WINDOW, slots == "clock")
    candidates = np.concatenate(([0], np.cumsum(ends - np.arange(len(ends)) - 1)))
    found, start = 0, 0
    kept: list[tuple[npt.NDArray, ...]] = [_empty()]
    waiting = 0
    while start < len(buckets):
        stop = max(start + 1, int(np.searchsorted(candidates, candidates[start] + _CHUNK, side="right")) - 1)
        room = int(candidates[stop] - candidates[start])
        out = (np.empty(room, np.int32), np.empty(room, np.int32), np.empty(room, np.uint64), np.empty(room, np.uint64))
        n = kernels.related(
            *((start, stop), buckets, members, ends, index.hashtags.values, index.hashtags.offsets),
            *(index.veritable.values, index.veritable.offsets, np.uint64(seed % 2**63), *out),
        )
        kept.append(tuple(column[:n].copy() for column in out))
        found, waiting, start = found + n, waiting + n, stop
        if waiting > _CHUNK:
            kept = [_capped(kept, cap)]
            waiting = 0
            if len(kept[0][0]) > _MOST_PAIRS:
                raise SentrepError(
                    "tweets",
                    expected=f"at most {_MOST_PAIRS:,} related pairs",
                    found=f"{len(kept[0][0]):,} or more",
                    remedy="set or reduce `cap`, which limits the number of pairs for each set of shared hashtags",
                )
    first, second, keys, _ = _capped(kept, cap)
    order = np.lexsort((second, first))
    return Related(first[order], second[order], keys[order], found)


def _buckets(index: TweetIndex) -> tuple[Int32, Int32]:
    """Return the hashtag and the tweet of each bucket entry, as two (m,) arrays sorted by hashtag and then by time."""
    owners = index.hashtags.owners()
    sizes = index.hashtags.lengths()[owners]
    place = np.arange(len(owners)) - index.hashtags.offsets[owners]
    take = (place <= sizes // 2) & eligible(index)[owners]  # each tweet's rarest hashtags come first
    tags, members = index.hashtags.values[take], owners[take].astype(np.int32)
    order = np.argsort(tags, kind="stable")  # tweets are already in chronological order
    return tags[order], members[order]


def _empty() -> tuple[npt.NDArray, ...]:
    return np.empty(0, np.int32), np.empty(0, np.int32), np.empty(0, np.uint64), np.empty(0, np.uint64)


def _capped(parts: list[tuple[npt.NDArray, ...]], cap: int | None) -> tuple[npt.NDArray, ...]:
    """Concatenate ``parts`` column by column, and keep at most ``cap`` pairs for each key.

    The key of a pair is a hash of the hashtags that its two tweets share. For each key, the pairs with the smallest
    priorities are kept (see :func:`kernels.related`). If ``cap`` is None, all pairs are kept.
    """
    columns = tuple(np.concatenate(column) for column in zip(*parts, strict=True))
    if cap is None:
        return columns
    order = np.lexsort((columns[3], columns[2]))
    keys = columns[2][order]
    begins = np.ones(len(keys), dtype=bool)
    begins[1:] = keys[1:] != keys[:-1]
    rank = np.arange(len(keys)) - np.maximum.accumulate(np.where(begins, np.arange(len(keys)), 0))
    return tuple(column[order[rank < cap]] for column in columns)


def non_pairs(
    index: TweetIndex,
    pool: Bools,
    wanted: int,
    dice: np.random.Generator,
    *,
    choice: NonPairs = "any_time",
    hashtags: NonPairHashtags = "any",
) -> tuple[Int32, Int32]:
    """Draw distinct non-related pairs of tweets at random.

    Args:
        index: the tweets.
        pool: mask of the tweets to draw from, (n,) bool; tweets with fewer than 5 veritable words are ignored.
        wanted: number of pairs to draw; fewer are returned if 30 * ``wanted`` draws do not yield enough pairs.
        dice: random number generator.
        choice: "any_time" combines tweets from any time, as in the paper; "same_slot" combines only tweets from the
            same time slot of 15 minutes (such as 10:00 to 10:15), as in the released code. A slot is used only if it
            contains at least 5 tweets. Only tweets with at least 5 veritable words and, if ``hashtags`` is "required",
            an informative hashtag are counted, whereas the released code counts all tweets in the slot.
        hashtags: "any" allows tweets without hashtags, as in the paper; "required" uses only tweets with informative
            hashtags, as in related pairs.

    Returns:
        The indices of the earlier and the later tweet of each pair, two (m,) int32 arrays with m <= ``wanted``.
    """
    usable = eligible(index)
    if hashtags == "required":
        usable &= index.hashtags.lengths() > 0
    starts, sizes, members = _slots(index, usable, pool, choice)
    pairs = np.empty((0, 2), dtype=np.int32)
    for _ in range(_TRIES):
        if len(pairs) >= wanted or not len(starts):
            break
        slot = dice.integers(len(starts), size=wanted)
        one = dice.integers(sizes[slot])
        other = dice.integers(sizes[slot] - 1)
        other += other >= one
        drawn = np.sort(np.stack([members[starts[slot] + one], members[starts[slot] + other]], axis=1), axis=1)
        passed = kernels.unrelated(
            *(drawn[:, 0], drawn[:, 1], index.hashtags.values, index.hashtags.offsets),
            *(index.veritable.values, index.veritable.offsets),
        )
        pairs = np.concatenate([pairs, drawn[passed]])
        _, first = np.unique(pairs[:, 0].astype(np.int64) * len(index) + pairs[:, 1], return_index=True)
        pairs = pairs[np.sort(first)]
    return pairs[:wanted, 0], pairs[:wanted, 1]


def _slots(index: TweetIndex, usable: Bools, pool: Bools, choice: NonPairs) -> tuple[Int64, Int64, Int32]:
    """Return the offset and size of each group of tweets within which pairs are drawn, and the array of all groups."""
    members = np.flatnonzero(usable & pool).astype(np.int32)
    if choice == "any_time":
        enough = len(members) > 1
        return np.zeros(int(enough), np.int64), np.full(int(enough), len(members)), members
    slots = index.times // WINDOW
    held, counts = np.unique(slots[usable], return_counts=True)
    full = np.isin(slots[members], held[counts >= _SLOT_MINIMUM])
    members = members[full]
    _, starts, sizes = np.unique(slots[members], return_index=True, return_counts=True)
    return starts[sizes > 1], sizes[sizes > 1], members
