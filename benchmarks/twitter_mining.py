"""How long do a million tweets take? Run: python benchmarks/twitter_mining.py [TWEETS]

The tweets are made up: 100 accounts over 80 days (as much text a day as 3 times the paper's crawl), words and hashtags
with Zipf's frequencies, a third of the tweets with one to three hashtags, and every so often a storm: a few hundred
tweets of one event within minutes. Prints processor seconds, which other programs on the machine do not change much.
"""

import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "workflow" / "scripts"))

from sentrep.pairs.tweet_index import index_tweets
from sentrep.pairs.tweet_record import Tweet
from sentrep.pairs.tweet_rules import mine


def made_up_tweets(n: int, seed: int = 1) -> Iterator[Tweet]:
    """Yield n tweets in random order of time."""
    dice = np.random.default_rng(seed)
    span = 80 * 24 * 3600 * 1000
    begin = 1_430_000_000_000
    words = [
        f"word{chr(97 + i % 26)}{chr(97 + i // 26 % 26)}{chr(97 + i // 676 % 26)}{chr(97 + i // 17576)}"
        for i in range(50_000)
    ]
    storm_time, storm_tag = 0, 0
    for start in range(0, n, 10_000):
        size = min(10_000, n - start)
        lengths = dice.integers(4, 20, size)
        ranks = np.minimum(dice.zipf(1.15, lengths.sum()), len(words)) - 1
        tags = np.minimum(dice.zipf(1.3, (size, 3)), 200_000)
        n_tags = np.where(dice.random(size) < 0.33, dice.integers(1, 4, size), 0)
        times = dice.integers(0, span, size)
        place = 0
        for i in range(size):
            if i % 2_000 == 0:
                storm_time, storm_tag = int(dice.integers(0, span)), int(dice.integers(10**6, 10**7))
            text = [words[rank] for rank in ranks[place : place + lengths[i]]]
            place += lengths[i]
            hashtags = [
                f"#tag{chr(97 + int(tag) % 26)}x{np.base_repr(int(tag), 36).lower()}y" for tag in tags[i, : n_tags[i]]
            ]
            when = int(times[i])
            if i % 20 == 0:
                hashtags = [f"#storm{np.base_repr(storm_tag, 36).lower()}"]
                when = storm_time + when % 1_200_000
            yield Tweet(
                str(start + i), f"account_{i % 100}", begin + when, " ".join([*text, "https://t.co/x", *hashtags])
            )


def main() -> None:
    """Time making the index and mining."""
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    index_tweets(made_up_tweets(1_000))  # warm up
    mine(index_tweets(made_up_tweets(1_000)))
    tweets = list(made_up_tweets(n))
    start = time.process_time()
    index = index_tweets(tweets)
    indexed = time.process_time()
    for slots in ("sliding", "clock"):
        begin = time.process_time()
        found = mine(index, slots=slots).found
        print(f"{n:,} tweets, {slots}: {found:,} related pairs in {time.process_time() - begin:.1f} s")
    print(f"cleaning and indexing {indexed - start:.1f} s; load average {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
