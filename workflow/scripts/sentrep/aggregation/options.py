"""Define the options for evaluating text-similarity methods."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from sentrep.runtime.settings import Section


class Options(Section):
    """Settings for the points on which De Boom et al. (2016) and their released code differ.

    The defaults follow the paper, except that trained weights are scaled as in the released code
    (``maximum_weight_one``), which does not affect error rates. The paper does not say how to treat texts without known
    words (``empty``).
    """

    top: Literal["30%", "third"] = Field(
        default="30%",
        description=(
            "Number of words that the methods named `top 30% idf` keep: 30% of the words in a text, rounded to the "
            "nearest integer, or, as in the released code, a third of the words, rounded down. At least one word is "
            "kept."
        ),
    )
    top_divisor: Literal["kept", "full"] = Field(
        default="kept",
        description=(
            "Divisor of the mean over the top 30%: the number of kept words or, as in the released code, the number of "
            "all words."
        ),
    )
    tfidf_norm: Literal["types", "tokens"] = Field(
        default="types",
        description=(
            "Norm of tf-idf vectors: computed over distinct words or, as in the released code, over all tokens."
        ),
    )
    empty: Literal["zero", "zero_similarity"] = Field(
        default="zero",
        description=(
            "Treatment of a text without known words: its vector is zero or, as in the released code, its similarity "
            "to any other text is zero."
        ),
    )
    maximum_weight_one: bool = Field(
        default=True,
        description=(
            "Whether to divide trained weights by the largest absolute weight, as in the released code. This does not "
            "affect error rates."
        ),
    )
