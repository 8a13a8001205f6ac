"""Test comparisons with an untrained baseline: evaluation/statistics/ablation.py, sts/unknown_words.py."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from sentrep.encoders.base import AveragingEncoder, random_word_vector
from sentrep.errors import SentrepError
from sentrep.evaluation.statistics.ablation import CONVENTIONS, SetMeans, ablation, final_loss
from sentrep.evaluation.statistics.bootstrap import column_correlations, draw_weights, weighted_pearson
from sentrep.evaluation.sts.sets import STANDARD, StsSet, load_sets, write_sets
from sentrep.evaluation.sts.unknown_words import random_unknown_words

SETS = [(s.year, s.dataset) for s in STANDARD[:2]]
N = 60


@pytest.fixture
def dice():
    return np.random.default_rng(5)


def gold_of(dice):
    frames = [pd.DataFrame({"year": y, "dataset": d, "pair": range(N), "gold": dice.uniform(0, 5, N)}) for y, d in SETS]
    return pd.concat(frames, ignore_index=True)


def series(gold, values):
    return pd.Series(values, index=pd.MultiIndex.from_frame(gold[["year", "dataset", "pair"]]))


def test_correlations_of_columns_equal_one_column_at_a_time(dice):
    values, target, weights = dice.normal(size=(N, 3)), dice.normal(size=N), draw_weights(N, 1, 50)
    found = column_correlations(values, target, weights)
    for column in range(3):
        assert found[:, column] == pytest.approx(weighted_pearson(values[:, column], target, weights), abs=1e-10)
    assert np.isnan(column_correlations(np.ones((N, 1)), target, weights)).all()


def test_means_differences_and_intervals(dice):
    gold = gold_of(dice)
    runs = {}
    for name, noise in (("good", 0.5), ("untrained", 4.0)):
        for seed in (1, 2, 3):
            runs[name, seed] = series(gold, gold["gold"].to_numpy() + dice.normal(0, noise, len(gold)))
    means = SetMeans.of(runs, gold)
    found = means.compare("good", "untrained", [1, 2, 3])
    expected = {}
    for key, values in runs.items():
        parts = [slice(0, N), slice(N, 2 * N)]
        expected[key] = np.mean([stats.pearsonr(values.to_numpy()[p], gold["gold"].to_numpy()[p])[0] for p in parts])
    ours = [expected["good", seed] for seed in (1, 2, 3)]
    difference = np.mean(ours) - np.mean([expected["untrained", seed] for seed in (1, 2, 3)])
    assert means.sets == 2
    assert found.mean == pytest.approx(np.mean(ours), abs=1e-12)
    assert found.sd == pytest.approx(np.std(ours, ddof=1), abs=1e-12)
    assert found.difference == pytest.approx(difference, abs=1e-12)
    assert found.low < difference < found.high
    assert found.low > 0  # clearly better than the baseline
    same = means.compare("good", "good", [1, 2, 3])
    assert (same.difference, same.low, same.high) == (0, 0, 0)
    with pytest.raises(
        SentrepError, match="expected scores of the baseline other for all seeds of good, found no scores for seed 2"
    ):
        means.compare("good", "other", [2])


def test_runs_without_random_vectors_have_no_comparison(dice):
    gold = gold_of(dice)
    undefined = {(name, 1): series(gold, np.full(len(gold), np.nan)) for name in ("network", "untrained")}
    assert SetMeans.of(undefined, gold).compare("network", "untrained", [1]) is None


def test_interval_covers_the_true_difference(dice):
    """The interval for two systems of equal quality excludes 0 in about 5% of trials."""
    missed = 0
    for _ in range(25):
        gold = gold_of(dice)
        scores = gold["gold"].to_numpy()
        keys = [(name, seed) for name in ("a", "b") for seed in range(8)]
        runs = {key: series(gold, scores + dice.normal(0, 1.5, len(gold))) for key in keys}
        found = SetMeans.of(runs, gold).compare("a", "b", list(range(8)))
        missed += not found.low <= 0 <= found.high
    # binomial(25, .05) exceeds 7 with probability 1e-5; few resamples make the interval slightly less accurate
    assert missed <= 7


def test_whole_comparison_from_files(tmp_path, dice):
    """Unknown words are omitted, with two empty sentences counted as equal or different, or get random vectors."""
    year, dataset = SETS[0]
    sentences = [("a b", "a c"), ("zz", "yy"), ("b zz", "c"), ("c a", "b"), ("a", "b c zz")]
    pairs, description = tmp_path / "sts.jsonl", tmp_path / "sts.json"
    gold = [4, 5, 1, 2, 0.5]
    firsts, seconds = (list(side) for side in zip(*sentences, strict=True))
    write_sets(
        [StsSet(year, dataset, firsts, seconds, np.array(gold))],
        [],
        pairs,
        description,
        sample=True,
        description="sample",
    )
    files = {"similarities": [], "unknown_words": [], "models": []}
    for seed in (1, 2):
        vectors = np.random.default_rng(seed).normal(0, 0.01, (3, 4)).astype(np.float32)
        folder = tmp_path / f"seed{seed}"
        folder.mkdir()
        encoder = AveragingEncoder(vectors, ["a", "b", "c"], "whitespace", meta={"family": "random_vectors"})
        encoder.save(folder)
        unknown = random_unknown_words(str(folder), load_sets(pairs, description)[0])
        unknown.to_csv(tmp_path / f"u{seed}.csv", index=False)
        assert unknown["both_unknown"].tolist() == [0, 1, 0, 0, 0]
        zz = random_word_vector("zz", 4)
        mixed, alone = vectors[1].astype(float) + zz, vectors[2].astype(float)
        cosine = mixed @ alone / np.linalg.norm(mixed) / np.linalg.norm(alone)
        assert unknown["random"][2] == pytest.approx(cosine, abs=2e-6)
        similarity = unknown[["year", "dataset", "pair"]].assign(similarity=[0.3, 1.0, 0.2, 0.1, 0.4])
        similarity.to_csv(tmp_path / f"s{seed}.csv", index=False)
        files["similarities"].append(str(tmp_path / f"s{seed}.csv"))
        files["unknown_words"].append(str(tmp_path / f"u{seed}.csv"))
        files["models"].append(str(folder))
    system = {"section": "S", "label": "untrained", "id": "random", "seeds": [1, 2], "baseline": "random"}
    runs = [("random", 1), ("random", 2)]
    out = tmp_path / "out.csv"
    ablation(**files, pairs=str(pairs), description=str(description), runs=runs, systems=[system], csv=str(out))
    found = pd.read_csv(out).set_index("convention")
    assert list(found.index) == list(CONVENTIONS)
    for convention, values in (("omitted", [0.3, 1, 0.2, 0.1, 0.4]), (CONVENTIONS[1], [0.3, 0, 0.2, 0.1, 0.4])):
        assert found["pearson"][convention] == pytest.approx(stats.pearsonr(values, gold)[0], abs=1e-6)
    assert set(found["lowest_norms"]["omitted"].split()) == {"a", "b", "c"}
    assert found["loss"].isna().all()


def test_final_loss_is_that_of_the_last_quarter(tmp_path):
    rows = ["examples,epoch,loss,learning_rate,examples_per_second", "50,.5,9,1,1", "80,.8,2,1,1", "100,1,1,1,1"]
    (tmp_path / "training.csv").write_text("\n".join(rows) + "\n")
    assert final_loss(tmp_path) == pytest.approx((30 * 2 + 20 * 1) / 50)
