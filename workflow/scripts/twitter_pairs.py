"""Mine related and non-related pairs of tweets."""

from typing import Any

from sentrep.pairs.settings import TwitterSettings
from sentrep.pairs.twitter.build import build_twitter_pairs


def main(tweets: str, store: str, settings: dict[str, Any], sample: bool, output: str) -> None:
    """Mine text pairs from ``tweets``, a manifest or a file, with the vocabulary of ``store``, and write a folder."""
    build_twitter_pairs(tweets, store, output, TwitterSettings(**settings), sample=sample)
