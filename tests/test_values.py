"""Test that the schema and the documentation of values.csv are up to date, and that written files match the schema."""

import csv
import dataclasses
import json
import math
import re

import pytest

import helpers_tables
from conftest import ROOT
from sentrep.errors import SentrepError
from sentrep.sources.published import Published
from sentrep.tables.values import FIELDS, KEY, Value, Values, columns_page, table_schema, with_published
from sentrep.tables.views import TableView, read_views

SCHEMA = ROOT / "workflow" / "schemas" / "values.schema.json"
CHECKS = {
    "string": lambda _text: True,
    "number": lambda text: math.isfinite(float(text)),
    "integer": lambda text: int(text) >= 0,
    "boolean": lambda text: text in ("True", "False"),
}


def test_schema_and_page_are_current():
    assert json.loads(SCHEMA.read_text(encoding="utf-8")) == table_schema()
    assert (ROOT / "docs" / "values.md").read_text(encoding="utf-8").endswith(f"columns_page -->\n{columns_page()}")
    assert [field.name for field in dataclasses.fields(Value)] == list(FIELDS)


def test_written_values_obey_the_schema(tmp_path):
    path = tmp_path / "values.csv"
    written = helpers_tables.values()
    Values.of(written).write(path)
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    with path.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert list(rows[0]) == [field["name"] for field in schema["fields"]]
    for row in rows:
        for field in schema["fields"]:
            text = row[field["name"]]
            assert text in schema["missingValues"] or CHECKS[field["type"]](text), (field, row)
    keys = [tuple(row[name] for name in schema["primaryKey"]) for row in rows]
    assert len(keys) == len(set(keys)) == len(written)
    assert set(KEY) == set(schema["primaryKey"])
    again = Values.read(path)
    assert repr(again.rows()[50]) == repr(written[50])
    assert len(again.select(metric=["pearson", "spearman"], protocol="paper", column="Siamese CBOW")) == 2 * 22


def test_a_file_without_a_column_is_refused(tmp_path):
    (tmp_path / "values.csv").write_text("paper,item\na,b\n")
    with pytest.raises(SentrepError, match="expected the columns paper, item, row"):
        Values.read(tmp_path / "values.csv")


def test_a_value_that_is_there_twice_is_refused(tmp_path):
    path, again = tmp_path / "table1.csv", tmp_path / "again.csv"
    Values.of([Value("p", "table1", "a", "b", "pearson", mean=0.5)]).write(path)
    Values.of([Value("p", "table1", "a", "c", "pearson", mean=0.5)]).write(again)
    assert len(Values.read(path, again)) == 2
    with pytest.raises(
        SentrepError, match=r"table1.csv: expected one row per value, found two rows for p table1 a b pearson.*"
    ):
        Values.read(path, again, path)


def test_published_values_stand_next_to_ours():
    cells = {("1", "a", "X", "r"): ".5", ("1", "b", "X", "r"): ".6", ("1", "b", "Y", "r"): "<7"}
    paper = Published(ROOT / "p.csv", cells)
    ours = [Value("p", "table1", row, column, "r", "paper", mean=0.7) for row, column in (("b", "X"), ("a", "Z"))]
    found = with_published(ours, paper, "table1", 1)
    assert [(v.row, v.column, v.published) for v in found] == [
        *[("a", "X", ".5"), ("b", "X", ".6"), ("b", "Y", "<7"), ("a", "Z", "")]
    ]
    assert found[1].difference == pytest.approx(0.1)
    assert math.isnan(found[2].published_value)
    assert math.isnan(with_published(ours, paper, "table1", 1, comparable=False)[1].difference)
    assert math.isnan(with_published(ours, paper, "table1", 1, comparable=["official"])[1].difference)


def test_every_declaration_has_a_csv_file():
    views = read_views()
    assert len(views.tables) > 15
    assert len(views.figures) > 5
    for view in [*views.tables.values(), *views.figures.values()]:
        assert any(group.cells for group in view.csv.groups)
    with pytest.raises(SentrepError, match="table or figure"):
        views.view("siamese_cbow/tabel1")


@pytest.mark.parametrize(
    ("declared", "message"),
    [
        (
            "lines: {by: [row], sections: [{headng: x}]}",
            "t.lines.sections.0: expected a known key, found 'headng'; did you mean 'heading'",
        ),
        ("lines: {by: [row], sections: [{heading: 3}]}", "t.lines.sections.0.heading: expected text, found 3"),
        ("lines: {by: [row], sections: differing}", "t.lines.sections: expected one of published, found 'differing'"),
        ("lines: {by: [row], where: {row: 3}}", "t.lines.where.row: expected a list, found 3; write [3]"),
        ("lines: {by: row}", "t.lines.by: expected a list, found 'row'; write [row]"),
        (
            "lines: {by: [row]}, groups: [{cells: [{stile: a}]}]",
            "t.groups.0.cells.0: expected a known key, found 'stile'; did you mean 'style'",
        ),
    ],
)
def test_mistakes_in_a_declaration_are_named(tmp_path, declared, message):
    path = tmp_path / "tables.yaml"
    groups = "" if "groups" in declared else ", groups: []"
    path.write_text(
        f"tables: {{a/t: {{title: t, systems: lines, {declared}{groups}, csv: {{lines: {{by: [row]}}, groups: []}}}}}}"
    )
    with pytest.raises(SentrepError, match=re.escape(f"tables.a/{message}")):
        read_views(path)


def test_a_wrong_declaration_is_refused(tmp_path):
    path = tmp_path / "tables.yaml"
    path.write_text("tables: {a/b: {title: t, systems: lines, lins: {}}}")
    with pytest.raises(SentrepError, match=r"tables\.yaml, tables\.a/b: expected a known key, found 'lins'"):
        read_views(path)
    assert isinstance(read_views().view("sentrep/table1"), TableView)
