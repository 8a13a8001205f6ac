"""Compute ranks in image-caption retrieval, and the means of recall and median rank over folds of images.

Images and captions are counted from 0: with m captions per image, the captions of image i have the numbers i * m to
i * m + m - 1. Ranks are also counted from 0, but the median rank is counted from 1. Images or captions with equal
scores keep their original order, as in a stable sort.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt
import pandas as pd

from sentrep.errors import SentrepError

ANNOTATION, SEARCH = "annotation", "search"
RECALLS = {"r@1": 1, "r@5": 5, "r@10": 10}
MEDIAN = "median rank"
SCORE_COLUMNS = [
    "preset",
    "model",
    "seed",
    "direction",
    "metric",
    "value",
    "fold_sd",
    "folds",
    "fold_images",
    "dimension",
    "zero_captions",
    "best_step",
    "steps",
    "validation",
    "sample",
]
Scores = npt.NDArray[np.floating]
Ranks = npt.NDArray[np.int64]


def annotation_ranks(scores: Scores) -> Ranks:
    """Return, for each image, the rank of its highest-ranked caption in the list of all captions, (n,).

    Args:
        scores: (n, n m) scores of n images and their n m captions.
    """
    images, captions = scores.shape
    own = scores.reshape(images, images, -1)[np.arange(images), np.arange(images)]
    first = np.arange(images) * (captions // images) + own.argmax(axis=1)
    best = own.max(axis=1)[:, None]
    earlier = np.arange(captions)[None, :] < first[:, None]
    return (scores > best).sum(axis=1) + ((scores == best) & earlier).sum(axis=1)


def search_ranks(scores: Scores) -> Ranks:
    """Return, for each caption, the rank of its image in the list of all images, (n m,).

    Args:
        scores: (n, n m) scores of n images and their n m captions.
    """
    images, captions = scores.shape
    own = np.repeat(np.arange(images), captions // images)
    score = scores[own, np.arange(captions)][None, :]
    earlier = np.arange(images)[:, None] < own[None, :]
    return (scores > score).sum(axis=0) + ((scores == score) & earlier).sum(axis=0)


def measures(ranks: Ranks) -> dict[str, float]:
    """Return recall at 1, 5 and 10 in percent, and the median rank, counted from 1.

    The median of an even number of ranks is rounded down, as in the released code of Kiros et al. (2015).
    """
    found = {name: 100.0 * float((ranks < most).mean()) for name, most in RECALLS.items()}
    return {**found, MEDIAN: float(np.floor(np.median(ranks)) + 1)}


def folds(images: int, fold_images: int, where: str) -> list[slice]:
    """Return consecutive folds of images; remaining images that do not fill a fold are not used.

    Raises:
        SentrepError: there are not enough images for one fold.
    """
    if images < fold_images:
        raise SentrepError(
            where,
            expected=f"at least {fold_images} images (one fold)",
            found=f"{images} images",
            remedy="use all images of the split, or set a smaller `retrieval.settings.fold_images`",
        )
    return [slice(begin, begin + fold_images) for begin in range(0, images - fold_images + 1, fold_images)]


def over_folds(images: int, fold_images: int, score: Callable[[slice], Scores], where: str) -> pd.DataFrame:
    """Return recall and median rank in both directions of retrieval, averaged over folds of images.

    Args:
        images: number of images.
        fold_images: number of images per fold.
        score: function that takes a fold, as a slice of the images, and returns the score of each of its n images with
            each of their n m captions, (n, n m), where m is the number of captions per image.
        where: name of the split, for error messages.

    Returns:
        A table with the columns direction, metric, value, fold_sd (sample standard deviation over folds; NaN for one
        fold) and folds (number of folds).

    Raises:
        SentrepError: there are not enough images for one fold.
    """
    found = pd.DataFrame([row for fold in folds(images, fold_images, where) for row in _rows(score(fold))])
    groups = found.groupby(["direction", "metric"], sort=False)["value"]
    return groups.agg(value="mean", fold_sd="std", folds="count").reset_index()


def total_recall(measured: pd.DataFrame) -> float:
    """Return the sum of recall at 1, 5 and 10, each in percent, over both directions of retrieval.

    Kiros et al. (2015) use this sum to select a model.
    """
    return float(measured.loc[measured["metric"].isin(RECALLS), "value"].sum())


def _rows(scores: Scores) -> Iterator[dict[str, str | float]]:
    for direction, ranks in ((ANNOTATION, annotation_ranks(scores)), (SEARCH, search_ranks(scores))):
        for metric, value in measures(ranks).items():
            yield {"direction": direction, "metric": metric, "value": value}
