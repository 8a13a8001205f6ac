"""Test the user's own sentence pairs, which are read and shown like SemEval sets but not included in means."""

import numpy as np
import pytest

from sentrep.errors import SentrepError
from sentrep.evaluation.sts.reader import collect_custom_sets
from sentrep.evaluation.sts.scoring import PROTOCOLS
from sentrep.evaluation.sts.sets import CUSTOM_YEAR, StsSet, load_sets, write_sets
from sentrep.tables.collect.sts import sts_values

FILES = {
    "a/STS.input.mine.txt": b"One dog.\tA dog.\nA cat.\tRain.\nYes.\tNo.\n",
    "a/STS.gs.mine.txt": b"4.5\n\n0\n",
    "README.txt": b"not a set",
}


def test_a_set_is_read_as_it_is():
    (mine,) = collect_custom_sets(FILES.items())
    assert (mine.year, mine.dataset, mine.standard) == (CUSTOM_YEAR, "mine", False)
    assert mine.sentences1 == ["One dog.", "A cat.", "Yes."]
    assert mine.sentences2 == ["A dog.", "Rain.", "No."]
    np.testing.assert_array_equal(mine.gold, [4.5, np.nan, 0.0])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"a/STS.gs.mine.txt": None}, "found no STS.gs.mine.txt; add the missing file"),
        ({"a/STS.input.mine.txt": None}, "found no STS.input.mine.txt; add the missing file"),
        ({"b/STS.gs.mine.txt": b"1\n"}, "expected only one version of STS.gs.mine.txt, found .*, which differ"),
        ({"a/STS.gs.mine.txt": b"4.5\n6\n0\n"}, "a score from 0 to 5"),
        ({"a/STS.gs.mine.txt": None, "a/STS.input.mine.txt": None}, "found none"),
    ],
)
def test_what_is_wrong_is_said(change, message):
    files = {name: content for name, content in {**FILES, **change}.items() if content is not None}
    with pytest.raises(SentrepError, match=message):
        collect_custom_sets(files.items())


def test_it_counts_among_no_semeval_pairs(tmp_path):
    semeval = StsSet(2012, "MSRpar", ["a"], ["b"], np.array([1.0]))
    paths = (tmp_path / "sts.jsonl", tmp_path / "sts.json")
    write_sets([semeval, *collect_custom_sets(FILES.items())], [], *paths, sample=False, description="test")
    sets, _, description = load_sets(*paths)
    assert (description["pairs"], description["scored_pairs"]) == (1, 1)
    assert [sts.dataset for sts in sets if sts.standard] == ["MSRpar"]
    assert not any("mine" in note for note in description["notes"])


def test_it_stands_below_the_means(scores_of_two_sets):
    model = {"id": "m", "label": "m", "baseline": False, "seeds": [1], "reported": None}
    sets = {"sample": True, "pairs": 3, "scored_pairs": 2, "sets": [], "missing": []}
    values = sts_values("sentrep", "table1", scores=scores_of_two_sets, sets=sets, reported={}, models=[model])
    of_paper = [value for value in values if value.protocol == "paper"]
    assert [value.text for value in of_paper if value.metric == "heading"] == [
        "MSRpar (sample)",
        "mean of 1 set (sample)",
        "mine",
    ]
    r = {value.row: value.mean for value in of_paper if value.metric == "pearson"}
    assert r == {"2012 MSRpar": 0.25, "mean": 0.25, "mine": 0.75}


@pytest.fixture
def scores_of_two_sets():
    import pandas as pd

    rows = [
        {"protocol": protocol, "year": year, "dataset": dataset, "pearson": r, "spearman": r}
        for protocol in PROTOCOLS
        for year, dataset, r in ((CUSTOM_YEAR, "mine", 0.75), (2012, "MSRpar", 0.25))
    ]
    return pd.DataFrame(rows).assign(
        preset="sample", model="m", seed=1, pairs=3, scored_pairs=2, oov_rate=0.0, all_oov_pairs=0
    )
