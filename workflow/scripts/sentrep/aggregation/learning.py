"""Train the weights of weighted aggregation (De Boom et al., 2016) by mini-batch gradient descent.

The words of a text are sorted by descending idf, and the text is represented by a weighted sum of their vectors. The
sum is linear in the m trained weights w, even if they are interpolated to match the number of words in the text. The
squared distance between the two texts of a pair is therefore w'Gw, where G is the m x m Gram matrix of m difference
vectors. The difference vector of a weight is the difference between the sums for the two texts if this weight is 1 and
all others are 0. The matrices G are computed in advance if they fit into the allowed memory; otherwise, the products Gw
are computed for each batch.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch

from sentrep.aggregation.lexicon import Lexicon
from sentrep.aggregation.losses import contrastive, median_based
from sentrep.aggregation.parameters import Parameters
from sentrep.encoders.weighted import Divisor, length_maps
from sentrep.errors import SentrepError
from sentrep.pairs.pair_set import Pairs

log = logging.getLogger("sentrep")

GRAM_BYTES = 2**30
PAPER_EPOCH = 30_000  # number of updates that De Boom et al. (2016) call an epoch
LARGEST_WEIGHT = 1e4
SMALLEST_CHANGE = 0.0005  # training stops if the relative change of the mean loss between epochs is smaller
CHECKED_EVERY = 100  # number of updates between checks of the weights; each check waits for the GPU


@dataclass(frozen=True)
class Learnt:
    """Trained weights, and a record of their training.

    Attributes:
        weights: (m,) float64 trained weights.
        updates: number of updates (gradient steps).
        stopped: reason for the end of training: "converged", "maximum_updates" or "weights_grew".
        path: for each epoch, the total number of updates and the (m,) weights at the end of the epoch.
    """

    weights: npt.NDArray[np.float64]
    updates: int
    stopped: str
    path: Sequence[tuple[int, npt.NDArray[np.float64]]] = ()

    @property
    def shape_change(self) -> float | None:
        """The largest change in a weight late in training, relative to the largest absolute weight.

        The final weights are compared with the weights at the end of the first epoch that ended after at least 30,000
        updates or, if training had fewer than 60,000 updates, after at least half of its updates. Each weight vector
        is first divided by its largest absolute weight. The value is None if this epoch is the last one.
        """
        since = min(PAPER_EPOCH, self.updates / 2)
        later = [weights for updates, weights in self.path[:-1] if updates >= since]
        if not later:
            return None
        first, last = (weights / np.abs(weights).max() for weights in (later[0], self.weights))
        return float(np.abs(last - first).max())


class QuadraticPairs:
    """Text pairs for which the squared distance between the two texts is computed as a quadratic form in the weights.

    Args:
        lexicon: known words and their vectors.
        pairs: pairs of texts as arrays of word ranks, from :meth:`Lexicon.rank`.
        size: number m of weights.
        divisor: weighted sums are divided by the number n of known words ("n") or by the square root of n ("sqrt_n").
        device: torch device on which the pairs are stored.
        gram_bytes: compute all Gram matrices in advance if their total size is at most this number of bytes.
    """

    def __init__(
        self,
        lexicon: Lexicon,
        pairs: Pairs,
        size: int,
        divisor: Divisor = "n",
        device: str = "cpu",
        gram_bytes: int = GRAM_BYTES,
    ) -> None:
        # int32 needs half the memory of int64, the usual type of indices in torch.
        self._ranks = torch.from_numpy(np.concatenate([pairs.first, pairs.second], axis=1)).to(device)
        longest = pairs.first.shape[1]
        lengths = np.stack([lexicon.lengths(pairs.first), lexicon.lengths(pairs.second)], axis=1)
        self._lengths = torch.from_numpy(lengths).to(device)
        maps = length_maps(longest, size, divisor).astype(np.float32)
        # The maps for second texts are negated, so that sums over the words of both texts are difference vectors.
        self._maps = torch.from_numpy(np.stack([maps, -maps])).to(device)
        self._vectors = torch.from_numpy(lexicon.vectors).to(device)
        self.related = torch.from_numpy(np.flatnonzero(pairs.related)).to(device)
        self.others = torch.from_numpy(np.flatnonzero(~pairs.related)).to(device)
        self.size, self.device = size, device
        self.grams: torch.Tensor | None = None
        if len(pairs) * size * size * 4 <= gram_bytes:
            step = 512
            parts = [
                self._gram(torch.arange(start, min(start + step, len(pairs)), device=device))
                for start in range(0, len(pairs), step)
            ]
            self.grams = torch.cat(parts)

    def products(self, chosen: torch.Tensor, weights: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return w'Gw, (b,), and Gw, (b, m), for the chosen pairs; the module docstring defines G and w."""
        if self.grams is not None:
            products = self.grams[chosen] @ weights
            return (products @ weights).clamp_min(0), products
        maps, vectors = self._gather(chosen)
        difference = (maps @ weights).unsqueeze(1) @ vectors  # (b, 1, d)
        products = (vectors @ difference.transpose(1, 2)).transpose(1, 2) @ maps  # (b, 1, m)
        return difference.square().sum(dim=(1, 2)), products.squeeze(1)

    def _gather(self, chosen: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return matrices that map weights to signed factors of words, (b, 2L, m), and the word vectors, (b, 2L, d)."""
        lengths = self._lengths[chosen]
        maps = torch.cat([self._maps[0, lengths[:, 0]], self._maps[1, lengths[:, 1]]], dim=1)
        ranks = self._ranks[chosen]
        vectors = self._vectors.index_select(0, ranks.reshape(-1)).view(*ranks.shape, -1)
        return maps, vectors

    def _gram(self, chosen: torch.Tensor) -> torch.Tensor:
        """Return the Gram matrices G of the chosen pairs, (b, m, m)."""
        maps, vectors = self._gather(chosen)
        differences = maps.transpose(1, 2) @ vectors
        return differences @ differences.transpose(1, 2)

    def distances(self, weights: npt.NDArray[np.float64], chosen: torch.Tensor) -> torch.Tensor:
        """Return the Euclidean distance between the texts of each chosen pair, (b,), using blocks of 512 pairs."""
        w = torch.as_tensor(weights, dtype=torch.float32, device=self.device)
        return torch.cat([self.products(part, w)[0].sqrt() for part in chosen.split(512)])


def batch_gradient(
    squared: torch.Tensor, products: torch.Tensor, weights: torch.Tensor, n_related: int, parameters: Parameters
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the loss of a batch, including the l2 term, and its gradient with respect to the weights, (m,).

    Args:
        squared: (b,) squared distances between the two texts of each pair, related pairs first.
        products: (b, m) products Gw, where G is the Gram matrix of each pair; see :meth:`QuadraticPairs.products`.
        weights: (m,) weights w.
        n_related: number of related pairs in the batch.
        parameters: settings, of which only ``loss``, ``train_distance``, ``kappa`` and ``l2`` are used.
    """
    squared, products = squared.to(weights.dtype), products.to(weights.dtype)
    distances = squared if parameters.train_distance == "squared" else squared.sqrt()
    if parameters.loss == "median":
        loss, derivative = median_based(distances, n_related, parameters.kappa)
    else:
        loss, derivative = contrastive(distances, n_related)
    if parameters.train_distance == "squared":
        factor = 2 * derivative  # because the derivative of w'Gw is 2 Gw
    else:
        # The derivative of the square root diverges at 0, so it is set to 0 where a distance is 0 up to rounding.
        factor = torch.where(distances > 1e-6, derivative / distances.clamp_min(1e-6), 0)
    gradient = factor @ products + 2 * parameters.l2 * weights
    return loss + parameters.l2 * weights.square().sum(), gradient


Watch = Callable[[int, float, float, float], None]


def learn(
    pairs: QuadraticPairs,
    parameters: Parameters,
    seed: int,
    watch: Watch | None = None,
    chosen: tuple[torch.Tensor, torch.Tensor] | None = None,
) -> Learnt:
    """Train the weights on pairs of texts.

    Each iteration over the pairs shuffles them and divides them into batches with equally many related and non-related
    pairs. Pairs that do not fit into these batches are skipped in this iteration.

    The contrastive loss does not always have a minimum, so the weights may grow without bound in one direction.
    Training therefore stops when the absolute value of a weight exceeds :data:`LARGEST_WEIGHT`. Such weights are still
    usable, because only the order of distances matters.

    The mean loss of an epoch determines when the learning rate is lowered and when training stops. An epoch in De Boom
    et al. (2016) has 30,000 updates, so this mean has little noise. A single iteration over a few hundred pairs has so
    few updates that the noise in its mean loss would lower the learning rate and stop training far too early. An epoch
    therefore consists of as many iterations as are needed for ``minimum_epoch_updates`` updates.

    Args:
        pairs: training pairs.
        parameters: settings of the training procedure, such as the loss and the learning rate.
        seed: seed for shuffling the pairs.
        watch: function that is called after each epoch with the number of updates so far, the number of iterations over
            the pairs so far, the mean loss of the epoch and the learning rate.
        chosen: indices of the related pairs and indices of the non-related pairs to use (by default, all pairs).

    Raises:
        SentrepError: a weight or the loss is not finite.
    """
    kinds = chosen or (pairs.related, pairs.others)
    count = min(parameters.batch_pairs, *map(len, kinds))
    batches = min(map(len, kinds)) // count
    passes = -(-parameters.minimum_epoch_updates // batches)
    generator = torch.Generator().manual_seed(seed)
    weights = torch.full(
        (parameters.maximum_words,), parameters.initial_weight, dtype=torch.float64, device=pairs.device
    )
    rate, lowered = parameters.learning_rate, False
    before = np.inf  # mean loss of the previous epoch
    path: list[tuple[int, npt.NDArray[np.float64]]] = []
    updates, epoch = 0, 0
    while True:
        epoch += 1
        order = [
            torch.cat([_dealt(kind, batches * count, generator) for _ in range(passes)]).view(-1, count)
            for kind in kinds
        ]
        total, done = torch.zeros((), dtype=torch.float64, device=pairs.device), 0
        for batch in torch.cat(order, dim=1):
            squared, products = pairs.products(batch, weights.float())
            loss, gradient = batch_gradient(squared, products, weights, count, parameters)
            weights = weights - rate * gradient
            total, done, updates = total + loss, done + 1, updates + 1
            if updates % CHECKED_EVERY == 0 or updates == parameters.maximum_updates:
                largest = float(weights.abs().max())
                _check_number(largest, updates)
                if largest > LARGEST_WEIGHT or updates == parameters.maximum_updates:
                    break
        mean = float(total) / done
        _check_number(mean, updates)
        if watch:
            watch(updates, (epoch - 1) * passes + done / batches, mean, rate)
        path.append((updates, weights.cpu().numpy()))
        largest = float(weights.abs().max())
        if largest > LARGEST_WEIGHT:
            log.warning("training stopped after %d updates: a weight's magnitude exceeded %g", updates, LARGEST_WEIGHT)
            return Learnt(weights.cpu().numpy(), updates, "weights_grew", path)
        if updates >= parameters.maximum_updates:
            return Learnt(weights.cpu().numpy(), updates, "maximum_updates", path)
        if not lowered and mean > before:
            rate, lowered = parameters.lowered_learning_rate, True
        elif lowered and abs(before - mean) < SMALLEST_CHANGE * max(abs(before), 1e-12):
            return Learnt(weights.cpu().numpy(), updates, "converged", path)
        before = mean


def _dealt(kind: torch.Tensor, count: int, generator: torch.Generator) -> torch.Tensor:
    """Return ``count`` of the pair indices in ``kind``, drawn at random without replacement."""
    return kind[torch.randperm(len(kind), generator=generator)[:count].to(kind.device)]


def _check_number(value: float, updates: int) -> None:
    if not np.isfinite(value):
        raise SentrepError(
            "weights",
            expected="finite weights and losses",
            found=f"{value} after {updates} updates",
            remedy="lower `learning_rate` or `kappa`, or set `normalise_vectors: true`",
        )
