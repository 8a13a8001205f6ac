"""Configuration of models and sweeps: what is trained, and where papers report it."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field, model_validator

from sentrep.config.base import (
    CorpusName,
    Device,
    Label,
    ModelName,
    PairsName,
    Paper,
    Seeds,
    SourceName,
    Unique,
    mistake,
)
from sentrep.runtime.settings import Section


class Input(Section):
    """What a model is built on: exactly one of the three."""

    model: ModelName | None = Field(
        default=None,
        description="Another model: the same seed if it has all seeds of this one, and its first seed otherwise.",
    )
    pairs: PairsName | None = Field(default=None, description="Mined pairs of texts.")
    source: SourceName | None = Field(
        default=None, description="A source in workflow/sources.tsv, such as published vectors."
    )

    @model_validator(mode="after")
    def _is_one(self) -> Input:
        if len(given := sorted(self.model_dump(exclude_none=True))) != 1:
            raise mistake("one of `model`, `pairs` and `source`", ", ".join(given) or "none", "name one of them")
        return self


class Reported(Section):
    """One column of one table of a paper."""

    paper: Paper = Field(description="Name of a file in workflow/reported/.")
    table: int = Field(description="Number of the table.")
    column: str = Field(description="Column of the table.")


class Model(Section):
    """One model, a column of the tables."""

    base: str | None = Field(
        default=None,
        description="Another model, whose settings except `label` and `reported` this one shares unless overridden.",
    )
    family: str = Field(description="Module in workflow/scripts/sentrep/families/.")
    paper: Paper | None = Field(default=None, description="Paper it is trained for, besides those of `reported`.")
    label: Label = Field(description="Name in tables and figures.")
    corpus: CorpusName = Field(description="Name of the corpus it is trained on.")
    seeds: Seeds = Field(description="Each seed is one trained model; tables show the mean.")
    parameters: dict[str, Any] = Field(
        default={}, description="The family's parameters, see below; the defaults are the paper's."
    )
    inputs: dict[str, Input] = Field(
        default={},
        description=(
            "What the model is built on besides its corpus, under the names its family asks for: `embeddings` and "
            "`pairs` (weighted_aggregation); `vectors` (pretrained_vectors, infersent, quick_thoughts); `directions` "
            "and `norms` (transformed_vectors); `expansion` (quick_thoughts, skip_thought, conv_autoencoder); `snli` "
            "and `multinli` (infersent); `model` (released_skip_thought); any names, two or more (concatenation)."
        ),
    )
    column: bool = Field(default=True, description="False leaves it out of the tables of sentence-pair scores.")
    baseline: bool = Field(default=False, description="True for an untrained baseline.")
    device: Device | None = Field(default=None, description="Where this model is trained, if not where all are.")
    reported: list[Reported] = Field(
        default=[], description="Where the papers report this model; the first entry is shown in results/table1."
    )


class Sweep(Section):
    """One sweep: a figure of its own, or a section of a paper's table of ablations."""

    paper: Paper | None = Field(default=None, description="Paper whose figure it is.")
    title: str = Field(
        default="",
        description=(
            "Heading of its section in results/<paper>/ablation.*, which compares each point with the first baseline "
            "of the same corpus; empty if only a figure shows the sweep."
        ),
    )
    models: Annotated[list[ModelName], Field(min_length=1), Unique] = Field(description="Names of models to vary.")
    baselines: list[ModelName] = Field(default=[], description="Models shown next to them on each corpus of the grid.")
    parameters: dict[str, Any] = Field(default={}, description="Overrides common to all points.")
    grid: dict[str, Annotated[list[Any], Field(min_length=1), Unique] | None] = Field(
        default={},
        description="Parameter -> values; `fraction` varies the share of each model's corpus that is read. "
        "Null removes a parameter of the preset's grid.",
    )
    variants: dict[Label, dict[str, Any] | None] = Field(
        default={},
        description="Label -> parameters that it changes, or null to leave it out; each is combined with the grid.",
    )
    seeds: Seeds | None = Field(default=None, description="Seeds of each point; null for those of the model.")

    @property
    def axes(self) -> dict[str, list[Any]]:
        """Parameter -> values of the grid."""
        return {name: values for name, values in self.grid.items() if values is not None}

    @model_validator(mode="after")
    def _has_a_baseline(self) -> Sweep:
        if self.title and not self.baselines:
            raise mistake("an untrained model under `baselines` of a sweep with a title", "none", "name one")
        return self
