"""Test the tests of claims on significance and on words: a verdict changes if a number changes."""

import numpy as np
import pytest
from scipy import stats

from helpers_claims import CLAIMS, NAMES
from sentrep.claims import significance, words
from sentrep.claims.data import Data
from sentrep.claims.outcome import Untestable
from sentrep.tables.values import Value

A, B = {"subjects": ["a"], "rivals": ["b"]}, {"subjects": ["a"], "rivals": ["c"]}


def errors(x=(11, 21, 31), n=1000, published=(10, 20, 30)):
    rows = [
        (method, {"mean": error, "published_value": paper})
        for method, error, paper in zip("abc", x, published, strict=True)
    ]
    about = {"paper": "weighted_aggregation", "item": "table1", "column": "X"}
    cells = [Value(**about, row=method, metric="split error", **values) for method, values in rows]
    return Data(
        [*cells, *(Value(**about, row=method, metric="pairs", mean=n) for method in "abc")], CLAIMS.views["errors"]
    )


def test_error_gap():
    assert significance.error_gap(errors(), **A, case="X", points=10).holds
    outcome = significance.error_gap(errors(x=(11, 20.9, 31)), **A, case="X", points=10)
    assert not outcome.holds
    assert "a difference of 9.90 points (needed: at least 10, published: 10.00)" in outcome.ours
    with pytest.raises(Untestable, match="Z"):
        significance.error_gap(errors(), **A, case="Z", points=10)


def two_tailed(k, n, p):
    """Sum the probabilities of all outcomes that are not more likely than k."""
    masses = stats.binom.pmf(np.arange(n + 1), n, p)
    return masses[masses <= masses[k] * (1 + 1e-7)].sum()


def test_binomial():
    data = errors(x=(19.0, 21, 31), n=400)
    statistic, p = significance.binomial(data.row("X"), 400, "a", "b")
    assert p == pytest.approx(two_tailed(76, 400, 0.21), rel=1e-9)
    assert 2 * stats.norm.sf(statistic[0]) == pytest.approx(p, rel=0.1)
    assert significance.binomial(data.row("X"), 400, "c", "b")[0][0] < 0
    all_others = {"subjects": ["a"], "rivals": ["b", "c"], "case": "X", "threshold": 0.001}
    assert not significance.significantly_lower(data, **all_others).holds
    # the test uses the number of the paper's pairs, whatever the number of our pairs
    for n in (20, 40_000):
        data, equal = errors(x=(19.0, 21, 31), n=n), {**A, "case": "X", "threshold": 0.05}
        assert significance.not_significant(data, **equal, pairs=1_500).holds
        assert not significance.not_significant(data, **equal, pairs=1_700).holds
    assert (
        2 * stats.norm.sf(0.02 / np.sqrt(0.21 * 0.79 / 1_700))
        < 0.05
        < 2 * stats.norm.sf(0.02 / np.sqrt(0.21 * 0.79 / 1_500))
    )
    assert significance.significantly_lower(data, **all_others).holds
    far = {"subjects": ["c"], "rivals": ["b"], "case": "X", "threshold": 0.001}
    assert not significance.significantly_lower(data, **far).holds  # far apart, but with the higher error


def test_differs_on():
    p = [1e-6] * 18 + [1e-3, 1e-4]  # a p equal to the threshold is not below it
    about = {"paper": "siamese_cbow", "item": "table1", "column": ""}
    cells = [
        Value(**about, row=name, metric="wilcoxon p", system="a", mean=x) for name, x in zip(NAMES, p, strict=True)
    ]
    cells += [Value(**about, row=NAMES[0], metric="pearson", system=s, label=f"label of {s}", mean=0.5) for s in "bc"]
    cells.append(Value(**about, row="", metric="baseline", text="label of b"))
    untrained = {"metric": "wilcoxon p of the untrained", "system": "u"}
    cells += [Value(**about, row=name, **untrained, mean=0.5 if name == NAMES[0] else 1e-6) for name in NAMES]
    view, options = CLAIMS.views["wilcoxon"], {"threshold": 1e-4, "of": 20, "untrained": []}
    outcome = significance.differs_on(Data(cells, view), **A, count=18, **options)
    assert outcome.holds
    assert outcome.ours.endswith("not on 2015 headlines, 2015 images")
    against = significance.differs_on(Data(cells, view), **A, count=18, **{**options, "untrained": ["u"]})
    assert not against.holds
    assert against.ours.endswith("u differs from b on 19 of 20 sets")
    assert not significance.differs_on(Data(cells, view), **A, count=19, **options).holds
    assert significance.differs_on(Data(cells[1:], view), **A, count=18, **options).holds is None
    with pytest.raises(Untestable, match="no results of Wilcoxon"):
        significance.differs_on(Data(cells, view), **B, count=18, **options)


