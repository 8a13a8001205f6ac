"""Test the verdicts over several published runs: precedence, other runs, tables with other claims, and the overview."""

from pathlib import Path

import pandas as pd
import pytest

from helpers_docs import text_of
from sentrep.claims.overview import combine, write_overview
from sentrep.claims.verdicts import COLUMNS
from sentrep.errors import SentrepError

PUBLISHED = Path(__file__).resolve().parents[1] / "results" / "published"
# Runs with more text take precedence, as explained in docs/claims.md.
ORDER = ["gutenberg", "gutenberg_sizes", "gutenberg_epochs", "novels_objectives", "novels", "gutenberg_sweeps"]
ORDER += ["novels_gpu", "novels_gpu_transfer", "novels_equal_text", "novels_encoding_time"]
ORDER += ["novels_gpu_times"]


def claims(**verdicts: str) -> pd.DataFrame:
    rows = [dict.fromkeys(COLUMNS, "") | {"id": name, "verdict": verdict} for name, verdict in verdicts.items()]
    return pd.DataFrame(rows)


def test_the_first_run_that_tests_a_claim_decides_it():
    large = claims(a="holds", b="not tested", c="not tested", d="undecided")
    small = claims(a="does not hold", b="undecided", c="not tested", d="holds")
    for run in (large, small):
        run[["low", "high", "basis"]] = ["-0.1", "0.1", "items, paired"]
    found = combine({"large": large, "small": small}).set_index("id")
    assert found["verdict"].to_dict() == {"a": "holds", "b": "undecided", "c": "not tested", "d": "undecided"}
    assert found["run"].to_dict() == {"a": "large", "b": "small", "c": "", "d": "large"}
    assert found.loc["a", "other_runs"] == "small: does not hold"  # the other run's different verdict is shown


def test_a_run_without_an_interval_leaves_the_verdict_to_a_later_run():
    one_seed, seeds = claims(a="undecided", b="undecided", c="undecided"), claims(a="holds", b="undecided")
    seeds = pd.concat([seeds, claims(c="undecided")], ignore_index=True)
    one_seed[["low", "high"]] = [["-inf", "inf"], ["-inf", "0.5"], ["-inf", "inf"]]
    seeds[["low", "high"]] = [["0.1", "0.3"], ["-0.1", "0.3"], ["-inf", "inf"]]
    one_seed["basis"] = seeds["basis"] = "items"
    found = combine({"large": one_seed, "small": seeds}).set_index("id")
    assert found["run"].to_dict() == {"a": "small", "b": "small", "c": "large"}
    assert found["verdict"].to_dict() == {"a": "holds", "b": "undecided", "c": "undecided"}
    assert found.loc["a", "other_runs"] == "large: undecided"


def test_a_run_with_few_seeds_and_no_test_items_leaves_the_verdict_to_a_later_run():
    few, many = claims(a="undecided", b="holds"), claims(a="does not hold", b="does not hold")
    for run, seeds in ((few, "3 to 5"), (many, "5")):
        run[["low", "high", "basis", "seeds"]] = ["-0.1", "0.1", "seeds", seeds]
    assert combine({"few": few, "many": many})["run"].tolist() == ["many", "few"]
    few["seeds"] = "5"
    assert combine({"few": few, "many": many})["run"].tolist() == ["few", "few"]


def test_the_reason_of_a_claim_that_no_run_tests_names_the_missing_data():
    other, near = claims(a="not tested"), claims(a="not tested")
    other["reason"], near["reason"] = "this run lacks cbos", "this run lacks these sets: 2013 SMT"
    for runs in ({"other": other, "near": near}, {"near": near, "other": other}):
        assert combine(runs)["reason"].tolist() == ["this run lacks these sets: 2013 SMT"]


def test_holm_is_applied_over_the_claims_of_all_runs():
    first, second = claims(a="holds", b="not tested"), claims(a="not tested", b="does not hold")
    for run in (first, second):
        run[["kind", "paper"]] = "claim", "cbos"
        run.loc[run["verdict"] != "not tested", ["p", "low", "high", "corrected"]] = "0.04", "1", "2", "holds"
    found = combine({"first": first, "second": second})
    assert found["p_holm"].tolist() == [0.08, 0.08]  # 0.04 in each of the runs
    assert found["corrected"].tolist() == ["undecided", "undecided"]


def test_runs_of_other_claims_are_refused(tmp_path):
    for name, table in {"old": claims(a="holds"), "new": claims(a="holds", b="holds")}.items():
        (tmp_path / name).mkdir()
        table.to_csv(tmp_path / name / "claims.csv", index=False)
    with pytest.raises(SentrepError, match=r"old.claims.csv: expected the same claims.*sentrep claims .*old"):
        write_overview([tmp_path / "new", tmp_path / "old"], tmp_path / "claims")
    assert not (tmp_path / "claims.csv").exists()


def test_the_published_overview_is_that_of_the_published_runs(tmp_path):
    write_overview([PUBLISHED / name for name in ORDER], tmp_path / "claims")
    for kind in ("csv", "md", "html"):
        assert (tmp_path / f"claims.{kind}").read_bytes() == (PUBLISHED / f"claims.{kind}").read_bytes(), kind


def test_the_page_on_claims_counts_the_undecided_claims():
    frame = pd.read_csv(PUBLISHED / "claims.csv", keep_default_na=False).query("kind == 'claim'")
    needed = frame[frame["verdict"] == "undecided"]["needed"]
    kinds = {
        name: int(needed.str.contains(text).sum())
        for name, text in (("items", "test items"), ("seeds", "as many seeds"))
    }
    missing = int((needed == "values for the missing cases").sum())
    assert sum(kinds.values()) + missing == len(needed)
    page = text_of("docs/claims.md")
    assert f"{len(needed)} of the {len(frame)} claims are undecided. The intervals of {kinds['items']} of them" in page
    assert f"{kinds['seeds']} have intervals that depend on seeds alone" in page
    assert f"and {missing} concerns analogies that are missing" in page
    assert f"The {int((frame['verdict'] == 'not tested').sum())} claims that are not tested" in page
