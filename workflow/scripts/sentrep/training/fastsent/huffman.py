"""Build the Huffman tree or the distribution of noise words that the output layer of FastSent uses."""

from __future__ import annotations

import heapq
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True)
class Tree:
    """The paths from the root of a Huffman tree to its V words, concatenated.

    Attributes:
        starts: (V + 1,) int64; the path of word w is at starts[w]:starts[w + 1] in ``nodes`` and ``signs``.
        nodes: (sum of path lengths,) uint32 indices of the inner nodes on the paths, from 0 to V - 2; the root is node
            V - 2.
        signs: (sum of path lengths,) int8, 1 if the path goes left at the node and -1 if it goes right.
    """

    starts: npt.NDArray[np.int64]
    nodes: npt.NDArray[np.uint32]
    signs: npt.NDArray[np.int8]


def huffman_tree(counts: npt.NDArray[np.int64]) -> Tree:
    """Return the paths of a Huffman tree: a binary tree that minimises the mean path length, weighted by word counts.

    As in the released code of FastSent, the two nodes with the lowest counts are repeatedly joined under a new node,
    with the rarer one on the left, until all nodes are joined. Among nodes with equal counts, leaves are treated as
    rarer than inner nodes, later words as rarer than earlier words, and earlier inner nodes as rarer than later ones.
    If there is only one word, its path is empty.

    Args:
        counts: (V,) word counts.
    """
    n = len(counts)
    if n < 2:
        return Tree(np.zeros(n + 1, np.int64), np.empty(0, np.uint32), np.empty(0, np.int8))
    parent = np.zeros(2 * n - 1, dtype=np.int64)
    sign = np.ones(2 * n - 1, dtype=np.int8)
    # Python integers are used so that sums of counts cannot overflow. The second element of an entry breaks ties.
    heap = [(count, -word, word) for word, count in enumerate(counts.tolist())]
    heapq.heapify(heap)
    for node in range(n, 2 * n - 1):
        (left_count, _, left), (right_count, _, right) = heapq.heappop(heap), heapq.heappop(heap)
        parent[left] = parent[right] = node
        sign[right] = -1
        heapq.heappush(heap, (left_count + right_count, node, node))

    # Follow the paths of all words to the root, level by level.
    root = 2 * n - 2
    climbers, at, levels = np.arange(n), np.arange(n), []
    while len(climbers):
        levels.append((climbers, parent[at] - n, sign[at]))
        climbers, at = climbers[parent[at] != root], parent[at][parent[at] != root]
    lengths = np.zeros(n, dtype=np.int64)
    for words, _, _ in levels:
        lengths[words] += 1
    starts = np.concatenate([[0], np.cumsum(lengths)])
    nodes, signs = np.empty(starts[-1], np.uint32), np.empty(starts[-1], np.int8)
    for height, (words, above, branch) in enumerate(levels):
        place = starts[words + 1] - 1 - height  # paths are filled from their ends
        nodes[place], signs[place] = above, branch
    return Tree(starts, nodes, signs)


@dataclass(frozen=True)
class Noise:
    """A distribution of noise words, stored as tables for Walker's alias method.

    To draw a noise word, draw a word id i uniformly from 0 to V - 1, and replace it with ``others[i]`` with probability
    1 - ``keep[i]``.

    Attributes:
        keep: (V,) float64 probability of keeping each word.
        others: (V,) int32, for each word, the id of the word that replaces it if it is not kept.
    """

    keep: npt.NDArray[np.float64]
    others: npt.NDArray[np.int32]


def noise_words(counts: npt.NDArray[np.int64], exponent: float) -> Noise:
    """Return the distribution of noise words in which the probability of a word is proportional to count ** exponent.

    Args:
        counts: (V,) int64 word counts.
        exponent: exponent of the counts, 0.75 in word2vec.
    """
    weights = counts.astype(np.float64) ** exponent
    share = (weights / weights.sum() * len(counts)).tolist()
    keep, others = [1.0] * len(share), list(range(len(share)))
    small = [i for i, p in enumerate(share) if p < 1]
    large = [i for i, p in enumerate(share) if p >= 1]
    while small and large:
        poor, rich = small.pop(), large[-1]
        keep[poor], others[poor] = share[poor], rich
        share[rich] -= 1 - share[poor]
        if share[rich] < 1:
            small.append(large.pop())
    return Noise(np.array(keep), np.array(others, dtype=np.int32))
