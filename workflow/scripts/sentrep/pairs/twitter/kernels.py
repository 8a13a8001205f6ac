"""Compiled functions that find related and non-related pairs of tweets for :mod:`sentrep.pairs.twitter.rules`.

A collection of sets is stored in two arrays: set i consists of the int32 numbers
``values[offsets[i]:offsets[i + 1]]``, which are in ascending order. A bucket contains tweets that share a hashtag. A
tweet may be in several buckets; an entry is one tweet in one bucket.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import njit

Int32 = npt.NDArray[np.int32]
Int64 = npt.NDArray[np.int64]
UInt64 = npt.NDArray[np.uint64]


@njit(cache=True)
def common(values: Int32, offsets: Int64, i: int, j: int) -> int:
    """Return the number of members that sets ``i`` and ``j`` of a collection have in common."""
    a, a_end, b, b_end = offsets[i], offsets[i + 1], offsets[j], offsets[j + 1]
    shared = 0
    while a < a_end and b < b_end:
        if values[a] == values[b]:
            shared += 1
            a += 1
            b += 1
        elif values[a] < values[b]:
            a += 1
        else:
            b += 1
    return shared


@njit(cache=True)
def same_words(values: Int32, offsets: Int64, i: int, j: int) -> bool:
    """Return whether the Jaccard similarity of sets ``i`` and ``j`` of a collection is at least one half."""
    shared = common(values, offsets, i, j)
    both = offsets[i + 1] - offsets[i] + offsets[j + 1] - offsets[j] - shared
    return 2 * shared >= both


@njit(cache=True)
def mix(state: np.uint64) -> np.uint64:
    """Hash a 64-bit integer with the finaliser of splitmix64."""
    state = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    state = (state ^ (state >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return state ^ (state >> np.uint64(31))


@njit(cache=True)
def window_ends(buckets: Int32, times: Int64, window: int, clock: bool) -> Int64:
    """Return, for each bucket entry, the index after its last candidate.

    The candidates of an entry are the later entries in the same bucket that are close enough to the entry in time.

    Args:
        buckets: bucket of each entry, (m,), ascending.
        times: time of each entry in milliseconds, (m,), ascending within a bucket.
        window: maximum time difference or, if ``clock`` is true, length of a time slot, in milliseconds.
        clock: if true, candidates must be in the same time slot as the entry, where slots of length ``window`` are
            aligned to the clock; if false, candidates must be at most ``window`` later than the entry.

    Returns:
        (m,) int64 array ``ends``. The candidates of entry e are the entries e + 1 to ends[e] - 1.
    """
    ends = np.empty(len(buckets), dtype=np.int64)
    end = 0
    for entry in range(len(buckets)):
        end = max(end, entry + 1)
        while end < len(buckets) and buckets[end] == buckets[entry]:
            if clock:
                if times[end] // window != times[entry] // window:
                    break
            elif times[end] - times[entry] > window:
                break
            end += 1
        ends[entry] = end
    return ends


@njit(cache=True)
def related(
    entries: tuple[int, int],
    buckets: Int32,
    members: Int32,
    ends: Int64,
    tags: Int32,
    tag_offsets: Int64,
    words: Int32,
    word_offsets: Int64,
    seed: np.uint64,
    first: Int32,
    second: Int32,
    keys: UInt64,
    priorities: UInt64,
) -> int:
    """Find the related pairs that the entries in a range form with their candidates.

    A bucket contains tweets that share a hashtag, and an entry is one tweet in one bucket. :func:`window_ends` defines
    the candidates of an entry. Two tweets that share several hashtags may be together in several buckets. Such a pair
    is counted only in the bucket of the rarest hashtag that the tweets share.

    Args:
        entries: index of the first entry of the range, and index after the last entry of the range.
        buckets: hashtag of each entry, (m,).
        members: index of each entry's tweet, (m,).
        ends: result of :func:`window_ends`.
        tags: values of the tweets' sets of hashtags.
        tag_offsets: offsets of the sets of hashtags.
        words: values of the tweets' sets of veritable words.
        word_offsets: offsets of the sets of veritable words.
        seed: random seed for the priorities.
        first: output array for the index of the earlier tweet of each related pair.
        second: output array for the index of the later tweet of each related pair.
        keys: output array for the hash of the hashtags that the tweets of each related pair share.
        priorities: output array for the priority of each related pair, a random number that depends only on the pair
            and the seed. If the number of pairs with the same shared hashtags is limited, the pairs with the smallest
            priorities are kept.

    Returns:
        The number n of related pairs, which are written to the first n elements of the output arrays.
    """
    n = 0
    for entry in range(entries[0], entries[1]):
        for other in range(entry + 1, ends[entry]):
            i, j = min(members[entry], members[other]), max(members[entry], members[other])
            a, a_end, b, b_end = tag_offsets[i], tag_offsets[i + 1], tag_offsets[j], tag_offsets[j + 1]
            sizes = a_end - a + b_end - b
            shared = 0
            key = np.uint64(0)
            while a < a_end and b < b_end:
                if tags[a] == tags[b]:
                    if shared == 0 and tags[a] != buckets[entry]:
                        break
                    shared += 1
                    key = mix(key + np.uint64(tags[a]) + np.uint64(0x9E3779B97F4A7C15))
                    a += 1
                    b += 1
                elif tags[a] < tags[b]:
                    a += 1
                else:
                    b += 1
            if shared == 0 or 2 * shared < sizes - shared or same_words(words, word_offsets, i, j):
                continue
            first[n], second[n], keys[n] = i, j, key
            priorities[n] = mix(mix(seed + np.uint64(i)) + np.uint64(j))
            n += 1
    return n


@njit(cache=True)
def unrelated(
    first: Int32, second: Int32, tags: Int32, tag_offsets: Int64, words: Int32, word_offsets: Int64
) -> npt.NDArray[np.bool_]:
    """Return a mask, (m,) bool, of the pairs of tweets whose hashtags and words make the pair non-related.

    The tweets must share no informative hashtag, and the Jaccard similarity of their sets of veritable words must be
    below .5. :mod:`sentrep.pairs.twitter.cleaning` defines informative hashtags and veritable words.

    Args:
        first: index of the first tweet of each pair, (m,).
        second: index of the second tweet of each pair, (m,).
        tags: values of the tweets' sets of informative hashtags.
        tag_offsets: offsets of the sets of informative hashtags.
        words: values of the tweets' sets of veritable words.
        word_offsets: offsets of the sets of veritable words.
    """
    passed = np.empty(len(first), dtype=np.bool_)
    for k in range(len(first)):
        i, j = first[k], second[k]
        passed[k] = common(tags, tag_offsets, i, j) == 0 and not same_words(words, word_offsets, i, j)
    return passed
