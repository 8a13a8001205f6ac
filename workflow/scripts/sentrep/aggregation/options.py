"""Options of the evaluation of pairs."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from sentrep.runtime.settings import Section


class Options(Section):
    """Options in which the paper and its released code differ; the defaults are the paper's choices."""

    top: Literal["30%", "third"] = Field(
        default="30%",
        description=(
            "Fraction of a text's words, at least one, kept by the methods of the top 30%: 30%, rounded to nearest, or "
            "a third, rounded down, as in the released code."
        ),
    )
    top_divisor: Literal["kept", "full"] = Field(
        default="kept",
        description="Divisor of the mean of the top 30%: number of kept words or (released code) of all words.",
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
        description=(
            "Divide trained weights by the largest one, as the released code does; this does not affect errors."
        ),
    )
