"""Define types that restrict the values of model parameters.

Each model family has a class ``Parameters``, a frozen pydantic dataclass that uses these types for its fields. When an
instance is created, pydantic validates the value of each field, and ``__post_init__`` validates relations between
fields.
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
