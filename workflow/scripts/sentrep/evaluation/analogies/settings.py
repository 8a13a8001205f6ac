"""Define the settings for mining sentence analogies."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from sentrep.runtime.settings import PositiveCount, Section, measured_in


class Mining(Section):
    """Criteria by which `sentrep.evaluation.analogies.mining.mine_pairs` selects sentences that differ in one word."""

    minimum_common: PositiveCount = Field(
        default=3,
        description="Minimum number of distinct words that the two sentences of a pair must have in common.",
    )
    maximum_words: Annotated[int, Field(ge=2)] = Field(
        default=30,
        description="Maximum length of a sentence; longer sentences are skipped.",
        json_schema_extra=measured_in("words"),
    )
