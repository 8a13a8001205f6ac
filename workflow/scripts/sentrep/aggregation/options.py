"""Define the options for evaluating text-similarity methods."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from sentrep.runtime.settings import Section


class Options(Section):
    """Settings for the points on which De Boom et al. (2016) and their released code differ.

    The defaults follow the paper, with one exception: trained weights are scaled as in the released code
    (``maximum_weight_one``). With the other defaults, this scaling does not affect error rates. The paper does not say
    how to treat texts without known words (``empty``).
    """

    top: Literal["30%", "third"] = Field(
        default="30%",
        description=(
            "Number of words in a text that methods with `top 30% idf` in their name keep: 30% of the known words, "
            "rounded to the nearest integer, or, as in the released code, a third of the known words, rounded down. At "
            "least one word is kept."
        ),
    )
    top_divisor: Literal["kept", "full"] = Field(
        default="kept",
        description=(
            "Number by which the method `Mean, top 30% idf` divides the sum of the kept word vectors: the number of "
            "kept words or, as in the released code, the total number of known words in the text."
        ),
    )
    tfidf_norm: Literal["types", "tokens"] = Field(
        default="types",
        description=(
            "Terms of the sum of squared tf-idf weights from which the norm of a tf-idf vector is computed: one term "
            "for each distinct word of the text or, as in the released code, one term for each token."
        ),
    )
    empty: Literal["zero", "zero_similarity"] = Field(
        default="zero",
        description=(
            "Treatment of a text without known words: either its vector is zero or, as in the released code, its "
            "similarity to any other text is zero."
        ),
    )
    maximum_weight_one: bool = Field(
        default=True,
        description=(
            "Whether to divide trained weights by the largest absolute weight, as in the released code. This affects "
            "error rates only if `empty` is `zero_similarity` and some texts have no known words."
        ),
    )
