"""A helper for tests of configurations that are refused."""

from typing import Any

import pytest

from sentrep.config.plan import make_plan
from sentrep.config.resolve import resolve
from sentrep.errors import SentrepError


def error_of(overrides: dict[str, Any]) -> str:
    """Return the one-line error that a configuration causes."""
    with pytest.raises(SentrepError) as caught:
        make_plan(resolve(overrides))
    assert "\n" not in str(caught.value)
    return str(caught.value)
