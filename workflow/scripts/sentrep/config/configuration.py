"""Define the complete configuration, with one field per top-level key."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from sentrep.config.base import ModelName, Name, Paper, Unique
from sentrep.config.corpora import Corpus, Pairs
from sentrep.config.evaluation import Evaluation, Tables
from sentrep.config.models import Model, Sweep
from sentrep.config.quick_thoughts import Analogies, NearestSentences, Retrieval, Transfer
from sentrep.config.weighted_aggregation import Aggregation
from sentrep.runtime.devices import Device
from sentrep.runtime.settings import PositiveCount, Section


class Configuration(Section):
    """Complete configuration of a run: the preset, merged with the user's overrides."""

    preset: Name = Field(
        description=(
            "Name of the preset, which is also the name of its file in workflow/presets (without .yaml) and of its "
            "folder in results/. A preset extends base.yaml or, if it has the key `extends`, the preset that this "
            "key names, as in `extends: novels`."
        )
    )
    papers: Annotated[list[Paper], Field(min_length=1), Unique] = Field(
        default=["siamese_cbow", "weighted_aggregation", "quick_thoughts", "cbos"],
        description="Papers to replicate. Models, sweeps, tables and figures that only other papers need are omitted.",
    )
    only: Annotated[list[ModelName], Field(min_length=1), Unique] | None = Field(
        default=None,
        description=(
            "Names of the models to compare with the untrained baselines, or null for all models. If models are named, "
            "the run produces no figures, and it produces only some of the papers' tables: the tables listed in "
            "`tables.sts`, and tables 1 to 3 of the Quick Thoughts paper."
        ),
    )
    mirror: str | None = Field(
        default=None,
        description="Folder that contains data sets at the paths listed in workflow/sources.tsv, or null for none.",
    )
    device: Device = Field(
        default="auto",
        description="Device to train on: auto uses a GPU if there is one, and cuda fails if there is none.",
    )
    processes: PositiveCount = Field(
        default=1,
        description=(
            "Number of processes that train one network together, with one process per GPU if the device is cuda. "
            "Each batch is split between the processes. Apart from rounding errors, the results are the same as with a "
            "single process."
        ),
    )
    container: str | None = Field(
        default="docker://registry.example.org/sentrep:0.1.0",
        description=(
            "Container image for jobs that run with `--software-deployment-method apptainer`: the registry address to "
            "which you pushed the image that `make image` builds, or the path of a .sif file; null for none."
        ),
    )
    corpora: dict[Name, Corpus] = Field(default={}, description="Training texts, by name.")
    evaluation: Evaluation = Field(default=Evaluation(), description="Evaluation of models on sentence pairs.")
    pairs: dict[Name, Pairs] = Field(
        default={},
        description="Sets of related and non-related text pairs for the weighted aggregation paper, by name.",
    )
    aggregation: Aggregation = Field(
        description="Settings for the tables and figures of the weighted aggregation paper."
    )
    transfer: Transfer = Field(
        default=Transfer(), description="Transfer tasks, in which a classifier uses sentence vectors as features."
    )
    retrieval: Retrieval = Field(
        default=Retrieval(),
        description="Retrieval of images by captions, and of captions by images, with fixed sentence vectors.",
    )
    nearest_sentences: NearestSentences = Field(description="Search for the sentences nearest to given queries.")
    analogies: Analogies = Field(
        default=Analogies(), description="Evaluation of models on analogies between sentences."
    )
    tables: Tables = Field(
        default=Tables(),
        description=(
            "Settings for the papers' tables of sentence-pair scores and for the table of all models "
            "(`results/models.*`)."
        ),
    )
    models: dict[Name, Model] = Field(
        default={},
        description="Models, by name; by default, each model has a column in the tables of sentence-pair scores.",
    )
    sweeps: dict[Name, Sweep] = Field(
        default={},
        description="Sweeps, by name; each sweep trains the same models with several values of one or more parameters.",
    )
