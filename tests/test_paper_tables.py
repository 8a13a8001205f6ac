"""Test the contents of tables: values, means, bold values, daggers, baselines and marks of sample data."""

import json
import math

import numpy as np
import pandas as pd
import pytest

from helpers_evaluation import REPORTED, run_script, score_rows
from helpers_tables import MODELS, PAPERS, REASON, SCORES, WILCOXON, build, cells, description, entry, numbers, show
from sentrep.errors import SentrepError
from sentrep.evaluation.sts.score_table import COLUMNS, collect, read_scores, write_scores
from sentrep.evaluation.sts.sets import STANDARD
from sentrep.tables.collect.siamese_cbow import table2_values, timing_values
from sentrep.tables.layout import Cell
from sentrep.tables.markup import latex, markdown, page
from sentrep.tables.systems import seed_means
from sentrep.tables.values import facts


def test_table1_csv():
    frame = numbers(build()[1])
    beside = ["pearson", "spearman", "reported pearson", "reported spearman", "difference"]
    assert list(frame.columns) == [
        *["preset", "protocol", "year", "dataset", "pairs", "scored_pairs", "unknown_words"],
        *[f"w2v_cbow {name}" for name in beside],
        *["skip-thought reported pearson", "skip-thought reported spearman"],
        *[f"siamese_cbow {name}" for name in beside],
        *["random pearson", "random spearman", "random sd", "note"],
    ]
    assert len(frame) == 2 * (20 + 1 + 1)  # 20 sets, their mean and Lee, under both protocols
    rows = frame.set_index(["protocol", "dataset"])
    first = rows.loc[("paper", "MSRpar")]
    assert first["siamese_cbow difference"] == pytest.approx(0.40 - 0.4379, abs=6e-5)
    assert first["random pearson"] == pytest.approx(0.425)
    smt = rows.loc[("paper", "SMT")]
    assert math.isnan(smt["w2v_cbow pearson"])
    assert smt["note"] == REASON
    assert smt["siamese_cbow reported pearson"] == 0.3312
    assert math.isnan(smt["siamese_cbow difference"])
    # the published values for 2015 are for other pairs than the official protocol, so there is no difference
    official = frame[frame["protocol"] == "official"].set_index(["year", "dataset"])
    assert math.isnan(official.loc[(2015, "belief"), "w2v_cbow difference"])
    assert official.loc[(2014, "images"), "w2v_cbow difference"] == pytest.approx(0.41 - 0.5056, abs=6e-5)


def test_mean_is_over_the_sets_that_every_model_has():
    frame = numbers(build()[1])
    means = frame[frame["dataset"].str.startswith("mean")].set_index("protocol")
    assert means["dataset"].tolist() == ["mean of 19 sets"] * 2
    assert means.loc["paper", "note"] == "not in the mean: 2013 SMT"
    places = [place for place, standard in enumerate(STANDARD) if standard.dataset != "SMT"]
    assert means.loc["paper", "siamese_cbow pearson"] == pytest.approx(0.40 + np.mean(places) / 100, abs=6e-5)
    reported = PAPERS["siamese_cbow"]
    rows = [row for row in reported.rows(1) if row != "2013 SMT"]
    mean = np.mean([reported.number(1, row, "Siamese CBOW", "pearson") for row in rows])
    assert means.loc["paper", "siamese_cbow reported pearson"] == pytest.approx(mean, abs=6e-5)
    assert means.loc["paper", "pairs"] == 17608 - 750
    assert math.isnan(means.loc["official", "siamese_cbow difference"])


def test_bold_daggers_and_baselines():
    table, _ = build()
    unknown, w2v, printed_w2v, gap, printed_skip, ours, printed, _, baseline = cells(table, "MSRpar")
    assert unknown.text == "1.0"
    assert (w2v.bold, ours.bold, baseline.bold) == (True, False, False)
    assert (printed_w2v.bold, printed_skip.bold, printed.bold) == (False, False, True)
    assert (ours.mark, printed.mark, w2v.mark) == ("†", "†", "")
    assert baseline == Cell(".4250 ±.007", "(.2125)", False, "‡")  # higher than both trained models
    assert gap == Cell("+.0681")
    msrvid = cells(table, "MSRvid")
    assert (msrvid[1].bold, msrvid[5].bold) == (True, True)  # both are .4100
    assert msrvid[5].mark == ""  # p is not below .0001
    assert cells(table, "tweet-news")[-1].mark == ""
    belief = cells(table, "belief", "2015, official protocol")
    assert belief[5] == Cell(".7700", "(.2850)", True)
    assert belief[6] == Cell()
    assert belief[7] == Cell()


