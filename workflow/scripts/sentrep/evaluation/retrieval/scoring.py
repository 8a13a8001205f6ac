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
    """Encode all captions, train the maps and measure them.

    All caption vectors are held in memory, 4 bytes per number: 11 GB for COCO's 566,435 training captions and 4,800
    dimensions.

    Args:
        encoder: the model.
        images: the data set.
        settings: settings of the training.
        identity: preset, model and seed, repeated in every row; the maps are trained with the same seed.
        device: torch device.

    Returns:
        Rows with :data:`SCORE_COLUMNS` (recalls in percent; ``zero_captions``: number of test captions without a known
        word; ``validation``: sum of the six recalls), and the history of the training.

    Raises:
        SentrepError: as :func:`sentrep.evaluation.retrieval.training.train_maps`, or a vector is not finite.
    """
    started = time.monotonic()
    features = {}
    zeros = 0
    for split in SPLITS:
        part = images.parts[split]
        vectors = _encode(encoder, part.captions)
        features[split] = Features(np.asarray(part.images), vectors)
        zeros = int((abs(vectors).sum(axis=1) == 0).sum())
    log.info(
        "%d captions encoded (%.1f s)", sum(f.captions.shape[0] for f in features.values()), time.monotonic() - started
    )
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
    """Return (n, dimension) float32 vectors, without a second copy of dense ones."""
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
