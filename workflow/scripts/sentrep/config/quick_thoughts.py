"""Define the configuration of the evaluations in the Quick Thoughts paper.

These evaluations are the transfer tasks, the retrieval of images and captions, the search for nearest sentences, and
the analogies between sentences.
"""

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
    """A set of files in which a transfer task is distributed, and the format of these files."""

    reader: str = Field(
        description=(
            "Name of the function in sentrep.evaluation.transfer.readers that reads the files, such as "
            "`labelled_lines` for lines that consist of a label, a space or tab, and a sentence."
        )
    )
    files: dict[str, str] = Field(
        description=(
            "For each split or class, a pattern that selects its files: a file is selected if the end of its path "
            "matches the pattern. A pattern with wildcards may select several files. Splits must be given as `all` "
            "alone, as `train` and `test`, or as `train`, `dev` and `test`."
        )
    )
    labels: dict[str, str] = Field(
        default={},
        description="Mapping from labels in the files to classes; by default, the labels are the names of the classes.",
    )
    columns: dict[str, str] = Field(
        default={},
        description=(
            "For tables of sentence pairs, the headings of three columns, keyed by `first` (the first sentence), "
            "`second` (the second sentence) and `target` (the label or score)."
        ),
    )

    @model_validator(mode="after")
    def _has_a_reader(self) -> Layout:
        if self.reader not in READERS:
            raise mistake("a known reader", f"'{self.reader}'", nearest(self.reader, sorted(READERS)))
        return self


class Task(Section):
    """A transfer task."""

    label: Label = Field(description="Name of the task in tables, as in the papers.")
    sources: list[SourceName] = Field(
        default=[],
        description="Sources of the task's files, as named in workflow/sources.tsv; not used if `files` is set.",
    )
    files: Annotated[list[str], Field(min_length=1)] | None = Field(
        default=None,
        description=(
            "Files, folders or glob patterns to read instead of the `sources`. Relative paths are searched for in the "
            "mirror folder and, if nothing is found there, in the working directory."
        ),
    )
    measure: Literal["accuracy", "paraphrase", "relatedness"] = Field(
        description=(
            "Measures of performance: `accuracy`; `paraphrase`, for accuracy and F1; or `relatedness`, for Pearson's "
            "r, Spearman's rho and mean squared error."
        )
    )
    classes: Annotated[list[str], Field(min_length=2), Unique] | None = Field(
        default=None,
        description=(
            "Names of the classes, for the measures `accuracy` and `paraphrase`. The positive class, if there is one, "
            "must come last."
        ),
    )
    scores: Annotated[list[int], Field(min_length=2, max_length=2)] | None = Field(
        default=None, description="Lowest and highest possible scores of a pair, for the measure `relatedness`."
    )
    layouts: Annotated[list[Layout], Field(min_length=1)] = Field(
        description=(
            "Alternative sets of files in which the task is distributed, with their formats; the first set whose files "
            "are all available is used."
        )
    )

    @model_validator(mode="after")
    def _has_files(self) -> Task:
        if not self.sources and self.files is None:
            raise mistake("`sources` or `files`", "neither", "name the sources or the files of the task")
        return self

    @model_validator(mode="after")
    def _has_targets(self) -> Task:
        wanted = "scores" if self.measure == "relatedness" else "classes"
        given = [name for name in ("classes", "scores") if getattr(self, name) is not None]
        if given != [wanted]:
            raise mistake(
                f"only `{wanted}`, because the measure is {self.measure}",
                " and ".join(f"`{name}`" for name in given) or "neither `classes` nor `scores`",
                f"set only `{wanted}`",
            )
        return self


class Cnn(Section):
    """Settings for the CNN of Kim (2014), which is trained on every task whose measure is ``accuracy``."""

    vectors: ModelName = Field(description="Model whose word vectors initialise the network.")
    settings: kim_settings.Settings = Field(default=kim_settings.Settings(), description="Settings of the network.")


