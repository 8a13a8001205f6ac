"""Test weighted aggregation from pairs to tables: the scripts, tables and figures."""

import re

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from helpers_aggregation import build_world, write_pairs_folder
from helpers_evaluation import ROOT, run_script
from helpers_views import run_values, view_of
from sentrep.aggregation.evaluation import METRIC_COLUMNS, count_pairs
from sentrep.aggregation.lexicon import build_lexicon, open_pairs
from sentrep.aggregation.metrics import Scale, best_split, class_errors, wrong
from sentrep.aggregation.representations import BASELINES, CONTRASTIVE, MEDIAN, similarities
from sentrep.encoders.registry import load_word_vectors
from sentrep.errors import SentrepError
from sentrep.io.csv_files import read_csv
from sentrep.sources.published import read_published
from sentrep.tables.collect.aggregation import (
    CONFIGURED,
    distance_values,
    error_values,
    kappa_values,
    pair_values,
    variant_values,
    weight_values,
)
from sentrep.tables.markup import latex, markdown, page
from sentrep.tables.render import write_item
from sentrep.tables.values import KEY, Values, facts

REPORTED = ROOT / "workflow" / "reported" / "weighted_aggregation.csv"
PAPER = read_published(REPORTED)
COLUMNS = PAPER.columns(1)


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    return build_world(tmp_path_factory.mktemp("world") / "w")


@pytest.fixture(scope="module")
def evaluated(world):
    """Return the output of the evaluation script for the small synthetic data set."""
    out = {name: world / f"{name}.csv" for name in ("metrics", "binomial", "histograms")}
    inputs = {"pairs": world / "pairs", "embeddings": world / "vectors"}
    run_script(
        "evaluate_pairs",
        input={**inputs, "learnt_0": world / "contrastive", "learnt_1": world / "median"},
        output={**out, "mistakes": world / "mistakes.npz"},
        params={"learnt": [CONTRASTIVE, MEDIAN], "options": {"top": "30%"}},
    )
    return {name: read_csv(path) for name, path in out.items()}


def test_evaluation(world, evaluated):
    metrics = evaluated["metrics"]
    assert list(metrics) == METRIC_COLUMNS
    assert metrics["method"].tolist() == [*BASELINES, CONTRASTIVE, MEDIAN]
    assert (metrics["pairs"] == 400).all()
    with np.load(world / "mistakes.npz") as found:
        assert found["methods"].tolist() == metrics["method"].tolist()
        assert found["mistakes"].sum(axis=0).tolist() == metrics["mistakes"].tolist()
        assert found["related"].sum() == 200
    assert (metrics["pairs_with_empty_text"] == 0).all()
    assert (metrics["error_low"] <= metrics["error"]).all()
    assert (metrics["error"] <= metrics["error_high"]).all()
    rows = metrics.set_index("method")
    assert rows.loc[MEDIAN, "error"] < rows.loc["Mean", "error"]
    # compute one row by hand
    corpus, model = open_pairs(world / "pairs"), load_word_vectors(world / "vectors")
    lexicon = build_lexicon(corpus, model.row_of, model.embeddings, normalise=True)
    parts = [lexicon.rank(corpus.splits[name]) for name in ("validation", "test")]
    values = [similarities(lexicon, part, {})["Mean"] for part in parts]
    scale = Scale.of(values[0])
    split, _ = best_split(scale(values[0]), parts[0].related)
    mistakes = wrong(scale(values[1]), parts[1].related, split)
    assert rows.loc["Mean", "error"] == pytest.approx(np.mean(class_errors(mistakes, parts[1].related)))
    assert rows.loc["Mean", "mistakes"] == mistakes.sum()
    assert rows.loc["Mean", "split"] == pytest.approx(split)
    tests = evaluated["binomial"]
    assert len(tests) == 10 * 9
    line = tests[(tests["reference"] == "Mean") & (tests["method"] == MEDIAN)].iloc[0]
    assert line["reference_error"] == pytest.approx(mistakes.mean())
    assert line["p"] < 0.05
    counts = evaluated["histograms"].groupby("method", sort=False)[["related", "non_related"]].agg(["sum", "size"])
    assert (counts.to_numpy() == [200, 300, 200, 300]).all()


def test_kappa_script(world, tmp_path):
    run_script(
        "kappa",
        input={"pairs": world / "pairs", "embeddings": world / "vectors"},
        output={"csv": tmp_path / "kappa.csv"},
        params={
            "parameters": {"maximum_words": 10, "variable_length": True, "maximum_updates": 30},
            **{"number_of_pairs": 100, "grid": [1, 20], "folds": 2, "seed": 1, "device": "cpu"},
        },
    )
    table = read_csv(tmp_path / "kappa.csv")
    assert table["kappa"].tolist() == [1, 20]
    assert table["least"].sum() == 1


