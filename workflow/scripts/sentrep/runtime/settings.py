"""Define the base class of all configuration sections.

Each setting is declared once, with its default, unit and description, next to the code that uses it, and the
configuration schema includes these declarations. Modules that declare settings import no large libraries, so that
reading a configuration is fast.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

Seed = Annotated[int, Field(ge=0)]
PositiveCount = Annotated[int, Field(ge=1)]


class Section(BaseModel):
    """Base class of all configuration sections; sections are immutable and reject unknown keys."""

    model_config = ConfigDict(extra="forbid", frozen=True)


def measured_in(name: str) -> dict[str, Any]:
    """Return a JSON schema entry that states the unit of a setting, such as ``{"unit": "words"}``."""
    return {"unit": name}
