"""Test the figures and their data: correct numbers, reproducible files, and marks of sample data."""

import math
import re
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from conftest import ROOT
from helpers_evaluation import score_rows
from sentrep.evaluation.statistics.ablation import CONVENTIONS
from sentrep.evaluation.sts.sets import STANDARD
from sentrep.tables import style
from sentrep.tables.collect.sizes import PAPER_WORDS, extrapolate, size_values
from sentrep.tables.collect.sweeps import sweep_values
from sentrep.tables.render import write_item
from sentrep.tables.sweep_figures import LOOKS
from sentrep.tables.values import Value, Values, facts

SHORT = [standard for standard in STANDARD if standard.dataset != "SMT"]


def part(r, epochs=np.nan, missing=("SMT",)):
    """Return a table of scores in which each set has Pearson's ``r``."""
    rows = []
    for s in STANDARD:
        for protocol in ("paper", "official"):
            value = np.nan if s.dataset in missing else r
            rows.append((protocol, s.year, s.dataset, value, value, s.pairs, s.scored_pairs))
    rows.append(("paper", 2005, "Lee", 0.9, 0.9, 1225, 1225))
    return score_rows(rows).assign(epochs=epochs)


def write(tmp_path, name, values, sample=False, run="run"):
    """Write a figure, and return its svg and pdf files and its csv file as a data frame."""
    paper, item = name.split("/")
    outputs = {kind: tmp_path / run / f"{item}.{kind}" for kind in ("svg", "pdf", "csv")}
    preset = facts(paper, item, preset="sample" if sample else "novels", sample=str(sample))
    write_item(name, [*preset, *values], outputs)
    assert b"mathdefault" not in outputs["svg"].read_bytes()  # formulas would be written as "mathdefault"
    return outputs["svg"].read_bytes(), outputs["pdf"].read_bytes(), pd.read_csv(outputs["csv"])


def progress(seeds):
    points = [{"id": "m", "label": "m", "values": {}, "seed": seed} for seed in range(len(seeds))]
    return sweep_values("siamese_cbow", "figure2", seeds, points, "epochs")


def test_progress(tmp_path):
    seeds = [pd.concat([part(0.5 + s / 10, e) for e in (0.125, 0.25, np.nan)]) for s in (0, 1)]
    curves = write(tmp_path, "siamese_cbow/figure2", progress(seeds))[2]
    assert list(curves.columns) == [
        *["preset", "protocol", "year", "dataset", "epochs"],
        *["pearson", "spearman", "pearson_sd", "seeds"],
    ]
    assert len(curves) == 2 * 2 * 20  # the final models and the Lee judgements are not in the figure
    assert curves["dataset"].iloc[0] == "MSRpar"
    assert curves["protocol"].iloc[0] == "paper"
    assert curves["pearson"].dropna().unique() == pytest.approx([0.55])
    assert curves["pearson_sd"].dropna().unique() == pytest.approx([np.std([0.5, 0.6], ddof=1)], abs=1e-6)
    assert (curves["seeds"] == 2).all()


def test_a_seed_without_a_value_leaves_the_mean_empty():
    values = progress([part(0.5, 1.0), part(0.5, 1.0, missing=("SMT", "belief"))])
    assert all(np.isnan(v.mean) for v in values if v.row == "2015 belief" and v.metric == "pearson")


def test_parameter():
    points = [{"id": "m", "label": "m", "values": {"negatives": n}, "seed": 1} for n in (10, 1, 2)]
    values = sweep_values("siamese_cbow", "figure3", [part(n / 10) for n in (9, 1, 2)], points, "negatives")
    first = [v for v in values if (v.protocol, v.row, v.metric) == ("paper", "2012 MSRpar", "pearson")]
    assert [value.x for value in first] == [1, 2, 10]
    assert [value.mean for value in first] == [0.1, 0.2, 0.9]
    assert all(np.isnan(value.sd) for value in first)


WORDS = {0.125: 125_000, 0.25: 250_000, 0.5: 500_000, 1: 1_000_000}


