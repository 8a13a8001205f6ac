"""Define the configuration of models and sweeps."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field, model_validator

from sentrep.config.base import (
    CorpusName,
    Label,
    ModelName,
    PairsName,
    Paper,
    Seeds,
    SourceName,
    Unique,
    mistake,
)
from sentrep.runtime.devices import Device
from sentrep.runtime.settings import Section


class Input(Section):
    """An input of a model: another model, mined text pairs, a data source, or the user's own files."""

    model: ModelName | None = Field(
        default=None,
        description=(
            "Name of another model, which provides the input. If the other model is trained with all seeds of this "
            "model, each seed of this model is paired with the same seed of the other model. Otherwise, every seed of "
            "this model is paired with the first seed of the other model."
        ),
    )
    pairs: PairsName | None = Field(
        default=None, description="Name of a set of text pairs that is defined in the section `pairs`."
    )
    source: SourceName | None = Field(
        default=None, description="Name of a source in workflow/sources.tsv, such as a source of published vectors."
    )
    files: Annotated[list[str], Field(min_length=1)] | None = Field(
        default=None,
        description=(
            "Your own data, such as a file of word vectors: files, folders or glob patterns. Relative paths are "
            "searched for in the mirror folder and, if nothing is found there, in the working directory."
        ),
    )

    @model_validator(mode="after")
    def _is_one(self) -> Input:
        if len(given := sorted(self.model_dump(exclude_none=True))) != 1:
            raise mistake(
                "exactly one of `model`, `pairs`, `source` and `files`",
                " and ".join(f"`{key}`" for key in given) or "none of the four",
                "set exactly one of the four keys",
            )
        return self


class Reported(Section):
    """A column of a paper's table that contains published values for a model."""

    paper: Paper = Field(
        description="Paper that reports values for the model: the name of a file in workflow/reported/, without .csv."
    )
    table: int = Field(description="Number of the table in the paper.")
    column: str = Field(description="Heading of the column, as in the file of published values.")


class Model(Section):
    """A model: its family, training corpus and parameters, and how it is shown in tables."""

    base: str | None = Field(
        default=None,
        description=(
            "Another model, from which this model inherits all settings except `label` and `reported`. Settings that "
            "are given here take precedence."
        ),
    )
    family: str = Field(description="Model family: the name of a module in workflow/scripts/sentrep/families/.")
    paper: Paper | None = Field(
        default=None,
        description=(
            "Paper that needs the model, in addition to the papers in `reported`. If the model has a `paper` but no "
            "`reported` entries, and `column` is false, the model is trained only if a sweep, an evaluation, a table "
            "or another model uses it."
        ),
    )
    label: Label = Field(description="Name of the model in tables and figures.")
    corpus: CorpusName = Field(description="Corpus on which the model is trained.")
    seeds: Seeds = Field(
        description="Random seeds; one model is trained per seed, and most tables show mean scores over all seeds."
    )
    parameters: dict[str, Any] = Field(
        default={},
        description="Parameters of the family, by name. docs/config/families.md lists them with their defaults.",
    )
    inputs: dict[str, Input] = Field(
        default={},
        description=(
            "Inputs in addition to the corpus, under the names that the family expects: `embeddings` and "
            "`pairs` (weighted_aggregation); `vectors` (pretrained_vectors, infersent, quick_thoughts); `directions` "
            "and `norms` (transformed_vectors); `expansion` (quick_thoughts, skip_thought, sdae, conv_autoencoder); "
            "`snli` and `multinli` (infersent); `model` (released_skip_thought, sentence_transformer); two or more "
            "inputs with any names (concatenation)."
        ),
    )
    column: bool = Field(
        default=True, description="Whether to show the model as a column of the tables of sentence-pair scores."
    )
    baseline: bool = Field(default=False, description="Whether the model is an untrained baseline.")
    device: Device | None = Field(
        default=None, description="Device on which this model is trained, or null for the top-level `device`."
    )
    reported: list[Reported] = Field(
        default=[],
        description=(
            "Columns of the papers' tables that contain published values for this model; results/table1 shows the "
            "first of these columns that has values for sentence-pair sets."
        ),
    )


class Sweep(Section):
    """An experiment that trains models with several parameter values; a figure or table shows its results."""

    paper: Paper = Field(description="Paper to which the sweep belongs.")
    title: str = Field(
        default="",
        description=(
            "Heading of the sweep's section in results/<paper>/ablation.*. The section compares each trained model "
            "with the first of the `baselines` that uses the same corpus. A sweep that you add must have a title; a "
            "sweep of a preset needs no title if it is shown only in a figure or table of its own."
        ),
    )
    models: Annotated[list[ModelName], Field(min_length=1), Unique] = Field(
        description="Models whose parameters are varied."
    )
    baselines: list[ModelName] = Field(
        default=[],
        description=(
            "Untrained models that are shown for comparison. Of the parameters in the grid, only `fraction` applies to "
            "them."
        ),
    )
    parameters: dict[str, Any] = Field(
        default={}, description="Values of parameters that are not varied; they apply to all `models` of the sweep."
    )
    grid: dict[str, Annotated[list[Any], Field(min_length=1), Unique] | None] = Field(
        default={},
        description=(
            "List of values for each parameter that is varied; null removes a parameter that the preset varies. With "
            "the parameter `fraction`, a model is trained on the given fraction of its corpus. The models that a "
            "concatenation combines are trained on the same fraction of their corpora. All other models under "
            "`inputs`, such as an `expansion`, are trained on their complete corpora."
        ),
    )
    variants: dict[Label, dict[str, Any] | None] = Field(
        default={},
        description=(
            "Parameters that each variant changes, keyed by the label of the variant. Every variant is trained with "
            "all combinations of values in the grid. A variant that is null is omitted; if all variants are null, the "
            "sweep is omitted."
        ),
    )
    seeds: Seeds | None = Field(
        default=None,
        description="Seeds for each combination of parameter values, or null for each model's own seeds.",
    )

    @property
    def axes(self) -> dict[str, list[Any]]:
        """The values of each parameter in the grid, by name; parameters that are set to null are omitted."""
        return {name: values for name, values in self.grid.items() if values is not None}

    @property
    def is_empty(self) -> bool:
        """Whether the sweep has variants but all of them are set to null, so that there is nothing to train."""
        return bool(self.variants) and all(changes is None for changes in self.variants.values())

    @model_validator(mode="after")
    def _has_a_baseline(self) -> Sweep:
        if self.title and not self.baselines:
            raise mistake(
                "an untrained model in `baselines`, because `title` is set", "no model", "add an untrained model"
            )
        return self
