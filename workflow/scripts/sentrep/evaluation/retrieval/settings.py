"""Settings of image-caption retrieval."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from sentrep.runtime.settings import PositiveCount, Section, measured_in

Scoring = Literal["inner_product", "cosine", "released"]


class Settings(Section):
    """How the maps of images and sentences are learned: Kiros et al. (2015), with the paper's scoring function."""

    dimension: PositiveCount = Field(default=1000, description="Length of a vector in the common space.")
    margin: float = Field(default=0.2, gt=0, description="Margin of the ranking loss.")
    contrasts: PositiveCount = Field(default=50, description="Contrastive images and captions of each pair.")
    drawn_for: Literal["pair", "batch"] = Field(
        default="pair",
        description=(
            "Whether each pair has its own draw of contrastive examples from the training set, as released, or all "
            "pairs of a batch share one, which is faster by about the batch size."
        ),
    )
    own_as_contrast: bool = Field(
        default=False, description="Whether a drawn example that belongs to the pair counts as wrong, as released."
    )
    scoring: Scoring = Field(default="inner_product", description="Scoring function.")
    bias: bool = Field(default=True, description="Whether the maps have biases.")
    image_normalisation: Literal["unit", "none"] = Field(
        default="unit", description="Whether image features are scaled to length one; the papers do not say."
    )
    epochs: PositiveCount = Field(
        default=15, description="Epochs over all pairs.", json_schema_extra=measured_in("epochs")
    )
    batch_size: PositiveCount = Field(
        default=100, description="Pairs in a step.", json_schema_extra=measured_in("pairs")
    )
    learning_rate: float = Field(default=2e-4, gt=0, description="Learning rate of Adam.")
    validate_every: PositiveCount = Field(
        default=500,
        description="Steps between two validations; there is also one at the end.",
        json_schema_extra=measured_in("steps"),
    )
    patience: PositiveCount | None = Field(
        default=None,
        description="Validations without improvement that end the training, or null for none, as released.",
    )
    fold_images: PositiveCount = Field(
        default=1000, description="Images in a fold of validation and test.", json_schema_extra=measured_in("images")
    )
