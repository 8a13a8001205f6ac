"""Tests over tables of pairs, tasks, retrieval, analogies and times: a verdict turns when a number does."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from sentrep.claims import pair_tests, task_tests
from sentrep.claims.outcome import Untestable

ERRORS = {("a", "X"): "10", ("b", "X"): "20", ("c", "X"): "30", ("a", "Y"): "15", ("b", "Y"): "25", ("c", "Y"): "35"}
PRINTED = pd.DataFrame(
    [("1", method, column, "split error", error) for (method, column), error in ERRORS.items()],
    columns=["table", "row", "column", "metric", "value"],
)


def pairs(x=(11, 21, 31), y=(16, 26, 36), n=1000):
    rows = [("ours 1", m, e, r, n) for m, e, r in zip("abc", x, (10, 20, 30), strict=True)]
    rows += [("ours 2", m, e, r, n) for m, e, r in zip("abc", y, (15, 25, 35), strict=True)]
    rows.append(("ours 1", "new", 5.0, np.nan, n))  # a method that the paper has not
    return pd.DataFrame(rows, columns=["column", "method", "error", "reported_error", "pairs"])


def test_columns_are_found_by_their_printed_values():
    assert pair_tests.errors_of(pairs(), PRINTED, "Y").to_dict() == {"a": 16, "b": 26, "c": 36}
    with pytest.raises(Untestable, match="'Z'"):
        pair_tests.errors_of(pairs(), PRINTED, "Z")
    other = pairs().assign(reported_error=99.0)
    with pytest.raises(Untestable, match="'X'"):
        pair_tests.errors_of(other, PRINTED, "X")


def test_lowest_and_highest_error():
    assert pair_tests.lowest_error(pairs(), PRINTED, "X", ["a"], ["b", "c"]).holds
    assert not pair_tests.lowest_error(pairs(x=(21, 21, 31)), PRINTED, "X", ["a"], ["b", "c"]).holds
    assert pair_tests.lowest_error(pairs(), PRINTED, "X", ["a", "b"], ["c"]).holds
    assert not pair_tests.lowest_error(pairs(), PRINTED, "X", ["a", "c"], ["b"]).holds
    assert pair_tests.highest_error(pairs(), PRINTED, "Y", "c", ["a", "b"]).holds
    assert not pair_tests.highest_error(pairs(y=(16, 37, 36)), PRINTED, "Y", "c", ["a", "b"]).holds


def test_gaps():
    assert pair_tests.error_gap(pairs(), PRINTED, "X", "a", "b", 10).holds
    outcome = pair_tests.error_gap(pairs(x=(11, 20.9, 31)), PRINTED, "X", "a", "b", 10)
    assert not outcome.holds and "9.90 points, needed 10, the paper 10.00" in outcome.ours
    assert pair_tests.not_worse(pairs(), PRINTED, "X", "c", ["a", "b"], 20).holds
    assert not pair_tests.not_worse(pairs(), PRINTED, "X", "c", ["a", "b"], 19).holds
    assert pair_tests.higher_errors(pairs(), PRINTED, "Y", "X", ["a", "b"]).holds
    assert not pair_tests.higher_errors(pairs(y=(11, 26, 36)), PRINTED, "Y", "X", ["a", "b"]).holds


def two_tailed(k, n, p):
    """Sum the probabilities of all outcomes that are no likelier than k."""
    masses = stats.binom.pmf(np.arange(n + 1), n, p)
    return masses[masses <= masses[k] * (1 + 1e-7)].sum()


def test_binomial():
    lower, p = pair_tests.binomial(pairs(x=(19.0, 21, 31), n=400), PRINTED, "X", "a", "b")
    assert lower and p == pytest.approx(two_tailed(76, 400, 0.21), rel=1e-9)
    frame = pairs(x=(19.0, 21, 31), n=400)
    assert pair_tests.not_significant(frame, PRINTED, "X", "a", "b", 0.05).holds
    assert not pair_tests.significantly_lower(frame, PRINTED, "X", ["a"], ["b", "c"], 0.001).holds
    with pytest.raises(Untestable, match=r"12.00 points, the paper 10.00, is not significant only for want of pairs"):
        pair_tests.not_significant(pairs(x=(19.0, 31, 41), n=20), PRINTED, "X", "a", "b", 0.05)
    frame = pairs(x=(19.0, 21, 31), n=40_000)
    assert not pair_tests.not_significant(frame, PRINTED, "X", "a", "b", 0.05).holds
    assert pair_tests.significantly_lower(frame, PRINTED, "X", ["a"], ["b", "c"], 0.001).holds
    assert not pair_tests.significantly_lower(frame, PRINTED, "X", ["c"], ["b"], 0.001).holds  # far, but above


TASKS = ["mr", "cr", "sick"]


def transfer(a=(80, 80, 0.8), b=(70, 90, 0.7), extra=()):
    rows = [
        (protocol, task, model, 1, "pearson" if task == "sick" else "accuracy", value if protocol == "kiros" else 1)
        for protocol in ("kiros", "senteval")
        for model, values in (("a", a), ("b", b))
        for task, value in zip(TASKS, values, strict=True)
    ]
    rows += [("kiros", "sick", model, 1, "mse", 9.0) for model in "ab"]
    return pd.DataFrame([*rows, *extra], columns=["protocol", "task", "model", "seed", "metric", "value"])


def test_tasks():
    assert task_tests.better_on_most_tasks(transfer(), "a", ["b"], TASKS).holds
    assert not task_tests.better_on_most_tasks(transfer(a=(80, 80, 0.6)), "a", ["b"], TASKS).holds
    assert not task_tests.better_on_all_tasks(transfer(), "a", ["b"], TASKS).holds
    assert task_tests.better_on_all_tasks(transfer(b=(70, 79, 0.7)), "a", ["b"], TASKS).holds
    assert task_tests.worse_on_average(transfer(), "b", ["a"], ["mr"]).holds
    assert not task_tests.worse_on_average(transfer(b=(90, 90, 0.7)), "b", ["a"], ["mr", "cr"]).holds
    with pytest.raises(Untestable, match="subj"):
        task_tests.better_on_all_tasks(transfer(), "a", ["b"], ["subj"])


def test_a_network_of_another_protocol_can_be_a_rival():
    rows = [("kim", task, "kim_cnn", 1, "accuracy", value) for task, value in (("mr", 79), ("cr", 81))]
    outcome = task_tests.better_on_most_tasks(transfer(extra=rows), "a", ["kim_cnn"], ["mr", "cr"])
    assert not outcome.holds and "best on 1 of 2" in outcome.ours


def test_median_ranks():
    def frame(a, b):
        return pd.DataFrame(
            [("a", 1, *a), ("b", 1, *b)], columns=["model", "seeds", "annotation median rank", "search median rank"]
        )

    assert task_tests.lower_median_ranks(frame((2, 3), (3, 4)), "a", ["b"]).holds
    assert not task_tests.lower_median_ranks(frame((2, 4), (3, 4)), "a", ["b"]).holds
    with pytest.raises(Untestable, match="no ranks for b"):
        task_tests.lower_median_ranks(frame((2, 3), (np.nan, 4)), "a", ["b"])


def test_analogies():
    def frame(a, b):
        both = [("with query sentences", "a", *a), ("with query sentences", "b", *b)]
        other = [("without query sentences", "a", 0, 0, 0), ("without query sentences", "b", 1, 1, 1)]
        return pd.DataFrame([*both, *other], columns=["pool", "model", "x", "y", "z"])

    relations = ["x", "y", "z"]
    good = frame((0.5, 0.4, 0.1), (0.4, 0.3, 0.2))
    assert task_tests.better_on_most_relations(good, "a", ["b"], relations).holds
    assert not task_tests.better_on_most_relations(good, "b", ["a"], relations).holds
    assert task_tests.highest_relations(good, "a", relations, ["y", "x"]).holds
    assert not task_tests.highest_relations(good, "a", relations, ["z", "x"]).holds
    with pytest.raises(Untestable):
        task_tests.highest_relations(good, "a", ["w"], ["w"])


def test_times_and_numbers():
    frame = pd.DataFrame({"model": ["a", "b", "c"], "s": [1.0, 10.0, np.nan], "parameters": [100, 200, 300]})
    assert task_tests.faster(frame, "a", ["b"], "s", 10).holds
    assert not task_tests.faster(frame, "a", ["b"], "s", 10.1).holds
    assert task_tests.times_alike(frame, "b", ["a"], "s", 9.0).holds
    assert not task_tests.times_alike(frame, "b", ["a"], "s", 8.9).holds
    sized = frame.assign(dimension=8)
    assert task_tests.number_near(sized, "a", "parameters", 101, 0.01, 8).holds
    assert not task_tests.number_near(sized, "a", "parameters", 102, 0.01, 8).holds
    assert task_tests.faster(sized, "a", ["b"], "s", 10, dimension=8).holds
    for test in (
        lambda: task_tests.number_near(sized, "a", "parameters", 101, 0.01, 9),
        lambda: task_tests.faster(sized, "a", ["b"], "s", 10, dimension=9),
    ):
        with pytest.raises(Untestable, match="8 dimensions here; the paper's has 9"):
            test()
    with pytest.raises(Untestable, match="no s for c"):
        task_tests.faster(frame, "a", ["c"], "s", 10)


def test_ahead_at_equal_time():
    def frame(*points):
        rows = [(model, seconds, "paper", r) for model, seconds, r in points]
        return pd.DataFrame(rows, columns=["model", "seconds", "protocol", "pearson"])

    ours = [("a", 1, 0.2), ("a", 3, 0.4), ("b", 1, 0.1), ("b", 3, 0.3)]
    assert task_tests.ahead_at_equal_time(frame(*ours, ("b", 2, 0.29), ("b", 9, 0.9)), "a", ["b"]).holds
    assert not task_tests.ahead_at_equal_time(frame(*ours, ("b", 2, 0.31), ("b", 9, 0.1)), "a", ["b"]).holds
    with pytest.raises(Untestable, match="2 moments in common, which is less than 3"):
        task_tests.ahead_at_equal_time(frame(*ours, ("b", 9, 0.1)), "a", ["b"])


def test_larger_is_better():
    frame = pd.DataFrame({"size": [8, 2, 4, 16], "value": [3.0, 1.0, 2.0, np.nan], "hours": [0.3, 0.1, 0.2, 9.0]})
    outcome = task_tests.larger_is_better(frame, "size", "value", "hours")
    assert outcome.holds and outcome.ours == "value by size: 2: 1.00 (0.1 h), 4: 2.00 (0.2 h), 8: 3.00 (0.3 h)"
    assert not task_tests.larger_is_better(frame.assign(value=[1.5, 1, 2, 0]), "size", "value", "hours").holds
    assert not task_tests.larger_is_better(frame.assign(hours=[0.1, 0.1, 0.2, 1]), "size", "value", "hours").holds
    with pytest.raises(Untestable, match="1 sizes"):
        task_tests.larger_is_better(frame.iloc[:1], "size", "value", "hours")