def corpus_size(fractions=None):
    points, rows = [], []
    for fraction in fractions or WORDS:
        for name, epochs, mean in (("Siamese CBOW", 5, 0.4 + 0.02 * math.log2(fraction)), ("u", None, 0.4)):
            model = f"{name}~{fraction}"
            points.append({"id": model, "label": name, "epochs": epochs, "fraction": fraction})
            for convention in CONVENTIONS:
                gain = (mean - 0.4, mean - 0.41, mean - 0.39)
                about = {"section": "Sizes", "label": model, "model": model, "baseline": f"u~{fraction}"}
                measured = {"pearson": mean, "sd": 0.01, "seeds": 3, "sets": 18, "loss": 1.0, "lowest_norms": "a"}
                gains = dict(zip(("difference", "low", "high"), gain, strict=True))
                rows.append({**about, "convention": convention, **measured, **gains})
    rows.append({**rows[-1], "section": "another sweep", "pearson": 0.9})
    words = [WORDS[point["fraction"]] for point in points]
    return size_values("sentrep", "corpus_size", pd.DataFrame(rows), words, points, "Sizes")


def test_corpus_size(tmp_path):
    curves = write(tmp_path, "sentrep/corpus_size", corpus_size())[2]
    ours = curves[(curves["unknown_words"] == "random") & (curves["label"] == "Siamese CBOW")]
    largest = ours[ours["fraction"] == 1].iloc[0]
    assert (largest["words"], largest["epochs"], largest["sets"], largest["seeds"]) == (1_000_000, 5, 18, 3)
    assert largest["pearson"] == pytest.approx(0.4)
    quarter = ours[ours["fraction"] == 0.25].iloc[0]
    assert quarter[["difference", "difference_low", "difference_high"]].tolist() == pytest.approx([-0.04, -0.05, -0.03])
    expected = ours[ours["words"] == float(f"{PAPER_WORDS:.6g}")].iloc[0]
    on_the_line = 0.4 + 0.02 * math.log2(PAPER_WORDS / 1_000_000)
    assert expected[["expected", "expected_low", "expected_high"]].tolist() == pytest.approx(
        [on_the_line] * 3, abs=1e-5
    )
    assert curves.loc[curves["baseline"], "epochs"].isna().all()


def test_corpus_sizes_of_a_run_without_conventions_are_drawn(tmp_path):
    rows = Values.read(ROOT / "results" / "published" / "novels" / "values.csv").select(
        paper="sentrep", item="corpus_size"
    )
    svg = tmp_path / "corpus_size.svg"
    write_item("sentrep/corpus_size", rows.rows(), {"svg": svg})
    assert "<!-- w2v CBOW, 5 epochs -->" in svg.read_text()


def test_budget(tmp_path):
    points = [{"id": f"m{n}", "label": "m", "epochs": n, "fraction": 0.25} for n in (1, 2, 5)]
    points.append({"id": "u", "label": "u", "epochs": None, "fraction": 0.25})
    about = {"section": "Budget", "sd": np.nan, "seeds": 1, "sets": 20, "loss": 1.0, "lowest_norms": "a"}
    gain = {"difference": 0.1, "low": 0.0, "high": 0.2}
    rows = [
        {
            **about,
            **gain,
            "label": p["label"],
            "model": p["id"],
            "baseline": "u",
            "convention": c,
            "pearson": 0.3 + i / 10,
        }
        for i, p in enumerate(points)
        for c in CONVENTIONS
    ]
    values = size_values("sentrep", "budget", pd.DataFrame(rows), [1000] * 4, points, "Budget", "words read")
    svg, _, curves = write(tmp_path, "sentrep/budget", values)
    ours = curves[(curves["unknown_words"] == "omitted") & (curves["label"] == "m")]
    assert ours["words_read"].tolist() == [1000, 2000, 5000]
    assert ours["pearson"].tolist() == pytest.approx([0.3, 0.4, 0.5])
    assert curves["expected"].isna().all()  # all models use the same corpus, so nothing is extrapolated to a larger one
    assert svg.count(b"<!-- m -->") == 2  # one curve in each panel, whatever the number of epochs


@pytest.mark.parametrize(("sizes", "extrapolated"), [(3, 0), (4, 2 * len(CONVENTIONS))])
def test_three_sizes_of_a_corpus_are_too_few_for_an_extrapolation(sizes, extrapolated):
    values = corpus_size(list(WORDS)[:sizes])
    assert sum(value.metric == "expected" for value in values) == extrapolated