def columns_of(evaluated):
    """Return two columns of table 1, with their metrics and tests."""
    labels = ("Wikipedia, 20 words", "Wikipedia, variable length")
    columns = [{"label": a, "reported": b, "seeds": [1]} for a, b in zip(labels, COLUMNS, strict=False)]
    return columns, 2 * [evaluated["metrics"]], 2 * [evaluated["binomial"]]


def test_table1(evaluated):
    extra = evaluated["metrics"].iloc[-1:].assign(method="Learned weights, contrastive, 1/√n")
    with_extra = {**evaluated, "metrics": pd.concat([evaluated["metrics"], extra])}
    values = error_values(1, *columns_of(with_extra), PAPER, sample=False)
    table, frame = view_of("weighted_aggregation/table1", values, preset="novels")
    assert [row.heading.text for row in table.sections[0].rows] == PAPER.rows(1)
    assert table.sections[1].heading == "Beyond the paper"
    assert [row.heading.text for row in table.sections[1].rows] == ["Learned weights, contrastive, 1/√n"]
    assert [group for group, _ in table.groups] == COLUMNS[:2]
    assert len(frame) == 2 * 11
    mean = evaluated["metrics"].set_index("method").loc["Mean"]
    cells = table.sections[0].rows[1].cells
    assert cells[0].text.startswith(f"{100 * mean['error']:.2f} [")
    assert cells[1].text == "19.43"
    assert cells[2].text == f"{100 * mean['error'] - 19.43:+.2f}"
    assert cells[3].text == f"{mean['js_authors']:.4f}"
    assert cells[4].text == "0.3781"
    bold = [row.heading.text for row in table.sections[0].rows if row.cells[0].bold]
    errors = with_extra["metrics"].set_index("method")["error"].round(4).loc[PAPER.rows(1)]
    assert set(bold) == set(errors[errors == errors.min()].index)
    line = frame[(frame["method"] == "Mean") & (frame["column"] == COLUMNS[0])].iloc[0]
    assert line["error_difference"] == pytest.approx(100 * mean["error"] - 19.43, abs=1e-4)
    assert line["js_difference"] == pytest.approx(mean["js_authors"] - 0.3781, abs=1e-4)
    notes = " ".join(table.full_notes)
    assert re.search(
        r'400 test pairs\. A two-tailed binomial test compares the error rate of "Learned weights, median" with that',
        notes,
    )
    for text in (markdown(table), latex(table), page(table)):
        assert "0.3781" in text
        assert "SAMPLE" not in text


def test_seeds_are_averaged(evaluated):
    first = evaluated["metrics"]
    second = first.assign(error=first["error"] + 0.02, error_low=first["error"], error_high=first["error"] + 0.03)
    column = {"label": "W", "reported": COLUMNS[0], "seeds": [1, 2]}
    values = error_values(1, [column], [first, second], 2 * [evaluated["binomial"]], PAPER, sample=False)
    found = next(v for v in values if (v.row, v.metric) == (MEDIAN, "split error"))
    row = first.set_index("method").loc[MEDIAN]
    assert (found.mean, found.sd, found.seeds) == pytest.approx((100 * row["error"] + 1, np.sqrt(2), 2))
    below = np.hypot(100 * (row["error"] - row["error_low"]) / 2 + 1, stats.t.ppf(0.975, 1))
    assert found.low == pytest.approx(found.mean - below)
    above = np.hypot(100 * (row["error_high"] - row["error"]) / 2 + 0.5, stats.t.ppf(0.975, 1))
    assert found.high == pytest.approx(found.mean + above)


def test_variants(evaluated):
    metrics = evaluated["metrics"]
    better = metrics.assign(error=metrics["error"] - 0.01)
    columns = [{"label": "W", "variant": variant, "seeds": seeds} for variant, seeds in (("", [1]), ("v", [1, 2]))]
    table, frame = view_of("weighted_aggregation/variants", variant_values(columns, [metrics, better, better]))
    assert [group for group, _ in table.groups] == [CONFIGURED, "v"]
    assert table.sections[0].heading == "W"
    # the heading does not say "(published)", because all values are ours
    assert {row.heading.tail for row in table.sections[0].rows} == {""}
    means = frame[frame["method"] == "Mean"].set_index("variant")
    assert means["error"]["v"] == pytest.approx(means["error"][CONFIGURED] - 1)
    assert means["seeds"].to_dict() == {CONFIGURED: 1, "v": 2}


def test_sample_tables_say_so(evaluated, tmp_path):
    for name, frame in evaluated.items():
        frame.to_csv(tmp_path / f"{name}.csv", index=False)
    inputs = {"reported": REPORTED, **{name: [tmp_path / f"{name}.csv"] for name in evaluated}}
    params = {"number": 2, "columns": [{"name": "twitter", "label": "Twitter", "reported": "Twitter", "seeds": [1]}]}
    item = "weighted_aggregation/table2"
    values = run_values(item, "aggregation.error_values", tmp_path, inputs, params, sample=True).rows()
    table, frame = view_of(item, values, sample=True)
    for text in (markdown(table), latex(table), page(table)):
        assert "SAMPLE: " in text
        assert "small sample corpus" in text
        assert "SemEval" not in text
    assert frame["method"].tolist() == PAPER.rows(2)
    assert frame["error_difference"].isna().all()
    assert frame["js_difference"].isna().all()
    assert frame["reported_error"].tolist()[0] == 43.09
    assert frame["error"].notna().all()


