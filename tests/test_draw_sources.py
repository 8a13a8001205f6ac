"""Compare the file of draws with resampling items one by one: evaluation/statistics/draw_sources.py."""

import re

import numpy as np
import pandas as pd
import pytest

from conftest import ROOT
from sentrep.errors import SentrepError
from sentrep.evaluation.statistics.bootstrap import DRAWS, draw_weights
from sentrep.evaluation.statistics.draw_sources import (
    analogy_draws,
    mean_draws,
    mistake_draws,
    run_draws,
    similarity_draws,
    transfer_draws,
)
from sentrep.evaluation.statistics.draws import Key, read_draws
from sentrep.evaluation.sts.sets import STANDARD, StsSet, write_sets
from sentrep.evaluation.transfer.predictions import Predictions
from sentrep.io.csv_files import write_csv

N = 40
FIRST, LAST = STANDARD[0], STANDARD[-1]  # the last set is of 2015 and contains pairs without a score


@pytest.fixture
def dice():
    return np.random.default_rng(3)


@pytest.fixture
def gold(dice):
    frames = [
        pd.DataFrame({"year": s.year, "dataset": s.dataset, "pair": range(N), "gold": dice.uniform(0, 5, N)})
        for s in (FIRST, LAST)
    ]
    whole = pd.concat(frames, ignore_index=True)
    whole.loc[N + 5 :, "gold"] = whole.loc[N + 5 :, "gold"].where(whole["pair"] % 2 == 0)
    return whole


def similar(gold, dice, **more):
    columns = {"similarity": gold["gold"].fillna(0) + dice.normal(size=len(gold))}
    return gold[["year", "dataset", "pair"]].assign(**columns, **more)


def row(standard):
    return f"{standard.year} {standard.label}"


def test_correlations(gold, dice):
    frames = [similar(gold, dice) for _ in range(2)]
    points = [{"system": "a", "seed": seed} for seed in (1, 2)]
    found = dict(similarity_draws(frames, points, gold))
    # all pairs have a score, so there is one entry for both protocols
    key = Key("a", row(FIRST), "pearson", "paper|official")
    assert {k.protocol for k in found if k.row == row(LAST)} == {"paper", "official"}
    assert (found[key].items, found[key].seeds) == (N, 2)
    assert found[Key("a", row(LAST), "pearson", "official")].items < N
    # compute one draw by hand
    target, weights = gold["gold"][:N].to_numpy(), draw_weights(N, 1000)[4].astype(int)
    drawn = [np.corrcoef(np.repeat(f["similarity"][:N], weights), np.repeat(target, weights))[0, 1] for f in frames]
    measured = [np.corrcoef(f["similarity"][:N], target)[0, 1] for f in frames]
    pick = np.random.default_rng(2).integers(2, size=(DRAWS, 2))[4]
    expected = np.mean(drawn) + np.sqrt(2) * (np.mean([drawn[i] for i in pick]) - np.mean(drawn)) - np.mean(measured)
    assert found[key].deviations[4] == pytest.approx(expected)
    assert found[key].deviations.mean() == pytest.approx(0, abs=0.05)


def test_mean_over_sets(gold, dice):
    frames = [similar(gold, dice) for _ in range(3)]
    points = [{"system": "a", "seed": 1}, *({"system": "b", "seed": s, "only_mean": True} for s in (1, 2))]
    found = dict(similarity_draws(frames, points, gold))
    assert [key for key in found if key.system == "b"] == [Key("b", "", "pearson", "paper")]
    every = dict(similarity_draws(frames, [{"system": p["system"], "seed": p["seed"]} for p in points], gold))
    sets = [every[Key("b", row(FIRST), "pearson", "paper|official")], every[Key("b", row(LAST), "pearson", "paper")]]
    mean = found[Key("b", "", "pearson", "paper")]
    assert mean.deviations == pytest.approx((sets[0].deviations + sets[1].deviations) / 2)
    assert (mean.items, mean.seeds) == (2 * N, 2)
    # a mean over only some of the sets would not be comparable
    frames[2]["similarity"] = frames[2]["similarity"].where(frames[2]["year"] == FIRST.year, 0.0)
    assert not [key for key in dict(similarity_draws(frames, points, gold)) if key.system == "b"]


def test_page_of_files_lists_the_fields_of_keys():
    text = " ".join((ROOT / "docs" / "files.md").read_text(encoding="utf-8").split())
    listed = re.search(r"`keys`, shape \(n, (\d)\): the ([\w, ]+) of each value", text)
    assert int(listed[1]) == len(Key._fields)
    assert tuple(re.split(r", | and ", listed[2])) == Key._fields


def test_snapshots_and_parameters(gold, dice):
    snapshots = {f"epochs {epochs}": dice.normal(size=len(gold)) for epochs in (0.5, 1)}
    frames = [similar(gold, dice, **snapshots), similar(gold, dice)]
    sweep = {"system": "a", "seed": 1, "item": "p/figure2"}
    found = dict(similarity_draws(frames, [sweep, {**sweep, "item": "p/figure3", "x": 2.0}], gold))
    assert {(k.item, k.x) for k in found} == {("p/figure2", "0.5"), ("p/figure2", "1"), ("p/figure3", "2")}


def test_constant_similarities_have_no_draws(gold):
    constant = gold[["year", "dataset", "pair"]].assign(similarity=1.0)
    assert dict(similarity_draws([constant], [{"system": "a", "seed": 1}], gold)) == {}


def predictions(dice, n=N, classes=2):
    logs = np.log(dice.dirichlet(np.ones(classes), n)).astype(np.float32)
    empty = np.zeros(1)
    return Predictions(logs, dice.integers(classes, size=n), np.zeros(n, np.int64), empty, empty, 0)


