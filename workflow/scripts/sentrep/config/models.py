"""Configuration of models and sweeps: what to train, and where the papers report it."""

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
    """An input of a model: exactly one of a model, pairs, a source and files."""

    model: ModelName | None = Field(
        default=None,
        description="Another model, with the same seed if it has all seeds of this one, otherwise with its first seed.",
    )
    pairs: PairsName | None = Field(default=None, description="Mined pairs of texts.")
    source: SourceName | None = Field(
        default=None, description="A source in workflow/sources.tsv, such as published vectors."
    )
    files: Annotated[list[str], Field(min_length=1)] | None = Field(
        default=None,
        description=(
            "Globs, files or folders of your own, such as a file of word vectors; below the mirror, or plain paths."
        ),
    )

    @model_validator(mode="after")
    def _is_one(self) -> Input:
        if len(given := sorted(self.model_dump(exclude_none=True))) != 1:
            raise mistake(
                "one of `model`, `pairs`, `source` and `files`", ", ".join(given) or "none", "set exactly one of them"
            )
        return self


class Reported(Section):
    """A column of a table in a paper."""

    paper: Paper = Field(description="Name of a file in workflow/reported/.")
    table: int = Field(description="Number of the table.")
    column: str = Field(description="Column of the table.")


class Model(Section):
    """A model, shown as a column of the tables."""

    base: str | None = Field(
        default=None,
        description=(
            "Another model, whose settings this one shares unless it overrides them, except `label` and `reported`."
        ),
    )
    family: str = Field(description="Model family: a module in workflow/scripts/sentrep/families/.")
    paper: Paper | None = Field(
        default=None, description="Paper that needs the model, in addition to those in `reported`."
    )
    label: Label = Field(description="Name in tables and figures.")
    corpus: CorpusName = Field(description="Name of the corpus it is trained on.")
    seeds: Seeds = Field(description="One model is trained per seed; tables show the mean.")
    parameters: dict[str, Any] = Field(
        default={}, description="Parameters of the family, see below; the defaults are the paper's settings."
    )
    inputs: dict[str, Input] = Field(
        default={},
        description=(
            "Inputs in addition to the corpus, under the names that the family expects: `embeddings` and "
            "`pairs` (weighted_aggregation); `vectors` (pretrained_vectors, infersent, quick_thoughts); `directions` "
            "and `norms` (transformed_vectors); `expansion` (quick_thoughts, skip_thought, conv_autoencoder); `snli` "
            "and `multinli` (infersent); `model` (released_skip_thought, sentence_transformer); any names, two or more "
            "(concatenation)."
        ),
    )
    column: bool = Field(default=True, description="Show the model in the tables of sentence-pair scores.")
    baseline: bool = Field(default=False, description="The model is an untrained baseline.")
    device: Device | None = Field(
        default=None, description="Device for this model, if it differs from the common `device`."
    )
    reported: list[Reported] = Field(
        default=[], description="Columns in which the papers report this model; results/table1 shows the first."
    )


class Sweep(Section):
    """A sweep: a figure, or a section of a paper's table of ablations."""

    paper: Paper | None = Field(default=None, description="Paper that the sweep belongs to.")
    title: str = Field(
        default="",
        description=(
            "Heading of the sweep's section in results/<paper>/ablation.*, which compares each point with the first "
            "baseline of the same corpus; empty if the sweep is shown only in a figure."
        ),
    )
    models: Annotated[list[ModelName], Field(min_length=1), Unique] = Field(description="Models to vary.")
    baselines: list[ModelName] = Field(
        default=[], description="Models shown for comparison on each corpus of the grid."
    )
    parameters: dict[str, Any] = Field(default={}, description="Parameters that all points override.")
    grid: dict[str, Annotated[list[Any], Field(min_length=1), Unique] | None] = Field(
        default={},
        description="Parameter -> values; `fraction` varies the fraction of each model's corpus. "
        "Null removes a parameter from the grid of the preset.",
    )
    variants: dict[Label, dict[str, Any] | None] = Field(
        default={},
        description="Label -> changed parameters, or null to omit the variant; each variant is combined with the grid.",
    )
    seeds: Seeds | None = Field(default=None, description="Seeds of each point; null for the seeds of the model.")

    @property
    def axes(self) -> dict[str, list[Any]]:
        """Parameter -> values of the grid."""
        return {name: values for name, values in self.grid.items() if values is not None}

    @model_validator(mode="after")
    def _has_a_baseline(self) -> Sweep:
        if self.title and not self.baselines:
            raise mistake("an untrained model under `baselines` of a sweep with a title", "none", "add one")
        return self
