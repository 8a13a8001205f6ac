"""Test the tests of claims about curves and learned weights: a verdict changes if a number changes."""

import numpy as np
import pytest
from scipy import stats

from helpers_claims import CLAIMS, NAMES, data_of
from sentrep.claims import comparisons, curves
from sentrep.claims.data import Data, View
from sentrep.claims.decision import decide
from sentrep.claims.outcome import Untestable
from sentrep.tables.values import Value

SWEEP = View(items=("p/figure1",), metrics=("pearson",), protocols=("paper",), noun="sets", compared="x", parameter="x")
FLAT = [0.5, 0.5, 0.5]


def figure(values, default, sets=20):
    """Return the values of a figure from {index of a set: [r for each x]}; other sets have the default."""
    rows = {name: values.get(place, default) for place, name in enumerate(NAMES[:sets])}
    paper = {name: dict(enumerate(row, 1)) for name, row in rows.items()}
    official = {name: {x: 1 - r for x, r in row.items()} for name, row in paper.items()}
    return Data([*data_of(SWEEP, paper).cells, *data_of(SWEEP, official, protocol="official").cells], SWEEP)


def test_little_effect():
    wide = {place: [0.5, 0.5, 0.5601] for place in range(10)}
    small = {place: value for place, value in wide.items() if place}
    assert curves.little_effect(figure(small, FLAT), within=0.06, of=20).holds
    assert not curves.little_effect(figure(wide, FLAT), within=0.06, of=20).holds
    assert curves.little_effect(figure(small, FLAT, sets=19), within=0.06, of=20).holds is None


@pytest.mark.parametrize(
    ("values", "direction", "after_peak", "holds"),
    [
        ([0.5, 0.4, 0.3, 0.2], "falls", False, True),
        ([0.5, 0.4, 0.3, 0.2], "rises", False, False),
        ([0.2, 0.3, 0.4, 0.5], "rises", False, True),
        ([0.5, 0.1, 0.1, 0.51], "falls", False, False),
        ([0.4, 0.5, 0.3, 0.2], "falls", True, True),
        ([0.5, 0.4, 0.3, 0.2], "falls", True, False),  # nothing rises before the peak
        ([0.1, 0.2, 0.3, 0.4], "falls", True, False),  # nothing follows the peak
    ],
)
def test_trend(values, direction, after_peak, holds):
    data = figure({1: values}, FLAT)
    outcome = curves.trend(data, cases=[NAMES[1]], direction=direction, after_peak=after_peak)
    assert outcome.holds is holds


def test_enough():
    better = {place: [0.5, 0.5, 0.52] for place in range(10)}
    most = {place: value for place, value in better.items() if place}
    assert curves.enough(figure(most, FLAT), subjects=["1", "2"], margin=0.01, of=20).holds
    assert not curves.enough(figure(better, FLAT), subjects=["1", "2"], margin=0.01, of=20).holds
    with pytest.raises(Untestable, match="no values at x 7"):
        curves.enough(figure(most, FLAT), subjects=["7"], margin=0.01, of=20)
    data = figure({}, [0.50, 0.505, 0.512])
    assert curves.enough(data, subjects=["2"], margin=0.01).holds
    assert not curves.enough(data, subjects=["1"], margin=0.01).holds


def test_better_at_some_values():
    data, three = figure({5: [0.50, 0.49, 0.512]}, FLAT), {"subjects": ["3"], "rivals": ["1", "2"]}
    assert comparisons.better(data, **three, cases=[NAMES[5]]).holds
    assert comparisons.better(data, **three, cases=[NAMES[5]], margin=0.011).holds
    assert not comparisons.better(data, **three, cases=[NAMES[5]], margin=0.013).holds
    assert not comparisons.better(data, **three, cases=[NAMES[4]]).holds
    one_of_two = {"subjects": ["3", "1"], "rivals": ["2"], "cases": [NAMES[5]]}
    assert comparisons.better(figure({5: [0.4, 0.49, 0.512]}, FLAT), **one_of_two).holds