def test_an_extrapolation_has_the_interval_of_a_regression():
    random = np.random.default_rng(1)
    x = np.array([1.0, 2.0, 3.0, 5.0])
    y = 0.3 + 0.1 * x + random.normal(0, 0.02, 4)
    # the textbook formula in matrix form: the variance of a new observation in ordinary least squares
    design = np.stack([np.ones(4), x], axis=1)
    weights = np.linalg.solve(design.T @ design, design.T @ y)
    spread = math.sqrt(((y - design @ weights) ** 2).sum() / 2)
    place = np.array([1.0, 8.0])
    error = 4.30265273 * spread * math.sqrt(1 + place @ np.linalg.inv(design.T @ design) @ place)
    found = extrapolate(x, y, 8.0)
    assert found == pytest.approx([place @ weights, place @ weights - error, place @ weights + error], abs=1e-7)


def test_the_interval_of_an_extrapolation_covers_new_observations():
    random = np.random.default_rng(2)
    x, hits = np.arange(5.0), 0
    for _ in range(2000):
        y = 0.4 + 0.05 * np.arange(8) + random.normal(0, 0.03, 8)
        found = extrapolate(x, y[:5], 7.0)
        hits += found.low <= y[7] <= found.high
    assert hits / 2000 == pytest.approx(0.95, abs=0.015)


@pytest.mark.parametrize("sample", [False, True])
def test_figures_say_what_they_show_and_are_the_same_twice(tmp_path, sample):
    values = progress([pd.concat([part(0.5 + e / 20, e) for e in np.arange(1, 17) / 8])])
    files = []
    for run in ("first", "second"):
        files.append(write(tmp_path, "siamese_cbow/figure2", values, sample, run)[:2])
        files[-1] += write(tmp_path, "sentrep/corpus_size", corpus_size(), sample, run)[:2]
    assert files[0] == files[1]
    svg = files[0][0].decode()
    assert ("SAMPLE" in svg) == sample
    assert all(f"<!-- {standard.label} -->" in svg for standard in SHORT)  # every curve has a label
    assert "2013 (no data: SMT)" in svg
    assert files[0][1].startswith(b"%PDF")
    assert b"CreationDate" not in files[0][1]
    assert "Siamese CBOW, 5 epochs" in files[0][2].decode()


def test_figures_show_no_title_of_their_own(tmp_path):
    svg = write(tmp_path, "siamese_cbow/figure2", progress([part(0.5, 1.0)]))[0].decode()
    assert "performance across epochs" in svg  # the title is in the metadata
    assert "<!-- Siamese CBOW, figure 2" not in svg  # matplotlib adds a comment with each text that it draws


def test_every_set_has_a_line_for_its_untrained_baseline(tmp_path):
    values = progress([pd.concat([part(0.5, 1.0), part(0.6, 2.0)])])
    sets = {value.row for value in values if value.protocol == "paper" and value.metric == "pearson"}
    untrained = Value("sentrep", "table1", "", "untrained", "pearson", "paper", baseline=True, mean=0.4)
    baselines = [replace(untrained, row=row, system="random") for row in sets]
    others = [replace(untrained, row=row, system="tfidf") for row in sets]
    without = write(tmp_path, "siamese_cbow/figure2", values)
    drawn = write(tmp_path, "siamese_cbow/figure2", [*values, *baselines, *others], run="baseline")
    dotted = "stroke-dasharray: 1,1.65"  # how matplotlib writes a dotted line with a width of one point
    assert (without[0].decode().count(dotted), drawn[0].decode().count(dotted)) == (0, 19)
    assert without[2].equals(drawn[2])  # the csv file contains only the values of this figure


def heat(system, row, mean, **more):
    return Value(
        "quick_thoughts", "table1", row, system, "accuracy", "kiros", system=system, label=system, mean=mean, **more
    )