def test_daggers_need_tests():
    assert cells(build(daggers=[])[0], "MSRpar")[5].mark == ""
    with pytest.raises(SentrepError, match="expected Wilcoxon tests between random and w2v_cbow, found none"):
        build(daggers=["random"])


def test_sections_of_table1():
    table, _ = build()
    assert [section.heading for section in table.sections] == [
        *["2012", "2013", "2014", "2015", "All, paper's protocol"],
        *["2015, official protocol", "All, official protocol", "Other human judgements"],
    ]
    assert [len(section.rows) for section in table.sections] == [5, 4, 6, 5, 1, 5, 1, 1]


def test_sample_is_said_everywhere():
    table, frame = build(sample=True)
    assert set(frame["preset"]) == {"sample"}
    named = frame.loc[frame["dataset"] != "Lee", "dataset"]
    assert named.str.endswith(" (sample)").all()
    assert (frame.filter(like="difference") == "").all(axis=None)
    assert "difference" not in markdown(table)
    for text in (markdown(table), latex(table), page(table)):
        assert "SAMPLE: " in text
        assert "not SemEval data" in text
        assert "MSRpar (sample)" in text
        assert "SemEval sets" not in text
    assert "SAMPLE" not in markdown(build()[0])


def test_collected_scores(tmp_path):
    path = tmp_path / "scores.csv"
    write_scores(path, SCORES)
    text = path.read_text().splitlines()
    assert text[0] == (
        "preset,protocol,year,dataset,model,seed,pearson,spearman,pairs,scored_pairs,oov_rate,all_oov_pairs"
    )
    assert text[1] == "novels,paper,2012,MSRpar,w2v_cbow,1,0.4100,0.2050,750,750,0.010000,0"
    frame = read_scores(path)
    assert list(frame.columns) == COLUMNS
    assert len(frame) == 4 * 2 * 21
    order = list(dict.fromkeys(zip(frame["year"], frame["dataset"], strict=True)))
    assert order == [*[(s.year, s.dataset) for s in STANDARD], (2005, "Lee")]
    assert frame.loc[frame["dataset"] == "SMT", "pearson"].isna().all()


def test_snapshots_stay_out_of_the_collected_scores():
    part = score_rows([("paper", 2014, "images", 0.5, 0.4, 750, 750)])
    snapshot = part.assign(epochs=0.5)
    assert len(collect("novels", [("m", 1, pd.concat([part, snapshot]))])) == 1


def test_means_need_every_seed():
    keys = ["protocol", "year", "dataset"]
    means = seed_means(SCORES, MODELS[3], keys, "pearson", "scores.csv")
    assert means["paper", 2012, "MSRpar"].mean == pytest.approx(0.425)
    assert means["paper", 2012, "MSRpar"].sd == pytest.approx(np.std([0.42, 0.43], ddof=1))
    assert math.isnan(means["paper", 2013, "SMT"].mean)
    with pytest.raises(SentrepError, match="values of random for seeds 1, 2, 3, found only seeds 1, 2 for"):
        seed_means(SCORES, entry("random", "Untrained", seeds=(1, 2, 3)), keys, "pearson", "scores.csv")
    with pytest.raises(SentrepError, match="found none"):
        seed_means(SCORES, entry("fastsent", "FastSent"), keys, "pearson", "scores.csv")


def table2(models, sample=False):
    found = table2_values(PAPERS["siamese_cbow"], models, scores=SCORES, sets=description(sample))
    common = facts("siamese_cbow", "table2", preset="sample" if sample else "novels", sample=str(sample))
    return show("siamese_cbow/table2", [*common, *found])


def test_table2():
    table, frame = table2([MODELS[2]])
    assert frame["dataset"].tolist() == [s.dataset for s in STANDARD if s.year == 2014]
    fastsent, siamese, swapped, again, ours, gap = cells(table, "deft-forum")
    assert fastsent == Cell(".41", "(.36)", True)
    assert siamese == Cell(".4082", "(.4188)", False)
    assert swapped == Cell(".36", "(.41)", False)  # with un-swapped values, Siamese CBOW wins
    assert again == Cell(".4082", "(.4188)", True)
    assert ours.text == ".5000"
    assert gap.text == "+.0918"
    assert frame.loc[1, "FastSent un-swapped pearson"] == "0.3600"
    assert "has a higher r than FastSent on 3 of 6 sets" in " ".join(table.notes)
    assert "Siamese CBOW has a higher r than FastSent on 4 of 6 sets" in " ".join(table.notes)
    # there is no column for the difference
    assert len(cells(table2([MODELS[2]], sample=True)[0], "deft-forum (sample)")) == 5


