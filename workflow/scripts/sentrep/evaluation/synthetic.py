"""Generate synthetic captioned images and reviews for the preset ``sample``.

These are SAMPLE DATA, which share only their format with the real data. Each text is a pattern whose slots are filled
with words from lists. The patterns and lists are in ``workflow/sample/patterns.yaml``. The output depends only on this
YAML file, because all seeds are fixed.
"""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from sentrep.io.files import write_text
from sentrep.io.folders import atomic_directory
from sentrep.io.project import WORKFLOW
from sentrep.io.yaml_files import read_yaml

PATTERNS = WORKFLOW / "sample" / "patterns.yaml"
IMAGE_DIMENSION = 64
IMAGES = {"train": 560, "restval": 40, "val": 100, "test": 250}
CAPTIONS_PER_IMAGE = 5
REVIEWS = 1500
_IMAGE_NOISE = 2.5  # expected length of an image's noise vector; word directions have a length of about one


@cache
def _patterns(kind: str) -> Any:
    return read_yaml(PATTERNS)[kind]


def write_captioned_images(folder: str | Path) -> dict[str, int]:
    """Write the captions and features of synthetic images as ``dataset.json`` and ``features.npy``.

    :mod:`sentrep.evaluation.retrieval.readers` describes the format of these files. Each image represents a scene,
    which is described by one entry (a word or a phrase) from each of four lists: people and animals, appearances,
    actions, and places. Each entry has a random feature vector. The features of an image are the sum of the vectors of
    its four entries plus noise; negative features are set to zero. Each caption contains at least three of the four
    entries or their synonyms. A model that knows the words of a caption can therefore often, but not always, find the
    image to which the caption belongs.

    Returns:
        The number of images in each split.
    """
    rng, data = np.random.default_rng(1), _patterns("captions")
    lists = list(data["scene"].values())
    directions = [rng.normal(0, IMAGE_DIMENSION**-0.5, (len(words), IMAGE_DIMENSION)) for words in lists]
    images: list[dict[str, Any]] = []
    rows = []
    for split, count in IMAGES.items():
        for _ in range(count):
            scene = [int(rng.integers(len(words))) for words in lists]
            clean = sum(each[word] for each, word in zip(directions, scene, strict=True))
            noise = rng.normal(0, _IMAGE_NOISE * IMAGE_DIMENSION**-0.5, IMAGE_DIMENSION)
            rows.append(np.maximum(0, clean + noise))
            captions: dict[str, None] = {}  # an ordered set
            while len(captions) < CAPTIONS_PER_IMAGE:
                captions[_caption(scene, rng)] = None
            image = {"imgid": len(images), "split": split, "filename": f"synthetic-{len(images):04d}"}
            images.append({**image, "sentences": [{"raw": caption} for caption in captions]})
    with atomic_directory(folder) as output:
        text = json.dumps({"dataset": "synthetic sample, not COCO", "images": images}, indent=1)
        (output / "dataset.json").write_text(text + "\n", encoding="utf-8")
        np.save(output / "features.npy", np.array(rows, dtype=np.float32))
    return dict(IMAGES)


def _caption(scene: Sequence[int], rng: np.random.Generator) -> str:
    data, words = _patterns("captions"), {}
    for (slot, choices), chosen in zip(data["scene"].items(), scene, strict=True):
        synonyms = choices[chosen].split("/")
        words[slot] = synonyms[int(rng.integers(len(synonyms)))]
    caption = data["patterns"][int(rng.integers(len(data["patterns"])))].format(**words)
    return caption[0].upper() + caption[1:]


def write_reviews(path: str | Path) -> int:
    """Write synthetic reviews for sentence analogies, one sentence per line, and return the number of sentences."""
    reviews = make_reviews()
    write_text(path, "".join(f"{review}\n" for review in reviews))
    return len(reviews)


def make_reviews() -> list[str]:
    """Generate :data:`REVIEWS` distinct review sentences in random order.

    Many of the sentences form pairs that differ in one word: for example, one sentence has a noun in the singular, and
    the other has the same noun in the plural. In some pairs, the word order also differs. Other sentences have no
    counterpart.
    """
    dice, data = random.Random(1), _patterns("reviews")
    made: dict[str, None] = {}
    while len(made) < REVIEWS:
        group = dice.choice(data["groups"])
        pattern = dice.choice(group["patterns"])
        fill = {slot: dice.choice(words) for slot, words in data["words"].items()}
        for word in dice.choice(group["forms"]).split():
            if dice.random() < 0.8:
                made[_in_some_order(pattern, dice).format(word=word, **fill)] = None
    reviews = list(made)[:REVIEWS]
    dice.shuffle(reviews)
    return reviews


def _in_some_order(pattern: str, dice: random.Random) -> str:
    """Put the two middle parts of a pattern ``before|first|second|after`` in random order, and join all parts."""
    if "|" not in pattern:
        return pattern
    before, first, second, after = pattern.split("|")
    both = [first, second] if dice.random() < 0.7 else [second, first]
    return before + " ".join(both) + after
