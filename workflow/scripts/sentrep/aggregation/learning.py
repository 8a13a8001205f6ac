"""Train one weight per idf rank by mini-batch gradient descent on pairs of texts.

The vector of a text is linear in the weights w, also with interpolation, so the squared distance of a pair is w'G w,
where G is the Gram matrix of its m difference vectors. For small sets of pairs, all G are computed once; for large
sets, G w is computed from the word vectors batch by batch. In both cases a step needs only distances and G w. The code
uses torch without autograd and runs on a CPU or GPU.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
import torch

from sentrep.aggregation.lexicon import Lexicon
from sentrep.aggregation.losses import Loss, contrastive, median_based
from sentrep.encoders.weighted import Divisor, length_maps
from sentrep.errors import SentrepError
from sentrep.pairs.pair_set import Pairs

log = logging.getLogger("sentrep")

GRAM_BYTES = 2**30
PAPER_EPOCH = 30_000  # updates
LARGEST_WEIGHT = 1e4
CHECKED_EVERY = 100  # updates between checks of the weights, each of which synchronises with the GPU


@dataclass(frozen=True)
class Procedure:
    """Training procedure of De Boom et al. 2016, section 5.2 and Algorithm 1.

    Attributes:
        loss: "median" or "contrastive".
        size: number m of weights.
        kappa: parameter of the median-based loss.
        distance: distance in the loss; "squared" is that of the released code.
        divisor: divisor of a text's sum; see :func:`sentrep.encoders.weighted.length_maps`.
        learning_rate: learning rate until the mean loss of an epoch exceeds that of the previous one.
        lowered_learning_rate: learning rate from then on.
        smallest_change: training stops once the rate is lowered and the relative change of the loss is smaller.
        l2: factor of the sum of squared weights in the loss.
        initial_weight: initial value of all weights.
        batch_pairs: number of pairs of each kind per batch.
        maximum_updates: maximum number of updates.
        minimum_epoch_updates: minimum number of updates per epoch, reached by joining epochs; see :func:`learn`.
    """

    loss: Loss = "median"
    size: int = 20
    kappa: float = 160.0
    distance: Literal["euclidean", "squared"] = "euclidean"
    divisor: Divisor = "n"
    learning_rate: float = 0.01
    lowered_learning_rate: float = 0.001
    smallest_change: float = 0.0005
    l2: float = 0.001
    initial_weight: float = 0.5
    batch_pairs: int = 50
    maximum_updates: int = 90_000
    minimum_epoch_updates: int = 1


@dataclass(frozen=True)
class Learnt:
    """Trained weights.

    Attributes:
        weights: (m,) float64.
        updates: number of gradient steps.
        stopped: reason for stopping: "converged", "maximum_updates" or "weights_grew".
        path: updates and weights (m,) at the end of each epoch.
    """

    weights: npt.NDArray[np.float64]
    updates: int
    stopped: str
    path: Sequence[tuple[int, npt.NDArray[np.float64]]] = ()

    @property
    def shape_change(self) -> float | None:
        """Largest change of a weight, relative to the largest weight, after the paper's epoch of 30,000 updates.

        If training ended within two such epochs, its second half is used. None if it had a single epoch.
        """
        since = min(PAPER_EPOCH, self.updates / 2)
        later = [weights for updates, weights in self.path[:-1] if updates >= since]
        if not later:
            return None
        first, last = (weights / np.abs(weights).max() for weights in (later[0], self.weights))
        return float(np.abs(last - first).max())


class QuadraticPairs:
    """Pairs as quadratic forms in the weights.

    Args:
        lexicon: words and vectors.
        pairs: as ranks.
        size: number m of weights.
        divisor: see :func:`sentrep.encoders.weighted.length_maps`.
        device: torch device.
        gram_bytes: compute all Gram matrices in advance if they fit into this many bytes.
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
        # int32 takes half the memory of torch's usual index type
        self._ranks = torch.from_numpy(np.concatenate([pairs.first, pairs.second], axis=1)).to(device)
        longest = pairs.first.shape[1]
        lengths = np.stack([lexicon.lengths(pairs.first), lexicon.lengths(pairs.second)], axis=1)
        self._lengths = torch.from_numpy(lengths).to(device)
        maps = length_maps(longest, size, divisor).astype(np.float32)
        # rows of both texts of a pair, those of the second with negative sign, so that their sum is the difference
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
        """Return squared distances (b,) and G w (b, m) of the chosen pairs, float32, for weights (m,)."""
        if self.grams is not None:
            products = self.grams[chosen] @ weights
            return (products @ weights).clamp_min(0), products
        maps, vectors = self._gather(chosen)
        difference = (maps @ weights).unsqueeze(1) @ vectors  # (b, 1, d)
        products = (vectors @ difference.transpose(1, 2)).transpose(1, 2) @ maps  # (b, 1, m)
        return difference.square().sum(dim=(1, 2)), products.squeeze(1)

    def _gather(self, chosen: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the maps from weights to words, (b, 2L, m), and the word vectors, (b, 2L, d)."""
        lengths = self._lengths[chosen]
        maps = torch.cat([self._maps[0, lengths[:, 0]], self._maps[1, lengths[:, 1]]], dim=1)
        ranks = self._ranks[chosen]
        vectors = self._vectors.index_select(0, ranks.reshape(-1)).view(*ranks.shape, -1)
        return maps, vectors

    def _gram(self, chosen: torch.Tensor) -> torch.Tensor:
        """Return Gram matrices of the difference vectors, (b, m, m)."""
        maps, vectors = self._gather(chosen)
        differences = maps.transpose(1, 2) @ vectors
        return differences @ differences.transpose(1, 2)

    def distances(self, weights: npt.NDArray[np.float64], chosen: torch.Tensor, step: int = 512) -> torch.Tensor:
        """Return Euclidean distances of the chosen pairs, (b,) float32."""
        w = torch.as_tensor(weights, dtype=torch.float32, device=self.device)
        return torch.cat([self.products(part, w)[0].sqrt() for part in chosen.split(step)])


def batch_gradient(
    squared: torch.Tensor, products: torch.Tensor, weights: torch.Tensor, n_related: int, procedure: Procedure
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the total loss of a batch () and its gradient (m,).

    Args:
        squared: (b,) squared distances, related pairs first.
        products: (b, m), G w of each pair.
        weights: (m,).
        n_related: number of related pairs.
        procedure: loss, distance and l2.
    """
    squared, products = squared.to(weights.dtype), products.to(weights.dtype)
    distances = squared if procedure.distance == "squared" else squared.sqrt()
    if procedure.loss == "median":
        loss, derivative = median_based(distances, n_related, procedure.kappa)
    else:
        loss, derivative = contrastive(distances, n_related)
    if procedure.distance == "squared":
        factor = 2 * derivative  # of w'Gw
    else:
        # derivative of the root; equal texts have gradient zero in spite of rounding
        factor = torch.where(distances > 1e-6, derivative / distances.clamp_min(1e-6), 0)
    gradient = factor @ products + 2 * procedure.l2 * weights
    return loss + procedure.l2 * weights.square().sum(), gradient


Watch = Callable[[int, float, float, float], None]


def learn(
    pairs: QuadraticPairs,
    procedure: Procedure,
    seed: int,
    watch: Watch | None = None,
    chosen: tuple[torch.Tensor, torch.Tensor] | None = None,
) -> Learnt:
    """Train the weights.

    In each epoch, related and non-related pairs are shuffled into batches; pairs that do not fill a batch are skipped.
    The contrastive loss need not have a minimum, so weights may grow without bound in one direction. Because only the
    order of distances matters, training then stops at LARGEST_WEIGHT.

    The mean loss over an epoch of the paper, 30,000 updates, has little noise. An epoch of a few hundred pairs is noisy
    and would lower the rate and stop training far too early; ``minimum_epoch_updates`` therefore joins several of them.

    Args:
        pairs: training pairs.
        procedure: training procedure.
        seed: random seed of the order of pairs.
        watch: called after each epoch with the number of updates, epochs over the pairs, mean loss and learning rate.
        chosen: related and non-related pairs to use; by default all.

    Raises:
        SentrepError: a weight is not finite.
    """
    kinds = chosen or (pairs.related, pairs.others)
    count = min(procedure.batch_pairs, *map(len, kinds))
    batches = min(map(len, kinds)) // count
    passes = -(-procedure.minimum_epoch_updates // batches)
    generator = torch.Generator().manual_seed(seed)
    weights = torch.full((procedure.size,), procedure.initial_weight, dtype=torch.float64, device=pairs.device)
    rate, lowered = procedure.learning_rate, False
    before = np.inf  # the mean loss of the previous epoch
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
            loss, gradient = batch_gradient(squared, products, weights, count, procedure)
            weights = weights - rate * gradient
            total, done, updates = total + loss, done + 1, updates + 1
            if updates % CHECKED_EVERY == 0 or updates == procedure.maximum_updates:
                largest = float(weights.abs().max())
                _check_number(largest, updates)
                if largest > LARGEST_WEIGHT or updates == procedure.maximum_updates:
                    break
        mean = float(total) / done
        _check_number(mean, updates)
        if watch:
            watch(updates, (epoch - 1) * passes + done / batches, mean, rate)
        path.append((updates, weights.cpu().numpy()))
        largest = float(weights.abs().max())
        if largest > LARGEST_WEIGHT:
            log.warning("weights exceeded %g after %d updates; training stopped", LARGEST_WEIGHT, updates)
            return Learnt(weights.cpu().numpy(), updates, "weights_grew", path)
        if updates >= procedure.maximum_updates:
            return Learnt(weights.cpu().numpy(), updates, "maximum_updates", path)
        if not lowered and mean > before:
            rate, lowered = procedure.lowered_learning_rate, True
        elif lowered and abs(before - mean) < procedure.smallest_change * max(abs(before), 1e-12):
            return Learnt(weights.cpu().numpy(), updates, "converged", path)
        before = mean


def _dealt(kind: torch.Tensor, count: int, generator: torch.Generator) -> torch.Tensor:
    """Return ``count`` of the pairs in random order."""
    return kind[torch.randperm(len(kind), generator=generator)[:count].to(kind.device)]


def _check_number(value: float, updates: int) -> None:
    if not np.isfinite(value):
        raise SentrepError(
            "weights",
            expected="finite numbers",
            found=f"{value} after {updates} updates",
            remedy="lower learning_rate or kappa, or set normalise_vectors: true",
        )
