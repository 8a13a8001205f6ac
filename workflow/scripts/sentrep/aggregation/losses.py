"""The two losses of De Boom et al. 2016, section 3.2, and their derivatives, on the distances of a batch.

Both depend only on distances, and a squared distance is a quadratic form in the trained weights. The derivative with
respect to the weights is therefore a sum over pairs of a scalar, which is computed here, times a vector.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import torch

Loss = Literal["contrastive", "median"]


def contrastive(distances: torch.Tensor, n_related: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the contrastive loss, the mean of d over related and -d over non-related pairs, and its derivative.

    Args:
        distances: (b,) distances of pairs, related pairs first.
        n_related: how many are related.

    Returns:
        loss (), derivative by distance (b,).
    """
    import torch

    derivative = torch.full_like(distances, -1 / len(distances))
    derivative[:n_related] = 1 / len(distances)
    return (derivative * distances).sum(), derivative


def median_based(distances: torch.Tensor, n_related: int, kappa: float) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the median-based loss and its derivative.

    With mu the median of all distances of the batch, the loss is the mean over related pairs of
    ln(1 + exp(-kappa (mu - d))) plus the mean over the others of ln(1 + exp(-kappa (d - mu))). For an even number
    of pairs mu is the mean of the two middle distances, as in the released code, and gradients flow through both.

    Args:
        distances: (b,) distances of pairs, related pairs first.
        n_related: number of related pairs; neither 0 nor all.
        kappa: steepness.

    Returns:
        loss (), derivative by distance (b,).
    """
    import torch

    size = len(distances)
    order = torch.argsort(distances)
    middle = order[(size - 1) // 2 : size // 2 + 1]
    sign = torch.full_like(distances, -1.0)
    sign[:n_related] = 1.0
    share = torch.full_like(distances, 1 / (size - n_related))
    share[:n_related] = 1 / n_related
    steepness = kappa * sign * (distances - distances[middle].mean())
    loss = (share * torch.nn.functional.softplus(steepness)).sum()
    derivative = share * sign * kappa * torch.sigmoid(steepness)
    pull = derivative.sum() / len(middle)
    derivative[middle] -= pull
    return loss, derivative
