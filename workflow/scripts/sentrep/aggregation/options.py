"""Define the options for evaluating the text-similarity methods of De Boom et al. (2016)."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from sentrep.runtime.settings import Section


class Options(Section):
    """Settings for the points on which De Boom et al. (2016) and their released code differ.

    The defaults follow the paper, with one exception: trained weights are scaled as in the released code
    (``maximum_weight_one``). This scaling does not affect error rates if all other options have their default values.
    The paper does not say how to treat texts without known words; by default, the vector of such a text is zero
    (``empty``).
    """

    top: Literal["30%", "third"] = Field(
        default="30%",
        description=(
            "Number of words that the methods with `top 30% idf` in their names keep from each text: 30% of its known "
            "words, rounded to the nearest integer, or, as in the released code, a third of its known words, rounded "
            "down. At least one word is kept."
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
            "Whether the squared tf-idf weights in the norm of a tf-idf vector are summed over the distinct words of "
            "the text (`types`) or, as in the released code, over all its tokens (`tokens`)."
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
