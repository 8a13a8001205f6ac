"""Weighted aggregation from pairs to tables: the scripts, tables and figures."""

import re

import numpy as np
import pandas as pd
import pytest

from helpers_aggregation import build_world, write_pairs_folder
from helpers_evaluation import ROOT, run_script
from sentrep.aggregation.evaluation import METRIC_COLUMNS, count_pairs
from sentrep.aggregation.lexicon import build_lexicon, load_word_vectors, open_pairs
from sentrep.aggregation.metrics import Scale, best_split, class_errors, wrong
from sentrep.aggregation.representations import BASELINES, CONTRASTIVE, MEDIAN, similarities
from sentrep.errors import SentrepError
from sentrep.io.csv_files import read_csv
from sentrep.tables.markup import latex, markdown, page
from sentrep.tables.reported import read_reported
from sentrep.tables.weighted_aggregation import Column, build_table
from sentrep.tables.weighted_figures import draw_distances, draw_weights, weight_curves

REPORTED = ROOT / "workflow" / "reported" / "weighted_aggregation.csv"
PAPER = read_reported(REPORTED)
COLUMNS = PAPER.columns(1)


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    return build_world(tmp_path_factory.mktemp("world") / "w")


@pytest.fixture(scope="module")
def evaluated(world):
    """What the script writes for the small world."""
    out = {name: world / f"{name}.csv" for name in ("metrics", "binomial", "histograms")}
    inputs = {"pairs": world / "pairs", "embeddings": world / "vectors"}
    learnt = {"contrastive": CONTRASTIVE, "median": MEDIAN}
    run_script(
        "evaluate_pairs",
        input={**inputs, **{name: world / name for name in learnt}},
        output=out,
        params={"learnt": learnt, "options": {"top": "30%"}},
    )
    return {name: read_csv(path) for name, path in out.items()}


def test_evaluation(world, evaluated):
    metrics = evaluated["metrics"]
    assert list(metrics) == METRIC_COLUMNS and metrics["method"].tolist() == [*BASELINES, CONTRASTIVE, MEDIAN]
    assert (metrics["pairs"] == 400).all() and (metrics["pairs_with_empty_text"] == 0).all()
    assert (metrics["error_low"] <= metrics["error"]).all() and (metrics["error"] <= metrics["error_high"]).all()
    rows = metrics.set_index("method")
    assert rows.loc[MEDIAN, "error"] < rows.loc["Mean", "error"]
    # one row by hand
    corpus, model = open_pairs(world / "pairs"), load_word_vectors(world / "vectors")
    lexicon = build_lexicon(corpus, model.row_of, model.embeddings, normalise=True)
    parts = [lexicon.rank(corpus.splits[name]) for name in ("validation", "test")]
    values = [similarities(lexicon, part, {})["Mean"] for part in parts]
    scale = Scale.of(values[0])
    split, _ = best_split(scale(values[0]), parts[0].related)
    mistakes = wrong(scale(values[1]), parts[1].related, split)
    assert rows.loc["Mean", "error"] == pytest.approx(np.mean(class_errors(mistakes, parts[1].related)))
    assert rows.loc["Mean", "mistakes"] == mistakes.sum() and rows.loc["Mean", "split"] == pytest.approx(split)
    tests = evaluated["binomial"]
    assert len(tests) == 10 * 9
    line = tests[(tests["reference"] == "Mean") & (tests["method"] == MEDIAN)].iloc[0]
    assert line["reference_error"] == pytest.approx(mistakes.mean()) and line["p"] < 0.05
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
    assert table["kappa"].tolist() == [1, 20] and table["least"].sum() == 1


def columns_of(evaluated):
    """Return the columns of Table 1; the preset lacks the last."""
    given = (evaluated["metrics"], evaluated["binomial"])
    return [
        Column("Wikipedia, 20 words", COLUMNS[0], *given),
        Column("Wikipedia, variable length", COLUMNS[1], *given),
        Column("Variable length, vectors of novels", COLUMNS[2], None, None),
    ]


def test_table1(evaluated):
    extra = evaluated["metrics"].iloc[-1:].assign(method="Learned weights, contrastive, 1/√n")
    with_extra = {**evaluated, "metrics": pd.concat([evaluated["metrics"], extra])}
    table, frame = build_table(1, "Table 1", columns_of(with_extra), PAPER, "novels", sample=False)
    assert [row.heading.text for row in table.sections[0].rows] == PAPER.rows(1)
    assert [row.heading.text for row in table.sections[1].rows] == ["Learned weights, contrastive, 1/√n"]
    assert [group for group, _ in table.groups] == [*COLUMNS[:2], "Variable length, vectors of novels"]
    assert len(frame) == 3 * 11
    mean = evaluated["metrics"].set_index("method").loc["Mean"]
    cells = table.sections[0].rows[1].cells
    assert cells[0].text == f"{100 * mean['error']:.2f}" and cells[1].text == "19.43"
    assert cells[2].text == f"{100 * mean['error'] - 19.43:+.2f}"
    assert cells[3].text == f"{mean['js_authors']:.4f}" and cells[4].text == "0.3781"
    assert [cell.text for cell in cells[14:]] == ["", "34.41", "", "", "0.1130", "", ""]
    bold = [row.heading.text for row in table.sections[0].rows if row.cells[0].bold]
    errors = evaluated["metrics"].set_index("method")["error"].round(4)
    assert set(bold) == set(errors[errors == errors.min()].index)
    line = frame[(frame["method"] == "Mean") & (frame["column"] == COLUMNS[0])].iloc[0]
    assert line["error_difference"] == pytest.approx(100 * mean["error"] - 19.43)
    assert line["js_difference"] == pytest.approx(mean["js_authors"] - 0.3781)
    notes = " ".join(table.full_notes)
    assert "Variable length, vectors of novels: not in this preset." in notes
    assert re.search(r"400 test pairs\. Two-tailed binomial test of Learned weights, median against the error", notes)
    for text in (markdown(table), latex(table), page(table)):
        assert "0.3781" in text and "SAMPLE" not in text


