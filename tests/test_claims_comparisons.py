"""Test the tests of claims that compare subjects with rivals: a verdict changes if a number changes."""

import pytest

from helpers_claims import BY_ID, CLAIMS, NAMES, data_of, scores, without
from sentrep.claims import comparisons
from sentrep.claims.data import Data, View
from sentrep.claims.outcome import Outcome, Untestable, constant, more_than
from sentrep.tables.values import Value

AHEAD = dict.fromkeys(range(11), 0.6)
A, B = {"subjects": ["a"], "rivals": ["b"]}, {"subjects": ["b"], "rivals": ["a"]}


@pytest.mark.parametrize(
    ("data", "holds"),
    [
        (scores((0.4, AHEAD), 0.5), True),
        (scores((0.4, {k: v for k, v in AHEAD.items() if k}), 0.5), False),  # 10 of 20 is not most
        (scores((0.4, AHEAD), 0.5, c=(0.1, {3: 0.7})), False),
        (without(scores((0.4, AHEAD), 0.5), "2012 MSRvid"), None),  # 10 of 19: the missing set could decide
    ],
)
def test_best_on_most_sets(data, holds):
    rivals = sorted({value.system for value in data.cells} - {"a"})
    outcome = comparisons.best_on(data, subjects=["a"], rivals=rivals, of=20)
    assert outcome.holds is holds
    assert (outcome.reason != "") == (holds is None)


