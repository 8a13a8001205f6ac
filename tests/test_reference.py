"""Test that the pages of the configuration reference and the JSON schema match the declarations of the settings."""

import dataclasses
import re
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest
import yaml
from pydantic.fields import FieldInfo

from conftest import ROOT
from sentrep.cli import main
from sentrep.config.configuration import Configuration
from sentrep.config.examples import EXAMPLES
from sentrep.config.plan import make_plan
from sentrep.config.reference_pages import SCHEMA, keys, pages, schema
from sentrep.config.resolve import resolve
from sentrep.families import FAMILIES, family
from sentrep.runtime.settings import Section

DOCS = ROOT / "docs"
COMMAND = "sentrep config-reference docs --schema workflow/schemas/config.schema.json"


def written(folder: Path) -> dict[str, str]:
    """Return the texts of all pages of the configuration reference in a folder, keyed by their paths."""
    paths = [folder / "config.md", *(folder / "config").iterdir()]
    return {path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8") for path in paths}


def test_pages_are_up_to_date():
    assert written(DOCS) == pages(), f"docs/config.md or a page in docs/config/ is outdated: run `{COMMAND}`"


def test_each_section_has_a_page_with_an_example():
    sections = [name for name in EXAMPLES if name]
    assert set(pages()) == {"config.md", "config/families.md", *(f"config/{name}.md" for name in sections)}
    assert all(EXAMPLES[name] in pages()[f"config/{name}.md"] for name in sections)
    assert all(f"](config/{name}.md)" in pages()["config.md"] for name in [*sections, "families"])


@pytest.mark.parametrize("section", list(EXAMPLES))
def test_examples_are_valid(section):
    settings = yaml.safe_load(EXAMPLES[section])
    assert set(settings) == {section} if section else len(settings) > 1
    plain, changed = (make_plan(resolve({"preset": "novels", **extra})) for extra in ({}, settings))
    assert changed.config != plain.config


def test_command_writes_the_pages_and_the_schema(tmp_path):
    assert main(["config-reference", str(tmp_path), "--schema", str(tmp_path / "schema.json")]) == 0
    assert written(tmp_path) == pages()
    assert (tmp_path / "schema.json").read_text(encoding="utf-8") == schema()


def test_schema_is_up_to_date():
    assert SCHEMA.read_text(encoding="utf-8") == schema(), f"the schema is outdated: run `{COMMAND}`"


def fields_below(section: type[Section]) -> Iterator[tuple[str, FieldInfo]]:
    """Yield every field of a section and of its nested sections."""
    for name, field in section.model_fields.items():
        yield f"{section.__name__}.{name}", field
        waiting = [field.annotation]
        while waiting:
            hint = waiting.pop()
            waiting += get_args(hint)
            if isinstance(hint, type) and issubclass(hint, Section):
                yield from fields_below(hint)


def test_every_key_is_described_and_listed():
    fields = dict(fields_below(Configuration))
    assert len(fields) > 100
    assert not [name for name, field in fields.items() if not (field.description or "").endswith(".")]
    text = re.sub(r" \(\w+\)", "", "".join(pages().values()))  # in parentheses: the miner of a setting
    assert all(f"`{name}`" in text for name in keys())
    assert {"models.<name>.baseline", "transfer.tasks.<name>.layouts.[].reader", "pairs.<name>.settings.cap"} <= set(
        keys()
    )


@pytest.mark.parametrize("name", FAMILIES)
def test_every_parameter_is_listed_with_its_default(name):
    section = pages()["config/families.md"].split(f"## `{name}`\n")[1].split("\n## ")[0]
    rows = {line.split("|")[1].strip(" `"): line for line in section.splitlines() if line.startswith("| `")}
    fields = dataclasses.fields(family(name).Parameters)
    assert list(rows) == [field.name for field in fields]
    for field in fields:
        shown = yaml.safe_load(rows[field.name].split(" | ")[2].strip("` "))
        default = field.default_factory() if field.default is dataclasses.MISSING else field.default
        assert shown == default
        assert len(rows[field.name].split(" | ")[3].strip("| .")) > 2
