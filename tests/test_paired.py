"""Test means, paired differences, and the verdict on differences between models."""

import numpy as np
import pandas as pd
import pytest

from sentrep.evaluation.statistics.paired import Difference, compare, verdict


def test_means_and_differences():
    rng = np.random.default_rng(0)
    gold = pd.DataFrame({"year": 2012, "dataset": "MSRpar", "pair": range(300), "gold": rng.uniform(0, 5, 300)})
    gold.loc[::3, "gold"] = np.nan
    good, bad = gold["gold"].fillna(0) + rng.normal(0, 1, 300), rng.normal(0, 1, 300)
    frames = {name: gold.assign(similarity=values) for name, values in (("good", good), ("bad", bad), ("same", good))}
    found = compare(frames, gold, "paper")
    assert found.measured[0, 0] == pytest.approx(np.corrcoef(good, gold["gold"].fillna(0))[0, 1])
    scored = gold["gold"].notna()
    official = compare(frames, gold, "official").measured[0, 0]
    assert official == pytest.approx(np.corrcoef(good[scored], gold["gold"][scored])[0, 1])
    by_pair = {(d.model_a, d.model_b): d for d in found.differences()}
    assert by_pair["good", "bad"].significant
    assert by_pair["good", "same"] == ("good", "same", 0, 0, 0)
    low, high = by_pair["good", "bad"][3:]
    assert low < by_pair["good", "bad"].difference < high


def test_the_verdict_is_one_sentence():
    differences = [
        Difference("a", "b", 0.1, 0.05, 0.2),
        Difference("a", "untrained", 0.0, -0.1, 0.1),
        Difference("b", "untrained", -0.1, -0.2, -0.05),
    ]
    unknown = Difference("a", "b", 0.1, float("nan"), float("nan"))
    assert verdict([unknown], ["a"], ["b"], "r").startswith("Comparison by r: a is not comparable with b (based on 95%")
    assert verdict(differences, ["a", "b"], ["untrained"], "mean r") == (
        "Comparison by mean r: a is significantly above b, not distinguishable from untrained; b is significantly "
        "below untrained (based on 95% confidence intervals from a bootstrap over sentence pairs)."
    )
    assert verdict([], ["a"], [], "mean r") == ""
