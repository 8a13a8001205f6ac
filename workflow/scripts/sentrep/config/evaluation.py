"""Define the configuration of the evaluation on sentence pairs and of the tables of sentence-pair scores."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from sentrep.config.base import ModelName, Paper, SourceName
from sentrep.runtime.settings import Section

Year = Annotated[int, Field(ge=2012, le=2015)]  # years of the sets in sentrep.evaluation.sts.sets.STANDARD


class Neighbours(Section):
    """Settings for listing nearest neighbours and norms of word vectors (section 4.4 of the Siamese CBOW paper)."""

    models: list[ModelName] = Field(default=[], description="Models to analyse; they must average word vectors.")
    words: list[str] = Field(default=["her", "me"], description="Words whose nearest neighbours are listed.")
    minimum_cosine: float = Field(
        default=0.6,
        ge=-1,
        le=1,
        description=(
            "Cosine similarity that a word must exceed to be listed as a neighbour. At most the 20 nearest neighbours "
            "are listed. Words that the paper lists as neighbours are included regardless of these two limits."
        ),
    )


class Evaluation(Section):
    """Settings for the evaluation of models on sentence pairs."""

    sources: dict[Year, SourceName] = Field(
        default={},
        description="Name of the source of the STS sets for each year; the names are listed in workflow/sources.tsv.",
    )
    sample: bool = Field(
        default=False,
        description=(
            "Whether the sentence-pair sets and the transfer tasks are sample data; if true, tables and figures say so."
        ),
    )
    lee: SourceName | None = Field(
        default=None,
        description=(
            "Source of the data set of Lee et al. (2005), on which models are scored in addition to the STS sets; null "
            "for none."
        ),
    )
    own: Annotated[list[str], Field(min_length=1)] | None = Field(
        default=None,
        description=(
            "Your own sentence pairs: files, folders or glob patterns. Relative paths are searched for in the mirror "
            "folder and, if nothing is found there, in the working directory. Each set consists of the files "
            "STS.input.NAME.txt (two tab-separated sentences per line) and STS.gs.NAME.txt (on each line, a score from "
            "0 to 5 or nothing). Null for none."
        ),
    )
    timed_models: list[ModelName] = Field(
        default=[], description="Models whose encoding time is measured for table 3 of the Siamese CBOW paper."
    )
    timed_pairs: int | None = Field(
        default=None,
        ge=1,
        description=(
            "Number of sentence pairs, drawn at random from all sets, on which encoding times are measured; null for "
            "all pairs. With all pairs, the measurement takes hours for large networks."
        ),
    )
    neighbours: Neighbours = Field(
        default=Neighbours(),
        description="Nearest neighbours and norms of word vectors, as in section 4.4 of the Siamese CBOW paper.",
    )


class StsTable(Section):
    """A table in which a paper reports scores on the sentence-pair sets."""

    number: int = Field(description="Number of the table in the paper.")
    title: str = Field(description="Title of the table.")
    baseline: ModelName | None = Field(
        default=None,
        description=(
            "Model with which the models in `daggers` are compared; a dagger marks a significant difference. Null "
            "means no daggers."
        ),
    )
    daggers: list[ModelName] = Field(default=[], description="Models to compare with the `baseline`.")
    year_means: bool = Field(
        default=False, description="Whether to show the mean score of each year below the sets of that year."
    )


class Tables(Section):
    """Settings for the papers' tables of sentence-pair scores and for the table of all models (`results/models.*`)."""

    sts: dict[Paper, StsTable] = Field(
        default={},
        description="Tables of sentence-pair scores, by paper; written to results/<paper>/table<number>.*.",
    )
    systems: dict[Paper, list[int]] = Field(
        default={},
        description=(
            "Numbers of published tables, by paper. The systems in these tables that no model reproduces are also "
            "listed in `results/models.*`."
        ),
    )