def test_transfer_tasks_as_a_heat_map(tmp_path):
    values = [heat("random", "MR", 60.0, baseline=True), heat("random", "CR", 70.0, baseline=True)]
    values += [heat("good", "MR", 80.0), heat("good", "CR", 65.5), heat("incomplete", "MR", 99.0)]
    svg, _, frame = write(tmp_path, "quick_thoughts/transfer", values)
    texts = re.findall(r"<!-- (.*?) -->", svg.decode())
    # the highest mean comes first
    assert [text for text in texts if text in ("good", "random", "incomplete")] == ["good", "random"]
    assert [text for text in texts if re.fullmatch(r"\d\d", text)] == ["80", "66", "60", "70"]
    fills = re.findall(r"fill: (#0072b2|#d55e00); fill-opacity: ([.\d]+)", svg.decode())
    assert ("#0072b2", "0.55") in fills  # 20 points above the baseline: the strongest colour
    assert ("#d55e00", "0.165") in fills  # 4.5 of 15 points below the baseline
    assert sorted(frame["model"]) == ["good", "good", "incomplete", "random", "random"]


def test_transfer_tasks_without_the_baseline_have_no_colours(tmp_path):
    values = [heat("good", "MR", 80.0), heat("good", "CR", 65.5)]
    svg, _, _ = write(tmp_path, "quick_thoughts/transfer", values)
    texts = re.findall(r"<!-- (.*?) -->", svg.decode())
    assert [text for text in texts if re.fullmatch(r"\d\d", text)] == ["80", "66"]
    assert "accuracy in percent" in texts
    assert "fill-opacity" not in svg.decode()


@pytest.mark.filterwarnings("error")
def test_a_heat_map_without_values_says_so(tmp_path):
    svg, _, _ = write(tmp_path, "quick_thoughts/transfer", [])
    assert "no values in this run" in re.findall(r"<!-- (.*?) -->", svg.decode())


def test_variants_are_compared_with_the_untrained_baseline(tmp_path):
    about = Value("siamese_cbow", "ablation", "1", "omitted", "difference", "Padding", system="m", label="stale tokens")
    values = [
        replace(about, mean=0.02, low=0.01, high=0.03),
        replace(about, row="2", system="n", label="16-bit ids", mean=0.0, low=-0.01, high=0.01),
        replace(about, row="2", column="random", system="n", label="unseen", mean=0.5, low=0.4, high=0.6),
    ]
    svg, _, frame = write(tmp_path, "siamese_cbow/variants", values)
    texts = re.findall(r"<!-- (.*?) -->", svg.decode())
    assert {"Padding", "stale tokens", "16-bit ids"} <= set(texts)
    assert "unseen" not in texts
    assert svg.count(b"stroke-dasharray") == 1  # the line of the baseline
    assert frame["difference"].tolist() == [0.02, 0.0]
    assert b"stroke: #0072b2; stroke-width" in svg  # significantly above the baseline
    assert b"stroke: #d55e00; stroke-width" not in svg  # none is below the baseline


def test_curves_of_a_panel_look_different():
    for year in {standard.year for standard in STANDARD}:
        looks = [LOOKS[standard.label] for standard in STANDARD if standard.year == year]
        assert len({colour for colour, _ in looks}) == len({marker for _, marker in looks}) == len(looks)


def test_names_are_moved_apart():
    assert style.spread([0.1, 0.5], 0.05) == pytest.approx([0.1, 0.5])
    moved = style.spread([0.5, 0.5, 0.51, 0.9], 0.05)
    assert np.diff(moved).min() >= 0.05 - 1e-9
    assert np.mean(moved[:3]) == pytest.approx(np.mean([0.5, 0.5, 0.51]))
    assert style.spread([], 0.05) == []


@given(st.lists(st.floats(0, 1), max_size=12).map(sorted), st.floats(0.01, 0.08))
def test_labels_are_spread_between_the_ends_of_the_axes(positions, gap):
    found = style.spread(positions, gap)
    assert len(found) == len(positions)
    assert all(later - earlier >= gap - 1e-9 for earlier, later in pairwise(found))
    assert all(-1e-9 <= position <= 1 + 1e-9 for position in found)
    if all(later - earlier >= gap for earlier, later in pairwise(positions)):
        np.testing.assert_allclose(found, positions, atol=1e-9)  # labels with enough space are not moved
