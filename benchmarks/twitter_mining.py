"""Measure the time that sentrep takes to mine related pairs from tweets.

    python benchmarks/twitter_mining.py [NUMBER]

NUMBER is the number of tweets, by default a million. The tweets are synthetic; see :func:`inputs.synthetic_tweets`. The
script prints CPU times, which other programs on the machine hardly affect. In addition, ``run.py`` compares sentrep
with :func:`brute_force`, which checks every pair. This comparison uses only 2,000 tweets, because the time to check
every pair is quadratic in the number of tweets.
"""

import argparse
import time
from collections.abc import Iterator

from common import Contestant, Work
from host import load_line
from inputs import Settings, synthetic_tweets

from sentrep.pairs.twitter.index import TweetIndex, index_tweets
from sentrep.pairs.twitter.rules import MINIMUM_WORDS, WINDOW, mine


def brute_force(index: TweetIndex) -> int:
    """Count the related pairs by checking every pair of tweets; the fastest checks come first."""
    times, found = index.times.tolist(), 0
    tags = [set(index.hashtags[i].tolist()) for i in range(len(index))]
    words = [set(index.veritable[i].tolist()) for i in range(len(index))]
    long_enough = (index.n_veritable >= MINIMUM_WORDS).tolist()
    for j in range(len(index)):
        for i in range(j):
            if times[j] - times[i] > WINDOW or not (long_enough[i] and long_enough[j]):
                continue
            same_tags, same_words = len(tags[i] & tags[j]), len(words[i] & words[j])
            alike = same_tags and 2 * same_tags >= len(tags[i] | tags[j])
            found += bool(alike and 2 * same_words < len(words[i] | words[j]))
    return found


def works(settings: Settings) -> Iterator[Work]:
    """Yield the task that ``run.py`` measures."""
    n = settings.size(2_000, 300)
    tweets = list(synthetic_tweets(n))
    contestants = [
        Contestant("sentrep", lambda: mine(index_tweets(tweets)), n),
        Contestant(
            "every pair, in Python",
            lambda: brute_force(index_tweets(tweets)),
            n,
            note="the time is quadratic in the number of tweets",
        ),
    ]
    yield Work(f"mining related pairs from {n:,} tweets, including cleaning", "tweets/s", contestants)


def main() -> None:
    """Measure and print the CPU time for indexing tweets and for mining pairs."""
    options = argparse.ArgumentParser(
        description="Measure the time that sentrep takes to mine related pairs from tweets."
    )
    options.add_argument("number", nargs="?", type=int, default=1_000_000, help="number of tweets")
    n = options.parse_args().number
    index_tweets(synthetic_tweets(1_000))  # warm-up
    mine(index_tweets(synthetic_tweets(1_000)))
    tweets = list(synthetic_tweets(n))
    start = time.process_time()
    index = index_tweets(tweets)
    indexed = time.process_time()
    for slots in ("sliding", "clock"):
        begin = time.process_time()
        found = mine(index, slots=slots).found
        print(f"{n:,} tweets, {slots} slots: {found:,} related pairs in {time.process_time() - begin:.1f} s")
    print(f"cleaning and indexing: {indexed - start:.1f} s; {load_line()}")


if __name__ == "__main__":
    main()
