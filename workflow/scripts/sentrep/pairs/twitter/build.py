"""Build a folder of related and non-related pairs from tweets (De Boom et al. 2016, section 4.2).

    tweets -> index of cleaned tweets -> related pairs -> splits -> non-related pairs -> word ids

:mod:`sentrep.pairs.twitter.rules` defines the pairs, and :mod:`sentrep.pairs.twitter.splits` assigns tweets to splits.
The words of a text keep their order. As in the paper, words outside the vocabulary are omitted. Hashtags that the two
texts of a pair have in common are also omitted.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from sentrep.corpora.frequencies import document_frequencies
from sentrep.corpora.store import TokenStore
from sentrep.errors import SentrepError
from sentrep.pairs.pair_set import SPLITS, Count, Pairs, PairSet, Split
from sentrep.pairs.settings import TwitterSettings
from sentrep.pairs.twitter.index import Bools, Int32, Int64, TweetIndex, index_tweets
from sentrep.pairs.twitter.reading import Reading, read_tweets
from sentrep.pairs.twitter.rules import MINIMUM_WORDS, mine, non_pairs
from sentrep.pairs.twitter.splits import split_nodes

log = logging.getLogger("sentrep")

_SOURCE = "twitter"


@dataclass(frozen=True)
class TweetPairs:
    """The pairs of tweets in all splits.

    In each split, related and non-related pairs alternate, beginning with a related pair.

    Attributes:
        splits: the pairs in each split; their texts are arrays of word ids.
        tweets: for each split, the indices of the two tweets of each pair, (n, 2) int32, with the earlier tweet first.
        counts: sizes of the splits, and the number of related pairs that were dropped for each reason.
    """

    splits: dict[Split, Pairs]
    tweets: dict[Split, Int32]
    counts: list[Count]


def build_twitter_pairs(
    tweets: str | Path,
    store: str | Path,
    output: str | Path,
    *,
    sample: bool = False,
    provenance: dict[str, Any] | None = None,
    **settings: Any,
) -> dict[str, Any]:
    """Read tweets, form pairs, and write the folder of pairs (see :mod:`sentrep.pairs.pair_set`).

    Args:
        tweets: a source manifest or a file of tweets.
        store: token store of the Wikipedia corpus; it provides the vocabulary and the document frequencies.
        output: folder to write.
        sample: whether the tweets are sample data instead of real tweets; recorded in ``meta.json``.
        provenance: entries to add to ``meta.json``.
        settings: fields of :class:`sentrep.pairs.settings.TwitterSettings`.

    Returns:
        The content of ``meta.json``.

    Raises:
        SentrepError: a file is damaged or does not contain tweets, no tweet has an informative hashtag, or there are
            too few or too many pairs (see :func:`make_pairs`). If an error is raised, nothing is written.
    """
    chosen = TwitterSettings(**settings)
    known = TokenStore.open(store)
    reading = Reading()
    index = index_tweets(read_tweets(tweets, reading), chosen.cleaning, chosen.url_token)
    tagged = index.hashtags.lengths() > 0
    log.info(
        "tweets read: %d; accounts: %d; tweets with an informative hashtag: %d",
        len(index),
        len(reading.tweets),
        tagged.sum(),
    )
    if not tagged.any():
        raise SentrepError(
            tweets,
            expected="tweets with informative hashtags",
            found=f"no such tweets (number of tweets searched: {len(index)})",
            remedy="use tweets with informative hashtags, because two tweets are related only if they share hashtags",
        )
    silent = sorted(set(reading.tweets) - {index.users[i] for i in np.flatnonzero(tagged)})
    if silent:
        log.warning(
            "tweets from these accounts have no informative hashtags and therefore form no related pairs: %s",
            ", ".join(silent),
        )
    made = make_pairs(index, known.vocabulary, chosen, where=tweets)
    dropped = [Count("", _SOURCE, "", n, f"tweets left out: {why}") for why, n in sorted(reading.dropped.items())]
    dropped += [Count("", _SOURCE, "", reading.tweets[user], f"tweets of {user}: no hashtag") for user in silent]
    meta = {
        **(provenance or {}),
        **{"source": _SOURCE, "sample": sample, "settings": chosen.model_dump()},
        **{"tweets": len(index), "accounts": len(reading.tweets), "tweets_with_hashtags": int(tagged.sum())},
        "pairs": {name: len(pairs) for name, pairs in made.splits.items()},
    }
    frequencies = document_frequencies(known)
    pairs = PairSet(known.vocabulary, frequencies, known.n_sentences, made.splits, dropped + made.counts, meta)
    pairs.save(output)
    log.info("wrote %s", ", ".join(f"{len(p)} pairs for {name}" for name, p in made.splits.items()))
    return {**meta, "documents": pairs.documents}


def make_pairs(
    index: TweetIndex, vocabulary: Sequence[str], settings: TwitterSettings, where: str | Path
) -> TweetPairs:
    """Form the pairs of all splits from indexed tweets; ``where`` names the source of the tweets in error messages.

    Raises:
        SentrepError: no related pair is found, a split has no pairs, or there are too many related pairs (see
            :func:`sentrep.pairs.twitter.rules.mine`).
    """
    related = mine(index, slots=settings.slots, cap=settings.cap, seed=settings.seed)
    log.info("related pairs found: %d; kept after applying `cap`: %d", related.found, len(related.first))
    if not related.found:
        when = "within 15 minutes of each other" if settings.slots == "sliding" else "in the same quarter of an hour"
        raise SentrepError(
            where,
            expected=(
                f"pairs of tweets that have at least {MINIMUM_WORDS} words each, were sent {when}, and share hashtags "
                "but few words"
            ),
            found=f"no such pairs (number of tweets searched: {len(index)})",
            remedy="use more tweets from accounts that report on the same events",
        )
    texts = _known_words(index, vocabulary)
    nodes, times = _same_texts(index, texts)
    dice = np.random.default_rng(settings.seed)
    pairs = np.stack([related.first, related.second], axis=1)
    known = texts[:, 0] >= 0
    full = known[pairs].all(axis=1)
    pairs = pairs[full]
    side = split_nodes(nodes[pairs[:, 0]], nodes[pairs[:, 1]], times, dice)[nodes]
    inside = side[pairs[:, 0]] == side[pairs[:, 1]]
    pairs = pairs[inside]
    counts = [
        Count("", _SOURCE, True, related.found - len(related.first), "left out: beyond the cap"),
        Count("", _SOURCE, True, int((~full).sum()), "left out: no known word in a text"),
        Count("", _SOURCE, True, int((~inside).sum()), "left out: tweets in different splits"),
    ]
    wording = _Wording(index, vocabulary, texts)
    splits: dict[Split, Pairs] = {}
    behind: dict[Split, Int32] = {}
    for place, split in enumerate(SPLITS):
        own = dice.permutation(pairs[side[pairs[:, 0]] == place])
        pool = (side == place) & known
        drawn = non_pairs(
            *(index, pool, len(own), dice), choice=settings.non_pairs, hashtags=settings.non_pair_hashtags
        )
        others = np.stack(drawn, axis=1)
        size = len(others)
        if not size:
            raise SentrepError(
                where,
                expected=f"related and non-related pairs in each split ({', '.join(SPLITS)})",
                found=f"no non-related pairs in {split} (related pairs: {len(own)} in this split, {related.found} "
                "found in total)",
                remedy="use tweets about more events, or a corpus whose vocabulary contains more of the tweets' words",
            )
        behind[split] = np.stack([own[:size], others], axis=1).reshape(-1, 2)
        splits[split] = Pairs(*wording.of(behind[split]), np.tile([True, False], size))
        counts += [Count(split, _SOURCE, kind, size) for kind in (True, False)]
        if len(own) > size:
            counts.append(Count(split, _SOURCE, True, len(own) - size, "left out: too few non-related pairs"))
    return TweetPairs(splits, behind, [count for count in counts if count.pairs])


def _known_words(index: TweetIndex, vocabulary: Sequence[str]) -> Int32:
    """Return the word ids of the known tokens in each tweet, (n, L) int32, padded with -1; L is at least 1."""
    row_of = {word: row for row, word in enumerate(vocabulary)}
    rows = np.array([row_of.get(word, -1) for word in index.words], dtype=np.int32)
    known = index.tokens.keep(rows[index.tokens.values] >= 0)
    lengths = known.lengths()
    padded = np.full((len(lengths), max(1, int(lengths.max(initial=0)))), -1, dtype=np.int32)
    padded[np.arange(padded.shape[1]) < lengths[:, None]] = rows[known.values]
    return padded


def _same_texts(index: TweetIndex, texts: Int32) -> tuple[Int64, Int64]:
    """Return the graph node of each tweet, (n,), and the time of each node, (m,), for :func:`split_nodes`.

    Tweets with the same known words in the same order share a node, which has the time of the earliest of these tweets.
    """
    nodes: dict[bytes, int] = {}
    node_of = np.array([nodes.setdefault(text.tobytes(), len(nodes)) for text in texts], dtype=np.int64)
    _, first = np.unique(node_of, return_index=True)
    return node_of, index.times[first]


class _Wording:
    """The texts of pairs, without the hashtags that both texts of a pair contain."""

    def __init__(self, index: TweetIndex, vocabulary: Sequence[str], texts: Int32) -> None:
        self._texts = texts
        hashtags = {word for word in index.words if word[0] == "#"}
        self._is_hashtag: Bools = np.array([word in hashtags for word in vocabulary] + [False])  # row -1 is padding

    def of(self, pairs: Int32) -> tuple[Int32, Int32]:
        """Return the word ids of the first and the second text of each pair, as two (m, L) arrays."""
        first, second = self._texts[pairs[:, 0]], self._texts[pairs[:, 1]]
        tagged = self._is_hashtag[first].any(axis=1) & self._is_hashtag[second].any(axis=1)
        for pair in np.flatnonzero(tagged):
            shared = np.intersect1d(first[pair], second[pair])
            shared = shared[self._is_hashtag[shared]]
            for text in (first[pair], second[pair]):
                left = text[~np.isin(text, shared)]
                text[:] = -1
                text[: len(left)] = left
        return first, second
