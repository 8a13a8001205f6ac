"""The base class of all settings: a setting is declared once, with its default, its unit and its meaning.

The code that reads settings declares them, and the configuration holds them under their keys. Modules with settings
import no heavy library, so that reading a configuration stays quick.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

Seed = Annotated[int, Field(ge=0)]
PositiveCount = Annotated[int, Field(ge=1)]


class Section(BaseModel):
    """A part of the configuration: unknown keys are refused, values cannot be changed afterwards."""

    model_config = ConfigDict(extra="forbid", frozen=True)


def measured_in(name: str) -> dict[str, Any]:
    """Return the part of a field's JSON schema that holds its unit."""
    return {"unit": name}
