"""Test that the list of claims is complete, and that errors in it are reported in one line."""

import copy

import pytest
import yaml

from helpers_claims import BY_ID, CLAIMS, FOLDER, NAMES, PAPERS
from sentrep.claims.reading import TESTS, read_claims
from sentrep.errors import SentrepError

CONTENT = yaml.safe_load((FOLDER / "claims.yaml").read_text())


def test_enough_claims_of_every_paper():
    claims = [claim for claim in CLAIMS.claims if claim.kind == "claim"]
    assert len(claims) >= 95
    assert {claim.paper for claim in claims} == set(PAPERS) == {path.stem for path in FOLDER.glob("*.csv")}
    assert sum(claim.kind == "error" for claim in CLAIMS.claims) >= 10


def test_every_test_and_every_view_is_used():
    assert {claim.test["name"] for claim in CLAIMS.claims if claim.test} == set(TESTS)
    assert {claim.test["view"] for claim in CLAIMS.claims if claim.test} == set(CLAIMS.views)


def test_papers_of_views_are_known():
    papers = {item.split("/")[0] for view in CLAIMS.views.values() for item in view.items}
    assert papers == {*PAPERS, "sentrep"}


def test_published_columns_and_rows_exist():
    checked = 0
    for claim in CLAIMS.claims:
        view, arguments = CLAIMS.view_of(claim), claim.arguments
        if not view or view.items[0].startswith("sentrep/") or not (view.published or "errors" in claim.test["view"]):
            continue
        tables = [
            (PAPERS[paper], item.removeprefix("table")) for paper, item in (item.split("/") for item in view.items)
        ]
        columns = {column for paper, table in tables for column in paper.columns(table)}
        rows = {row for paper, table in tables for row in paper.rows(table)}
        above = arguments.get("above", {})
        named_columns = [
            arguments.get("column"),
            arguments.get("other"),
            *above,
            *(c for cs in above.values() for c in cs),
        ]
        cases = [arguments.get("case"), *arguments.get("cases", [])]
        named_columns = [name for name in named_columns if isinstance(name, str)]
        compared = [*arguments.get("subjects", []), *arguments.get("rivals", [])]
        known_cases, known = (columns, rows) if view.cases == "column" else (rows, columns)
        if claim.test["view"] == "errors_by_column":  # the paper has no such row for our additional weights
            known_cases = known_cases | set(cases)
        assert {name for name in named_columns if name} <= columns, claim.id
        assert {case for case in cases if case} <= known_cases, claim.id
        assert set(compared) <= known, claim.id
        checked += 1
    assert checked >= 20


def test_sets_are_named_as_in_the_papers():
    checked = 0
    for claim in CLAIMS.claims:
        view, arguments = CLAIMS.view_of(claim), claim.arguments
        if view and view.noun == "sets":
            named = {arguments.get("case"), *arguments.get("cases", []), *arguments.get("best", [])} - {None}
            assert named <= set(NAMES), claim.id
            checked += len(named)
    assert checked >= 20


def test_untested_claims_say_why():
    assert all(claim.untested for claim in CLAIMS.claims if not claim.test)
    assert CLAIMS.view_of(BY_ID["qt_more_text_helps"]) is None


def changed(tmp_path, change):
    content = copy.deepcopy(CONTENT)
    change(content)
    path = tmp_path / "claims.yaml"
    path.write_text(yaml.safe_dump(content))
    with pytest.raises(SentrepError) as error:
        read_claims(path)
    text = str(error.value)
    assert "\n" not in text
    return text


def test_misspelt_names_are_refused_with_the_nearest(tmp_path):
    def of_first(**values):
        return lambda content: content["claims"][0].update(values)

    test = CONTENT["claims"][0]["test"]
    misspelt = {
        "did you mean 'evidence'": of_first(evidense="x"),
        "did you mean 'siamese_cbow'": of_first(paper="siamese_cbov"),
        "did you mean 'error'": of_first(kind="errors"),
        "did you mean 'best_on'": of_first(test={**test, "name": "best_of"}),
        "did you mean 'sets'": of_first(test={**test, "view": "set"}),
        "did you mean 'rivals'": of_first(test={**test, "rival": []}),
        "no subjects": of_first(test={key: value for key, value in test.items() if key != "subjects"}),
        "did you mean 'sentences'": of_first(scale={"sentence": 3, "of": "cbos"}),
        "either `test` or `untested`": of_first(untested="because"),
        "expected a unique id": lambda content: content["claims"].append(content["claims"][0]),
        "claims.0.statement": of_first(statement=" "),
        "did you mean 'protocols'": lambda content: content["views"]["sets"].update(protocol="x"),
    }
    for expected, change in misspelt.items():
        assert expected in changed(tmp_path, change)


def test_broken_files_are_refused(tmp_path):
    path = tmp_path / "claims.yaml"
    with pytest.raises(SentrepError, match="no file"):
        read_claims(path)
    path.write_text("claims: [")
    with pytest.raises(SentrepError, match="expected valid YAML"):
        read_claims(path)
    path.write_text("claims: []\npapers: {}")
    with pytest.raises(SentrepError, match="at least 1 entry"):
        read_claims(path)
