"""Define annotated types and checks for values that occur in several sections of the configuration."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import Annotated, Literal, TypeVar

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from sentrep.runtime.settings import Seed

Value = TypeVar("Value")


@dataclass(frozen=True)
class Reference:
    """Annotation for a string that names a source or an entry of the configuration.

    Attributes:
        kind: "source" for a source; otherwise the kind of the entry: "model", "corpus" or "pairs".
    """

    kind: str


def mistake(expected: str, found: str, remedy: str) -> PydanticCustomError:
    """Return a pydantic error for an invalid value.

    :mod:`sentrep.runtime.validation_errors` converts this error to a one-line message that begins with the dotted path
    of the invalid key.
    """
    return PydanticCustomError("mistake", "{expected}", {"expected": expected, "found": found, "remedy": remedy})


def _unique(values: list[Value]) -> list[Value]:
    """Check that a list contains no duplicates, and return the list."""
    for place, value in enumerate(values):
        if value in values[:place]:
            raise mistake("distinct entries", f"{value!r} twice", "remove the duplicate")
    return values


def _one_line(text: str) -> str:
    """Check that a label is not empty and contains no line break or other control character, and return the label."""
    if not text.strip() or any(unicodedata.category(character) == "Cc" for character in text):
        raise mistake(
            "a non-empty label without control characters such as line breaks", repr(text), "correct the label"
        )
    return text


ModelName = Annotated[str, Reference("model")]
CorpusName = Annotated[str, Reference("corpus")]
PairsName = Annotated[str, Reference("pairs")]
SourceName = Annotated[str, Reference("source")]
Name = Annotated[str, Field(pattern="^[a-z][a-z0-9_]*$")]
Label = Annotated[str, AfterValidator(_one_line)]
Paper = Literal["siamese_cbow", "weighted_aggregation", "quick_thoughts", "cbos"]
Unique = AfterValidator(_unique)
ModelNames = Annotated[list[ModelName], Unique]
Seeds = Annotated[list[Seed], Field(min_length=1), Unique]
