"""The base class of all settings, each declared once with its default, unit and description.

Settings are declared by the code that uses them, and the configuration contains them under their keys. Modules with
settings do not import heavy libraries, to keep the reading of configurations fast.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

Seed = Annotated[int, Field(ge=0)]
PositiveCount = Annotated[int, Field(ge=1)]


class Section(BaseModel):
    """A section of the configuration, which rejects unknown keys and is immutable."""

    model_config = ConfigDict(extra="forbid", frozen=True)


def measured_in(name: str) -> dict[str, Any]:
    """Return the part of a field's JSON schema that contains its unit."""
    return {"unit": name}