class Transfer(Section):
    """Settings for the transfer tasks, which use sentence vectors as the features of a classifier."""

    protocols: Annotated[dict[Literal["kiros", "senteval"], Literal["unit", "none"] | None], Field(min_length=1)] = (
        Field(
            default={"kiros": None, "senteval": None},
            description=(
                "Normalisation of the sentence vectors, by protocol; null selects the default of the protocol, which "
                "is `unit` for kiros and `none` for senteval."
            ),
        )
    )
    models: list[ModelName] | None = Field(
        default=None, description="Models to score, or null for all models that have a column in results/table1."
    )
    seeds: PositiveCount | None = Field(
        default=None, description="Maximum number of seeds per model, or null for all seeds."
    )
    ensemble: list[ModelName] = Field(
        default=[], description="Models that form the ensemble in table 3 of the Quick Thoughts paper."
    )
    cnn: Cnn | None = Field(
        default=None,
        description="CNN of Kim (2014), trained on every task whose measure is `accuracy`; null to omit the CNN.",
    )
    tasks: dict[Name, Task] = Field(default={}, description="Transfer tasks, by name.")


class Retrieval(Section):
    """Settings for retrieving images by caption and captions by image; the sentence vectors are not fine-tuned."""

    source: SourceName | None = Field(
        default=None, description="Source of the captions and image features, or null for synthetic data."
    )
    files: list[str] | None = Field(
        default=None,
        description=(
            "Files, folders or glob patterns to read instead of the files of the source. Relative paths are searched "
            "for in the mirror folder and, if nothing is found there, in the working directory."
        ),
    )
    dimension: PositiveCount = Field(default=4096, description="Length of an image's feature vector.")
    captions_per_image: PositiveCount = Field(default=5, description="Number of captions used per image.")
    models: ModelNames = Field(default=[], description="Models to score; if empty, only published values are shown.")
    seeds: PositiveCount = Field(default=1, description="Maximum number of seeds per model.")
    settings: RetrievalSettings = Field(
        default=RetrievalSettings(),
        description="Settings for training the maps from image features and sentence vectors to a common space.",
    )

    @model_validator(mode="after")
    def _has_a_source(self) -> Retrieval:
        if self.files is not None and self.source is None:
            raise mistake("a `source` of the `files`", "no `source`", "set `source`, for example to coco")
        return self


class NearestSentences(Section):
    """Settings for finding the sentences nearest to given queries."""

    corpus: CorpusName = Field(description="Corpus from which the pool of sentences to search is drawn.")
    pool: PositiveCount = Field(
        default=1_000_000, description="Number of sentences in the pool.", json_schema_extra=measured_in("sentences")
    )
    seed: Seed = Field(default=1, description="Seed for drawing the pool.")
    queries: Annotated[list[str], Field(min_length=1), Unique] | None = Field(
        default=None, description="Query sentences, or null for the queries in table 5 of the Quick Thoughts paper."
    )
    neighbours: PositiveCount = Field(
        default=5,
        description=(
            "Number of nearest sentences to save per query; results/quick_thoughts/table5 shows only the nearest one."
        ),
    )
    models: ModelNames = Field(default=[], description="Models to compare; only the first seed of each is used.")


class Analogies(Section):
    """Settings for the analogies between sentences."""

    corpus: CorpusName | None = Field(
        default=None, description="Corpus from which pairs of sentences are mined, or null for synthetic sentences."
    )
    questions: dict[Annotated[str, Field(pattern="^[A-Za-z]+$")], SourceName | None] = Field(
        default={}, description="Source of each set of word analogies (`Google`, `Microsoft`); null omits the set."
    )
    relations: Annotated[list[Annotated[str, Field(pattern="^[A-Za-z]+ .")]], Field(min_length=1), Unique] | None = (
        Field(
            default=None,
            description=(
                "Relations to evaluate, each in the form `<set> <relation>`; null for all relations in table 6 of the "
                "Quick Thoughts paper."
            ),
        )
    )
    mining: Mining = Field(
        default=Mining(), description="Criteria for mining pairs of sentences that differ in one word."
    )
    tuples_per_relation: PositiveCount = Field(
        default=145, description="Maximum number of analogies (tuples of four sentences) per relation."
    )
    pool: PositiveCount = Field(
        default=1_000_000,
        description="Number of randomly drawn sentences that are added to the candidate answers.",
        json_schema_extra=measured_in("sentences"),
    )
    seed: Seed = Field(
        default=1,
        description="Seed for drawing the analogies and the sentences that are added to the candidate answers.",
    )
    models: ModelNames = Field(default=[], description="Models to score.")
    seeds: PositiveCount = Field(default=1, description="Maximum number of seeds per model.")
