"""Configuration of sentence-pair evaluation and of the tables made from it."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from sentrep.config.base import ModelName, Paper, SourceName
from sentrep.runtime.settings import Section

Year = Annotated[int, Field(ge=1000, le=9999)]


class Neighbours(Section):
    """The qualitative analysis of Siamese CBOW, section 4.4."""

    models: list[ModelName] = Field(default=[], description="Averaging models to analyse.")
    words: list[str] = Field(default=["her", "me"], description="Words whose neighbours are listed.")
    minimum_cosine: float = Field(default=0.6, ge=-1, le=1, description="Smallest cosine similarity of a neighbour.")


class Evaluation(Section):
    """What models are scored on."""

    sources: dict[Year, SourceName] = Field(
        default={}, description="Year -> name of the source (workflow/sources.tsv) with that year's STS sets."
    )
    sample: bool = Field(
        default=False, description="True if the sets are sample data, which every table and figure then says."
    )
    lee: SourceName | None = Field(
        default=None,
        description="Source of the Lee document similarities, an extra row of real judgements; null for none.",
    )
    own: Annotated[list[str], Field(min_length=1)] | None = Field(
        default=None,
        description=(
            "Globs, files or folders of your own sentence pairs: STS.input.NAME.txt (two sentences and a tab per line) "
            "and STS.gs.NAME.txt (a score from 0 to 5, or nothing, per line); below the mirror, or plain paths; null "
            "for none."
        ),
    )
    timed_models: list[ModelName] = Field(
        default=[], description="Models whose speed is measured for table 3 of Siamese CBOW."
    )
    neighbours: Neighbours = Field(
        default=Neighbours(), description="The qualitative analysis of Siamese CBOW, section 4.4."
    )


class StsTable(Section):
    """One paper's table of sentence-pair sets."""

    number: int = Field(description="Number of the paper's table.")
    title: str = Field(description="Title of our table.")
    baseline: ModelName | None = Field(default=None, description="Model that daggers compare with, or null.")
    daggers: list[ModelName] = Field(default=[], description="Models that may carry daggers.")
    year_means: bool = Field(default=False, description="Whether a line of means follows each year's sets.")


class Tables(Section):
    """Tables of the papers that need no code of their own."""

    sts: dict[Paper, StsTable] = Field(
        default={},
        description="A paper's table of the sentence-pair sets, by paper; written to results/<paper>/table<number>.*.",
    )
    systems: dict[Paper, list[int]] = Field(
        default={},
        description="Tables whose columns are systems, by paper; results/models lists those without a model.",
    )
