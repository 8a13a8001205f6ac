"""Define the settings for mining text pairs from Wikipedia and from tweets."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from sentrep.runtime.settings import PositiveCount, Section, Seed, measured_in

NonRelated = Literal["other_article", "released_code"]
Cleaning = Literal["paper", "released_code"]
UrlToken = Literal["drop", "keep"]
Slots = Literal["sliding", "clock"]
NonPairs = Literal["any_time", "same_slot"]
NonPairHashtags = Literal["any", "required"]


class Proportions(Section):
    """The relative numbers of pairs in the three splits; only the ratios of these numbers matter."""

    train: float = Field(gt=0, description="Relative number of training pairs.")
    validation: float = Field(gt=0, description="Relative number of validation pairs.")
    test: float = Field(gt=0, description="Relative number of test pairs.")


class WikipediaSettings(Section):
    """Settings for mining text pairs from Wikipedia paragraphs; see `sentrep.pairs.wikipedia.mine`."""

    words: PositiveCount | Annotated[list[PositiveCount], Field(min_length=2, max_length=2)] = Field(
        default=20,
        description=(
            "Length of each text, or a list `[minimum, maximum]`; with a list, the length of each text is drawn at "
            "random from this range."
        ),
        json_schema_extra=measured_in("words"),
    )
    non_related: NonRelated = Field(
        default="other_article",
        description=(
            "Whether the texts of a non-related pair must be from different articles, as in the paper "
            "(`other_article`), or may be from the same article, as in the released code (`released_code`)."
        ),
    )
    proportions: Proportions | None = Field(
        default=None, description="Relative number of pairs in each split; null for the proportions in the paper."
    )
    maximum_pairs: PositiveCount | None = Field(
        default=None,
        description=(
            "Maximum number of related pairs in all splits together; null for no maximum. The paper uses 4.9 million "
            "related pairs."
        ),
    )
    seed: Seed = Field(
        default=1,
        description=(
            "Random seed for the text lengths, for the choice of articles if `maximum_pairs` is set, for the splits "
            "and for the non-related pairs."
        ),
    )


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
        description=(
            "Whether the tweets in a related pair must have been sent at most 15 minutes apart (`sliding`) or, as in "
            "the released code, in the same quarter of an hour, such as 10:00 to 10:15 (`clock`)."
        ),
    )
    cap: PositiveCount | None = Field(
        default=None,
        description="Maximum number of related pairs for each set of shared hashtags; null for no maximum.",
    )
    non_pairs: NonPairs = Field(
        default="any_time",
        description=(
            "Whether the tweets in a non-related pair may have been sent at any time (`any_time`) or, as in the "
            "released code, must have been sent in the same quarter of an hour, such as 10:00 to 10:15 (`same_slot`)."
        ),
    )
    non_pair_hashtags: NonPairHashtags = Field(
        default="any",
        description=(
            "Whether the tweets in non-related pairs must have informative hashtags (`required`) or need no hashtags "
            "(`any`)."
        ),
    )
    seed: Seed = Field(
        default=1,
        description=(
            "Random seed for the choice of related pairs if `cap` is set, for the splits and for the non-related pairs."
        ),
    )
