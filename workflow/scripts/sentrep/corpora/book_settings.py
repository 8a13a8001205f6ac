"""Define the settings for selecting the books of a collection."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from sentrep.runtime.settings import PositiveCount, Section, measured_in

KEPT = "kept"
"""The decision on a book that is part of the collection."""

Share = Annotated[float, Field(ge=0, le=1)]


class Criteria(Section):
    """Criteria for keeping a book in the collection."""

    language: str = Field(
        default="en", pattern="^[a-z]{2}$", description="Two-letter code of the language of the books."
    )
    largest_bytes: PositiveCount = Field(
        default=4_000_000,
        description=(
            "Maximum size of a file. Larger files, most of which are collected works, are excluded, because partial "
            "clones of a repository may lack them."
        ),
        json_schema_extra=measured_in("bytes"),
    )
    smallest_words: int = Field(
        default=1000,
        ge=0,
        description="Minimum length of a book; shorter books are excluded.",
        json_schema_extra=measured_in("words"),
    )
    largest_verse_share: Share = Field(
        default=0.3,
        description=(
            "Maximum share of words that are in paragraphs whose lines mostly begin with capital letters, as in verse."
        ),
    )
    largest_speech_share: Share = Field(
        default=0.25, description="Maximum share of paragraphs that begin with a speaker's name, as in plays."
    )
    largest_open_share: Share = Field(
        default=0.5, description="Maximum share of paragraphs that end without punctuation, as in lists."
    )
    largest_capital_share: Share = Field(default=0.1, description="Maximum share of capital letters among all letters.")
    largest_digit_share: Share = Field(default=0.02, description="Maximum share of digits among letters and digits.")
    largest_overlap: Share = Field(
        default=0.5,
        description=(
            "Maximum share of a book's seven-word sequences that also occur in previously kept books, estimated from a "
            "sample of these sequences."
        ),
    )
