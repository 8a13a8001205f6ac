"""Test the comparison of published numbers with ours: bootstrap against scipy, cells by hand, and classes."""

import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from helpers_evaluation import REPORTED, run_script
from sentrep.evaluation.statistics.bootstrap import (
    INTERVAL_COLUMNS,
    average_weights,
    bootstrap,
    draw_weights,
    interval,
    intervals,
    share_interval,
    weighted_pearson,
    weighted_ranks,
    weighted_spearman,
)
from sentrep.evaluation.sts.sets import STANDARD, StsSet, gold_scores
from sentrep.sources.published import Published, published_number, read_all
from sentrep.tables import deltas
from sentrep.tables.collect.sts import sts_values
from sentrep.tables.values import Value, Values

FOLDER = REPORTED.parent
PAPERS = read_all(sorted(FOLDER.glob("*.csv")))
RNG = np.random.default_rng(3)
CBOW = {
    "id": "cbow",
    "label": "w2v CBOW",
    "baseline": False,
    "seeds": [1, 2],
    "reported": {"paper": "cbos", "table": 1, "column": "CBOW"},
}


def test_weights_are_draws():
    x, y = RNG.normal(size=30), RNG.normal(size=30).round(1)  # rounded, so that there are ties
    x[:5] = x[5]
    weights = draw_weights(30, seed=1, draws=20)
    assert (weights.sum(axis=1) == 30).all()
    assert weights.shape == (20, 30)
    assert not (weights == draw_weights(30, seed=2, draws=20)).all()
    for row, r, rho, ranks in zip(
        weights,
        weighted_pearson(x, y, weights),
        weighted_spearman(x, y, weights),
        weighted_ranks(y, weights),
        strict=True,
    ):
        drawn = np.repeat(np.arange(30), row.astype(int))
        assert r == pytest.approx(stats.pearsonr(x[drawn], y[drawn])[0], abs=1e-12)
        assert rho == pytest.approx(stats.spearmanr(x[drawn], y[drawn])[0], abs=1e-12)
        assert ranks[drawn] == pytest.approx(stats.rankdata(y[drawn]))


def test_interval_agrees_with_scipy():
    x = RNG.normal(size=200)
    y = x + RNG.normal(size=200)
    ours = interval(weighted_pearson(x, y, draw_weights(200, seed=1, draws=4000)))

    def pearson(a, b):
        return np.corrcoef(a, b)[0, 1]

    theirs = stats.bootstrap(
        (x, y), pearson, paired=True, vectorized=False, method="percentile", n_resamples=4000, rng=1
    )
    assert ours == pytest.approx(tuple(theirs.confidence_interval), abs=0.01)


def test_a_draw_without_spread_has_no_interval():
    x = np.array([0.0, 0.0, 0.0, 1.0])
    assert all(math.isnan(end) for end in interval(weighted_pearson(x, x, draw_weights(4, seed=1, draws=200))))


def test_intervals_of_sets_and_averages():
    found, frames = sets_and_similarities()
    gold = gold_scores(found)
    table = intervals({"a": frames, "b": frames[:1]}, gold)
    assert list(table.columns) == INTERVAL_COLUMNS
    # 4 sets of 2013 and their mean, with two metrics and two models; other means lack sets
    assert len(table) == 2 * 2 * 5
    assert set(table["dataset"]) == {"FNWN", "OnWN", "SMT", "headlines", "average"}
    draws = bootstrap({"a": frames}, gold)
    weights = average_weights()[2013, "average"]
    mean = np.mean([draws["a", "spearman", key] for key in weights], axis=0)
    row = table[(table["model"] == "a") & (table["dataset"] == "average") & (table["metric"] == "spearman")].iloc[0]
    assert (row["low"], row["high"]) == pytest.approx(tuple(np.quantile(mean, [0.025, 0.975])))


def test_share_of_right_answers():
    """The binomial interval equals that of resampling the individual answers."""
    right = np.array([1.0] * 160 + [0.0] * 40)
    drawn = RNG.choice(right, size=(4000, 200)).mean(axis=1)
    expected = np.quantile(drawn, [0.025, 0.975])
    assert share_interval(0.8, 200) == pytest.approx(tuple(expected), abs=0.011)
    assert math.isnan(share_interval(0.8, math.nan)[0])


