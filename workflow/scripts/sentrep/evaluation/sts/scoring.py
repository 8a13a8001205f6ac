"""Score a model on sentence pairs by the correlation of its cosine similarities with human scores.

There are two protocols, which differ in how they treat pairs without a human score:

``paper``
    All 17,608 pairs of the 20 SemEval sets are used. A missing human score counts as 0; all pairs without a score are
    in the sets of 2015. The published values for 2015 can be reproduced only under this protocol.
``official``
    Pairs without a human score are dropped, as in the scorer of the SemEval organisers. This leaves 12,108 pairs.

Cosines are rounded to six decimals once, and all results are computed from the rounded values. Otherwise,
floating-point errors would impose an order on pairs whose exact cosines are equal, and results would differ between
machines.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from sentrep.encoders.base import Encoder, Vectors
from sentrep.encoders.snapshots import snapshot_folders
from sentrep.errors import SentrepError
from sentrep.evaluation.encoding import distinct_texts, encode_finite
from sentrep.evaluation.sts.sets import MissingSet, StsSet

log = logging.getLogger("sentrep")

PROTOCOLS = ("paper", "official")
DECIMALS = 6
SCORE_COLUMNS = [
    "protocol",
    "year",
    "dataset",
    "epochs",
    "pearson",
    "spearman",
    "pairs",
    "scored_pairs",
    "oov_rate",
    "all_oov_pairs",
]
SIMILARITY_COLUMNS = ["year", "dataset", "pair", "similarity"]
SNAPSHOT = "epochs "
"""Prefix of column names: the column "epochs 3" contains the similarities of the snapshot after three epochs."""


class Coverage(NamedTuple):
    """Statistics on unknown words in a set of sentence pairs.

    Attributes:
        oov_rate: share of unknown words (out-of-vocabulary tokens) among all tokens of the set. Sentences that occur
            several times are counted each time.
        all_oov_pairs: number of pairs in which at least one sentence has no known word.
    """

    oov_rate: float
    all_oov_pairs: int


class SentencePairs(NamedTuple):
    """Sentence pairs, stored as positions in a tuple of distinct sentences so that each sentence is encoded only once.

    Attributes:
        distinct: the distinct sentences; because they are a tuple, an encoder tokenises them only once.
        rows1: (n,) positions of the first sentences of the pairs.
        rows2: (n,) positions of the second sentences of the pairs.
    """

    distinct: tuple[str, ...]
    rows1: npt.NDArray[np.intp]
    rows2: npt.NDArray[np.intp]

    @classmethod
    def of(cls, sentences1: Sequence[str], sentences2: Sequence[str]) -> SentencePairs:
        """Create pairs from a list of first sentences and a list of second sentences."""
        distinct, rows = distinct_texts([*sentences1, *sentences2])
        return cls(distinct, rows[: len(sentences1)], rows[len(sentences1) :])


def row_cosines(a: Vectors, b: Vectors) -> npt.NDArray[np.float64]:
    """Return the cosine between each row of ``a`` and the corresponding row of ``b``.

    As in the released code of Kenter et al. (2016), the cosine of equal rows, including two zero rows, is exactly 1,
    and the cosine of a zero row and a nonzero row is 0.

    Args:
        a: (n, d) vectors, dense or sparse.
        b: (n, d) vectors, dense or sparse like ``a``.

    Returns:
        (n,) float64 in [-1, 1].
    """
    if not isinstance(a, np.ndarray):
        import scipy.sparse as sp

        sides = [sp.csr_array(side, dtype=np.float64) for side in (a, b)]
        dot = np.asarray(sides[0].multiply(sides[1]).sum(axis=1)).ravel()
        squares = [np.asarray(side.multiply(side).sum(axis=1)).ravel() for side in sides]
        equal = abs(sides[0] - sides[1]).max(axis=1).toarray().ravel() == 0
    else:
        first, second = (np.asarray(side, dtype=np.float64) for side in (a, b))
        equal = (first == second).all(axis=1)
        dot = np.einsum("ij,ij->i", first, second)
        squares = [np.einsum("ij,ij->i", side, side) for side in (first, second)]
    # The root of the product is computed as a product of roots, because the product of the squares could underflow.
    norms = np.sqrt(squares[0]) * np.sqrt(squares[1])
    cosines = np.divide(dot, norms, out=np.zeros_like(dot), where=norms > 0)
    cosines[equal] = 1.0
    return cosines.clip(-1.0, 1.0)


def similarities(encoder: Encoder, pairs: SentencePairs, where: str = "sentence vectors") -> npt.NDArray[np.float64]:
    """Return the cosine between the two sentence vectors of each pair, rounded to six decimals.

    Args:
        encoder: the model.
        pairs: n pairs.
        where: name of the evaluation, for error messages.

    Returns:
        (n,) float64.

    Raises:
        SentrepError: a vector contains NaN or infinity.
    """
    vectors = encode_finite(encoder, pairs.distinct, where)
    # Adding 0 turns -0.0 into 0.0.
    return row_cosines(vectors[pairs.rows1], vectors[pairs.rows2]).round(DECIMALS) + 0.0


def coverage(encoder: Encoder, pairs: SentencePairs) -> Coverage:
    """Return statistics on the words that occur in sentence pairs but are unknown to a model."""
    total, known = encoder.count_tokens(pairs.distinct)
    rows1, rows2 = pairs.rows1, pairs.rows2
    tokens = int(total[rows1].sum() + total[rows2].sum())
    rate = 1 - int(known[rows1].sum() + known[rows2].sum()) / tokens if tokens else 0.0
    empty = (known[rows1] == 0) | (known[rows2] == 0)
    return Coverage(rate, int(empty.sum()))


def correlations(
    cosines: npt.NDArray[np.float64], gold: npt.NDArray[np.float64], protocol: str, where: str
) -> tuple[float, float]:
    """Return the Pearson and Spearman correlations between similarities and human scores.

    Args:
        cosines: (n,) similarities.
        gold: (n,) human scores; NaN for pairs without a score.
        protocol: "paper" counts missing scores as 0, and "official" drops pairs without a score.
        where: name of the set, for error messages.

    Raises:
        SentrepError: the correlations are undefined, because all similarities or all scores are equal, or because fewer
            than two pairs remain.
    """
    scored = np.isfinite(gold)
    if protocol == "paper":
        gold = np.where(scored, gold, 0.0)
    else:
        cosines, gold = cosines[scored], gold[scored]
    for name, values, remedy in (
        (
            "similarities",
            cosines,
            "check that the model has been trained, that its vocabulary contains words from this set, and that the set "
            "has two or more pairs with human scores",
        ),
        ("human scores", gold, "use a set with graded scores"),
    ):
        if len(values) < 2 or np.ptp(values) == 0:
            found = "no pair with a human score"
            if len(values):
                found = f"the value {values[0]:g} for all pairs (number of pairs: {len(values)})"
            raise SentrepError(
                f"{where} ({protocol} protocol)",
                expected=f"{name} that differ between pairs",
                found=found,
                remedy=remedy,
            )
    # pandas is used because importing scipy.stats takes longer than scoring an averaging model on all sets.
    columns = pd.DataFrame({"cosine": cosines, "gold": gold})
    return float(columns.corr("pearson").iloc[0, 1]), float(columns.corr("spearman").iloc[0, 1])


def score_sets(
    encoder: Encoder,
    sets: Iterable[StsSet],
    missing: Iterable[MissingSet] = (),
    epochs: float = np.nan,
    name: str = "model",
    *,
    undefined: Literal["error", "nan"] = "error",
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Score a model on all sets under both protocols.

    Args:
        encoder: the model.
        sets: sets of sentence pairs.
        missing: sets that could not be read; their rows have no correlations and 0 pairs.
        epochs: number of epochs for which a snapshot was trained; NaN for the final model.
        name: name of the model, for error messages.
        undefined: "error" raises an error if a correlation of a final model is undefined; "nan" replaces undefined
            correlations with NaN. Undefined correlations of a snapshot are always replaced with NaN.

    Returns:
        A table of scores, with the columns :data:`SCORE_COLUMNS` and one row for each protocol and set, and a table of
        similarities, with the columns :data:`SIMILARITY_COLUMNS`. In the table of scores, ``pairs`` is the number of
        all pairs in the set, and ``scored_pairs`` is the number of pairs with a human score; neither number depends on
        the protocol.

    Raises:
        SentrepError: a vector is not finite, or ``undefined`` is "error" and a correlation of a final model is
            undefined.
    """
    rows, frames = [], []
    for sts in sets:
        where = f"{name}, {sts.year} {sts.dataset}"
        pairs = SentencePairs.of(sts.sentences1, sts.sentences2)
        cosines = similarities(encoder, pairs, where)
        known = coverage(encoder, pairs)
        if known.all_oov_pairs and np.isnan(epochs):  # not logged for snapshots, which know the same words
            log.info(
                "%s: number of pairs in which at least one sentence has no known words: %d", where, known.all_oov_pairs
            )
        for protocol in PROTOCOLS:
            try:
                r, rho = correlations(cosines, sts.gold, protocol, where)
            except SentrepError as error:
                if np.isnan(epochs) and undefined == "error":
                    raise
                # Early in training, a network may give all sentences the same vector.
                log.warning("correlation undefined: %s", error)
                r = rho = np.nan
            key = (protocol, sts.year, sts.dataset, epochs)
            rows.append((*key, r, rho, sts.pairs, sts.scored_pairs, *known))
        values = (sts.year, sts.dataset, np.arange(sts.pairs), cosines)
        frames.append(pd.DataFrame(dict(zip(SIMILARITY_COLUMNS, values, strict=True))))
    for gap in missing:
        rows += [(p, gap.year, gap.dataset, epochs, np.nan, np.nan, 0, 0, np.nan, 0) for p in PROTOCOLS]
    scores = pd.DataFrame(rows, columns=SCORE_COLUMNS)
    empty = pd.DataFrame(columns=SIMILARITY_COLUMNS)
    return scores, pd.concat(frames, ignore_index=True) if frames else empty


