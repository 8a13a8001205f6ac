"""Represent cleaned tweets as arrays, to which the rules for pairs are applied."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sentrep.pairs.settings import Cleaning, UrlToken
from sentrep.pairs.twitter.cleaning import clean, is_informative_hashtag, is_veritable
from sentrep.pairs.twitter.tweet import Tweet

Int32 = npt.NDArray[np.int32]
Int64 = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Lists:
    """A concatenation of n lists of numbers, in which list i is ``values[offsets[i]:offsets[i + 1]]``.

    Attributes:
        values: the concatenated lists, (T,) int32.
        offsets: index in ``values`` at which each list starts, followed by the total length T, (n + 1,) int64.
    """

    values: Int32
    offsets: Int64

    def __getitem__(self, index: int) -> Int32:
        return self.values[self.offsets[index] : self.offsets[index + 1]]

    def lengths(self) -> Int64:
        """Return the length of each list, (n,) int64."""
        return np.diff(self.offsets)

    def owners(self) -> Int64:
        """Return, for each value, the index of the list that contains it, (T,) int64."""
        return np.repeat(np.arange(len(self.offsets) - 1), self.lengths())

    def keep(self, mask: Bools) -> Lists:
        """Return the lists restricted to the values for which ``mask``, (T,) bool, is true."""
        counts = np.bincount(self.owners()[mask], minlength=len(self.offsets) - 1)
        return Lists(self.values[mask], np.concatenate(([0], np.cumsum(counts))))

    def sets(self, rank: Int32) -> Lists:
        """Return, for each list, the distinct ranks ``rank[v]`` of its values v, in ascending order."""
        owners, values = self.owners(), rank[self.values]
        order = np.lexsort((values, owners))
        owners, values = owners[order], values[order]
        first = np.ones(len(values), dtype=bool)
        first[1:] = (owners[1:] != owners[:-1]) | (values[1:] != values[:-1])
        return Lists(values, self.offsets).keep(first)


@dataclass(frozen=True)
class TweetIndex:
    """An array representation of n cleaned tweets in chronological order.

    :mod:`sentrep.pairs.twitter.cleaning` defines which words are veritable and which hashtags are informative.

    Attributes:
        ids: id of each tweet.
        users: account that sent each tweet.
        times: time of each tweet in milliseconds since 1970, ascending, (n,) int64.
        tokens: each tweet's tokens in text order, as indices into ``words``.
        words: all distinct tokens.
        hashtags: each tweet's set of informative hashtags, as ascending numbers; rarer hashtags have lower numbers.
        veritable: each tweet's set of veritable words, as ascending indices into ``words``.
        n_veritable: number of veritable words in each tweet, including repetitions, (n,) int64.
    """

    ids: list[str]
    users: list[str]
    times: Int64
    tokens: Lists
    words: list[str]
    hashtags: Lists
    veritable: Lists
    n_veritable: Int64

    def __len__(self) -> int:
        return len(self.ids)

    def text(self, tweet: int) -> list[str]:
        """Return the tokens of the tweet with the index ``tweet``, in text order."""
        return [self.words[token] for token in self.tokens[tweet]]


def index_tweets(tweets: Iterable[Tweet], cleaning: Cleaning = "paper", url_token: UrlToken = "drop") -> TweetIndex:
    """Clean tweets, sort them by time and id, and represent them as arrays.

    :func:`sentrep.pairs.twitter.cleaning.clean` describes ``cleaning`` and ``url_token``.
    """
    rows: dict[str, int] = {}
    ids, users, times = [], [], array("q")
    values, lengths = array("i"), array("q")
    for tweet in tweets:
        tokens = clean(tweet.text, cleaning, url_token)
        values.extend([rows.setdefault(token, len(rows)) for token in tokens])
        lengths.append(len(tokens))
        ids.append(tweet.id)
        users.append(tweet.user)
        times.append(tweet.created_at)
    n = len(ids)
    order = sorted(range(n), key=lambda i: (times[i], len(ids[i]), ids[i]))
    tokens = _reorder(np.array(values, dtype=np.int32), np.array(lengths, dtype=np.int64), order)
    words = list(rows)
    plain = np.arange(len(words), dtype=np.int32)
    informative = np.fromiter(map(is_informative_hashtag, words), dtype=bool, count=len(words))
    countable = np.fromiter(map(is_veritable, words), dtype=bool, count=len(words))
    veritable = tokens.keep(countable[tokens.values])
    hashtags = tokens.keep(informative[tokens.values])
    frequencies = np.bincount(hashtags.sets(plain).values, minlength=len(words))
    rank = np.empty(len(words), dtype=np.int32)
    rank[np.argsort(frequencies, kind="stable")] = plain
    return TweetIndex(
        [ids[i] for i in order],
        [users[i] for i in order],
        np.array(times, dtype=np.int64)[order],
        tokens,
        words,
        hashtags.sets(rank),
        veritable.sets(plain),
        veritable.lengths(),
    )


def _reorder(values: Int32, lengths: Int64, order: list[int]) -> Lists:
    """Split ``values`` into lists of the given lengths, and return the lists in the given order."""
    starts = (np.cumsum(lengths) - lengths)[order]
    lengths = lengths[order]
    offsets = np.concatenate(([0], np.cumsum(lengths)))
    places = np.arange(offsets[-1]) + np.repeat(starts - offsets[:-1], lengths)
    return Lists(values[places], offsets)