def test_sample_tables_say_so(evaluated, tmp_path):
    run_script(
        "weighted_aggregation_table",
        input={
            "reported": REPORTED,
            **{f"twitter_{k}": tmp_path / f"{k}.csv" for k in evaluated if write(evaluated, k, tmp_path)},
        },
        output={kind: tmp_path / f"table2.{kind}" for kind in ("csv", "md", "tex", "html")},
        params={
            **{"number": 2, "title": "Table 2", "preset": "sample", "sample": True},
            "columns": [{"name": "twitter", "label": "Twitter", "reported": "Twitter"}],
        },
    )
    for kind in ("md", "tex", "html"):
        text = (tmp_path / f"table2.{kind}").read_text()
        assert "SAMPLE: Table 2" in text and "small sample texts" in text and "SemEval" not in text
    frame = read_csv(tmp_path / "table2.csv")
    assert frame["method"].tolist() == PAPER.rows(2)
    assert frame["error_difference"].isna().all() and frame["js_difference"].isna().all()
    assert frame["reported_error"].tolist()[0] == 43.09 and frame["error"].notna().all()


def write(evaluated, name, folder):
    evaluated[name].to_csv(folder / f"{name}.csv", index=False)
    return True


def test_figure2(evaluated, tmp_path):
    outputs = {kind: tmp_path / f"figure2.{kind}" for kind in ("svg", "pdf")}
    for sample in (False, True):
        draw_distances(evaluated["histograms"], "Mean", "Figure 2", outputs, sample)
        first = outputs["svg"].read_bytes()
        draw_distances(evaluated["histograms"], "Mean", "Figure 2", outputs, sample)
        assert outputs["svg"].read_bytes() == first
        assert (b"SAMPLE" in first) == sample
    with pytest.raises(SentrepError, match="did you mean 'Mean'"):
        draw_distances(evaluated["histograms"], "Meen", "Figure 2", outputs, False)


def test_figure3(world, tmp_path):
    outputs = {kind: tmp_path / f"figure3.{kind}" for kind in ("svg", "pdf", "csv")}
    run_script(
        "weighted_aggregation_figure3",
        input={"reported": REPORTED, "models": [world / "contrastive", world / "median"]},
        output=outputs,
        params={
            "models": [{"loss": "contrastive", "seed": 1}, {"loss": "median", "seed": 1}],
            **{"preset": "novels", "title": "Figure 3", "sample": False},
        },
    )
    curves = read_csv(outputs["csv"])
    assert len(curves) == 2 * 10 + 2 * 20 and curves.groupby(["source", "loss"])["relative"].max().tolist() == [1.0] * 4
    released = curves[(curves["source"] == "released") & (curves["loss"] == "median")]
    assert released["weight"].iloc[:2].tolist() == [2.177, 0.959]
    assert curves[curves["source"] == "ours"]["updates"].notna().all()
    two_seeds = [{"loss": "median", "seed": s, "weights": [1, 0.5], "updates": 1, "stopped": "x"} for s in (1, 2)]
    draw_weights(weight_curves(two_seeds, PAPER, "sample"), "t", {"svg": outputs["svg"]}, True)
    assert b"SAMPLE" in outputs["svg"].read_bytes()


def test_counts(world, tmp_path):
    counts = [("left out: too short", 7)]
    folder = write_pairs_folder(tmp_path / "tweets", sizes=(40, 40, 41), words=(5, 5), counts=counts)
    run_script(
        "count_pairs",
        input={"pairs": [world / "pairs", folder]},
        output={"csv": tmp_path / "pairs.csv"},
        params={"sources": ["wikipedia", "tweets"], "preset": "sample"},
    )
    table = read_csv(tmp_path / "pairs.csv")
    assert table["source"].tolist() == ["wikipedia"] * 6 + ["tweets"] * 7
    test = table[(table["source"] == "tweets") & (table["split"] == "test")]
    assert test["pairs"].tolist() == [21, 20] and test["words_mean"].tolist() == [5, 5]
    assert table["note"].dropna().tolist() == ["left out: too short"]
    assert table["pairs"].tolist()[-1] == 7
    assert len(count_pairs({"one": world / "pairs"})) == 6