def test_better_at_some_values_on_all_sets():
    rising, three = [0.1, 0.2, 0.3], {"subjects": ["3"], "rivals": ["1", "2"], "of": 20}
    assert comparisons.better(figure({}, rising), **three).holds
    outcome = comparisons.better(figure({4: [0.1, 0.31, 0.3]}, rising), **three)
    assert outcome.holds is False
    assert outcome.ours.endswith("behind the best rival by .0100 on 2012 SMTnews")
    assert comparisons.better(figure({}, rising, sets=19), **three).holds is None


def test_rises():
    data = figure({2: [0.1, 0.2, 0.3], 3: [0.1, 0.3, 0.2]}, FLAT)
    assert curves.rises(data, cases=[NAMES[2]]).holds
    assert not curves.rises(data, cases=NAMES[2:4]).holds


def test_larger_sizes_are_better_and_slower():
    def sizes(hours=(0.1, 0.2, 0.3), accuracy=(1.0, 2.0, 3.0)):
        table = {
            "measured hours": {**dict(zip("248", hours, strict=True)), "16": 9.0},
            "accuracy": dict(zip("248", accuracy, strict=True)),
        }
        return data_of("sizes", table)

    cases = ["accuracy", "measured hours"]
    outcome = curves.rises(sizes(), cases=cases)
    assert outcome.holds
    assert outcome.ours == "accuracy 2: 1, 4: 2, 8: 3; measured hours 2: 0.1, 4: 0.2, 8: 0.3"
    assert not curves.rises(sizes(accuracy=(1, 2, 1.5)), cases=cases).holds
    assert not curves.rises(sizes(hours=(0.1, 0.2, 0.1)), cases=cases).holds
    with pytest.raises(Untestable, match="at least 2 values of size"):
        curves.rises(sizes(hours=(0.1, float("nan"), float("nan"))), cases=cases)


def test_highest_and_lowest_place():
    data = figure({9: [0.3, 0.5, 0.4], 10: [0.2, 0.5, 0.6]}, FLAT)
    assert curves.extreme_at(data, cases=[NAMES[9]], subjects=["2"]).holds
    assert not curves.extreme_at(data, cases=NAMES[9:11], subjects=["2"]).holds
    assert curves.extreme_at(data, cases=NAMES[9:11], subjects=["2", "3"]).holds
    assert curves.extreme_at(data, cases=NAMES[9:11], subjects=["1"], lowest=True).holds
    assert not curves.extreme_at(data, cases=NAMES[9:11], subjects=["2"], lowest=True).holds


def weights(values, updates=100, stopped="converged"):
    ours = Value("weighted_aggregation", "figure3", "ours, seed 1", "median", "", seeds=1).__dict__
    released = {**ours, "row": "released weights", "metric": "weight", "seeds": 0}
    cells = [Value(**{**ours, "metric": "weight", "x": float(i), "mean": w}) for i, w in enumerate(values, 1)]
    ours["row"] = ""
    cells += [
        Value(**{**ours, "metric": "updates", "mean": updates}),
        Value(**{**ours, "metric": "stopped", "text": stopped}),
    ]
    cells += [Value(**{**released, "x": float(i), "mean": 1 / i}) for i in range(1, 6)]
    return Data(cells, CLAIMS.views["weights"])


def test_weights():
    data, median = weights([1.0, 0.5, 0.08, 0.01]), {"cases": ["median"]}
    assert curves.trend(data, **median, direction="falls", least=0.9).holds
    assert not curves.trend(weights([1.0, 0.1, 0.5, 0.4]), **median, direction="falls", least=0.9).holds
    second = {"subjects": ["2"], "rivals": ["1"], "at_most": 0.6}
    assert curves.small_share(data, **median, **second).holds
    assert not curves.small_share(weights([1.0, 0.61, 0.5, 0.4]), **median, **second).holds
    assert curves.small_share(data, **median, subjects=["3", "4"], at_most=0.1).holds
    assert not curves.small_share(data, **median, subjects=["2", "3", "4"], at_most=0.1).holds
    assert not curves.small_share(weights([1.0, 0.5, 0.08, -0.2]), **median, subjects=["3", "4"], at_most=0.1).holds
    with pytest.raises(Untestable, match="contrastive"):
        curves.trend(data, cases=["contrastive"], direction="falls")


