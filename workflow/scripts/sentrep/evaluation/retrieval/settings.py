"""Define the settings for image-caption retrieval."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from sentrep.runtime.settings import PositiveCount, Section, measured_in

Scoring = Literal["inner_product", "cosine", "released"]


class Settings(Section):
    """Settings for training linear maps from image features and sentence vectors to a common space.

    Most defaults follow Kiros et al. (2015).
    """

    dimension: PositiveCount = Field(default=1000, description="Dimension of the common space.")
    margin: float = Field(default=0.2, gt=0, description="Margin of the ranking loss.")
    contrasts: PositiveCount = Field(
        default=50, description="Number of contrastive images per pair; the number of contrastive captions is the same."
    )
    drawn_for: Literal["pair", "batch"] = Field(
        default="pair",
        description=(
            "Whether contrastive examples are drawn from the training set separately for each pair (`pair`), as in the "
            "code of Kiros et al., or once for all pairs in a batch (`batch`). The latter is much faster, because "
            "fewer examples are projected into the common space."
        ),
    )
    own_as_contrast: bool = Field(
        default=False,
        description=(
            "Whether the image of a pair and the captions of this image count as contrastive examples for the pair "
            "if they are drawn, as in the code of Kiros et al. If false, they are left out of the loss."
        ),
    )
    scoring: Scoring = Field(
        default="inner_product",
        description=(
            "Score of an image and a sentence in the common space: `inner_product`, as in the Quick Thoughts paper; "
            "`cosine`; or `released`, as in the code of Kiros et al. With `released`, evaluation uses the cosine. In "
            "training, the projected sentence is scaled to length one, the projected image is not scaled, and the "
            "score is the inner product of the two."
        ),
    )
    epochs: PositiveCount = Field(
        default=15, description="Number of training epochs.", json_schema_extra=measured_in("epochs")
    )
    batch_size: PositiveCount = Field(
        default=100,
        description="Number of image-caption pairs per training step.",
        json_schema_extra=measured_in("pairs"),
    )
    learning_rate: float = Field(default=2e-4, gt=0, description="Learning rate of Adam.")
    validate_every: PositiveCount = Field(
        default=500,
        description="Number of steps between validations; the last step is also followed by a validation.",
        json_schema_extra=measured_in("steps"),
    )
    fold_images: PositiveCount = Field(
        default=1000,
        description="Number of images in each fold of the validation and test sets.",
        json_schema_extra=measured_in("images"),
    )
