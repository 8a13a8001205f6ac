"""Made-up reviews for the sample preset: sentences from patterns, many of which differ by one word.

A pattern has one slot for a related word and others for what the sentence is about. For each relation, sentences are
made with the words of its questions; some of them lack their counterpart, and some have their words in another order.

    python -m sentrep.evaluation.analogies.sample FILE
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

from sentrep.io.files import atomic_file

SENTENCES = 1500
# Forms of a word -> patterns that take them. Between bars, words that may stand the other way round.
_PATTERNS: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = (
    (
        (
            "good better best",
            "large larger largest",
            "old older oldest",
            "small smaller smallest",
            "cool cooler coolest",
        ),
        (
            "the {thing} in {place} is {word} .",
            "they have the {word} {thing} and an honest {person} .",
            "the {word} {thing} was |near the station|in {place}| .",
            "of all the rooms , ours had the {word} {thing} !",
        ),
    ),
    (
        ("man woman", "brother sister", "husband wife", "son daughter", "father mother", "boy girl"),
        (
            "the {word} of the {person} |met us at the door|in {place}| .",
            "the {person} and the {word} were simply kind !",
            "we asked the {word} about the {thing} in {place} .",
        ),
    ),
    (("his her",), ("the {person} told us about {word} {thing} |in {place}|after dinner| .",)),
    (("he she",), ("{word} told the {person} about the {thing} |in {place}|after dinner| .",)),
    (
        ("play played plays", "look looked looks", "open opened opens", "work worked works", "ask asked asks"),
        (
            "the {person} and the band {word} |in {place}|after dinner| .",
            "someone {word} near the {thing} every evening .",
            "people here say that the {person} {word} too early .",
        ),
    ),
    (
        ("room rooms", "game games", "ship ships", "song songs", "street streets", "bird birds"),
        (
            "the {person} was proud of the {word} |in {place}|by the river| .",
            "nobody told us about the {word} and the {thing} .",
            "we would come back for the {word} in {place} alone !",
        ),
    ),
)
_FILL = {
    "thing": ("water", "music", "fish", "bread", "garden wall", "church tower", "table"),
    "person": ("king", "owner", "young man", "teacher", "captain"),
    "place": ("the old town", "the north", "the harbour", "this part of the city"),
}


def make_reviews(sentences: int = SENTENCES, seed: int = 1) -> list[str]:
    """Return distinct made-up sentences, in random order."""
    dice = random.Random(seed)
    made: dict[str, None] = {}
    while len(made) < sentences:
        forms, patterns = dice.choice(_PATTERNS)
        pattern = dice.choice(patterns)
        fill = {name: dice.choice(choices) for name, choices in _FILL.items()}
        for word in dice.choice(forms).split():
            if dice.random() < 0.8:
                made[_in_some_order(pattern, dice).format(word=word, **fill)] = None
    reviews = list(made)[:sentences]
    dice.shuffle(reviews)
    return reviews


def write_reviews(path: str | Path, seed: int = 1) -> int:
    """Write made-up reviews, a sentence a line; return their number."""
    reviews = make_reviews(seed=seed)
    with atomic_file(path) as temporary:
        temporary.write_text("".join(f"{review}\n" for review in reviews), encoding="utf-8", newline="\n")
    return len(reviews)


def _in_some_order(pattern: str, dice: random.Random) -> str:
    """Return a pattern with the two parts between its bars in one order or the other."""
    if "|" not in pattern:
        return pattern
    before, first, second, after = pattern.split("|")
    both = [first, second] if dice.random() < 0.7 else [second, first]
    return before + " ".join(both) + after


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python -m sentrep.evaluation.analogies.sample FILE")
    write_reviews(sys.argv[1])