def test_bounds_agree_with_all_possible_missing_cases():
    for known in range(7):
        for count in range(known + 1):
            for of in range(known, 8):
                ends = {count + extra > of / 2 for extra in range(of - known + 1)}
                expected = ends.pop() if len(ends) == 1 else None
                margin, short, _ = more_than(constant(count), of // 2, known, of)
                assert Outcome(margin, "", short=short).holds is expected


def test_means_of_a_year_and_weighted_means():
    data = scores((0.5, {0: 0.9}), (0.5, {9: 0.8}))
    assert comparisons.better(data, **A, mean="cases").holds
    assert not comparisons.better(data, **A, mean="cases", year=2014).holds
    assert comparisons.better(data, **B, mean="cases", year=2014).holds
    # 2014 deft-news has 300 pairs and OnWN 750, so weighting changes the order of the means
    data = scores((0.5, {11: 0.8}), (0.5, {9: 0.7}))
    assert comparisons.better(data, **A, mean="cases", year=2014).holds
    weighted = comparisons.better(data, **A, mean="pairs", year=2014)
    assert not weighted.holds
    total = 750 * 4 + 450 + 300
    assert f"b .{round(1e4 * (0.5 + 0.2 * 750 / total)):04d}" in weighted.ours
    assert weighted.ours.startswith("pair-weighted mean over 6 sets of 2014: ")
    assert "official protocol: a" in weighted.ours
    with pytest.raises(Untestable, match="2011"):
        comparisons.better(data, **A, mean="cases", year=2011)


def test_seeds_and_baselines_are_told():
    outcome = comparisons.better(scores(0.6, 0.5, seeds=3, random=0.4, tfidf=(0.5, {0: 0.9})), **A, mean="cases")
    assert (outcome.support.seeds, outcome.baseline) == ("3", "random .4000, tfidf .5200")
    outcome = comparisons.best_on(scores(0.6, 0.5, random=(0.4, {0: 0.7})), **A)
    assert outcome.baseline == "random has a mean of .4150 and is above a on 1 of 20 sets"


def test_better_every_year():
    assert comparisons.better(scores(0.6, 0.5), **A, mean="years").holds
    outcome = comparisons.better(scores((0.6, {7: 0.1}), 0.5), **A, mean="years")
    assert not outcome.holds
    assert outcome.ours.startswith("2012: a .6000, b .5000; 2013: a .4750, b .5000")


def test_near():
    data = scores(0.500, (0.505, {5: 0.6}))
    assert comparisons.near(data, **A, case=NAMES[0], within=0.01).holds
    assert not comparisons.near(data, **A, case=NAMES[5], within=0.01).holds
    with pytest.raises(Untestable, match="2013 FNWN"):
        comparisons.near(without(data, "2013 FNWN"), **A, case="2013 FNWN", within=0.01)


def test_below_own_mean_under_both_protocols():
    data = scores((0.5, {5: 0.2}), (0.5, {5: 0.3}))
    assert comparisons.below_own_mean(data, **A, cases=[NAMES[5]]).holds
    official = {name: {"a": 0.5, "b": 0.5} for name in NAMES}
    official[NAMES[5]] = {"a": 0.2, "b": 0.7}
    outcome = comparisons.below_own_mean(scores((0.5, {5: 0.2}), (0.5, {5: 0.3}), official), **A, cases=[NAMES[5]])
    assert not outcome.holds
    assert "official protocol: 1 of 2 systems are below their own mean" in outcome.ours


def test_better_on_named_sets():
    data = scores((0.4, {0: 0.6, 1: 0.6}), 0.5)
    assert comparisons.better(data, **A, cases=NAMES[:2]).holds
    assert not comparisons.better(data, **A, cases=NAMES[:3]).holds
    gone = without(data, "2012 MSRvid")
    assert comparisons.better(gone, **A, cases=NAMES[:2]).holds is None
    assert comparisons.better(gone, **A, cases=NAMES[:3]).holds is False  # the third set decides the claim
    with pytest.raises(Untestable, match="2012 MSRvid"):
        comparisons.better(gone, **A, cases=["2012 MSRvid"])


def test_highest_at():
    assert comparisons.highest_at(scores((0.4, {3: 0.9}), 0.5), **A, best=[NAMES[3]]).holds
    assert not comparisons.highest_at(scores((0.4, {3: 0.9}), 0.5), **A, best=[NAMES[4]]).holds
    outcome = comparisons.highest_at(scores((0.4, {3: 0.9}), (0.5, {2: 0.95})), **A, best=[NAMES[3]])
    assert not outcome.holds
    assert outcome.ours.startswith("highest: b on 2012 OnWN .9500")


def test_best_on_half():
    half = dict.fromkeys((9, 10, 11), 0.6)
    assert comparisons.best_on(scores((0.4, half), 0.5), **A, year=2014, half_within=0).holds
    assert not comparisons.best_on(scores((0.4, {**half, 12: 0.6}), 0.5), **A, year=2014, half_within=0).holds


def test_margins():
    data = scores((0.61, {1: 0.59}), 0.5)
    assert comparisons.better(data, **A, cases=[NAMES[0]], margin=0.1, gaps=True).holds
    outcome = comparisons.better(data, **A, cases=NAMES[:2], margin=0.1, gaps=True)
    assert not outcome.holds
    assert outcome.ours.endswith("2012 MSRpar +.1100, 2012 MSRvid +.0900")
    outcome = comparisons.better(scores((0.5, {2: 0.49}), 0.499), **A, margin=-0.02)
    assert outcome.holds
    assert outcome.ours == "ahead of every rival on 19 of 20 sets, and behind the best rival by .0090 on 2012 OnWN"
    assert not comparisons.better(scores((0.5, {2: 0.47}), 0.499), **A, margin=-0.02).holds


def test_at_least():
    assert comparisons.at_least(scores(0.722, 0.5), subjects=["a"], case=NAMES[14], value=0.722).holds
    assert not comparisons.at_least(scores(0.721, 0.5), subjects=["a"], case=NAMES[14], value=0.722).holds


def test_groups_of_systems():
    data = scores(0.6, 0.5, c=0.55, d=0.40)
    assert comparisons.better(data, subjects=["a", "c"], rivals=["b", "d"], mean="pairs", year=2014).holds
    assert not comparisons.better(data, subjects=["a", "b"], rivals=["c", "d"], mean="pairs", year=2014).holds
    assert comparisons.better(data, subjects=["c"], rivals=["a", "b"], mean="pairs", year=2014, margin=-0.05001).holds
    assert not comparisons.better(data, subjects=["c"], rivals=["a", "b"], mean="pairs", year=2014, margin=-0.04).holds


def test_other_sets_do_not_count():
    data = scores(0.6, 0.5)
    others = [Value("sentrep", "table1", row, "", "pearson", "paper", system="a", mean=0.0) for row in ("mean", "Lee")]
    assert "best on 20 of 20 sets" in comparisons.best_on(Data([*data.cells, *others], data.view), **A, of=20).ours


def tasks(a=(80, 80, 0.8), b=(70, 90, 0.7), kim=()):
    table = {task: {"a": x, "b": y} for task, x, y in zip(("MR", "CR", "SICK"), a, b, strict=True)}
    other = data_of("tasks", {task: {"a": 1, "b": 1} for task in table}, protocol="senteval")
    network = data_of("tasks", dict(zip(("MR", "CR"), ({"kim_cnn": x} for x in kim), strict=False)), protocol="kim")
    return Data([*data_of("tasks", table).cells, *other.cells, *network.cells], CLAIMS.views["tasks"])


def test_tasks():
    names = ["MR", "CR", "SICK"]
    assert comparisons.best_on(tasks(), **A, cases=names).holds
    assert not comparisons.best_on(tasks(a=(80, 80, 0.6)), **A, cases=names).holds
    assert not comparisons.better(tasks(), **A, cases=names).holds
    assert comparisons.better(tasks(b=(70, 79, 0.7)), **A, cases=names).holds
    assert comparisons.better(tasks(), **B, cases=["MR"], mean="cases", worst=True).holds
    assert not comparisons.better(tasks(b=(90, 90, 0.7)), **B, cases=["MR", "CR"], mean="cases", worst=True).holds
    with pytest.raises(Untestable, match="SUBJ"):
        comparisons.better(tasks(), **A, cases=["SUBJ"])
    with pytest.raises(Untestable, match="SUBJ"):
        comparisons.better(tasks(), **A, cases=["MR", "SUBJ"], mean="cases")


def test_a_network_with_another_protocol_can_be_a_rival():
    outcome = comparisons.best_on(tasks(kim=(79, 81)), subjects=["a"], rivals=["kim_cnn"], cases=["MR", "CR"])
    assert not outcome.holds
    assert "best on 1 of 2" in outcome.ours


def test_median_ranks():
    claim = BY_ID["qt_better_at_retrieval"].arguments["cases"]

    def ranks(a, b):
        return data_of("median_ranks", {case: {"a": x, "b": y} for case, x, y in zip(claim, a, b, strict=True)})

    assert comparisons.better(ranks((2, 3), (3, 4)), **A, cases=claim).holds
    assert not comparisons.better(ranks((2, 4), (3, 4)), **A, cases=claim).holds
    assert comparisons.better(ranks((2, 3), (float("nan"), 4)), **A, cases=claim).holds is None
    with pytest.raises(Untestable, match="no values of median rank for b"):
        comparisons.better(ranks((2, 3), (float("nan"), float("nan"))), **A, cases=claim)


def test_relations():
    data = data_of("relations", {"x": {"a": 0.5, "b": 0.4}, "y": {"a": 0.4, "b": 0.3}, "z": {"a": 0.1, "b": 0.2}})
    other = data_of("relations", {name: {"a": 0, "b": 1} for name in "xyz"}, protocol="without query sentences")
    data, names = Data([*other.cells, *data.cells], data.view), ["x", "y", "z"]
    assert comparisons.best_on(data, **A, cases=names).holds
    assert not comparisons.best_on(data, **B, cases=names).holds
    assert comparisons.highest_at(data, subjects=["a"], cases=names, best=["y", "x"]).holds
    assert not comparisons.highest_at(data, subjects=["a"], cases=names, best=["z", "x"]).holds
    with pytest.raises(Untestable, match="w"):
        comparisons.highest_at(data, subjects=["a"], cases=["w"], best=["w"])


TIMES = View(items=("sentrep/models",), metrics=("s", "parameters"), cases="metric", style=".4g")


def test_times_and_numbers():
    data = data_of(TIMES, {"s": {"a": 1.0, "b": 10.0}, "parameters": {"a": 100, "b": 200, "c": 300}})
    assert comparisons.faster(data, **A, case="s", factor=10).holds
    assert not comparisons.faster(data, **A, case="s", factor=10.1).holds
    assert comparisons.near(data, **B, case="s", within=9.0, relative=True).holds
    assert not comparisons.near(data, **B, case="s", within=8.9, relative=True).holds
    sized = Data([*data.cells, *data_of(TIMES, {"dimension": {"a": 8}}).cells], TIMES)
    number = {"subjects": ["a"], "case": "parameters", "within": 0.01, "relative": True}
    assert comparisons.near(sized, **number, published=101, dimension=8).holds
    assert not comparisons.near(sized, **number, published=102, dimension=8).holds
    assert comparisons.faster(sized, **A, case="s", factor=10, dimension=8).holds
    with pytest.raises(Untestable, match="8 dimensions in this run, but 9 in the paper"):
        comparisons.near(sized, **number, published=101, dimension=9)
    with pytest.raises(Untestable, match="8 dimensions in this run, but 9 in the paper"):
        comparisons.faster(sized, **A, case="s", factor=10, dimension=9)
    with pytest.raises(Untestable, match="c on s"):
        comparisons.faster(data, subjects=["a"], rivals=["c"], case="s", factor=10)


def test_errors_of_methods():
    def errors(a, b, c):
        return data_of("errors", {"X": {"a": a, "b": b, "c": c}})

    def better(data, subjects, rivals, **options):
        return comparisons.better(data, subjects=list(subjects), rivals=list(rivals), cases=["X"], **options).holds

    assert better(errors(11, 21, 31), "a", "bc")
    assert not better(errors(21, 21, 31), "a", "bc")
    assert better(errors(11, 21, 31), "ab", "c")
    assert not better(errors(11, 21, 31), "ac", "b")
    assert better(errors(16, 26, 36), "c", "ab", worst=True)
    assert not better(errors(16, 37, 36), "c", "ab", worst=True)
    assert better(errors(11, 21, 31), "c", "ab", margin=-20)
    assert not better(errors(11, 21, 31), "c", "ab", margin=-19)


def test_columns_of_errors():
    table = {"a": {"X": 11, "Y": 16}, "b": {"X": 21, "Y": 26}}
    columns = {"subjects": ["X"], "rivals": ["Y"], "cases": ["a", "b"], "gaps": True}
    outcome = comparisons.better(data_of("errors_by_column", table), **columns)
    assert outcome.holds
    assert outcome.ours == "ahead of the best rival: a +5.00, b +5.00"
    table["a"]["Y"] = 11
    assert not comparisons.better(data_of("errors_by_column", table), **columns).holds
    with pytest.raises(Untestable, match="Z"):
        comparisons.better(data_of("errors_by_column", table), **{**columns, "rivals": ["Z"]})
