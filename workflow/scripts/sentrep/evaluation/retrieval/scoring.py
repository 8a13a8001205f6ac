"""Score a model on image-caption retrieval."""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping
from itertools import chain
from typing import Any

import numpy as np
import pandas as pd
import scipy.sparse as sp

from sentrep.encoders.base import Encoder, Vectors
from sentrep.evaluation.encoding import encode_in_blocks
from sentrep.evaluation.retrieval.dataset import SPLITS, CaptionedImages
from sentrep.evaluation.retrieval.ranking import SCORE_COLUMNS
from sentrep.evaluation.retrieval.training import Features, Settings, train_maps

log = logging.getLogger("sentrep")


def score_retrieval(
    encoder: Encoder,
    images: CaptionedImages,
    settings: Settings,
    identity: Mapping[str, Any],
    device: str = "cpu",
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Encode all captions, train linear maps to a common space, and measure retrieval performance on the test images.

    The vectors of all captions are kept in memory, with 4 bytes per number if they are dense. For example, dense
    vectors with 4,800 dimensions take 11 GB for the 566,435 training captions of COCO.

    Args:
        encoder: the model.
        images: the data set.
        settings: settings for training the maps.
        identity: preset, model and seed, which are repeated in every row of the scores; this seed is also used to train
            the maps.
        device: torch device.

    Returns:
        The scores, with the columns :data:`SCORE_COLUMNS`, and the training history (see
        :class:`sentrep.evaluation.retrieval.training.Outcome`). Recalls are in percent, ``zero_captions`` is the number
        of test captions whose vector is zero, and ``validation`` is the highest result of
        :func:`sentrep.evaluation.retrieval.ranking.total_recall` on validation images.

    Raises:
        SentrepError: a vector or the training loss is not finite, or there are not enough validation or test images
            for one fold.
    """
    started = time.monotonic()
    features = {}
    zeros = 0
    for split in SPLITS:
        part = images.parts[split]
        vectors = _encode(encoder, part.captions)
        features[split] = Features(np.asarray(part.images), vectors)
        zeros = int((abs(vectors).sum(axis=1) == 0).sum())
    encoded = sum(part.captions.shape[0] for part in features.values())
    log.info("encoded the %d captions of all splits in %.1f s", encoded, time.monotonic() - started)
    outcome = train_maps(features["train"], features["dev"], features["test"], settings, int(identity["seed"]), device)
    shared = {
        "fold_images": settings.fold_images,
        "dimension": encoder.dimension,
        "zero_captions": zeros,
        "best_step": outcome.best_step,
        "steps": int(outcome.history["step"].iloc[-1]),
        "validation": float(outcome.history["validation"].to_numpy().max()),
        "sample": bool(images.meta["sample"]),
    }
    scores = pd.DataFrame(outcome.measured.assign(**identity, **shared), columns=SCORE_COLUMNS)
    return scores, outcome.history


def _encode(encoder: Encoder, captions: list[str]) -> Vectors:
    """Return the vectors of n captions, (n, dimension) float32, without keeping dense vectors in memory twice."""
    blocks = encode_in_blocks(encoder, captions, "retrieval")
    first = next(blocks)
    if isinstance(first, sp.csr_array):
        return sp.csr_array(sp.vstack([first, *blocks]))
    vectors = np.empty((len(captions), encoder.dimension), dtype=np.float32)
    begin = 0
    for block in chain([first], blocks):
        rows = np.asarray(block)
        vectors[begin : begin + len(rows)] = rows
        begin += len(rows)
    return vectors