def test_table2_with_models_that_it_has_no_numbers_of():
    table, frame = table2([MODELS[0], MODELS[2], MODELS[3]])
    assert [group for group, _ in table.groups][2:] == [
        *["w2v CBOW, ours", "Siamese CBOW, ours", "Untrained, ours"],
    ]
    assert [cell.bold for cell in cells(table, "deft-forum")[4:]] == [False, True, False, False]
    assert [name for name in frame if name.endswith("difference")] == ["siamese_cbow difference"]


def test_table3():
    timing = pd.DataFrame(
        [("one by one", 17608, 3, 4.26, 0.5, 0.000241, "CPU"), ("batched", 17608, 3, 0.42, 0.1, 2.4e-5, "CPU")],
        columns=["presentation", "pairs", "repeats", "seconds", "seconds_sd", "seconds_per_pair", "processor"],
    )
    models = [
        {
            "id": "siamese_cbow",
            "label": "Siamese CBOW (300d)",
            "baseline": False,
            "reported": {"column": "Siamese CBOW"},
        },
        {"id": "tfidf", "label": "tf-idf", "baseline": True, "reported": None},
    ]
    timings = {"siamese_cbow": timing, "tfidf": timing}
    sets = {**description(), "pairs": 17608}
    found = timing_values(PAPERS["siamese_cbow"], models, timings, sets)
    common = facts("siamese_cbow", "table3", preset="novels", sample="False")
    table, frame = show("siamese_cbow/table3", [*common, *found])
    text = [[c.text for c in row.cells] for row in table.rows()]
    assert text == [
        ["7.7", "0.0004", "4.3", "0.000241", "0.42", "0.000024"],
        ["7.0", "0.0004", "", "", "", ""],
        ["98,804.0", "5.6", "", "", "", ""],
        ["", "", "4.3", "0.000241", "0.42", "0.000024"],
    ]
    assert frame["model"].tolist() == ["siamese_cbow", "word2vec (300d)", "skip-thought (1200d)", "tfidf"]
    assert frame["batched seconds per pair"].tolist() == ["0.000024", "", "", "0.000024"]
    assert "Our times come from 3 runs with 17,608 pairs each" in "\n".join(table.notes)
    part = {"siamese_cbow": timing.assign(pairs=500)}
    table, _ = show("siamese_cbow/table3", [*common, *timing_values(PAPERS["siamese_cbow"], models[:1], part, sets)])
    assert [c.text for c in next(iter(table.rows())).cells] == ["7.7", "0.0004", "", "0.000241", "", "0.000024"]
    assert "with 500 pairs" in "\n".join(table.notes)
    unmeasured = timing_values(PAPERS["siamese_cbow"], [], {}, description())
    table, _ = show("siamese_cbow/table3", [*common, *unmeasured])
    assert [note for note in table.notes if "ublished" in note or "Our" in note] == [
        "The published times for all pairs refer to 17,608 pairs, processed one by one on the authors' machine."
    ]


def test_scripts(tmp_path):
    """Run the scripts that collect scores and write values and tables, on the files that they exchange."""
    parts = {}
    for model, seed in (("w2v_cbow", 1), ("siamese_cbow", 1), ("random", 1), ("random", 2)):
        rows = SCORES[(SCORES["model"] == model) & (SCORES["seed"] == seed)]
        parts[model, seed] = tmp_path / f"{model}.{seed}.csv"
        rows.assign(epochs=np.nan).drop(columns=["preset", "model", "seed"]).to_csv(parts[model, seed], index=False)
    collected = tmp_path / "scores.csv"
    run_script(
        "collect_scores",
        input={"score_files": list(parts.values())},
        output={"scores": collected},
        params={"preset": "novels", "models": [{"id": model, "seed": seed} for model, seed in parts]},
    )
    WILCOXON.to_csv(tmp_path / "wilcoxon.csv", index=False)
    (tmp_path / "sts.json").write_text(json.dumps(description()))
    settings = {"models": MODELS, "baseline": "w2v_cbow", "daggers": ["siamese_cbow"], "title": "Correlations"}
    source = {"scores": collected, "sets": tmp_path / "sts.json", "reported": [REPORTED]}
    run_script(
        "values",
        input={**source, "wilcoxon": tmp_path / "wilcoxon.csv"},
        output={"csv": tmp_path / "values.csv"},
        params={
            "item": "siamese_cbow/table1",
            "preset": "novels",
            "collector": "sts.sts_values",
            "settings": {**settings, "sample": False},
        },
    )
    outputs = {kind: tmp_path / f"table1.{kind}" for kind in ("csv", "md", "tex", "html")}
    run_script(
        "table",
        input={"source": [tmp_path / "values.csv"]},
        output=outputs,
        params={"name": "siamese_cbow/table1"},
    )
    assert ".4000† (.2000)" in outputs["md"].read_text(encoding="utf-8")
    assert outputs["csv"].read_text(encoding="utf-8").startswith("preset,protocol,year,dataset,pairs")
