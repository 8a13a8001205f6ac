"""Tests over figures' data, words and learnt weights: a verdict turns when a number does."""

import pandas as pd
import pytest

from sentrep.claims import sweep_tests, word_tests
from sentrep.claims.outcome import Untestable
from sentrep.evaluation.sts.sets import STANDARD

ALL = [(s.year, s.dataset) for s in STANDARD]
NAMES = [f"{s.year} {s.label}" for s in STANDARD]


def figure(values, default, sets=20):
    """A figure's table: {place: [r by x]}, other sets have the default."""
    rows = []
    for place, (year, dataset) in enumerate(ALL[:sets]):
        for x, r in enumerate(values.get(place, default), 1):
            rows += [("paper", year, dataset, x, r, 1), ("official", year, dataset, x, 1 - r, 1)]
    return pd.DataFrame(rows, columns=["protocol", "year", "dataset", "x", "pearson", "seeds"])


FLAT = [0.5, 0.5, 0.5]


def test_little_effect():
    wide = {place: [0.5, 0.5, 0.5601] for place in range(10)}
    small = {place: value for place, value in wide.items() if place}
    assert sweep_tests.little_effect(figure(small, FLAT), "x", 0.06, 20).holds
    assert not sweep_tests.little_effect(figure(wide, FLAT), "x", 0.06, 20).holds
    assert sweep_tests.little_effect(figure(small, FLAT, sets=19), "x", 0.06, 20).holds is None


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
    outcome = sweep_tests.trend(figure({1: values}, FLAT), "x", NAMES[1], direction, after_peak)
    assert outcome.holds is holds


def test_few_suffice():
    better = {place: [0.5, 0.5, 0.52] for place in range(10)}
    most = {place: value for place, value in better.items() if place}
    assert sweep_tests.few_suffice(figure(most, FLAT), "x", [1, 2], 0.01, 20).holds
    assert not sweep_tests.few_suffice(figure(better, FLAT), "x", [1, 2], 0.01, 20).holds
    with pytest.raises(Untestable, match="no x 7"):
        sweep_tests.few_suffice(figure(most, FLAT), "x", [7], 0.01, 20)


def test_better_at():
    frame = figure({5: [0.50, 0.49, 0.512]}, FLAT)
    assert sweep_tests.better_at(frame, "x", NAMES[5], [3], [1, 2]).holds
    assert sweep_tests.better_at(frame, "x", NAMES[5], [3], [1, 2], margin=0.011).holds
    assert not sweep_tests.better_at(frame, "x", NAMES[5], [3], [1, 2], margin=0.013).holds
    assert not sweep_tests.better_at(frame, "x", NAMES[4], [3], [1, 2]).holds


def test_rises_at_each_step():
    frame = figure({2: [0.1, 0.2, 0.3], 3: [0.1, 0.3, 0.2]}, FLAT)
    assert sweep_tests.rises_at_each_step(frame, "x", [NAMES[2]]).holds
    assert not sweep_tests.rises_at_each_step(frame, "x", NAMES[2:4]).holds


def test_inferior_everywhere():
    rising = [0.1, 0.2, 0.3]
    assert sweep_tests.inferior_everywhere(figure({}, rising), "x", [1, 2], [3], 20).holds
    one = figure({4: [0.1, 0.31, 0.3]}, rising)
    outcome = sweep_tests.inferior_everywhere(one, "x", [1, 2], [3], 20)
    assert outcome.holds is False and outcome.ours.endswith("not on: 2012 SMTnews")
    assert sweep_tests.inferior_everywhere(figure({}, rising, sets=19), "x", [1, 2], [3], 20).holds is None


def test_best_and_worst_value():
    frame = figure({9: [0.3, 0.5, 0.4], 10: [0.2, 0.5, 0.6]}, FLAT)
    assert sweep_tests.best_among(frame, "x", [NAMES[9]], [2]).holds
    assert not sweep_tests.best_among(frame, "x", NAMES[9:11], [2]).holds
    assert sweep_tests.best_among(frame, "x", NAMES[9:11], [2, 3]).holds
    assert sweep_tests.worst_among(frame, "x", NAMES[9:11], [1]).holds
    assert not sweep_tests.worst_among(frame, "x", NAMES[9:11], [2]).holds


def test_enough_on_average():
    frame = figure({}, [0.50, 0.505, 0.512])
    assert sweep_tests.enough_on_average(frame, "x", [2], 0.01).holds
    assert not sweep_tests.enough_on_average(frame, "x", [1], 0.01).holds


