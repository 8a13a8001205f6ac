"""Settings of the mining of sentence analogies."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from sentrep.runtime.settings import PositiveCount, Section, measured_in

Match = Literal["set", "sequence"]


class Mining(Section):
    """Which sentences differ by one word; see `sentrep.evaluation.analogies.mining.mine_pairs`."""

    match: Match = Field(default="set", description="Whether the other words agree as a set or a sequence.")
    minimum_common: PositiveCount = Field(default=3, description="Distinct words that both sentences have.")
    maximum_words: Annotated[int, Field(ge=2)] = Field(
        default=30, description="Longer sentences are left out.", json_schema_extra=measured_in("words")
    )
