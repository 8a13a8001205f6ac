"""The base class of all sections of the configuration, and the types that several sections use."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field
from pydantic_core import PydanticCustomError

Value = TypeVar("Value")


class Section(BaseModel):
    """A part of the configuration: unknown keys are refused, values cannot be changed afterwards."""

    model_config = ConfigDict(extra="forbid", frozen=True)


@dataclass(frozen=True)
class Reference:
    """Marks a string that names another entry of the configuration.

    Attributes:
        kind: "model", "corpus", "pairs" or "source".
    """

    kind: str


def mistake(expected: str, found: str, remedy: str) -> PydanticCustomError:
    """Build the error of a rule that types cannot express; the path is added where the error is reported."""
    return PydanticCustomError("mistake", "{expected}", {"expected": expected, "found": found, "remedy": remedy})


def measured_in(name: str) -> dict[str, Any]:
    """Return the part of a field's JSON schema that holds its unit."""
    return {"unit": name}


def _unique(values: list[Value]) -> list[Value]:
    """Refuse a list that holds an entry twice."""
    for place, value in enumerate(values):
        if value in values[:place]:
            raise mistake("distinct entries", f"{value!r} twice", "list it once")
    return values


ModelName = Annotated[str, Reference("model")]
CorpusName = Annotated[str, Reference("corpus")]
PairsName = Annotated[str, Reference("pairs")]
SourceName = Annotated[str, Reference("source")]
Name = Annotated[str, Field(pattern="^[a-z][a-z0-9_]*$")]
Paper = Literal["siamese_cbow", "weighted_aggregation", "quick_thoughts", "cbos"]
Device = Literal["auto", "cpu", "cuda"]
Unique = AfterValidator(_unique)
ModelNames = Annotated[list[ModelName], Unique]
Seed = Annotated[int, Field(ge=0)]
Seeds = Annotated[list[Seed], Field(min_length=1), Unique]
PositiveCount = Annotated[int, Field(ge=1)]
