"""docs/config.md says what the schema and the families say, about everything that can be set."""

import dataclasses
from collections.abc import Iterator
from typing import Any

import pytest
import yaml

from conftest import ROOT
from sentrep.cli import main
from sentrep.config.reference import reference
from sentrep.config.resolve import SCHEMA
from sentrep.families import FAMILIES, family

PAGE = ROOT / "docs" / "config.md"


def test_page_is_up_to_date():
    assert PAGE.read_text(encoding="utf-8") == reference(), (
        "docs/config.md is older than the schema or a family: `sentrep config-reference docs/config.md` writes it again"
    )


def test_command_writes_the_page(tmp_path, capsys):
    assert main(["config-reference", str(tmp_path / "config.md")]) == 0
    assert main(["config-reference"]) == 0
    assert (tmp_path / "config.md").read_text(encoding="utf-8") == capsys.readouterr().out == reference()


def described_parts(schema: dict[str, Any], path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every key of the schema and of its definitions, with what is said of it."""
    for key, part in schema.get("properties", {}).items():
        yield f"{path}.{key}", part
        yield from described_parts(part, f"{path}.{key}")
    for key in ("additionalProperties", "items"):
        if isinstance(schema.get(key), dict):
            yield from described_parts(schema[key], f"{path}.{key}")
    for key, part in schema.get("$defs", {}).items():
        yield f"$defs.{key}", part
        yield from described_parts(part, f"$defs.{key}")


def test_every_key_of_the_schema_is_described_and_listed():
    schema = yaml.safe_load(SCHEMA.read_text(encoding="utf-8"))
    parts = list(described_parts(schema))
    assert len(parts) > 100
    silent = [path for path, part in parts if "$ref" not in part and not part.get("description", "").strip(" .")]
    assert not silent
    page = reference()
    for path, _ in parts:
        if not path.startswith("$defs") and path.count(".") == 1:
            assert f"`{path[1:]}`" in page


@pytest.mark.parametrize("name", FAMILIES)
def test_every_parameter_is_listed_with_its_default(name):
    section = reference().split(f"### `{name}`\n")[1].split("\n### ")[0]
    rows = {line.split("|")[1].strip(" `"): line for line in section.splitlines() if line.startswith("| `")}
    fields = dataclasses.fields(family(name).Parameters)
    assert list(rows) == [field.name for field in fields]
    for field in fields:
        shown = yaml.safe_load(rows[field.name].split(" | ")[2].strip("` "))
        default = field.default_factory() if field.default is dataclasses.MISSING else field.default
        assert shown == default
        assert len(rows[field.name].split(" | ")[3].strip("| .")) > 2
