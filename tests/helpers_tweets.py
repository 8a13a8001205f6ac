"""Tweets of a few words at given minutes, for the tests of tweet pairs."""

from sentrep.pairs.twitter.rules import WINDOW
from sentrep.pairs.twitter.tweet import Tweet

BEGIN = 1_428_000_000_000 // WINDOW * WINDOW
ONE, TWO, SIX = "ant bee cat dog elk", "fox gnu hen ibis jay", "kid lamb mole newt owl pug"


def tweets_of(*rows: tuple[float, str]) -> list[Tweet]:
    """Return tweets from (minutes, text)."""
    return [Tweet(str(i), "sample_news_1", BEGIN + int(t * 60_000), text) for i, (t, text) in enumerate(rows)]


def jaccard(a, b):
    """Return the Jaccard similarity of two sets, or 0 if both are empty."""
    a, b = set(a), set(b)
    return len(a & b) / max(1, len(a | b))
