"""Read a data set of captioned images from a folder.

In this folder, ``captions.txt`` contains one caption per line, ``images.npy`` contains one row of features per image,
and ``meta.json`` contains the number of images in each split. Images are grouped by split, in the order of
:data:`SPLITS`, and captions are grouped by image.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from sentrep.evaluation.nearest_sentences import read_lines
from sentrep.io.files import read_json

SPLITS = ("train", "dev", "test")


@dataclass(frozen=True)
class Part:
    """The images and captions in one split.

    Attributes:
        captions: captions of the n images, m per image, grouped by image.
        images: (n, d) float32 features, as a memory map; changes to the array are not written to the file.
    """

    captions: list[str]
    images: npt.NDArray[np.float32]

    def __len__(self) -> int:
        """Return the number of images."""
        return len(self.images)


@dataclass(frozen=True)
class CaptionedImages:
    """A data set of captioned images.

    Attributes:
        parts: images and captions of each split, keyed by the name of the split.
        meta: content of ``meta.json``, with the keys sample, source, dimension, images and captions_per_image.
    """

    parts: dict[str, Part]
    meta: dict[str, Any]


def load_images(folder: str | Path) -> CaptionedImages:
    """Read a data set from a folder that :func:`sentrep.evaluation.retrieval.readers.prepare` wrote."""
    folder = Path(folder)
    meta = read_json(folder / "meta.json")
    images = np.load(folder / "images.npy", mmap_mode="c")
    lines = read_lines(folder / "captions.txt")
    parts, begin = {}, 0
    for split in SPLITS:
        count = meta["images"][split]
        captions = list(islice(lines, count * meta["captions_per_image"]))
        parts[split] = Part(captions, images[begin : begin + count])
        begin += count
    return CaptionedImages(parts, meta)
