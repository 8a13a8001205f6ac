"""Define the settings for the convolutional network of Kim (2014)."""

from __future__ import annotations

from pydantic import Field

from sentrep.runtime.settings import PositiveCount, Section, measured_in


class Settings(Section):
    """Hyper-parameters of the convolutional network and of its training.

    The default filters, dropout, maximum norm and batch size are those in section 3.1 of Kim (2014).
    """

    windows: list[PositiveCount] = Field(
        default=[3, 4, 5], description="Widths of the filters.", json_schema_extra=measured_in("words")
    )
    filters: PositiveCount = Field(default=100, description="Number of filters of each width.")
    dropout: float = Field(
        default=0.5, ge=0, lt=1, description="Fraction of the pooled features that dropout sets to zero."
    )
    longest: float = Field(default=3.0, gt=0, description="Maximum norm of each row of weights in the last layer.")
    batch: PositiveCount = Field(
        default=50, description="Number of sentences per update.", json_schema_extra=measured_in("sentences")
    )
    epochs: PositiveCount = Field(
        default=25, description="Maximum number of epochs.", json_schema_extra=measured_in("epochs")
    )
    patience: PositiveCount = Field(
        default=5,
        description=(
            "Training ends after this number of consecutive epochs without a new best accuracy on the dev items."
        ),
        json_schema_extra=measured_in("epochs"),
    )
