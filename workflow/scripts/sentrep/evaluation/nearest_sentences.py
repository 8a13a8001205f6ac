"""Find, by exact search, the sentences in a pool that have the highest cosine similarity to each query.

The pool is read in blocks, so memory use does not depend on the size of the pool. For q dense queries of d dimensions,
k neighbours per query and blocks of b sentences, the arrays of the search take up about 8 (q d + b d + q b + 4 q k)
bytes, not counting temporary copies. For example, they take up 0.4 GB for 5,200 queries of 4,800 dimensions and blocks
of 2,048 sentences.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import scipy.sparse as sp

from sentrep.encoders.base import Vectors
from sentrep.evaluation.encoding import Floats, inverse_lengths, row_lengths

DECIMALS = 6
"""Number of decimals to which cosines are rounded, so that sentences with equal vectors have equal cosines."""
NEIGHBOUR_COLUMNS = ["preset", "model", "seed", "query", "rank", "cosine", "sentence", "pool", "zero_vectors"]


@dataclass(frozen=True)
class Neighbours:
    """The sentences of a pool that are nearest to each of q queries, nearest first.

    Attributes:
        places: (q, k) int64, positions in the pool; -1 where a query has fewer than k neighbours.
        cosines: (q, k) float64, rounded to :data:`DECIMALS` decimals; NaN where ``places`` is -1.
        pool: number of sentences in the pool.
        zeros: number of pool sentences with a zero vector; these sentences are never neighbours.
    """

    places: npt.NDArray[np.int64]
    cosines: Floats
    pool: int
    zeros: int


def nearest(queries: Vectors, blocks: Iterable[Vectors], k: int) -> Neighbours:
    """Find, for each query, the k sentences in a pool whose vectors have the highest cosines with the query.

    Sentences with equal cosines are ranked in the order of the pool.

    Args:
        queries: (q, d) vectors, dense or sparse; they need not have unit length. A zero vector has no neighbours.
        blocks: the vectors of the pool in order, in blocks of shape (b, d); dense or sparse, like the queries.
        k: number of neighbours for each query.
    """
    unit, lengths = _unit_rows(queries)
    cosines = np.full((len(lengths), k), -np.inf)
    places = np.full((len(lengths), k), -1, dtype=np.int64)
    pool = zeros = 0
    for block in blocks:
        rows, sizes = _unit_rows(block)
        products: Any = unit @ rows.T
        found: Floats = (products.toarray() if sp.issparse(products) else products).round(DECIMALS)
        found[:, sizes == 0] = -np.inf
        found[lengths == 0] = -np.inf
        best, at = _highest(found, k)
        # Candidates from earlier blocks come first, so the stable sort ranks ties in the order of the pool.
        cosines, places = np.hstack([cosines, best]), np.hstack([places, np.where(np.isneginf(best), -1, at + pool)])
        order = np.argsort(-cosines, axis=1, kind="stable")[:, :k]
        cosines, places = np.take_along_axis(cosines, order, 1), np.take_along_axis(places, order, 1)
        pool += len(sizes)
        zeros += int((sizes == 0).sum())
    return Neighbours(places, np.where(places < 0, np.nan, cosines), pool, zeros)


def read_lines(path: str | Path) -> Iterator[str]:
    r"""Yield the sentences in a file with one sentence per line; only "\n" ends a line."""
    with Path(path).open(encoding="utf-8", newline="\n") as stream:
        for line in stream:
            yield line.removesuffix("\n")


def texts_at(sentences: Iterable[str], places: npt.NDArray[np.int64]) -> dict[int, str]:
    """Map each position in ``places``, counted from 0, to the sentence at this position; ignore negative positions."""
    wanted = set(places.ravel().tolist())
    return {place: sentence for place, sentence in enumerate(sentences) if place in wanted}


def _unit_rows(vectors: Vectors) -> tuple[Floats | sp.csr_array, Floats]:
    """Return the rows scaled to length one, in float64, and their original lengths; zero rows stay zero."""
    if isinstance(vectors, sp.csr_array):
        sparse = sp.csr_array(vectors, dtype=np.float64)
        lengths = row_lengths(sparse)
        return sp.csr_array(sp.diags_array(inverse_lengths(lengths)) @ sparse), lengths
    rows = np.asarray(vectors, dtype=np.float64)
    lengths = row_lengths(rows)
    return rows * inverse_lengths(lengths)[:, None], lengths


def _highest(values: Floats, k: int) -> tuple[Floats, npt.NDArray[np.int64]]:
    """Return the k highest values of each row and their columns, both (n, k); among ties, earlier columns come first.

    ``values`` is overwritten.
    """
    rows = np.arange(len(values))
    best = np.full((len(values), k), -np.inf)
    at = np.zeros((len(values), k), dtype=np.int64)
    for column in range(min(k, values.shape[1])):  # k is small, so k scans are faster than a sort
        at[:, column] = values.argmax(axis=1)
        best[:, column] = values[rows, at[:, column]]
        values[rows, at[:, column]] = -np.inf
    return best, at


def neighbour_rows(
    queries: Sequence[str], found: Neighbours, texts: Mapping[int, str], identity: Mapping[str, Any]
) -> pd.DataFrame:
    """Return a table with the columns :data:`NEIGHBOUR_COLUMNS` and one row for each neighbour of each query.

    A query without neighbours has one row with an empty sentence.

    Args:
        queries: texts of the queries, in the same order as in ``found``.
        found: the neighbours of the queries.
        texts: sentences, keyed by their positions in the pool; must include all neighbours.
        identity: preset, model and seed, which are repeated in every row.
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
        if place >= 0 or rank == 0  # a query without neighbours gets a single row
    ]
    return pd.DataFrame(rows, columns=NEIGHBOUR_COLUMNS)
