"""Assign tweets to the splits train, validation and test so that no tweet and no text is in two splits.

Distinct texts are the nodes of a graph, and related pairs are its edges. A connected component of this graph usually
consists of the texts about one event. Each component is assigned to a single split, so that none of its pairs is lost.
However, a component that contains more than the fraction :data:`LARGEST` of all related pairs is first cut into parts,
at points in time that few pairs span. The parts may be assigned to different splits; pairs whose tweets are in
different splits are dropped and counted. If tweets were assigned to splits at random, about two thirds of the pairs
would be dropped.
"""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

from sentrep.pairs.pair_set import SPLITS, Split
from sentrep.pairs.twitter.index import Int32, Int64

# Numbers of pairs in De Boom et al. (2016, section 4.2); only their proportions are used.
PROPORTIONS: dict[Split, int] = {"train": 15_000, "validation": 20_000, "test": 13_645}
SHARES = np.array([PROPORTIONS[split] for split in SPLITS]) / sum(PROPORTIONS.values())
# A component with more than this fraction of all related pairs is cut. The fraction must be below the smallest share of
# a split. In the UCI health news (12,968 related pairs, mostly from chats of one account), 1.6% of these pairs are
# dropped with a fraction of .2, 5% with .1, and 14% with .05.
LARGEST = 0.2


def split_nodes(first: Int64, second: Int64, times: Int64, dice: np.random.Generator) -> Int32:
    """Assign each node, which represents a distinct text, to a split.

    Args:
        first: (p,) node of the first tweet of each related pair; tweets with the same text share a node.
        second: (p,) node of the second tweet of each related pair.
        times: (m,) time of the earliest tweet with each node's text.
        dice: random number generator.

    Returns:
        (m,) int32, index of each node's split in ``SPLITS``. The caller must drop pairs whose nodes are in different
        splits.
    """
    m = len(times)
    parts = connected_components(sp.coo_array((np.ones(len(first)), (first, second)), shape=(m, m)), directed=False)[1]
    parts = _cut_large(parts.astype(np.int64), first, second, times)
    inside = parts[first] == parts[second]
    sizes = np.bincount(parts[first[inside]], minlength=parts.max(initial=-1) + 1)
    side = np.empty(len(sizes), dtype=np.int32)
    paired = np.flatnonzero(sizes)
    order = dice.permutation(paired)
    order = order[np.argsort(-sizes[order], kind="stable")]  # largest component first, ties in random order
    lacking = SHARES * sizes.sum()
    for part in order:
        side[part] = np.argmax(lacking)
        lacking[side[part]] -= sizes[part]
    # Texts that are not in related pairs can still be in non-related pairs.
    lone = np.flatnonzero(sizes == 0)
    side[lone] = dice.choice(len(SHARES), size=len(lone), p=SHARES)
    return side[parts]


def _cut_large(parts: Int64, first: Int64, second: Int64, times: Int64) -> Int64:
    """Cut components until none contains more than the fraction ``LARGEST`` of all related pairs.

    Args:
        parts: (m,) component of each node.
        first: (p,) node of the first tweet of each related pair.
        second: (p,) node of the second tweet of each related pair.
        times: (m,) time of the earliest tweet with each node's text.

    Returns:
        (m,) new component of each node. A component with fewer than three nodes is never cut.
    """
    most = max(1, int(LARGEST * len(first)))
    parts = parts.copy()
    waiting = list(np.flatnonzero(np.bincount(parts[first], minlength=1) > most))
    while waiting:
        part = waiting.pop()
        nodes = np.flatnonzero(parts == part)
        edges = np.flatnonzero((parts[first] == part) & (parts[second] == part))
        if len(edges) <= most or len(nodes) < 3:
            continue
        nodes = nodes[np.argsort(times[nodes], kind="stable")]
        place = np.empty(len(times), dtype=np.int64)
        place[nodes] = np.arange(len(nodes))
        ends = np.sort(np.stack([place[first[edges]], place[second[edges]]], axis=1), axis=1)
        later = nodes[_best_cut(ends, len(nodes)) :]
        parts[later] = parts.max() + 1
        waiting += [part, parts[later[0]]]
    return parts


def _best_cut(ends: Int64, n: int) -> int:
    """Return the index of the first node after the best cut of a component.

    The nodes are in chronological order, and the ends of a pair are its two nodes. Among the cuts with at least a
    quarter of all ends on each side, the best cut is the one that separates the ends of the fewest pairs. If there is
    no such cut, the best cut is the one that divides the ends most evenly.

    Args:
        ends: (p, 2) indices of the two nodes of each pair, the smaller index first.
        n: number of nodes in the component.
    """
    crossing = np.cumsum(
        np.bincount(ends[:, 0] + 1, minlength=n + 1)[: n + 1] - np.bincount(ends[:, 1] + 1, minlength=n + 1)[: n + 1]
    )[1:n]
    before = np.cumsum(np.bincount(ends.ravel(), minlength=n))[:-1] / ends.size
    middle = np.flatnonzero((before >= 0.25) & (before <= 0.75))
    if not len(middle):
        return int(np.argmin(abs(before - 0.5))) + 1
    return int(middle[np.lexsort((abs(before[middle] - 0.5), crossing[middle]))[0]]) + 1
