"""The base class of all settings.

Each setting is declared once, with its default, unit and description, by the code that uses it; the configuration
contains these declarations under its keys. Modules that declare settings import no large libraries, so that a
configuration is read quickly.
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
    """Return the entry of a field's JSON schema that states its unit."""
    return {"unit": name}
