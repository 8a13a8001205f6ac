"""Test that the packages of the library import in one direction only, and that its modules have no import cycles."""

import ast
from functools import cache
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise
from pathlib import Path

import pytest

from conftest import ROOT

LIBRARY = ROOT / "workflow" / "scripts" / "sentrep"
# Packages from upstream to downstream: a package imports only from packages before it. CONTRIBUTING.md explains them.
PACKAGES = (
    "errors",
    "io",
    "runtime",
    "sources",
    "corpora",
    "pairs",
    "networks",
    "encoders",
    "training",
    "aggregation",
    "families",
    "evaluation",
    "config",
    "provenance",
    "tables",
    "claims",
    "report",
    "api",
    "commands",
    "cli",
    "__main__",
)
TOP_LEVEL = {"__init__", "__main__", "cli", "errors"}
LONGEST = 299


@cache
def modules() -> dict[str, Path]:
    """Return the file of each module of the library by the dotted name of the module."""
    found = {}
    for path in sorted(LIBRARY.rglob("*.py")):
        parts = path.relative_to(LIBRARY.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imported(source: str) -> set[str]:
    """Return the library modules that source code imports, including imports inside functions."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "sentrep":
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            inside = names & set(modules())
            found |= inside
            if names - inside:
                found.add(node.module)
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names if alias.name in modules()}
    return found


@cache
def imports() -> dict[str, set[str]]:
    """Return the library modules that each module imports."""
    return {name: imported(path.read_text(encoding="utf-8")) - {name} for name, path in modules().items()}


def package(module: str) -> str:
    """Return the package, or else the top-level module, to which a module belongs."""
    return module.split(".")[1] if "." in module else ""


def upward(importer: str, module: str) -> bool:
    """Return whether a module imports from a package further downstream, which is not allowed."""
    return PACKAGES.index(package(importer)) < PACKAGES.index(package(module))


def test_every_package_has_its_place():
    assert {package(name) for name in modules()} - {""} == set(PACKAGES)


def test_only_the_face_of_the_program_is_at_the_top():
    assert {path.stem for path in LIBRARY.glob("*.py")} <= TOP_LEVEL


def test_packages_import_upstream_only():
    edges = [
        (name, other) for name, others in imports().items() for other in others if package(name) and package(other)
    ]
    assert len(edges) > 400
    assert [f"{name} imports {other}" for name, other in edges if upward(name, other)] == []


def test_modules_have_no_cycles():
    # The modules of a package may import its __init__, which is always loaded first.
    graph = {name: {o for o in others if not name.startswith(f"{o}.")} for name, others in imports().items()}
    try:
        order = list(TopologicalSorter(graph).static_order())
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))
    assert len(order) == len(modules())


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("from sentrep.io import files", {"sentrep.io.files"}),
        ("from sentrep.io.files import sha256", {"sentrep.io.files"}),
        ("def f():\n    import sentrep.cli", {"sentrep.cli"}),
        ("import json", set()),
    ],
)
def test_imports_are_found(source, expected):
    assert imported(source) == expected


def test_an_upward_import_is_found():
    assert upward("sentrep.io.files", "sentrep.config.plan")
    assert not upward("sentrep.config.plan", "sentrep.io.files")
    assert all(not upward(f"sentrep.{late}", f"sentrep.{early}") for early, late in pairwise(PACKAGES))


def test_modules_are_short():
    lengths = {name: len(path.read_text(encoding="utf-8").splitlines()) for name, path in modules().items()}
    assert {name: length for name, length in lengths.items() if length > LONGEST} == {}
