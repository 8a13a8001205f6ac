"""Captioned images as they are kept between steps: a folder of captions and image features, split by split.

``captions.txt`` has a caption a line, image after image; ``images.npy`` a row of features an image; ``meta.json``
says how many images each split has. Splits stand in the order of :data:`SPLITS`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from sentrep.evaluation.nearest import read_lines
from sentrep.io.files import read_json

SPLITS = ("train", "dev", "test")


@dataclass(frozen=True)
class Part:
    """The images of one split.

    Attributes:
        captions: n m captions, image after image.
        images: (n, d) float32, a memory map that may be changed without changing the file.
    """

    captions: list[str]
    images: npt.NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.images)


@dataclass(frozen=True)
class CaptionedImages:
    """A data set.

    Attributes:
        parts: by split.
        per_image: captions of an image.
        meta: sample (made-up data), source, dimension.
    """

    parts: dict[str, Part]
    per_image: int
    meta: dict[str, Any]


def load_images(folder: str | Path) -> CaptionedImages:
    """Read what :func:`sentrep.evaluation.retrieval.readers.prepare` wrote."""
    folder = Path(folder)
    meta = read_json(folder / "meta.json")
    images = np.load(folder / "images.npy", mmap_mode="c")
    lines = read_lines(folder / "captions.txt")
    parts = dict(_parts(meta, images, lines))
    return CaptionedImages(parts, meta["captions_per_image"], meta)


def _parts(meta: dict[str, Any], images: npt.NDArray[np.float32], lines: Iterator[str]) -> Iterator[tuple[str, Part]]:
    begin = 0
    for split in SPLITS:
        count = meta["images"][split]
        captions = list(islice(lines, count * meta["captions_per_image"]))
        yield split, Part(captions, images[begin : begin + count])
        begin += count
