"""Configuration of the weighted aggregation paper's tables and figures."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from sentrep.aggregation.options import Options
from sentrep.config.base import Label, ModelName, Name, PairsName, mistake
from sentrep.runtime.settings import Section, measured_in


class Column(Section):
    """One column of the paper's table 1 or 2."""

    table: Literal[1, 2] = Field(description="Number of the paper's table.")
    label: Label = Field(description="Heading of the column.")
    reported: str = Field(description="The paper's column, whose values are shown next to ours.")
    pairs: PairsName = Field(description="Name of the mined pairs that are told apart.")
    embeddings: ModelName = Field(description="Model whose word vectors are aggregated.")
    learnt: dict[ModelName, str] = Field(default={}, description="Model with learned weights -> name of its row.")


class Variant(Section):
    """Changes to the columns of table 1 and to the models they name."""

    embeddings: dict[str, Any] = Field(default={}, description="Parameters of the models of word vectors.")
    learnt: dict[str, Any] = Field(default={}, description="Parameters of the models with learned weights.")
    options: dict[str, Any] = Field(default={}, description="Options of the evaluation.")


class Kappa(Section):
    """Cross-validation of kappa."""

    model: ModelName = Field(description="Model with learned weights whose kappa is varied.")
    grid: list[float] = Field(default=[10, 20, 40, 80, 160, 320, 640], description="Values of kappa.")
    pairs: Annotated[int, Field(ge=10)] = Field(
        default=20_000,
        description="Number of pairs of each kind that are used.",
        json_schema_extra=measured_in("pairs"),
    )


class Aggregation(Section):
    """What the tables and figures of the weighted aggregation paper show."""

    columns: dict[Name, Column] = Field(
        default={}, description="Pairs compared with word vectors, each a column of the paper's table 1 or 2, by name."
    )
    options: Options = Field(
        default=Options(), description="Where the paper and its released code differ in evaluation."
    )
    variants: dict[Label, Variant | None] = Field(
        default={},
        description="Label -> what differs, or null to leave it out; results/weighted_aggregation/variants shows them.",
    )
    variant_columns: list[Name] = Field(default=[], description="Columns that are also evaluated with each variant.")
    kappa: Kappa = Field(description="Cross-validation of kappa.")
    figure2: str = Field(description="Column whose distances figure 2 shows.")
    figure3: list[ModelName] = Field(default=[], description="Models whose learned weights figure 3 shows.")

    @model_validator(mode="after")
    def _names_columns(self) -> Aggregation:
        for key, names in (("figure2", [self.figure2]), ("variant_columns", self.variant_columns)):
            if unknown := [name for name in names if name not in self.columns]:
                raise mistake(f"`{key}` to name columns: {', '.join(self.columns)}", unknown[0], "correct the name")
        return self
