"""Exact nearest sentences by cosine: a pool that is read block by block, and the best of it kept for each query.

Nothing of the pool is held but one block. With q queries of d dimensions, k neighbours and blocks of b sentences, the
search holds 8 (q d + b d + q b + 4 q k) bytes: 0.4 GB for 5,200 queries of 4,800 dimensions, whatever the pool's size.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import scipy.sparse as sp

from sentrep.encoders.base import Encoder, Vectors
from sentrep.evaluation.transfer.features import encode

BLOCK = 2048
# Cosines are compared as printed to so many digits: what lies below is rounding noise, which would order sentences
# that have the same vector, such as two orders of the same words under an averaging model.
DECIMALS = 6
NEIGHBOUR_COLUMNS = ["preset", "model", "seed", "query", "rank", "cosine", "sentence", "pool", "zero_vectors"]


@dataclass(frozen=True)
class Neighbours:
    """The nearest sentences of each of q queries, nearest first.

    Attributes:
        places: (q, k) int64, place in the pool; -1 where the pool has fewer sentences with a vector.
        cosines: (q, k) float64, rounded to :data:`DECIMALS`; NaN where there is no place.
        pool: number of sentences in the pool.
        zeros: number of those whose vector is zero; they are nobody's neighbours.
    """

    places: npt.NDArray[np.int64]
    cosines: npt.NDArray[np.float64]
    pool: int
    zeros: int


def nearest(queries: Vectors, blocks: Iterable[Vectors], k: int) -> Neighbours:
    """Return the k sentences with the highest cosine to each query; of equal ones those that come first.

    Args:
        queries: (q, d) vectors of any length, dense or sparse. A zero vector has no neighbours.
        blocks: (b, d) vectors each, the pool in order, dense or sparse as the queries are.
        k: neighbours of each query.
    """
    unit, lengths = _unit(queries)
    count = len(lengths)
    cosines = np.full((count, k), -np.inf)
    places = np.full((count, k), -1, dtype=np.int64)
    pool = zeros = 0
    for block in blocks:
        rows, sizes = _unit(block)
        found = _dense(unit @ rows.T).round(DECIMALS)
        found[:, sizes == 0] = -np.inf
        found[lengths == 0] = -np.inf
        best, at = _highest(found, k)
        # places of earlier blocks stand first, and a stable sort leaves them there
        cosines, places = np.hstack([cosines, best]), np.hstack([places, np.where(np.isneginf(best), -1, at + pool)])
        order = np.argsort(-cosines, axis=1, kind="stable")[:, :k]
        cosines, places = np.take_along_axis(cosines, order, 1), np.take_along_axis(places, order, 1)
        pool += len(sizes)
        zeros += int((sizes == 0).sum())
    return Neighbours(places, np.where(places < 0, np.nan, cosines), pool, zeros)


def encoded_blocks(encoder: Encoder, sentences: Iterable[str], where: str, size: int = BLOCK) -> Iterator[Vectors]:
    """Yield the vectors of sentences, ``size`` at a time, each part of a vector scaled to length one.

    Raises:
        SentrepError: a vector holds NaN or infinity.
    """
    remaining = iter(sentences)
    while block := list(islice(remaining, size)):
        yield unit_vectors(encoder, block, where)


def unit_vectors(encoder: Encoder, sentences: Sequence[str], where: str) -> Vectors:
    """Return (n, d) vectors, each of the encoder's parts scaled to length one, as the papers' encoders do.

    Raises:
        SentrepError: a vector holds NaN or infinity.
    """
    return encode(encoder, sentences, "unit", where).vectors


def read_lines(path: str | Path) -> Iterator[str]:
    """Yield the lines of a file of sentences, which end with "\\n" only."""
    with Path(path).open(encoding="utf-8", newline="\n") as stream:
        for line in stream:
            yield line.removesuffix("\n")


def lines_at(path: str | Path, places: Iterable[int]) -> dict[int, str]:
    """Return some lines of a file of sentences, by place."""
    wanted = {int(place) for place in places}
    return {place: line for place, line in enumerate(read_lines(path)) if place in wanted}


def _unit(vectors: Vectors) -> tuple[npt.NDArray[np.float64] | sp.csr_array, npt.NDArray[np.float64]]:
    """Return rows of length one in float64, and the rows' lengths; a zero row stays zero."""
    if sp.issparse(vectors):
        rows = sp.csr_array(vectors, dtype=np.float64)
        lengths = np.sqrt(np.asarray(rows.multiply(rows).sum(axis=1)).ravel())
        return sp.csr_array(sp.diags_array(_inverse(lengths)) @ rows), lengths
    rows = np.asarray(vectors, dtype=np.float64)
    lengths = np.linalg.norm(rows, axis=1)
    return rows * _inverse(lengths)[:, None], lengths


def _inverse(lengths: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    return np.divide(1.0, lengths, out=np.zeros_like(lengths), where=lengths > 0)


def _dense(products: npt.NDArray[np.float64] | sp.sparray) -> npt.NDArray[np.float64]:
    return products.toarray() if sp.issparse(products) else products


def _highest(values: npt.NDArray[np.float64], k: int) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]:
    """Return the k highest values of each row and where they are, the first of equal ones; ``values`` is used up."""
    rows = np.arange(len(values))
    best = np.full((len(values), k), -np.inf)
    at = np.zeros((len(values), k), dtype=np.int64)
    for column in range(min(k, values.shape[1])):  # k is small: k passes cost less than a sort
        at[:, column] = values.argmax(axis=1)
        best[:, column] = values[rows, at[:, column]]
        values[rows, at[:, column]] = -np.inf
    return best, at


def neighbour_rows(
    queries: Sequence[str], found: Neighbours, texts: Mapping[int, str], identity: Mapping[str, Any]
) -> pd.DataFrame:
    """Return neighbours as rows with :data:`NEIGHBOUR_COLUMNS`.

    Args:
        queries: the queries, in the order of ``found``.
        found: their neighbours.
        texts: sentences by their place in the pool, at least those that were found.
        identity: preset, model and seed, which are in every row.
    """
    rows = [
        {
            **identity,
            "query": query,
            "rank": rank + 1,
            "cosine": found.cosines[number, rank],
            "sentence": texts.get(int(place), ""),
            "pool": found.pool,
            "zero_vectors": found.zeros,
        }
        for number, query in enumerate(queries)
        for rank, place in enumerate(found.places[number])
        # a query without a known word has no neighbour, which its first row says
        if place >= 0 or rank == 0
    ]
    return pd.DataFrame(rows, columns=NEIGHBOUR_COLUMNS)