def score_model(
    directory: str | Path, sets: Sequence[StsSet], missing: Sequence[MissingSet], device: str = "cpu"
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Score the model in a folder, and its snapshots in ``snapshots/<epochs>/``.

    A snapshot is a copy of the model that was saved during training.

    Args:
        directory: folder of the model.
        sets: sets of sentence pairs.
        missing: sets that could not be read.
        device: torch device.

    Returns:
        The scores of the final model and of every snapshot, and the similarities of the final model, with an additional
        column for the similarities of each snapshot (see :data:`SNAPSHOT`).

    Raises:
        SentrepError: a vector is not finite, a correlation of the final model is undefined, or the name of a
            snapshot's folder is not a number.
    """
    from sentrep.encoders.registry import load_encoder

    directory = Path(directory)
    frames, found = [], pd.DataFrame(columns=SIMILARITY_COLUMNS)
    for path, epochs in [(directory, np.nan), *snapshot_folders(directory)]:
        encoder = load_encoder(path)
        encoder.use(device)
        scores, pairs = score_sets(encoder, sets, missing, epochs, name=str(path))
        log.info("%s: scored on sentence pairs (number of sets: %d)", path, len(sets))
        frames.append(scores)
        found = pairs if np.isnan(epochs) else found.assign(**{f"{SNAPSHOT}{epochs:g}": pairs["similarity"]})
    return pd.concat(frames, ignore_index=True), found
