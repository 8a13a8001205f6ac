"""Options of the evaluation of pairs."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from sentrep.runtime.settings import Section


class Options(Section):
    """Where the paper and its released code differ in evaluation; the paper's choices are the defaults."""

    top: Literal["30%", "third"] = Field(
        default="30%",
        description=(
            "Share of a text's words, at least one, that the rows of the top 30% keep: 30%, to the nearest number, or "
            "a third, rounded down, as in the released code."
        ),
    )
    top_divisor: Literal["kept", "full"] = Field(
        default="kept", description="Divisor of the mean of the top 30%: the words kept or (released code) all words."
    )
    tfidf_norm: Literal["types", "tokens"] = Field(
        default="types", description="Norm of tf-idf vectors: over distinct words or (released code) over all tokens."
    )
    empty: Literal["zero", "zero_similarity"] = Field(
        default="zero",
        description="A text without a known word is a zero vector, or (released code) its similarity is zero.",
    )
    maximum_weight_one: bool = Field(
        default=True,
        description="Divide learned weights by their largest, as the released code does; no error depends on it.",
    )
