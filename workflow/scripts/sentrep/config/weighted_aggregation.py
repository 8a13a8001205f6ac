"""Define the configuration of the tables and figures of the weighted aggregation paper."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from sentrep.aggregation.options import Options
from sentrep.config.base import Label, ModelName, Name, PairsName, mistake
from sentrep.runtime.settings import Section, measured_in


class Column(Section):
    """A column of table 1 or 2 of the weighted aggregation paper."""

    table: Literal[1, 2] = Field(description="Number of the table in the paper.")
    label: Label = Field(description="Heading of the column.")
    reported: str = Field(description="Column of the paper's table with which our values are compared.")
    pairs: PairsName = Field(
        description="Entry of the section `pairs` whose text pairs are classified as related or non-related."
    )
    embeddings: ModelName = Field(description="Model whose word vectors are aggregated.")
    learnt: dict[ModelName, str] = Field(
        default={}, description="For each model with trained weights, the name of the table row that shows its results."
    )


class Variant(Section):
    """Changes to options and model parameters, which are applied to the columns in `variant_columns`."""

    embeddings: dict[str, Any] = Field(default={}, description="New parameter values for the word-vector models.")
    learnt: dict[str, Any] = Field(default={}, description="New parameter values for the models with trained weights.")
    options: dict[str, Any] = Field(default={}, description="New values of evaluation options.")


class Kappa(Section):
    """Settings for the cross-validation of kappa, the parameter of the median loss."""

    model: ModelName = Field(description="Model with trained weights; its parameter kappa is varied.")
    grid: list[float] = Field(default=[10, 20, 40, 80, 160, 320, 640], description="Values of kappa to compare.")
    pairs: Annotated[int, Field(ge=10)] = Field(
        default=20_000,
        description="Maximum number of pairs of each kind (related and non-related) in the cross-validation.",
        json_schema_extra=measured_in("pairs"),
    )


class Aggregation(Section):
    """Settings for the tables and figures of the weighted aggregation paper."""

    columns: dict[Name, Column] = Field(
        default={},
        description=(
            "Columns of tables 1 and 2 of the paper, by name. Each column shows the results for the word vectors of "
            "one model on one set of pairs."
        ),
    )
    options: Options = Field(
        default=Options(), description="Settings for the details in which the paper and its released code differ."
    )
    variants: dict[Label, Variant | None] = Field(
        default={},
        description=(
            "Options and parameters that each variant changes, keyed by the label of the variant; null omits a "
            "variant. The variants are shown in results/weighted_aggregation/variants."
        ),
    )
    variant_columns: list[Name] = Field(
        default=[], description="Names of the columns that are evaluated again with the changes of each variant."
    )
    kappa: Kappa = Field(description="Cross-validation of kappa, the parameter of the median loss.")
    figure2: str = Field(description="Column for which figure 2 shows the distances between the texts of each pair.")
    figure3: list[ModelName] = Field(default=[], description="Models whose trained weights are shown in figure 3.")

    @model_validator(mode="after")
    def _names_columns(self) -> Aggregation:
        for key, names in (("figure2", [self.figure2]), ("variant_columns", self.variant_columns)):
            if unknown := [name for name in names if name not in self.columns]:
                expected = f"`{key}` to name only entries of `columns` ({', '.join(self.columns)})"
                raise mistake(expected, f"'{unknown[0]}'", "correct the name")
        return self
