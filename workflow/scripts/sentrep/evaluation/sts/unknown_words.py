"""Compute sentence similarities with random vectors for unknown words, as an alternative to omitting these words.

Models with small vocabularies omit rare words. Models with vocabularies of hundreds of thousands of words have vectors
for rare words, but training hardly changes the random initial values of these vectors. A comparison of the scores with
and without random vectors for unknown words shows how much the omission of rare words affects the scores of a model.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from sentrep.encoders.base import AveragingEncoder
from sentrep.encoders.registry import load_encoder
from sentrep.evaluation.sts.scoring import SentencePairs, similarities
from sentrep.evaluation.sts.sets import StsSet

COLUMNS = ["year", "dataset", "pair", "random", "both_unknown"]


def random_unknown_words(model: str, sets: Sequence[StsSet]) -> pd.DataFrame:
    """Return the similarities that a model assigns to sentence pairs if unknown words have random vectors.

    Args:
        model: folder of the model.
        sets: sets of sentence pairs.

    Returns:
        A table with one row per pair and the columns :data:`COLUMNS`. ``random`` is the similarity; it is NaN if the
        model is not an :class:`~sentrep.encoders.base.AveragingEncoder`. ``both_unknown`` is 1 if neither sentence of
        the pair has a known word, and 0 otherwise.
    """
    encoder = load_encoder(model)
    averaging = isinstance(encoder, AveragingEncoder)
    if averaging:
        encoder.oov = "random"
    frames = [pd.DataFrame(columns=COLUMNS)]
    for sts in sets:
        of_set = SentencePairs.of(sts.sentences1, sts.sentences2)
        _, known = encoder.count_tokens(of_set.distinct)
        nothing = known == 0
        columns = {
            "year": sts.year,
            "dataset": sts.dataset,
            "pair": np.arange(sts.pairs),
            "random": similarities(encoder, of_set, f"{model}, {sts.year} {sts.dataset}") if averaging else np.nan,
            "both_unknown": (nothing[of_set.rows1] & nothing[of_set.rows2]).astype(int),
        }
        frames.append(pd.DataFrame(columns, columns=COLUMNS))
    return pd.concat(frames[1:] or frames, ignore_index=True)
