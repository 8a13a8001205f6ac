"""Convert captioned images in the format of Karpathy's split of COCO into a data set for image-caption retrieval.

The file ``dataset.json`` or ``dataset_coco.json`` (Karpathy and Fei-Fei, 2015) lists images with their splits and
captions. Images in the split "restval" are used for training. Image features are read from a ``.mat`` file, such as
``vgg_feats.mat`` in Karpathy's archive (a matrix ``feats`` with one column per image), or from a ``.npy`` file (a
matrix with one row per image). The number of an image's column or row, counted from 0, is the ``imgid`` of the image
or, if the image has none, its position in the list.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from sentrep.errors import SentrepError
from sentrep.evaluation.retrieval.dataset import SPLITS
from sentrep.io.files import ARRAY_ERRORS, create_array, write_json
from sentrep.io.folders import atomic_directory

ANNOTATIONS = ("dataset.json", "dataset_coco.json")
FEATURES = (".npy", ".mat")
_SPLIT_OF = {"train": "train", "restval": "train", "val": "dev", "test": "test"}
_ROWS = 4096  # number of rows to copy at a time
_REMEDY = "download Karpathy's coco.zip, or list other files under `retrieval.files`"


@dataclass(frozen=True)
class Annotated:
    """The captions of an image, and the index of its row in the matrix of features."""

    row: int
    captions: list[str]


def prepare(
    members: Iterable[tuple[str, BinaryIO]],
    output: str | Path,
    *,
    dimension: int,
    captions_per_image: int,
    provenance: dict[str, Any],
) -> dict[str, Any]:
    """Convert annotations and image features into a data set (see :mod:`sentrep.evaluation.retrieval.dataset`).

    Args:
        members: name and stream of each file in the source, including exactly one JSON file of annotations and exactly
            one file of image features.
        output: folder to write.
        dimension: dimension of the features; 4096 for the last hidden layer of VGG.
        captions_per_image: number of captions to keep per image; additional captions are dropped, as is common
            practice.
        provenance: entries to add to ``meta.json``.

    Returns:
        The content of ``meta.json``: the entries of ``provenance``, and the keys images (number of images in each
        split), dimension and captions_per_image.

    Raises:
        SentrepError: the source does not contain exactly one annotation file and exactly one feature file; a file is
            malformed; a split is unknown or has no images; an image has too few captions; or the features do not cover
            all images, have a dimension other than ``dimension``, or are not finite.
    """
    with atomic_directory(output) as folder:
        annotations: dict[str, bytes] = {}
        features: dict[str, Path] = {}
        for name, stream in members:
            base = Path(name).name
            if base in ANNOTATIONS:
                annotations[name] = stream.read()
            elif base.endswith(FEATURES) and not base.startswith("."):
                features[name] = folder / f"features{len(features)}{Path(base).suffix}"
                with features[name].open("wb") as copy:  # a file in an archive cannot be memory-mapped
                    shutil.copyfileobj(stream, copy, 1 << 22)
        name, content = _only(annotations, f"of annotations ({' or '.join(ANNOTATIONS)})")
        splits = read_annotations(content, name, captions_per_image)
        name, path = _only(features, f"of image features ({' or '.join(FEATURES)})")
        rows = [image.row for split in SPLITS for image in splits[split]]
        _copy_rows(_open_features(path, name), rows, dimension, name, folder / "images.npy")
        for copy in features.values():
            copy.unlink()
        with (folder / "captions.txt").open("w", encoding="utf-8", newline="\n") as stream:
            for split in SPLITS:
                stream.writelines(f"{caption}\n" for image in splits[split] for caption in image.captions)
        meta = {
            **provenance,
            "images": {split: len(splits[split]) for split in SPLITS},
            "dimension": dimension,
            "captions_per_image": captions_per_image,
        }
        write_json(folder / "meta.json", meta)
    return meta


def read_annotations(content: bytes, where: str, captions_per_image: int) -> dict[str, list[Annotated]]:
    """Return the images in each split, in the order of the annotation file.

    Args:
        content: the JSON file as bytes.
        where: name of the file, for error messages.
        captions_per_image: number of captions to keep per image; additional captions are dropped.

    Raises:
        SentrepError: the file is malformed, a split is unknown or has no images, or an image has too few captions.
    """
    splits: dict[str, list[Annotated]] = {split: [] for split in SPLITS}
    try:
        for number, image in enumerate(json.loads(content)["images"]):
            name = image.get("filename") or f"image {number}"
            split = _SPLIT_OF.get(image["split"])
            if split is None:
                raise SentrepError(
                    f"{where}, {name}",
                    expected=f"one of the values {', '.join(_SPLIT_OF)} under `split`",
                    found=repr(image["split"]),
                    remedy="correct the `split` of this image",
                )
            # A caption may contain line breaks, which become spaces.
            captions = [text for s in image["sentences"] if (text := " ".join(s["raw"].split()))]
            if len(captions) < captions_per_image:
                raise SentrepError(
                    f"{where}, {name}",
                    expected=f"{captions_per_image} or more non-empty captions",
                    found=str(len(captions)),
                    remedy="add captions to this image, or set a smaller `retrieval.captions_per_image`",
                )
            splits[split].append(Annotated(int(image.get("imgid", number)), captions[:captions_per_image]))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise SentrepError(
            where,
            expected="JSON with a list `images`, whose entries have a `split` and `sentences` with `raw` texts",
            found=f"a different format ({type(error).__name__}: {error})",
            remedy=_REMEDY,
        ) from None
    for split, images in splits.items():
        if not images:
            names = " or ".join(name for name, known in _SPLIT_OF.items() if known == split)
            raise SentrepError(
                where, expected=f"at least one image whose split is {names}", found="none", remedy=_REMEDY
            )
    return splits


def _open_features(path: Path, name: str) -> npt.NDArray[np.floating]:
    """Return the image features in a file as a matrix with one row per image."""
    try:
        if path.suffix == ".npy":
            features = np.load(path, mmap_mode="r")
        else:
            from scipy.io import loadmat

            features = loadmat(path, variable_names=["feats"])["feats"].T
    except (*ARRAY_ERRORS, NotImplementedError) as error:
        raise SentrepError(
            name,
            expected="a .npy file with a matrix, or a .mat file (version 7.2 or earlier) with a matrix `feats`",
            found=f"a different format ({type(error).__name__}: {error})",
            remedy=_REMEDY,
        ) from None
    if features.ndim != 2 or not np.issubdtype(features.dtype, np.floating):
        raise SentrepError(
            name,
            expected="a matrix of floating-point numbers",
            found=f"an array of {features.dtype} with shape {features.shape}",
            remedy="store the features as a float32 matrix with one row (.npy) or one column (.mat) per image",
        )
    return features


def _copy_rows(features: npt.NDArray[np.floating], rows: list[int], dimension: int, name: str, output: Path) -> None:
    """Write the selected rows of a matrix of features to a ``.npy`` file, as float32."""
    if features.shape[1] != dimension or len(features) <= max(rows):
        raise SentrepError(
            name,
            expected=f"features with {dimension} dimensions for {max(rows) + 1} or more images",
            found=f"features with {features.shape[1]} dimensions for {features.shape[0]} images",
            remedy="use the features of the images listed in the annotation file, or correct `retrieval.dimension`",
        )
    target = create_array(output, np.float32, (len(rows), dimension))
    for begin in range(0, len(rows), _ROWS):
        block = features[rows[begin : begin + _ROWS]]
        if not np.isfinite(block).all():
            raise SentrepError(
                name, expected="finite features", found="NaN or infinity", remedy="compute the features again"
            )
        target[begin : begin + _ROWS] = block
    target.flush()


def _only(found: dict[str, Any], wanted: str) -> tuple[str, Any]:
    """Return the name and the value of the only entry in ``found``.

    Raises:
        SentrepError: ``found`` has no entry or more than one entry.
    """
    if len(found) != 1:
        raise SentrepError(
            "retrieval", expected=f"exactly one file {wanted}", found=", ".join(found) or "none", remedy=_REMEDY
        )
    return next(iter(found.items()))