def words(**lists):
    """neighbours.csv from {model: {"lowest norm": [words], "her": ([(word, cosine)], found)}}."""
    rows = []
    for model, of in lists.items():
        for name, value in of.items():
            if name.endswith("norm"):
                rows += [
                    (model, name, scope, None, rank, word, None, None)
                    for scope in ("all words", word_tests.FREQUENT)
                    for rank, word in enumerate(value, 1)
                ]
            else:
                near, found = value
                for rank, (word, cosine) in enumerate(near or [(None, None)], 1):
                    rows.append((model, "nearest", "all words", name, rank, word, cosine, found))
    return pd.DataFrame(rows, columns=["model", "list", "scope", "query", "rank", "word", "cosine", "found"])


def test_words_among():
    frame = words(a={"lowest norm": ["to", "of", "cat"]}, b={"lowest norm": ["cat", "dog", "of"]})
    arguments = {"model": "a", "list": "lowest norm", "words": ["to", "of", "in"], "printed": ["to"]}
    outcome = word_tests.words_among(frame, at_least=2, **arguments)
    assert outcome.holds and "2 of 3 fit, 1 are of the paper's 1" in outcome.ours and "b (1,000" in outcome.floor
    assert not word_tests.words_among(frame, at_least=3, **arguments).holds


def test_related_words():
    frame = words(
        a={"her": ([("she", 0.9)], 1), "me": ([("i", 0.8), ("my", 0.7)], 2)},
        b={"her": ([("she", 0.9), ("hers", 0.8)], 5), "me": ([], 0)},
    )
    assert word_tests.closely_related(frame, "a", "her", ["she"]).holds
    assert not word_tests.closely_related(frame, "a", "me", ["i"]).holds
    assert not word_tests.closely_related(frame, "b", "her", ["she", "hers"]).holds  # five words are above the cosine
    assert word_tests.nearest_is(frame, ["a"], "me", "i").holds
    assert not word_tests.nearest_is(frame, ["a"], "me", "my").holds
    assert word_tests.nearest_is(frame, ["b", "a"], "me", "i").holds
    assert word_tests.includes_related(frame, ["b"], "her", ["hers", "she"]).holds
    assert word_tests.includes_related(frame, ["a"], "her", ["hers", "she"]).holds is False
    cut = word_tests.includes_related(frame, ["a", "b"], "her", ["his", "she"])  # b has three words that are not listed
    assert cut.holds is None and cut.reason == "the table lists 2 of 5 words of b"
    with pytest.raises(Untestable, match="'him'"):
        word_tests.nearest_is(frame, ["a"], "him", "he")


def test_fewer_related():
    fewer = {"her": ([("she", 0.9)], 1), "me": ([("i", 0.8)], 1)}
    more = {"her": ([("she", 0.9)], 2), "me": ([("i", 0.8)], 3)}
    assert word_tests.fewer_related(words(a=fewer, b=more), "a", ["b"], ["her", "me"]).holds
    level = words(a=fewer, b={**more, "me": ([], 1)})
    assert word_tests.fewer_related(level, "a", ["b"], ["her"]).holds
    assert not word_tests.fewer_related(level, "a", ["b"], ["her", "me"]).holds


def weights(values, updates=100, stopped="converged"):
    rows = [("ours", "median", i, w, updates, stopped) for i, w in enumerate(values, 1)]
    rows += [("released", "median", i, 1 / i, None, None) for i in range(1, 5)]
    return pd.DataFrame(rows, columns=["source", "loss", "index", "weight", "updates", "stopped"])


def test_weights():
    frame = weights([1.0, 0.5, 0.08, 0.01])
    assert word_tests.weights_fall(frame, ["median"], 0.9).holds
    assert not word_tests.weights_fall(weights([1.0, 0.1, 0.5, 0.4]), ["median"], 0.9).holds
    assert word_tests.weight_ratio(frame, "median", 2, 0.6).holds
    assert not word_tests.weight_ratio(weights([1.0, 0.61, 0.5, 0.4]), "median", 2, 0.6).holds
    assert word_tests.weights_near_zero(frame, ["median"], 3, 0.1).holds
    assert not word_tests.weights_near_zero(frame, ["median"], 2, 0.1).holds
    assert not word_tests.weights_near_zero(weights([1.0, 0.5, 0.08, -0.2]), ["median"], 3, 0.1).holds
    with pytest.raises(Untestable, match="contrastive"):
        word_tests.weights_fall(frame, ["contrastive"], 0.9)


STOPS = [(100, "converged", True), (101, "converged", False), (9, "maximum_updates", False)]


@pytest.mark.parametrize(("updates", "stopped", "holds"), STOPS)
def test_stops_within(updates, stopped, holds):
    assert word_tests.stops_within(weights([1, 1], updates, stopped), ["median"], 100).holds is holds
