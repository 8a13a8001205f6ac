"""Define annotated types for the permitted ranges of model parameters.

Each model family has a class ``Parameters``, a frozen pydantic dataclass whose fields have these types, so values are
always validated. Relations between fields are validated in ``__post_init__``.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

Count = Annotated[int, Field(ge=1)]
CountOrZero = Annotated[int, Field(ge=0)]
AtLeastTwo = Annotated[int, Field(ge=2)]
AtLeastThree = Annotated[int, Field(ge=3)]
Positive = Annotated[float, Field(gt=0, allow_inf_nan=False)]
Share = Annotated[float, Field(ge=0, lt=1)]
Probability = Annotated[float, Field(ge=0, le=1)]
# Contents of the unused slots of a sentence; see sentrep.training.slots.
Padding = Literal["clean", "stale", "unigram", "uniform", "most_frequent"]
