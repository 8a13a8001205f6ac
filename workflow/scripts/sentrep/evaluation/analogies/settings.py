"""Define the settings for mining sentence analogies."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from sentrep.runtime.settings import PositiveCount, Section, measured_in

Match = Literal["set", "sequence"]


class Mining(Section):
    """Criteria for sentences that differ in one word, used by `sentrep.evaluation.analogies.mining.mine_pairs`."""

    match: Match = Field(
        default="set",
        description="Whether the other words of two sentences are compared as sets or as sequences.",
    )
    minimum_common: PositiveCount = Field(
        default=3, description="Minimum number of distinct words that both sentences share."
    )
    maximum_words: Annotated[int, Field(ge=2)] = Field(
        default=30,
        description="Maximum length of a sentence; longer sentences are skipped.",
        json_schema_extra=measured_in("words"),
    )
