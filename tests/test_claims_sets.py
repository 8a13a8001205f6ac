"""Tests over scores: a verdict turns when a number does."""

import pandas as pd
import pytest

from helpers_claims import scores_of
from sentrep.claims import set_tests
from sentrep.claims.outcome import Untestable, bounded
from sentrep.evaluation.sts.sets import STANDARD

ALL = [(s.year, s.dataset) for s in STANDARD]
NAMES = [f"{s.year} {s.label}" for s in STANDARD]


def scores(a, b, seeds=1, **more):
    """Scores of a, b and others: one number for all sets, or by place, with other numbers for some places."""

    def of(value):
        base, changes = value if isinstance(value, tuple) else (value, {})
        return {key: changes.get(place, base) for place, key in enumerate(ALL)}

    return scores_of({name: of(value) for name, value in {"a": a, "b": b, **more}.items()}, seeds)


def without(frame, dataset):
    return frame[frame["dataset"] != dataset]


AHEAD = dict.fromkeys(range(11), 0.6)


@pytest.mark.parametrize(
    ("frame", "holds"),
    [
        (scores((0.4, AHEAD), 0.5), True),
        (scores((0.4, {k: v for k, v in AHEAD.items() if k}), 0.5), False),  # 10 of 20 is not most
        (scores((0.4, AHEAD), 0.5, c=(0.1, {3: 0.7})), False),
        (without(scores((0.4, AHEAD), 0.5), "MSRvid"), None),  # 10 of 19: the missing set decides
    ],
)
def test_best_on_most_sets(frame, holds):
    rivals = sorted(set(frame["model"]) - {"a"})
    outcome = set_tests.best_on_most_sets(frame, "a", rivals, of=20)
    assert outcome.holds is holds
    assert (outcome.reason != "") == (holds is None)


def test_bounds_agree_with_trying_all_missing_cases():
    for known in range(7):
        for count in range(known + 1):
            for of in range(known, 8):
                ends = {count + extra > of / 2 for extra in range(of - known + 1)}
                expected = ends.pop() if len(ends) == 1 else None
                assert bounded(count, known, of, of / 2)[0] is expected


def test_higher_mean_and_its_year_and_weights():
    frame = scores((0.5, {0: 0.9}), (0.5, {9: 0.8}))
    assert set_tests.higher_mean(frame, "a", ["b"]).holds
    assert not set_tests.higher_mean(frame, "a", ["b"], year=2014).holds
    assert set_tests.higher_mean(frame, "b", ["a"], year=2014).holds
    # 2014 deft-news has 300 pairs, OnWN 750: the mean turns with the weights
    frame = scores((0.5, {11: 0.8}), (0.5, {9: 0.7}))
    assert set_tests.higher_mean(frame, "a", ["b"], year=2014).holds
    weighted = set_tests.higher_mean(frame, "a", ["b"], year=2014, weighted=True)
    assert not weighted.holds
    total = 750 * 4 + 450 + 300
    assert f"b .{round(1e4 * (0.5 + 0.2 * 750 / total)):04d}" in weighted.ours
    with pytest.raises(Untestable, match="2011"):
        set_tests.higher_mean(frame, "a", ["b"], year=2011)


def test_means_are_over_seeds():
    frame = scores_of({"a": dict.fromkeys(ALL, 0.4), "b": dict.fromkeys(ALL, 0.5)}, seeds=2)
    frame.loc[(frame["model"] == "a") & (frame["seed"] == 2), "pearson"] = 0.61
    outcome = set_tests.higher_mean(frame, "a", ["b"])
    assert outcome.holds and "a .5050" in outcome.ours and outcome.seeds == "2"


def test_higher_every_year():
    assert set_tests.higher_every_year(scores(0.6, 0.5), "a", ["b"]).holds
    assert not set_tests.higher_every_year(scores((0.6, {7: 0.1}), 0.5), "a", ["b"]).holds


def test_near_on_set():
    frame = scores(0.500, (0.505, {5: 0.6}))
    assert set_tests.near_on_set(frame, "a", ["b"], NAMES[0], 0.01).holds
    assert not set_tests.near_on_set(frame, "a", ["b"], NAMES[5], 0.01).holds
    with pytest.raises(Untestable, match="2013 FNWN"):
        set_tests.near_on_set(without(frame, "FNWN"), "a", ["b"], "2013 FNWN", 0.01)


