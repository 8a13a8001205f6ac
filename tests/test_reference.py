"""Test that docs/config.md and the JSON schema match the declarations of the settings."""

import dataclasses
import re
from collections.abc import Iterator
from typing import get_args

import pytest
import yaml
from pydantic.fields import FieldInfo

from conftest import ROOT
from sentrep.cli import main
from sentrep.config.configuration import Configuration
from sentrep.config.examples import EXAMPLES
from sentrep.config.plan import make_plan
from sentrep.config.reference import SCHEMA, keys, reference, schema
from sentrep.config.resolve import resolve
from sentrep.families import FAMILIES, family
from sentrep.runtime.settings import Section

PAGE = ROOT / "docs" / "config.md"


def test_page_is_up_to_date():
    assert PAGE.read_text(encoding="utf-8") == reference(), (
        "docs/config.md is outdated: `sentrep config-reference docs/config.md` writes it again"
    )


@pytest.mark.parametrize("section", list(EXAMPLES))
def test_examples_are_valid(section):
    settings = yaml.safe_load(EXAMPLES[section])
    assert set(settings) == {section} if section else len(settings) > 1
    plain, changed = (make_plan(resolve({"preset": "novels", **extra})) for extra in ({}, settings))
    assert changed.config != plain.config


def test_command_writes_the_page(tmp_path, capsys):
    assert main(["config-reference", str(tmp_path / "config.md")]) == 0
    assert main(["config-reference"]) == 0
    assert (tmp_path / "config.md").read_text(encoding="utf-8") == capsys.readouterr().out == reference()


def test_schema_is_up_to_date(capsys):
    assert main(["config-reference", "--schema"]) == 0
    text = capsys.readouterr().out
    assert SCHEMA.read_text(encoding="utf-8") == text == schema(), (
        "outdated: `sentrep config-reference --schema workflow/schemas/config.schema.json` writes it again"
    )


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
    page = re.sub(r" \(\w+\)", "", reference())  # the parentheses give the miner of pairs to which a setting belongs
    assert all(f"`{name}`" in page for name in keys())
    assert {"models.<name>.baseline", "transfer.tasks.<name>.layouts.[].reader", "pairs.<name>.settings.cap"} <= set(
        keys()
    )


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