def neighbours(**lists):
    """Return values from {model: {"lowest norm": [words], "her": ([(word, cosine)], number of words found)}}."""
    cells = []
    for system, named in lists.items():
        for row, value in named.items():
            about = {"paper": "siamese_cbow", "item": "neighbours", "row": row, "column": "", "system": system}
            if row.endswith("norm"):
                cells += [
                    Value(**about, metric="norm", protocol=scope, x=rank, text=word, mean=1.0)
                    for scope in ("all words", words.FREQUENT)
                    for rank, word in reversed(list(enumerate(value, 1)))
                ]
            else:
                near, found = value
                cells += [
                    Value(**about, metric="cosine", protocol="all words", x=rank, text=word, mean=cosine)
                    for rank, (word, cosine) in enumerate(near, 1)
                ]
                cells.append(Value(**about, metric="words found", protocol="all words", mean=found))
    return Data(cells, CLAIMS.views["neighbours"])


def test_extreme_norms():
    data = neighbours(a={"lowest norm": ["to", "of", "cat"]}, b={"lowest norm": ["cat", "dog", "of"]})
    arguments = {"subjects": ["a"], "case": "lowest norm", "words": ["to", "of", "in"], "published": ["to"]}
    outcome = words.extreme_norms(data, count=2, **arguments)
    assert outcome.holds
    assert outcome.ours.startswith(
        "lowest norm: to, of, cat; words that fit the claim: 2 of 3; words that the paper also lists: 1 of 1"
    )
    assert outcome.baseline == "b (1,000 most frequent words), words that fit the claim: 1 of 3"
    assert not words.extreme_norms(data, count=3, **arguments).holds


def test_related_words():
    data = neighbours(
        a={"her": ([("she", 0.9)], 1), "me": ([("i", 0.8), ("my", 0.7)], 2)},
        b={"her": ([("she", 0.9), ("hers", 0.8)], 5), "me": ([], 0)},
    )

    def related(systems, case, *expected, match):
        outcome = words.related_words(data, subjects=list(systems), case=case, words=list(expected), match=match)
        return outcome.holds, outcome.reason

    assert related("a", "her", "she", match="exactly") == (True, "")
    assert related("a", "me", "i", match="exactly") == (False, "")
    # five words exceed the threshold of the cosine
    assert related("b", "her", "she", "hers", match="exactly") == (False, "")
    assert related("a", "me", "i", match="nearest") == (True, "")
    assert related("a", "me", "my", match="nearest") == (False, "")
    assert related("ba", "me", "i", match="nearest") == (True, "")
    assert related("b", "her", "hers", "she", match="including") == (True, "")
    assert related("a", "her", "hers", "she", match="including") == (False, "")
    # three of the words related in b are not in the table
    assert related("ab", "her", "his", "she", match="including") == (
        None,
        "this run lists only 2 of the 5 words related to 'her' in b",
    )
    # the table lists the paper's words even if their cosines are below the threshold
    data = neighbours(a={"her": ([("she", 0.9), ("his", 0.5)], 1)})
    assert related("a", "her", "his", "she", match="including") == (False, "")
    assert related("a", "her", "she", match="exactly") == (True, "")
    with pytest.raises(Untestable, match="'him'"):
        related("a", "him", "he", match="nearest")


def test_fewer_related():
    fewer = {"her": ([("she", 0.9)], 1), "me": ([("i", 0.8)], 1)}
    more = {"her": ([("she", 0.9)], 2), "me": ([("i", 0.8)], 3)}
    assert words.fewer_related(neighbours(a=fewer, b=more), **A, cases=["her", "me"]).holds
    level = neighbours(a=fewer, b={**more, "me": ([], 1)})
    assert words.fewer_related(level, **A, cases=["her"]).holds
    assert not words.fewer_related(level, **A, cases=["her", "me"]).holds