def sets_and_similarities():
    found = [
        StsSet(s.year, s.dataset, [""] * 40, [""] * 40, np.where(np.arange(40) < 30, RNG.uniform(0, 5, 40), np.nan))
        for s in STANDARD
        if s.year == 2013
    ]
    frames = []
    for _ in range(2):
        parts = [
            pd.DataFrame({"year": s.year, "dataset": s.dataset, "pair": range(40), "similarity": RNG.normal(size=40)})
            for s in found
        ]
        frames.append(pd.concat(parts, ignore_index=True))
    return found, frames


def scored(found, frames):
    rows = []
    for seed, frame in enumerate(frames, 1):
        for sts in found:
            values = frame.loc[frame["dataset"] == sts.dataset, "similarity"]
            gold = np.nan_to_num(sts.gold)
            r, rho = stats.pearsonr(values, gold)[0], stats.spearmanr(values, gold)[0]
            rows.append(("paper", sts.year, sts.dataset, "cbow", seed, r, rho))
    return pd.DataFrame(rows, columns=["protocol", "year", "dataset", "model", "seed", "pearson", "spearman"])


def correlations(scores, found, frames):
    """Return our values for the cells of table 1 of CBOS."""
    sizes = {"pairs": 160, "scored_pairs": 120, "missing": [], "notes": [], "sets": [], "sample": False}
    scores = scores.assign(pairs=40, scored_pairs=30)
    table = intervals({"cbow": frames}, gold_scores(found)) if frames else None
    bounds = {}
    if table is not None:
        keys = table[["model", "protocol", "year", "dataset", "metric"]].itertuples(index=False, name=None)
        bounds = dict(zip(keys, zip(table["low"], table["high"], strict=True), strict=True))
    values = sts_values(
        "cbos",
        "table1",
        scores=scores,
        sets=sizes,
        reported=PAPERS,
        models=[CBOW],
        intervals=bounds,
        means=("year", "mean"),
    )
    published = dict(deltas.published_cells(PAPERS))
    return deltas.measured_cells(values, published)


def test_correlations_with_intervals():
    found, frames = sets_and_similarities()
    scores = scored(found, frames)
    cells = correlations(scores, found, frames)
    assert {key[2] for key in cells} == {"2013 FNWN", "2013 OnWN", "2013 SMT", "2013 headlines", "2013 average"}
    own = cells["cbos", "1", "2013 OnWN", "CBOW", "pearson"]
    r = scores.loc[scores["dataset"] == "OnWN", "pearson"].to_numpy()
    assert (own.mean, own.sd) == pytest.approx((r.mean(), r.std(ddof=1)))
    # by hand: both seeds use the same draws, and each draw gives the mean of the two correlations
    place = [(s.year, s.dataset) for s in STANDARD].index((2013, "OnWN"))
    weights = draw_weights(40, 1000 + place).astype(int)
    gold = np.nan_to_num(next(s.gold for s in found if s.dataset == "OnWN"))
    sides = [f.loc[f["dataset"] == "OnWN", "similarity"].to_numpy() for f in frames]
    means = []
    for row in weights:
        drawn = np.repeat(np.arange(40), row)
        means.append(np.mean([np.corrcoef(side[drawn], gold[drawn])[0, 1] for side in sides]))
    assert (own.low, own.high) == pytest.approx(tuple(np.quantile(means, [0.025, 0.975])))
    average = cells["cbos", "1", "2013 average", "CBOW", "pearson"]
    assert average.mean == pytest.approx(scores["pearson"].mean())
    assert average.low < average.mean < average.high
    assert average.high - average.low < own.high - own.low


def test_a_mean_needs_all_its_sets():
    found, frames = sets_and_similarities()
    scores = scored(found, frames)
    scores.loc[scores["dataset"] == "SMT", ["pearson", "spearman"]] = np.nan
    cells = correlations(scores, found, [])
    assert {key[2] for key in cells} == {"2013 FNWN", "2013 OnWN", "2013 headlines"}


PAPER = Published(
    FOLDER / "p.csv",
    {
        ("1", "row", "A", "pearson"): ".50",
        ("1", "row", "B", "pearson"): ".40",
        ("1", "row", "C", "pearson"): ".50",
        ("1", "row", "A", "dagger"): "†",
        ("1", "other", "B", "pearson"): ".90",
    },
)