def test_transfer_tasks(dice):
    tasks = {
        "mr": {"label": "MR", "measure": "accuracy"},
        "sick": {"label": "SICK", "measure": "relatedness"},
    }
    results = [{("kiros", "mr"): predictions(dice)}, {("kiros", "sick"): predictions(dice, classes=5)}]
    points = [{"system": "kim", "seed": 1}] * 2  # one file per task
    found = dict(transfer_draws(results, points, tasks))
    assert set(found) == {Key("kim", "MR", "accuracy", "kiros"), Key("kim", "SICK", "pearson", "kiros")}
    right = results[0]["kiros", "mr"]
    share = (right.log_probabilities.argmax(axis=1) == right.targets).mean()
    spread = 100 * np.sqrt(share * (1 - share) / N)
    assert found[Key("kim", "MR", "accuracy", "kiros")].deviations.std() == pytest.approx(spread, rel=0.1)


def test_transfer_tasks_of_snapshots(dice):
    names = ("msrp", "trec", "mr", "cr", "subj", "mpqa")
    tasks = {name: {"label": name.upper(), "measure": "accuracy"} for name in names}
    results = [{("kiros", n): predictions(dice) for n in names} for _ in range(2)]
    points = [{"system": "a", "seed": 1, "item": "p/figure2", "x": x} for x in (0.5, 1.0)]
    found = dict(transfer_draws(results, points, tasks))
    assert {(key.item, key.x) for key in found} == {("p/figure2", "0.5"), ("p/figure2", "1")}
    assert len(found) == 12  # table 9 has a mean over the tasks, but the figure does not
    drawn = found[Key("a", "MR", "accuracy", "kiros", "1", "p/figure2")]
    (alone,) = (d for k, d in transfer_draws(results[1:], [{"system": "a", "seed": 1}], tasks) if k.row == "MR")
    np.testing.assert_array_equal(drawn.deviations, alone.deviations)  # all values use the same draws of items


def test_the_mean_over_the_tasks_of_table_9(dice):
    names = ("msrp", "trec", "mr", "cr", "subj", "mpqa")
    tasks = {name: {"label": name.upper(), "measure": "accuracy"} for name in names}
    found = dict(
        transfer_draws([{("kiros", n): predictions(dice) for n in names}], [{"system": "a", "seed": 1}], tasks)
    )
    whole = found[Key("a", "", "accuracy")]
    single = [found[Key("a", n.upper(), "accuracy", "kiros")].deviations for n in names]
    assert whole.deviations == pytest.approx(np.mean(single, axis=0))
    assert whole.items == 6 * N


def test_analogies_draw_tuples(dice):
    shared = pd.DataFrame([(t, answer) for t in range(10) for answer in "ABCD"], columns=["tuple", "answer"])
    # the four answers of a tuple are either all correct or all wrong
    answers = shared.assign(model="a", seed=1, relation="r", correct=shared["tuple"] < 5)
    ((key, drawn),) = analogy_draws(answers)
    assert (key, drawn.items) == (Key("a", "r", "retrieval", "with query sentences"), 40)
    # the ten tuples are resampled, not the forty answers
    assert drawn.deviations.std() == pytest.approx(np.sqrt(0.25 / 10), rel=0.1)


def test_mistakes_are_drawn_by_class(dice):
    related = np.arange(200) < 50
    wrong = np.stack([dice.random(200) < 0.3, np.zeros(200, bool)], axis=1)
    file = {"methods": np.array(["Mean", "none"]), "mistakes": wrong, "related": related}
    found = dict(mistake_draws([file], ["X"]))
    assert found[Key("X", "none", "split error")].deviations.any() is np.False_
    rates = [(wrong[kind, 0].mean(), kind.sum()) for kind in (related, ~related)]
    expected = 50 * np.sqrt(sum(rate * (1 - rate) / n for rate, n in rates))
    assert found[Key("X", "Mean", "split error")].deviations.std() == pytest.approx(expected, rel=0.1)


def test_draws_in_parts_have_the_same_spread(dice, monkeypatch):
    values = dice.random((50, 2))
    whole = mean_draws(values, 1)
    monkeypatch.setattr("sentrep.evaluation.statistics.draw_sources._CELLS", 50 * 300)
    parts = mean_draws(values, 1)
    assert parts.shape == whole.shape == (DRAWS, 2)
    assert len(np.unique(parts[:, 0])) > 900
    assert parts.std(axis=0) == pytest.approx(whole.std(axis=0), rel=0.1)


def test_the_file(tmp_path, gold, dice):
    sets = [
        StsSet(s.year, s.dataset, ["a"] * N, ["b"] * N, part["gold"].to_numpy())
        for s, (_, part) in zip((FIRST, LAST), gold.groupby("year"), strict=True)
    ]
    write_sets(sets, [], tmp_path / "sts.jsonl", tmp_path / "sts.json", sample=False, description="two sets")
    write_csv(tmp_path / "similarities.csv", similar(gold, dice))
    run_draws(
        similarities=[str(tmp_path / "similarities.csv")],
        points=[{"system": "a", "seed": 1}],
        pairs=str(tmp_path / "sts.jsonl"),
        description=str(tmp_path / "sts.json"),
        npz=str(tmp_path / "draws.npz"),
    )
    found = read_draws(tmp_path / "draws.npz")
    assert {key.protocol for key in found} == {"paper", "official"}
    assert len(found) == 4
    content = (tmp_path / "draws.npz").read_bytes()
    for damaged in (content[: len(content) // 2], content[:-9]):
        (tmp_path / "draws.npz").write_bytes(damaged)
        with pytest.raises(SentrepError, match="expected a file of bootstrap draws"):
            read_draws(tmp_path / "draws.npz")
