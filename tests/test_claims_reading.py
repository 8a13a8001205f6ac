"""The list of claims: complete, and refused with one line where it is wrong."""

import copy

import pytest
import yaml

from helpers_claims import BY_ID, CLAIMS, FOLDER, KEYS, PAPERS
from sentrep.claims.catalogue import TESTS
from sentrep.claims.reading import read_claims
from sentrep.claims.run_tables import PRINTED
from sentrep.errors import SentrepError

CONTENT = yaml.safe_load((FOLDER / "claims.yaml").read_text())


def test_enough_claims_of_every_paper():
    claims = [claim for claim in CLAIMS if claim.kind == "claim"]
    assert len(claims) >= 40
    assert {claim.paper for claim in claims} == set(PAPERS) == {path.stem for path in FOLDER.glob("*.csv")}
    assert sum(claim.kind == "error" for claim in CLAIMS) >= 10


def test_every_test_is_used():
    assert {claim.test for claim in CLAIMS if claim.test} == set(TESTS)


def test_files_are_known():
    for claim in CLAIMS:
        for path in claim.files.values():
            if path.startswith(PRINTED):
                assert (FOLDER / path.removeprefix(PRINTED)).exists(), claim.id
            else:
                assert path.endswith(".csv"), claim.id


def test_printed_tables_columns_and_rows_exist():
    for claim in CLAIMS:
        arguments = claim.arguments
        for argument, path in claim.files.items():
            if not path.startswith(PRINTED):
                continue
            paper = PAPERS[path.removeprefix(PRINTED).removesuffix(".csv")]
            table = arguments.get("other_table" if argument == "other" else "table")
            if not isinstance(table, int):  # tables of pairs give their column only
                assert arguments["column"] in [*paper.columns(1), *paper.columns(2)], claim.id
                continue
            named = arguments["other_column"] if argument == "other" else arguments.get("column")
            pairs = arguments.get("pairs", {})
            for column in [*([named] if named else []), *pairs, *pairs.values()]:
                assert column in paper.columns(table), (claim.id, column)
            rows = [*arguments.get("rows", []), *arguments.get("metrics", {})]
            for row in [*rows, *([arguments["row"]] if "row" in arguments else [])]:
                assert row in paper.rows(table), (claim.id, row)


def test_sets_are_named_as_in_the_papers():
    for claim in CLAIMS:
        named = [*claim.arguments.get("sets", []), *([claim.arguments["set"]] if "set" in claim.arguments else [])]
        assert set(named) <= set(KEYS), claim.id


def test_untested_claims_say_why():
    assert all(claim.untested for claim in CLAIMS if not claim.test)
    assert BY_ID["qt_more_text_helps"].files == {}


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
        "did you mean 'best_on_most_sets'": of_first(test={**test, "name": "best_on_most_set"}),
        "did you mean 'rivals'": of_first(test={**test, "rival": []}),
        "no scores": of_first(test={key: value for key, value in test.items() if key != "scores"}),
        "scale: {sentences or pairs, of}": of_first(scale={"words": 3}),
        "either test or untested": of_first(untested="because"),
        "expected a new id": lambda content: content["claims"].append(content["claims"][0]),
        "no statement": of_first(statement=" "),
    }
    for expected, change in misspelt.items():
        assert expected in changed(tmp_path, change)


def test_broken_files_are_refused(tmp_path):
    path = tmp_path / "claims.yaml"
    with pytest.raises(SentrepError, match="no file"):
        read_claims(path)
    path.write_text("claims: [")
    with pytest.raises(SentrepError, match="expected YAML"):
        read_claims(path)
    path.write_text("claims: []\npapers: {}")
    with pytest.raises(SentrepError, match="the keys papers and claims"):
        read_claims(path)