def test_weights_are_means_over_seeds():
    ours = [value for value in weights([3.0, 1.0]).cells if value.seeds]
    second = [Value(**{**value.__dict__, "row": "ours, seed 2"}) for value in ours]
    row = Data([*weights([1.0, 0.5]).cells, *second], CLAIMS.views["weights"]).row("median")
    assert {x: number[0] for x, number in row.items()} == {"1": 2.0, "2": 0.75}
    # Half of a t-distribution with one degree of freedom is within one standard error of the mean.
    assert np.median(np.abs(row["1"][1:] - 2)) == pytest.approx(1, rel=0.1)


def test_the_shape_of_weights_settles():
    def changed(*changes):
        about = {"paper": "weighted_aggregation", "item": "figure3", "row": "ours", "column": "median", "seeds": 1}
        return Data([Value(**about, metric="shape change", mean=c) for c in changes], CLAIMS.views["weights"])

    settles = {"cases": ["median"], "within": 0.05}
    assert curves.shape_settles(changed(0.04), **settles).holds
    assert not curves.shape_settles(changed(0.06), **settles).holds
    # one seed gives no interval
    assert decide(curves.shape_settles(changed(0.04), **settles).margin).verdict == "undecided"
    assert decide(curves.shape_settles(changed(0.04, 0.041, 0.04), **settles).margin).verdict == "holds"
    with pytest.raises(
        Untestable, match=r"did not record how the learned weights changed during training \(contrastive\)"
    ):
        curves.shape_settles(changed(0.04), cases=["contrastive"], within=0.05)


def test_settles_by():
    data = figure({1: [0.1, 0.5, 0.505], 2: [0.5, 0.5, 0.52]}, FLAT)
    settles = {"x": 2, "within": 0.01}
    assert curves.settles_by(data, cases=[NAMES[1]], **settles).holds
    assert not curves.settles_by(data, cases=NAMES[1:3], **settles).holds
    with pytest.raises(Untestable, match="fewer than 2 values at x >= 3"):
        curves.settles_by(data, cases=[NAMES[1]], x=3, within=0.01)


def test_rank_correlations_are_those_of_scipy():
    dice = np.random.default_rng(2)
    drawn = dice.integers(0, 5, (30, 6)).astype(float)
    starts = dice.integers(0, 5, 30)
    drawn[7, 3] = np.nan
    found = curves.rank_correlations(drawn, starts)
    for row, start, rho in zip(drawn, starts, found, strict=True):
        part = row[start:]
        if np.isnan(row).any():
            assert np.isnan(rho)
        elif len(part) < 3 or np.ptp(part) == 0:
            assert rho == 0
        else:
            assert rho == pytest.approx(stats.spearmanr(range(len(part)), part).statistic)


def test_ahead_at_equal_time():
    def training(*points):
        about = {"paper": "quick_thoughts", "item": "figure2", "column": ""}
        cells = []
        for x, (system, seconds, r) in enumerate(points):
            cells.append(Value(**about, row="mean", metric="seconds", system=system, x=x, mean=seconds))
            for shift, name in ((0.1, NAMES[0]), (-0.1, NAMES[1])):
                value = {"row": name, "metric": "pearson", "protocol": "paper", "system": system, "x": x}
                cells.append(Value(**about, **value, mean=r + shift))
        return Data(cells, CLAIMS.views["training_curves"])

    systems = {"subjects": ["a"], "rivals": ["b"]}
    ours = [("a", 1, 0.2), ("a", 3, 0.4), ("b", 1, 0.1), ("b", 3, 0.3)]
    assert curves.ahead_at_equal_time(training(*ours, ("b", 2, 0.29), ("b", 9, 0.9)), **systems).holds
    assert not curves.ahead_at_equal_time(training(*ours, ("b", 2, 0.31), ("b", 9, 0.1)), **systems).holds
    with pytest.raises(Untestable, match=r"at least 3 evaluations of b .* last evaluation of a, but this run has 2"):
        curves.ahead_at_equal_time(training(*ours, ("b", 9, 0.1)), **systems)
