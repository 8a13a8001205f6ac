"""Configuration of the Quick Thoughts paper: transfer tasks, retrieval, nearest sentences, analogies."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from sentrep.config.base import CorpusName, Label, ModelName, ModelNames, Name, SourceName, Unique, mistake
from sentrep.errors import nearest
from sentrep.evaluation.analogies.settings import Mining
from sentrep.evaluation.retrieval.settings import Settings as RetrievalSettings
from sentrep.evaluation.transfer import kim_settings
from sentrep.evaluation.transfer.readers import READERS
from sentrep.runtime.settings import PositiveCount, Section, Seed, measured_in


class Layout(Section):
    """One file format of a transfer task."""

    reader: str = Field(description="Function in sentrep.evaluation.transfer.readers.")
    files: dict[str, str] = Field(
        description="Split (all, or train, dev, test) or class -> the end of its file's path."
    )
    labels: dict[str, str] = Field(
        default={}, description="Label in the file -> class; by default labels are the names of the classes."
    )
    columns: dict[str, str] = Field(
        default={}, description="Headings of a table's columns: first and second sentence, target."
    )

    @model_validator(mode="after")
    def _has_a_reader(self) -> Layout:
        if self.reader not in READERS:
            raise mistake("a known reader", f"'{self.reader}'", nearest(self.reader, sorted(READERS)))
        return self


class Task(Section):
    """One transfer task."""

    label: Label = Field(description="Name in tables, as the papers use it.")
    sources: Annotated[list[SourceName], Field(min_length=1)] = Field(
        description="Sources of its files (workflow/sources.tsv)."
    )
    files: list[str] | None = Field(
        default=None,
        description="Globs, files or folders that replace its sources' paths; below the mirror, or plain paths.",
    )
    measure: Literal["accuracy", "paraphrase", "relatedness"] = Field(description="What is measured.")
    classes: Annotated[list[str], Field(min_length=2), Unique] | None = Field(
        default=None, description="Names of the classes, the positive one last; a task has classes or scores."
    )
    scores: Annotated[list[int], Field(min_length=2, max_length=2)] | None = Field(
        default=None, description="Lowest and highest score."
    )
    layouts: Annotated[list[Layout], Field(min_length=1)] = Field(
        description="File formats in which the task may come; the first whose files are all available is read."
    )

    @model_validator(mode="after")
    def _has_targets(self) -> Task:
        wanted = "scores" if self.measure == "relatedness" else "classes"
        given = [name for name in ("classes", "scores") if getattr(self, name) is not None]
        if given != [wanted]:
            raise mistake(
                f"`{wanted}` alone for the measure {self.measure}", ", ".join(given) or "neither", f"give `{wanted}`"
            )
        return self


class Cnn(Section):
    """The convolutional network of Kim, trained on each task of single sentences."""

    vectors: ModelName = Field(description="Model whose word vectors it starts from.")
    settings: kim_settings.Settings = Field(default=kim_settings.Settings(), description="Hyper-parameters.")


class Transfer(Section):
    """Transfer tasks, which classify sentences by their vectors."""

    protocols: Annotated[dict[Literal["kiros", "senteval"], Literal["unit", "none"] | None], Field(min_length=1)] = (
        Field(
            default={"kiros": None, "senteval": None},
            description="Protocols, and how each normalises vectors; null for its own: unit (kiros), none (senteval).",
        )
    )
    surface_features: bool = Field(
        default=False, description="Add Kiros et al.'s six features of numbers and common words to MSRP."
    )
    models: list[ModelName] | None = Field(
        default=None, description="Models that are scored, or null for all of table 1."
    )
    seeds: PositiveCount | None = Field(
        default=None, description="Largest number of seeds of each model, or null for all."
    )
    ensemble: list[ModelName] = Field(
        default=[], description="Models that the ensemble of Quick Thoughts' table 3 combines."
    )
    cnn: Cnn | None = Field(
        default=None,
        description="The convolutional network of Kim, trained on each task of single sentences; null to leave it out.",
    )
    tasks: dict[Name, Task] = Field(default={}, description="Tasks, by name.")


class Retrieval(Section):
    """Retrieval of images and captions with fixed sentence vectors."""

    source: SourceName | None = Field(
        default=None, description="Source of annotations and image features, or null for synthetic ones."
    )
    files: list[str] | None = Field(
        default=None,
        description="Globs, files or folders that replace its source's path; below the mirror, or plain paths.",
    )
    dimension: PositiveCount = Field(default=4096, description="Length of an image's feature vector.")
    captions_per_image: PositiveCount = Field(default=5, description="Captions of an image that are used.")
    models: ModelNames = Field(
        default=[], description="Models that are scored; none leaves the published values alone."
    )
    seeds: PositiveCount = Field(default=1, description="Largest number of seeds of each model.")
    settings: RetrievalSettings = Field(
        default=RetrievalSettings(), description="How the maps of images and sentences are learned."
    )


class NearestSentences(Section):
    """The sentences of a pool that are nearest to some queries."""

    corpus: CorpusName = Field(description="Corpus whose sentences are the pool.")
    pool: PositiveCount = Field(
        default=1_000_000, description="Sentences drawn from it.", json_schema_extra=measured_in("sentences")
    )
    seed: Seed = Field(default=1, description="Seed of that draw.")
    queries: Annotated[list[str], Field(min_length=1), Unique] | None = Field(
        default=None, description="Sentences, or null for the paper's."
    )
    neighbours: PositiveCount = Field(
        default=5, description="Nearest sentences kept of each query; the table shows one."
    )
    models: ModelNames = Field(default=[], description="Models to compare, by their first seeds.")


class Analogies(Section):
    """Analogies between sentences."""

    corpus: CorpusName | None = Field(
        default=None, description="Corpus that sentences are taken from, or null for synthetic ones."
    )
    questions: dict[Annotated[str, Field(pattern="^[A-Za-z]+$")], SourceName | None] = Field(
        default={}, description="Sets of word analogies, Google and Microsoft, and their sources; null leaves one out."
    )
    relations: Annotated[list[Annotated[str, Field(pattern="^[A-Za-z]+ .")]], Field(min_length=1), Unique] | None = (
        Field(default=None, description="Relations as `<set> <relation>`, or null for the paper's.")
    )
    mining: Mining = Field(default=Mining(), description="Which sentences differ by one word.")
    tuples_per_relation: PositiveCount = Field(default=145, description="Largest number of tuples of one relation.")
    pool: PositiveCount = Field(
        default=1_000_000, description="Other sentences to search among.", json_schema_extra=measured_in("sentences")
    )
    seed: Seed = Field(default=1, description="Seed of the choice of tuples and of the pool.")
    models: ModelNames = Field(default=[], description="Models that answer.")
    seeds: PositiveCount = Field(default=1, description="Largest number of seeds of each model.")
