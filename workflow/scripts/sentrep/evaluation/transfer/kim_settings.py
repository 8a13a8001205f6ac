"""Settings of the convolutional network of Kim (2014)."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from sentrep.runtime.settings import PositiveCount, Section, measured_in


class Settings(Section):
    """Hyper-parameters of Kim (2014), section 3.1, and the length of the training."""

    windows: list[PositiveCount] = Field(
        default=[3, 4, 5], description="Widths of the filters.", json_schema_extra=measured_in("words")
    )
    filters: PositiveCount = Field(default=100, description="Filters of each width.")
    dropout: float = Field(default=0.5, ge=0, lt=1, description="Share of the pooled features that dropout removes.")
    longest: float = Field(default=3.0, gt=0, description="Norm to which rows of the last layer are scaled back.")
    batch: PositiveCount = Field(
        default=50, description="Sentences of an update.", json_schema_extra=measured_in("sentences")
    )
    epochs: PositiveCount = Field(
        default=25, description="Largest number of epochs.", json_schema_extra=measured_in("epochs")
    )
    patience: PositiveCount = Field(
        default=5,
        description="Epochs without a better score on the dev items that end the training.",
        json_schema_extra=measured_in("epochs"),
    )
    channels: Literal["static", "nonstatic", "multichannel"] = Field(
        default="nonstatic",
        description="Whether word vectors are fixed, trained, or both, next to each other.",
    )
