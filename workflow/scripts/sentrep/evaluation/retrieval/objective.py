"""Score images and sentences with linear maps, and train the maps with a margin loss.

f(x, y) = (U x)^T (V y), equation 3 of Logeswaran and Lee (2018). The published equation uses one index for both sums;
here one sum is over wrong images and the other over wrong captions, as intended.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn.functional import normalize

from sentrep.evaluation.retrieval.settings import Scoring


class Scorer(nn.Module):
    """Linear maps of image features and sentence vectors into one space.

    Args:
        image_dimension: dimension of image features.
        sentence_dimension: dimension of sentence vectors.
        dimension: dimension of the common space.
        scoring: "inner_product", as in the paper; "cosine": projections have length one; "released": only those of
            sentences in training and both in the evaluation, as in the code of Kiros et al. (2015).
        bias: whether the maps have biases, as in that code.
        seed: seed of the initial weights, uniform within sqrt(2 / fan-in) as in that code; biases start at zero.
    """

    def __init__(
        self, image_dimension: int, sentence_dimension: int, dimension: int, scoring: Scoring, bias: bool, seed: int
    ) -> None:
        super().__init__()
        self.scoring = scoring
        self.images = nn.Linear(image_dimension, dimension, bias=bias)
        self.sentences = nn.Linear(sentence_dimension, dimension, bias=bias)
        generator = torch.Generator().manual_seed(seed)
        for layer in (self.images, self.sentences):
            bound = (2 / layer.in_features) ** 0.5
            nn.init.uniform_(layer.weight, -bound, bound, generator=generator)
            if bias:
                nn.init.zeros_(layer.bias)

    def project_images(self, features: Tensor) -> Tensor:
        """Return (n, dimension)."""
        projected = self.images(features)
        unit = self.scoring == "cosine" or (self.scoring == "released" and not self.training)
        return normalize(projected, dim=1) if unit else projected

    def project_sentences(self, vectors: Tensor) -> Tensor:
        """Return (n, dimension)."""
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
    """Return the loss of matching pairs against wrong ones, averaged over the pairs.

    A pair (x, y) costs max(0, margin - f(x, y) + f(x', y)) for each wrong image x' and the same with f(x, y') for each
    wrong caption y'. The released code sums over pairs, which is equivalent under Adam.

    Args:
        images: (b, k) projections.
        captions: (b, k) projections of the matching captions.
        wrong_images: (b, n, k) projections, different for each pair, or (n, k), the same for all pairs.
        wrong_captions: projections in the same form.
        margin: alpha.
        use_images: (b, n) bool: which wrong images count; None: all.
        use_captions: (b, n) bool: which wrong captions count; None: all.
    """
    own = (images * captions).sum(dim=1, keepdim=True)
    terms = ((captions, wrong_images, use_images), (images, wrong_captions, use_captions))
    total = images.new_zeros(())
    for anchors, wrong, use in terms:
        scores = anchors @ wrong.T if wrong.dim() == 2 else torch.einsum("bk,bnk->bn", anchors, wrong)
        costs = (margin - own + scores).clamp(min=0)
        total = total + (costs if use is None else costs * use).sum()
    return total / len(images)
