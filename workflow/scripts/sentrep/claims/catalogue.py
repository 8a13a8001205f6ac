"""The tests that claims may name, and what each asks for."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any

from sentrep.claims import pair_tests, printed_tests, set_tests, sweep_tests, task_tests, word_tests
from sentrep.claims.outcome import Outcome

Test = Callable[..., Outcome]
TABLE = "pd.DataFrame"


def _tests_of(module: ModuleType) -> dict[str, Test]:
    """Return a module's own public functions that return an outcome, by name."""
    return {
        name: function
        for name, function in vars(module).items()
        if inspect.isfunction(function)
        and function.__module__ == module.__name__
        and not name.startswith("_")
        and function.__annotations__.get("return") == Outcome.__name__
    }


TESTS: dict[str, Test] = {
    name: function
    for module in (set_tests, sweep_tests, word_tests, pair_tests, task_tests, printed_tests)
    for name, function in _tests_of(module).items()
}


def tables_of(test: Test, arguments: Mapping[str, Any]) -> dict[str, str]:
    """Return the files that a test reads: argument -> path below results/, or ``reported/<paper>.csv``."""
    return {name: path for name, path in arguments.items() if test.__annotations__.get(name) == TABLE}


def parameters_of(test: Test) -> tuple[set[str], set[str]]:
    """Return a test's parameters: all of them, and those without a default."""
    parameters = inspect.signature(test).parameters
    return set(parameters), {name for name, p in parameters.items() if p.default is inspect.Parameter.empty}
