"""Made-up captioned images for the sample preset, in the file formats of the real ones.

A scene is one word of each list below: who, with what look, doing what, where. Each word of these lists has a random
direction; an image's features are the sum of its scene's directions and noise, negative values set to zero as a
rectifier would. Its captions are five sentences from patterns that name parts of the scene, sometimes by another
word. Whoever knows the words can thus find the image, but not surely: scenes repeat parts of each other, a caption
leaves parts out, and features are noisy.

    python -m sentrep.evaluation.retrieval.sample FOLDER
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

from sentrep.io.files import atomic_directory

DIMENSION = 64
COUNTS = {"train": 560, "restval": 40, "val": 100, "test": 250}
CAPTIONS = 5
_NOISE = 2.5  # length of the noise of an image; the direction of a word has length about one
# Words after the first of a line mean the same.
_WHO = ["man", "woman", "child", "boy", "dog", "horse", "bird", "fish", "king/ruler", "people/crowd"]
_LOOK = ["large/big", "small/little", "young", "old", "white", "black", "brown", "red"]
_DOES = ["running", "walking/going", "sitting", "standing", "playing", "eating", "sleeping", "swimming"]
_WHERE = [
    "in the water/in the river",
    "on the road/on the street",
    "near the sea/beside the beach",
    "in the forest/under the trees",
    "in the field/on the land",
    "in the snow/in the cold",
    "near the church/at the old church",
    "in the city/in the town",
    "on the ship/on the boat",
    "under the sun/in the warm sun",
]
_SCENE = (_WHO, _LOOK, _DOES, _WHERE)
_PATTERNS = (
    "A {look} {who} is {does} {where}.",
    "The {who} {where} is {does}.",
    "A {who} that is {look}, {does} {where}",
    "There is a {look} {who} {where}.",
    "{where}, a {look} {who} is {does} .",
    "One {who} is {does}, and it is {look}.",
)


def write_sample(output: str | Path, seed: int = 1) -> dict[str, int]:
    """Write ``dataset.json`` and ``features.npy`` into a folder.

    Returns:
        Number of images by split.
    """
    rng = np.random.default_rng(seed)
    directions = [rng.normal(0, DIMENSION**-0.5, (len(words), DIMENSION)) for words in _SCENE]
    images: list[dict[str, Any]] = []
    rows = []
    for split, count in COUNTS.items():
        for _ in range(count):
            scene = [int(rng.integers(len(words))) for words in _SCENE]
            clean = sum(each[word] for each, word in zip(directions, scene, strict=True))
            rows.append(np.maximum(0, clean + rng.normal(0, _NOISE * DIMENSION**-0.5, DIMENSION)))
            captions: dict[str, None] = {}  # in order, each once
            while len(captions) < CAPTIONS:
                captions[_caption(scene, rng)] = None
            image = {"imgid": len(images), "split": split, "filename": f"made-up-{len(images):04d}"}
            images.append({**image, "sentences": [{"raw": caption} for caption in captions]})
    with atomic_directory(output) as folder:
        text = json.dumps({"dataset": "made-up sample, not COCO", "images": images}, indent=1)
        (folder / "dataset.json").write_text(text + "\n", encoding="utf-8")
        np.save(folder / "features.npy", np.array(rows, dtype=np.float32))
    return dict(COUNTS)


def _caption(scene: list[int], rng: np.random.Generator) -> str:
    names = ("who", "look", "does", "where")
    words = {}
    for name, choices, chosen in zip(names, _SCENE, scene, strict=True):
        synonyms = choices[chosen].split("/")
        words[name] = synonyms[int(rng.integers(len(synonyms)))]
    caption = _PATTERNS[int(rng.integers(len(_PATTERNS)))].format(**words)
    return caption[0].upper() + caption[1:]


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python -m sentrep.evaluation.retrieval.sample FOLDER")
    write_sample(sys.argv[1])
