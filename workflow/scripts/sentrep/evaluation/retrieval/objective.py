"""Define linear maps that project images and sentences into a common space, and the margin loss for training them.

The score of an image x and a sentence y is f(x, y) = (U x)^T (V y), as in equation 3 of Logeswaran and Lee (2018). The
two sums in their formula for the loss have the same index. In this module, one sum is over contrastive images and the
other is over contrastive captions, which is presumably what the authors intended.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn.functional import normalize

from sentrep.evaluation.retrieval.settings import Scoring


class Scorer(nn.Module):
    """A pair of linear maps that project image features and sentence vectors into a common space.

    Args:
        image_dimension: dimension of image features.
        sentence_dimension: dimension of sentence vectors.
        dimension: dimension of the common space.
        scoring: "inner_product" does not scale projections, as in Logeswaran and Lee (2018). "cosine" scales all
            projections to length one. "released" follows the code of Kiros et al. (2015), which scales only projected
            sentences to length one in training, but both projected sentences and projected images in evaluation.
        seed: seed for the initial weights, which are uniform within ±sqrt(2 / fan-in), as in the code of Kiros et al.
            As in this code, the maps have biases, which start at zero.
    """

    def __init__(
        self, image_dimension: int, sentence_dimension: int, dimension: int, scoring: Scoring, seed: int
    ) -> None:
        super().__init__()
        self.scoring = scoring
        self.images = nn.Linear(image_dimension, dimension)
        self.sentences = nn.Linear(sentence_dimension, dimension)
        generator = torch.Generator().manual_seed(seed)
        for layer in (self.images, self.sentences):
            bound = (2 / layer.in_features) ** 0.5
            nn.init.uniform_(layer.weight, -bound, bound, generator=generator)
            nn.init.zeros_(layer.bias)

    def project_images(self, features: Tensor) -> Tensor:
        """Return the projections of image features into the common space, (n, dimension)."""
        projected = self.images(features)
        unit = self.scoring == "cosine" or (self.scoring == "released" and not self.training)
        return normalize(projected, dim=1) if unit else projected

    def project_sentences(self, vectors: Tensor) -> Tensor:
        """Return the projections of sentence vectors into the common space, (n, dimension)."""
        projected = self.sentences(vectors)
        return projected if self.scoring == "inner_product" else normalize(projected, dim=1)


def margin_loss(
    images: Tensor,
    captions: Tensor,
    wrong_images: Tensor,
    wrong_captions: Tensor,
    margin: float,
    use_images: Tensor | None = None,
    use_captions: Tensor | None = None,
) -> Tensor:
    """Return the margin loss of matching image-caption pairs against contrastive examples, averaged over the pairs.

    The loss of a pair (x, y) with the score f(x, y) is the sum of max(0, margin - f(x, y) + f(x', y)) over contrastive
    images x', plus the sum of max(0, margin - f(x, y) + f(x, y')) over contrastive captions y'. The code of Kiros et
    al. (2015) sums over pairs instead of averaging. This makes almost no difference, because Adam is nearly invariant
    to the scale of the loss.

    Args:
        images: (b, k) projections of images.
        captions: (b, k) projections of the matching captions.
        wrong_images: projections of contrastive images, (b, n, k) if each pair has its own, or (n, k) if all pairs
            share them.
        wrong_captions: projections of contrastive captions, (b, n, k) or (n, k) as for ``wrong_images``.
        margin: the margin by which the score of a matching pair should exceed the scores f(x', y) and f(x, y').
        use_images: (b, n) bool, True where a contrastive image contributes to the loss of a pair; None if all
            contribute.
        use_captions: (b, n) bool, True where a contrastive caption contributes to the loss of a pair; None if all
            contribute.
    """
    own = (images * captions).sum(dim=1, keepdim=True)
    terms = ((captions, wrong_images, use_images), (images, wrong_captions, use_captions))
    total = images.new_zeros(())
    for anchors, wrong, use in terms:
        scores = anchors @ wrong.T if wrong.dim() == 2 else torch.einsum("bk,bnk->bn", anchors, wrong)
        costs = (margin - own + scores).clamp(min=0)
        total = total + (costs if use is None else costs * use).sum()
    return total / len(images)
