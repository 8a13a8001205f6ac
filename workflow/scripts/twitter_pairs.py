"""Mine related and non-related pairs of tweets."""

from typing import Any

from sentrep.pairs.settings import TwitterSettings
from sentrep.pairs.twitter.build import build_twitter_pairs


def main(tweets: str, store: str, settings: dict[str, Any], sample: bool, output: str) -> None:
    """Mine text pairs from tweets, and write them to a folder.

    Args:
        tweets: source manifest of the tweets, or a file of tweets.
        store: token store that provides the vocabulary and the document frequencies.
        settings: fields of :class:`sentrep.pairs.settings.TwitterSettings`.
        sample: whether the tweets are sample data.
        output: folder to write.
    """
    build_twitter_pairs(tweets, store, output, TwitterSettings(**settings), sample=sample)