def test_low_on_sets_under_both_protocols():
    frame = scores((0.5, {5: 0.2}), (0.5, {5: 0.3}))
    assert set_tests.low_on_sets(frame, "a", ["b"], [NAMES[5]]).holds
    official = (frame["protocol"] == "official") & (frame["dataset"] == "FNWN") & (frame["model"] == "b")
    frame.loc[official, "pearson"] = 0.7
    outcome = set_tests.low_on_sets(frame, "a", ["b"], [NAMES[5]])
    assert not outcome.holds and "(official protocol) below the own mean for 1 of 2" in outcome.ours


def test_best_on_sets():
    frame = scores((0.4, {0: 0.6, 1: 0.6}), 0.5)
    assert set_tests.best_on_sets(frame, "a", ["b"], NAMES[:2]).holds
    assert not set_tests.best_on_sets(frame, "a", ["b"], NAMES[:3]).holds
    gone = without(frame, "MSRvid")
    assert set_tests.best_on_sets(gone, "a", ["b"], NAMES[:2]).holds is None
    assert set_tests.best_on_sets(gone, "a", ["b"], NAMES[:3]).holds is False  # the third set decides


def test_highest_on():
    assert set_tests.highest_on(scores((0.4, {3: 0.9}), 0.5), "a", ["b"], NAMES[3]).holds
    assert not set_tests.highest_on(scores((0.4, {3: 0.9}), 0.5), "a", ["b"], NAMES[4]).holds
    outcome = set_tests.highest_on(scores((0.4, {3: 0.9}), (0.5, {2: 0.95})), "a", ["b"], NAMES[3])
    assert not outcome.holds and outcome.ours.startswith("highest: b on 2012 OnWN, .9500")


def test_wins_evenly():
    half = dict.fromkeys((9, 10, 11), 0.6)
    assert set_tests.wins_evenly(scores((0.4, half), 0.5), "a", ["b"], 2014).holds
    assert not set_tests.wins_evenly(scores((0.4, {**half, 12: 0.6}), 0.5), "a", ["b"], 2014).holds


def test_ahead_on_sets():
    frame = scores((0.61, {1: 0.59}), 0.5)
    assert set_tests.ahead_on_sets(frame, "a", ["b"], [NAMES[0]], 0.1).holds
    assert not set_tests.ahead_on_sets(frame, "a", ["b"], NAMES[:2], 0.1).holds


def test_loses_narrowly():
    assert set_tests.loses_narrowly(scores((0.5, {2: 0.49}), 0.5), "a", ["b"], 0.02).holds
    assert not set_tests.loses_narrowly(scores((0.5, {2: 0.47}), 0.5), "a", ["b"], 0.02).holds


def test_at_least_on_set():
    assert set_tests.at_least_on_set(scores(0.722, 0.5), "a", NAMES[14], 0.722).holds
    assert not set_tests.at_least_on_set(scores(0.721, 0.5), "a", NAMES[14], 0.722).holds


def test_groups_apart_and_near_best():
    frame = scores(0.6, 0.5, c=0.55, d=0.40)
    assert set_tests.groups_apart(frame, ["a", "c"], ["b", "d"], 2014).holds
    assert not set_tests.groups_apart(frame, ["a", "b"], ["c", "d"], 2014).holds
    assert set_tests.near_best(frame, "c", ["a", "b"], 2014, 0.05001).holds
    assert not set_tests.near_best(frame, "c", ["a", "b"], 2014, 0.04).holds


def test_differs_on_sets():
    p = [1e-6] * 18 + [1e-3, 1e-4]  # a p of the threshold is not below it
    rows = [(*key, "b", "a", value) for key, value in zip(ALL, p, strict=True)]
    frame = pd.DataFrame(rows, columns=["year", "dataset", "model_a", "model_b", "p"])
    arguments = {"model": "a", "rivals": ["b"], "threshold": 1e-4, "of": 20}
    assert set_tests.differs_on_sets(frame, at_least=18, **arguments).holds
    assert not set_tests.differs_on_sets(frame, at_least=19, **arguments).holds
    assert set_tests.differs_on_sets(frame[1:], at_least=18, **arguments).holds is None
    with pytest.raises(Untestable, match="not compared"):
        set_tests.differs_on_sets(frame, at_least=18, **{**arguments, "rivals": ["c"]})


def test_other_sets_do_not_count():
    frame = scores(0.6, 0.5)
    lee = frame[frame["dataset"] == "MSRpar"].assign(year=2005, dataset="Lee", pearson=0.0)
    outcome = set_tests.best_on_most_sets(pd.concat([frame, lee]), "a", ["b"], of=20)
    assert "best on 20 of 20 sets" in outcome.ours
