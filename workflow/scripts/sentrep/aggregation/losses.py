"""Compute the two losses in section 3.2 of De Boom et al. (2016), and their derivatives with respect to distances.

Both losses depend on the trained weights only through the distance between the two texts of each pair in a batch. By
the chain rule, the gradient of a loss with respect to the weights is a sum over these pairs. The term of a pair is the
derivative of the loss with respect to the distance, multiplied by the gradient of the distance with respect to the
weights. This module computes the losses and these derivatives, but not the gradients of the distances.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import torch

Loss = Literal["contrastive", "median"]


def contrastive(distances: torch.Tensor, n_related: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the contrastive loss of De Boom et al. (2016) and its derivatives.

    The loss is a mean over all pairs. A related pair contributes its distance to this mean, and a non-related pair
    contributes the negative of its distance.

    Args:
        distances: (b,) distance between the two texts of each pair in a batch, related pairs first.
        n_related: number of related pairs in the batch.

    Returns:
        The loss, a scalar, and its derivatives with respect to the distances, (b,).
    """
    import torch

    derivative = torch.full_like(distances, -1 / len(distances))
    derivative[:n_related] = 1 / len(distances)
    return (derivative * distances).sum(), derivative


def median_based(distances: torch.Tensor, n_related: int, kappa: float) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the median loss of De Boom et al. (2016) and its derivatives.

    Let mu be the median of all distances d in the batch. The loss is the mean of ln(1 + exp(-kappa (mu - d))) over
    related pairs, plus the mean of ln(1 + exp(-kappa (d - mu))) over non-related pairs. For an even number of pairs, mu
    is the mean of the two middle distances, as in the authors' released code, and both of these distances receive a
    gradient through mu.

    Args:
        distances: (b,) distance between the two texts of each pair in a batch, related pairs first.
        n_related: number of related pairs in the batch, which must be neither 0 nor b.
        kappa: steepness of the loss around the median.

    Returns:
        The loss, a scalar, and its derivatives with respect to the distances, (b,).
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