def measured(column, mean, sd=math.nan, low=math.nan, high=math.nan, note=""):
    numbers = {"mean": mean, "sd": sd, "low": low, "high": high}
    return Value("p", "table1", "row", column, "pearson", "paper", system="m", seeds=1, note=note, **numbers)


def classes(**values):
    ours = [measured(column, *value) for column, value in values.items()]
    frame = deltas.build({"p": PAPER}, ours, "novels", sample=False)
    return dict(zip(frame["column"] + frame["row"].str[:1], frame["class"], strict=True))


def test_classes():
    nan = math.nan
    assert classes()["Ar"] == "no value"
    # published values are rounded, so .50 may stand for .505
    assert classes(A=(0.55, nan, 0.505, 0.6))["Ar"] == "within interval"
    assert classes(A=(0.55, nan, 0.506, 0.6))["Ar"] == "differs"  # there is no other system to be ordered with
    assert classes(A=(0.7, nan, 0.6, 0.8), B=(0.6, nan, 0.55, 0.65))["Ar"] == "same ordering"
    assert classes(A=(0.7, nan, 0.6, 0.8), B=(0.71, nan, 0.55, 0.75))["Ar"] == "differs"
    # A and C have equal published values, so either order agrees; without an interval, no value is within it
    found = classes(A=(0.7,), B=(0.6,), C=(0.8,))
    assert (found["Ar"], found["Br"], found["Cr"], found["Bo"]) == (*["same ordering"] * 3, "no value")


def test_rows():
    ours = [measured("A", 0.7, 0.01, 0.6, 0.8, "a note")]
    row = deltas.build({"p": PAPER}, ours, "novels", sample=False).iloc[0].to_dict()
    assert row["reported"] == ".50"
    assert row["difference"] == pytest.approx(0.2)
    assert (row["model"], row["ours"], row["sd"], row["low"], row["high"], row["note"]) == (
        "m",
        0.7,
        0.01,
        0.6,
        0.8,
        "a note",
    )
    row = deltas.build({"p": PAPER}, ours, "sample", sample=True).iloc[0]
    assert row["class"] == "sample data"
    assert math.isnan(row["difference"])


def test_every_published_number_has_a_row():
    frame = deltas.build(PAPERS, [], "novels", sample=False)
    numbers = [
        key for name, paper in PAPERS.items() for key, text in paper.values.items()
        if key[0].isdigit() and text.replace(",", "").replace(".", "").isdigit() and key[3] != "dimension"
    ]  # fmt: skip
    assert len(frame) == len(numbers) > 700
    assert not frame.duplicated(["paper", "table", "row", "column", "metric"]).any()


def test_values_of_other_protocols_and_items_are_no_cells():
    """Values under the paper's protocol have a row, and training times belong to table 1."""
    published = dict(deltas.published_cells(PAPERS))
    key = ("quick_thoughts", "1", "MR", "SDAE", "accuracy")
    own = Value("quick_thoughts", "table1", "MR", "SDAE", "accuracy", "kiros", system="sdae", mean=70.0)
    other = Value("quick_thoughts", "table1", "MR", "SDAE", "accuracy", "senteval", system="sdae", mean=71.0)
    hours = Value("quick_thoughts", "training_time", "Training time", "SDAE", "hours", system="sdae", mean=3.0)
    found = deltas.measured_cells([own, other, hours], published)
    assert found[key].mean == 70.0
    assert published_number(published[key]) == 67.6
    assert [k[2:] for k in found if k != key] == [("Training time", "SDAE", "hours")]


def test_script(tmp_path):
    Values.of([Value("cbos", "table1", "2013 FNWN", "CBOW", "pearson", "paper", system="cbow", mean=0.2)]).write(
        tmp_path / "values.csv"
    )
    run_script(
        "deltas",
        input={"source": tmp_path / "values.csv", "reported": sorted(FOLDER.glob("*.csv"))},
        output={"csv": tmp_path / "deltas.csv"},
        params={"preset": "novels", "sample": False},
    )
    frame = pd.read_csv(tmp_path / "deltas.csv", dtype={"reported": str})
    own = frame[frame["model"] == "cbow"]
    assert list(frame.columns) == deltas.COLUMNS
    assert own["row"].tolist() == ["2013 FNWN"]
