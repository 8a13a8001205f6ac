"""Define the settings for mining text pairs from Wikipedia and from tweets."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from sentrep.pairs.pair_set import Split
from sentrep.runtime.settings import PositiveCount, Section, Seed, measured_in

NonRelated = Literal["other_article", "released_code"]
Cleaning = Literal["paper", "released_code"]
UrlToken = Literal["drop", "keep"]
Slots = Literal["sliding", "clock"]
NonPairs = Literal["any_time", "same_slot"]
NonPairHashtags = Literal["any", "required"]


class WikipediaSettings(Section):
    """Settings for mining text pairs from Wikipedia paragraphs; see `sentrep.pairs.wikipedia.mine`."""

    words: PositiveCount | Annotated[list[PositiveCount], Field(min_length=2, max_length=2)] = Field(
        default=20,
        description="Length of a text, or the lower and upper bounds between which each length is drawn.",
        json_schema_extra=measured_in("words"),
    )
    non_related: NonRelated = Field(
        default="other_article",
        description=(
            "Whether the texts of a non-related pair are from different articles, as in the paper, or are chosen as in "
            "the released code."
        ),
    )
    proportions: dict[Split, float] | None = Field(
        default=None, description="Proportion of the pairs in each split; null for the paper's proportions."
    )
    maximum_pairs: PositiveCount | None = Field(
        default=None, description="Maximum number of related pairs in all splits together; the paper uses 4.9 million."
    )
    seed: Seed = Field(default=1, description="Random seed for text lengths, splits and shuffling.")


class TwitterSettings(Section):
    """Settings for mining text pairs from tweets; see `sentrep.pairs.twitter.build.build_twitter_pairs`."""

    cleaning: Cleaning = Field(
        default="paper", description="Whether tweets are cleaned as described in the paper or as in the released code."
    )
    url_token: UrlToken = Field(
        default="drop", description="Whether to keep or drop the token that replaces URLs; the released code keeps it."
    )
    slots: Slots = Field(
        default="sliding",
        description="Whether the 15-minute time slots are sliding or, as in the released code, aligned to the clock.",
    )
    cap: PositiveCount | None = Field(
        default=None, description="Maximum number of related pairs with the same hashtags; null for no maximum."
    )
    non_pairs: NonPairs = Field(
        default="any_time",
        description=(
            "Whether the tweets in a non-related pair may be from any time or, as in the released code, must be from "
            "the same time slot."
        ),
    )
    non_pair_hashtags: NonPairHashtags = Field(
        default="any", description="Whether the tweets in non-related pairs must have informative hashtags."
    )
    seed: Seed = Field(default=1, description="Random seed for the cap, the splits and the non-related pairs.")