def draw(item, values, folder, sample):
    """Write a figure and return its svg file."""
    known = facts("weighted_aggregation", item, preset="p", sample=str(sample))
    path = folder / f"{item}.svg"
    write_item(f"weighted_aggregation/{item}", [*known, *values], {"svg": path})
    return path.read_bytes()


def test_figure2(evaluated, tmp_path):
    values = distance_values(evaluated["histograms"], "Mean")
    for sample in (False, True):
        first = draw("figure2", values, tmp_path, sample)
        assert draw("figure2", values, tmp_path, sample) == first
        assert (b"SAMPLE" in first) == sample
    with pytest.raises(SentrepError, match="did you mean 'Mean'"):
        distance_values(evaluated["histograms"], "Meen")


def test_figure3(world, tmp_path):
    inputs = {"reported": REPORTED, "learnt": [world / "contrastive", world / "median"]}
    models = [{"id": loss, "loss": loss, "seed": 1} for loss in ("contrastive", "median")]
    item = "weighted_aggregation/figure3"
    values = run_values(item, "aggregation.weight_values", tmp_path, inputs, {"models": models})
    write_item(item, values.rows(), {kind: tmp_path / f"figure3.{kind}" for kind in ("svg", "pdf", "csv")})
    curves = read_csv(tmp_path / "figure3.csv")
    assert len(curves) == 2 * 10 + 2 * 20
    assert curves.groupby(["source", "loss"])["relative"].max().tolist() == [1.0] * 4
    released = curves[(curves["source"] == "released") & (curves["loss"] == "median")]
    assert released["weight"].iloc[:2].tolist() == [2.177, 0.959]
    assert released["updates"].isna().all()
    assert curves[curves["source"] == "ours"]["updates"].notna().all()
    learnt = {"weights": [1, 0.5], "updates": 1, "stopped": "x"}
    two = weight_values([{"id": f"m{n}", "seed": n, "loss": "median"} for n in (1, 2)], 2 * [learnt], PAPER)
    assert b"SAMPLE" in draw("figure3", two, tmp_path, True)


def test_figure3_shows_means_over_seeds():
    learnt = [
        {"weights": [4, w], "updates": n, "stopped": "converged", "shape_change": n / 100} for w, n in ((1, 1), (3, 3))
    ]
    models = [{"id": "m", "seed": seed, "loss": "median"} for seed in (1, 2)]
    values = Values.of(weight_values(models, learnt, PAPER))
    assert not values.frame.duplicated(list(KEY)).any()
    ours = values.select(row="ours").frame.set_index(["metric", "x"])
    assert ours.loc[("weight", 2.0), ["mean", "seeds"]].tolist() == [2, 2]
    assert ours.loc[("relative weight", 2.0), "mean"] == 0.5
    assert ours.loc[("relative weight", 2.0), "sd"] == pytest.approx(0.125**0.5)
    assert ours.loc["shape change"]["mean"].tolist() == [0.01, 0.03]  # one value per seed


def test_values_of_kappa_and_pairs_are_unique(world):
    grid = {"kappa": [1, 20], "error": [0.2, 0.1], "error_sd": 0.01, "behind": 0.0, "behind_se": 0.0}
    kappa = Values.of(kappa_values(pd.DataFrame({**grid, "plateau": True, "least": [False, True]})))
    assert kappa.select(metric="error").frame["x"].tolist() == [1, 20]
    pairs = Values.of(pair_values(count_pairs({"one": world / "pairs"})))
    test = pairs.select(row="one", column="test", metric="pairs").frame
    assert test["protocol"].tolist() == ["related", "non-related"]
    assert test["mean"].tolist() == [200, 200]
    for values in (kappa, pairs):
        assert not values.frame.duplicated(list(KEY)).any()


def test_counts(world, tmp_path):
    counts = [("left out: too short", 7)]
    folder = write_pairs_folder(tmp_path / "tweets", sizes=(40, 40, 41), words=(5, 5), counts=counts)
    run_script(
        "count_pairs",
        input={"pairs": [world / "pairs", folder]},
        output={"csv": tmp_path / "pairs.csv"},
        params={"names": ["wikipedia", "tweets"], "preset": "sample"},
    )
    table = read_csv(tmp_path / "pairs.csv")
    assert table["source"].tolist() == ["wikipedia"] * 6 + ["tweets"] * 7
    test = table[(table["source"] == "tweets") & (table["split"] == "test")]
    assert test["pairs"].tolist() == [21, 20]
    assert test["words_mean"].tolist() == [5, 5]
    assert table["note"].dropna().tolist() == ["left out: too short"]
    assert table["pairs"].tolist()[-1] == 7
    assert len(count_pairs({"one": world / "pairs"})) == 6
