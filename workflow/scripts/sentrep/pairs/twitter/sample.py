"""Generate the synthetic tweets of the preset ``sample`` from sentences of real news stories.

These are SAMPLE DATA, NOT REAL TWEETS. The sentences are from the Lee news corpora, which consist of short Australian
broadcast news stories (Lee, Pincombe and Welsh 2005) and are included in gensim. Accounts, times, links and hashtags
are synthetic.

- Each story is treated as an event: up to three of its sentences are sent within 12 minutes by different accounts
  (@sample_news_1 to @sample_news_8). The story's two most distinctive words become hashtags of these tweets. One of the
  tweets has only the first of the two hashtags, so that the Jaccard similarity of some pairs of hashtag sets is exactly
  one half.
- Some other sentences of the stories are sent at random times, with a hashtag of a random story, with the
  non-informative hashtag #news, or without a hashtag.
- Some tweets are retweeted ("RT @sample_news_1: ...").

The tweets are generated when the workflow runs and are not included in the project, because the stories may be used
only for research. Every record has ``"sample": true``.
"""

from __future__ import annotations

import importlib.util
import json
import math
import random
import re
import sys
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path

from sentrep.errors import SentrepError
from sentrep.io.files import atomic_file

ACCOUNTS = tuple(f"sample_news_{number}" for number in range(1, 9))
_BEGIN = datetime(2015, 1, 1, tzinfo=UTC)
_BETWEEN_STORIES = timedelta(minutes=5)  # short enough for any 15 minutes to contain tweets about several stories
_LONGEST = 140  # maximum number of characters in a tweet
_SENTENCE_END = re.compile(r"(?<=[.!?])[\"']?\s+(?=[\"'A-Z])")
_WORD = re.compile(r"[a-z]{5,}")


def write(path: str | Path, seed: int = 1) -> int:
    """Write the sample tweets to a JSON Lines file, and return the number of tweets.

    Each record has the keys id, user, created_at, text and sample. The output depends only on the seed.

    Raises:
        SentrepError: gensim, which contains the news stories for the tweets, is not installed.
    """
    dice = random.Random(seed)
    stories = [_sentences(story) for story in _stories()]
    hashtags = _hashtags(stories)
    tweets: list[tuple[datetime, str, str]] = []
    for number, (sentences, tags) in enumerate(zip(stories, hashtags, strict=True)):
        begin = _BEGIN + number * _BETWEEN_STORIES
        dice.shuffle(sentences)
        senders = dice.sample(ACCOUNTS, 4)
        for place, sentence in enumerate(sentences[:3]):
            when = begin + timedelta(seconds=dice.randrange(12 * 60))
            tweets.append((when, senders[place], _tweet(sentence, tags[: min(place, 1) + 1], dice)))
        for sentence in sentences[3:5]:
            when = _BEGIN + dice.random() * len(stories) * _BETWEEN_STORIES
            tags_of_any = dice.choice([[], ["#news"], dice.choice(hashtags)[:1]])
            tweets.append((when, dice.choice(ACCOUNTS), _tweet(sentence, tags_of_any, dice)))
        if sentences and number % 10 == 0:
            when, sender, text = tweets[-1]
            tweets.append((when + timedelta(minutes=3), senders[3], f"RT @{sender}: {text}"))
    tweets.sort()
    with atomic_file(path) as temporary, temporary.open("w", encoding="utf-8") as stream:
        for number, (when, sender, text) in enumerate(tweets, start=1):
            record = {"id": f"sample-{number}", "user": sender, "created_at": f"{when:%Y-%m-%dT%H:%M:%SZ}"}
            stream.write(json.dumps({**record, "text": text, "sample": True}, ensure_ascii=False) + "\n")
    return len(tweets)


def _stories() -> list[str]:
    spec = importlib.util.find_spec("gensim")  # find_spec does not import gensim
    if spec is None or not spec.submodule_search_locations:
        raise SentrepError(
            "gensim",
            expected="an installation of this package, which contains the news stories for the sample tweets",
            found="no such package",
            remedy="run `pip install -r requirements.txt`",
        )
    folder = Path(spec.submodule_search_locations[0]) / "test" / "test_data"
    lines = []
    for name in ("lee_background.cor", "lee.cor"):
        lines += (folder / name).read_text(encoding="utf-8", errors="replace").split("\n")
    return [" ".join(line.split()) for line in lines if line.strip()]


def _sentences(story: str) -> list[str]:
    """Return the distinct sentences of 8 to 40 words in a story."""
    sentences = dict.fromkeys(sentence.strip(" \"'") for sentence in _SENTENCE_END.split(story))
    return [sentence for sentence in sentences if 8 <= len(sentence.split()) <= 40]


def _hashtags(stories: list[list[str]]) -> list[list[str]]:
    """Return up to two hashtags for each story, made from the words with the highest tf-idf."""
    counts = [Counter(_WORD.findall(" ".join(story).lower())) for story in stories]
    frequency = Counter(word for words in counts for word in words)
    return [
        ["#" + word for word in sorted(words, key=lambda w: (-words[w] * math.log(len(stories) / frequency[w]), w))[:2]]
        for words in counts
    ]


def _tweet(sentence: str, hashtags: list[str], dice: random.Random) -> str:
    """Return a sentence, truncated at a space if necessary, followed by a dummy link and hashtags."""
    tail = " ".join([f"https://sample.example/{dice.randrange(10**6):06d}", *hashtags])
    room = _LONGEST - len(tail) - 1
    if len(sentence) > room:
        sentence = sentence[: room - 1].rpartition(" ")[0] + "…"
    return f"{sentence} {tail}"


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python -m sentrep.pairs.twitter.sample FILE.jsonl")
    write(sys.argv[1])
