"""Test tables 1 to 3 of Quick Thoughts (rows, differences and marks) and their configuration."""

import math
import re

import pandas as pd
import pytest

from helpers_costs import model_folder
from helpers_evaluation import ROOT
from helpers_views import lines, run_values, view_of
from sentrep.config.plan import make_plan
from sentrep.config.resolve import resolve
from sentrep.errors import SentrepError
from sentrep.evaluation.transfer.tasks import SCORE_COLUMNS
from sentrep.sources.published import read_published
from sentrep.tables.collect.transfer import transfer_values
from sentrep.tables.markup import latex, markdown, page
from sentrep.tables.numbers import signed
from sentrep.tables.values import Values

REPORTED = ROOT / "workflow" / "reported" / "quick_thoughts.csv"
PAPER = read_published(REPORTED)
TASKS = make_plan(resolve({"preset": "novels"})).transfer.task_labels
METRICS = {"accuracy": ["accuracy"], "paraphrase": ["accuracy", "f1"], "relatedness": ["pearson", "spearman", "mse"]}


def entry(name, label, column=None, table=1, baseline=False, seeds=(1,)):
    reported = {"paper": "quick_thoughts", "table": table, "column": column} if column else None
    return {"id": name, "label": label, "baseline": baseline, "seeds": list(seeds), "reported": reported}


def scores_of(values, protocols=("kiros", "senteval")):
    """Return scores in long format from {(model, seed): accuracy}; correlations are a hundredth of the accuracies."""
    rows = []
    for (model, seed), value in values.items():
        own = ["kim"] if model == "kim_cnn" else protocols
        for protocol in own:
            for task, described in TASKS.items():
                if model == "kim_cnn" and described["measure"] != "accuracy":
                    continue
                for metric in METRICS[described["measure"]]:
                    number = value if metric in ("accuracy", "f1") else value / 100
                    way = {"kiros": "unit", "senteval": "none"}.get(protocol)
                    size = math.nan if model in ("ensemble", "kim_cnn") else 300
                    rows.append(
                        (
                            *(
                                "novels",
                                protocol,
                                task,
                                model,
                                seed,
                                metric,
                                number - (protocol == "senteval"),
                                0.5,
                                10,
                                99,
                            ),
                            *(size, way, 1.0, 0, 0.7, "1 2", False),
                        )
                    )
    return pd.DataFrame(rows, columns=SCORE_COLUMNS)


SCORES = scores_of(
    {
        ("mine", 1): 77.04,
        ("mine", 2): 78.04,
        ("other", 1): 60.0,
        ("baseline", 1): 70.0,
        ("ensemble", 1): 80.0,
        ("kim_cnn", 1): 79.0,
    }
)
ENTRIES = [
    entry(None, "uni-skip", "uni-skip", seeds=()),
    entry("mine", "ours QT", "uni-QT", seeds=(1, 2)),
    entry("other", "Other"),
    entry("baseline", "untrained", baseline=True),
]


def values_of(number=1, entries=ENTRIES, scores=SCORES, sample=False):
    hours = {"mine": 0.5, "baseline": 0.0001}
    return transfer_values(number, scores, PAPER, entries, tasks=TASKS, models=hours, sample=sample)


def build(number=1, entries=ENTRIES, scores=SCORES, sample=False):
    return view_of(f"quick_thoughts/table{number}", values_of(number, entries, scores, sample), sample, "novels")


def test_table1():
    table, data = build()
    names = [f"{group}/{name}" for group, columns in table.groups for name in columns]
    assert names[:3] == ["/Dim", "/Training time (h)", "Accuracy/MR"]
    assert names[-1] == "/Folds / seeds"
    assert names[7:12] == ["MSRP/acc", "MSRP/F1", "SICK/r", "SICK/ρ", "SICK/MSE"]
    further = "Accuracy, not in this table of the paper"
    assert names[12:14] == [f"{further}/SST", f"{further}/SST, 5 classes"]
    rows = lines(table)
    scratch = "Trained from scratch on BookCorpus data"
    assert [heading for heading, _ in rows][-5:] == [
        "Not in this table of the paper",
        "Baselines",
        *["Ours, protocol senteval"] * 3,
    ]
    ours, printed = rows[scratch, "ours QT (ours)"], rows[scratch, "uni-QT (published)"]
    assert ours[:3] == ["300", "0.5", "77.5 ±0.7"]
    assert ours[-1] == "10 / 2"
    assert printed[:3] == ["2400", "11", "77.2"]
    assert printed[9:12] == ["0.844", "0.778", "0.293"]
    difference = rows[scratch, "difference"]
    assert difference[2] == "+0.3"
    assert difference[3] == "-5.3"
    assert difference[9] == "-0.069"
    assert rows[scratch, "uni-skip (published)"][2] == "75.5"
    assert rows["Ours, protocol senteval", "Other (ours)"][2] == "59.0"
    assert rows["Baselines", "untrained (ours)"][2] == "70.0"
    bold = {
        row.heading.text: [cell.bold for cell in row.cells]
        for s in table.sections
        for row in s.rows
        if s.heading == scratch
    }
    assert bold["ours QT"][2]
    assert not bold["uni-QT"][2]
    assert not bold["uni-skip"][2]
    best = {row.heading.text for s in table.sections for row in s.rows if row.cells[2].bold}
    assert best >= {"ours QT", "MC-QT (BookCorpus + UMBC)"}  # our best value, and the best of all published values
    baseline = next(row for s in table.sections if s.heading == "Baselines" for row in s.rows)
    assert not any(cell.bold for cell in baseline.cells)
    notes = " ".join(table.full_notes)
    assert "Protocol kiros: vectors scaled to length one." in notes
    assert "ours QT (2)" in notes
    line = data[(data["model"] == "mine") & (data["task"] == "MR") & (data["protocol"] == "kiros")].iloc[0]
    assert line["ours"] == pytest.approx(77.54)
    assert line["difference"] == pytest.approx(0.34)
    assert (line["folds"], line["seeds"], line["normalisation"], line["state"]) == (10, 2, "unit", "trained here")
    other = data[(data["model"] == "mine") & (data["protocol"] == "senteval")]
    assert other["difference"].isna().all()
    assert len(other) == 12
    assert "uni-skip" in set(data[data["state"] == "published"]["system"])
    for text in (markdown(table), latex(table), page(table)):
        assert "0.844" in text
        assert "SAMPLE" not in text


def test_best_values():
    """The lowest squared error is the best, and equal published values are all bold."""
    scores = scores_of({("a", 1): 70.01, ("b", 1): 70.04}, ("kiros",))
    table, _ = build(entries=[entry("a", "A"), entry("b", "B")], scores=scores)
    bold = {row.heading.text: [cell.bold for cell in row.cells] for s in table.sections for row in s.rows}
    assert bold["A"][2]
    assert bold["B"][2]
    scores.loc[(scores["metric"] == "mse") & (scores["model"] == "a"), "value"] = 0.1
    table, _ = build(entries=[entry("a", "A"), entry("b", "B")], scores=scores)
    bold = {row.heading.text: [cell.bold for cell in row.cells] for s in table.sections for row in s.rows}
    assert bold["A"][11]
    assert not bold["B"][11]


def test_table3():
    columns = PAPER.columns(3)
    assert columns == ["Ensemble", "AdaSent", "CNN", "TF-KLD", "DT-LSTM"]
    entries = [
        entry("ensemble", "Ensemble", "Ensemble", 3),
        entry(None, "AdaSent", "AdaSent", 3, seeds=()),
        entry("kim_cnn", "CNN", "CNN", 3),
        entry("other", "Other"),
        entry("baseline", "untrained", baseline=True),
    ]
    table, data = build(3, entries)
    rows = lines(table)
    assert ("", "Ensemble (ours)") in rows
    assert rows["", "Ensemble (published)"][0] == "82.7"
    assert rows["Task specific methods", "CNN (ours)"] == [*["79.0"] * 6, "", "", "", "10 / 1"]
    assert rows["Task specific methods", "difference"][0] == "-2.5"
    assert not any("Other" in name for _, name in rows)  # only systems of the paper's table and baselines are shown
    assert ("Baselines", "untrained (ours)") in rows
    cnn = data[(data["system"] == "CNN") & (data["protocol"] == "kim")]
    assert cnn["difference"].notna().all()
    assert len(cnn) == 6


def test_table2_has_sst():
    table, _ = build(
        2, [entry(None, "InferSent", "InferSent", 2, seeds=()), entry("mine", "QT", "MC-QT", 2, seeds=(1, 2))]
    )
    names = [name for _, columns in table.groups for name in columns]
    assert names == ["MR", "CR", "SUBJ", "MPQA", "SST", "TREC", "acc", "F1", "r", "Folds / seeds"]
    assert lines(table)["", "InferSent (published)"][4] == "84.6"
    assert lines(table)["", "QT (ours)"][4].startswith("77.5")


def test_samples_say_so_and_have_no_differences():
    table, data = build(sample=True)
    assert "difference" not in {name for _, name in lines(table)}
    assert data["difference"].isna().all()
    for text in (markdown(table), latex(table), page(table)):
        assert "SAMPLE: Quick Thoughts" in text
        assert "synthetic" in text


def test_a_seed_that_was_not_scored():
    with pytest.raises(SentrepError, match=r"expected \w+ of mine for seeds 1, 2, 3, found only seeds 1, 2 for"):
        build(entries=[entry("mine", "QT", "uni-QT", seeds=(1, 2, 3))])
    with pytest.raises(SentrepError, match=r"expected \w+ of absent for seed 1, found none"):
        build(entries=[entry("absent", "x")])


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.04, "0.0"), (-0.04, "0.0"), (0.06, "+0.1"), (-1.25, "-1.3"), (84.85, "+84.9"), (math.nan, "")],
)
def test_signed(value, text):
    assert signed(value, 1) == text


def test_values_say_how_they_were_measured():
    """Accuracies have an interval over items; published times are shown next to ours but not compared with them."""
    values = Values.of(values_of())
    row = values.select(system="mine", row="MR", metric="accuracy", protocol="kiros").frame.iloc[0]
    assert row["low"] < row["mean"] < row["high"]
    assert row["unit"] == "percent"
    assert row["seeds"] == 2
    assert values.select(system="mine", metric="pearson").frame["note"].str.startswith("no interval").all()
    hours = values.select(system="mine", row="Training time").frame.iloc[0]
    assert hours["published"] == "11"
    assert math.isnan(hours["difference"])
    items = values.select(row="MR", metric="items", protocol="kiros").frame
    assert items["mean"].tolist() == [99]


def test_script(tmp_path):
    SCORES.to_csv(tmp_path / "transfer.csv", index=False)
    model_folder(tmp_path, "part", seconds=900.0)
    folders = [
        model_folder(tmp_path, "mine", seed, seconds, inputs=[("part", "seed1")])
        for seed, seconds in ((1, 900.0), (2, 2700.0))
    ]
    values = run_values(
        "quick_thoughts/table1",
        "transfer.transfer_values",
        tmp_path,
        {"scores": tmp_path / "transfer.csv", "models": folders, "reported": REPORTED},
        {"number": 1, "systems": ENTRIES, "tasks": TASKS},
    )
    hours = values.select(system="mine", row="Training time", metric="hours").frame
    assert hours["mean"].tolist() == [0.75]


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ({"protocols": {"kirso": None}}, "kirso"),
        ({"ensemble": ["word2vec"]}, "transfer.ensemble: expected a known model, found 'word2vec'"),
        ({"models": ["tfid"]}, "transfer.models: expected a known model, found 'tfid'; did you mean 'tfidf'"),
        ({"cnn": {"vectors": "w2v"}}, "transfer.cnn.vectors: expected a known model"),
        ({"tasks": {"mr": {"sources": ["mrr"]}}}, "transfer.tasks.mr.sources: expected a known source, found 'mrr'"),
        (
            {"tasks": {"mr": {"layouts": [{"reader": "pairs_table", "files": {"all": "x"}}]}}},
            "did you mean 'pair_table'",
        ),
        (
            {"tasks": {"mr": {"measure": "relatedness"}}},
            "expected only `scores`, because the measure is relatedness, found `classes`",
        ),
        ({"tasks": {"sick": {"classes": ["a", "b"]}}}, "found `classes` and `scores`"),
        ({"tasks": {"mr": {"lable": "x"}}}, "did you mean 'label'"),
        ({"seeds": 0}, "config.transfer.seeds"),
    ],
)
def test_mistakes_are_named(override, message):
    with pytest.raises(SentrepError, match=re.escape(message)) as caught:
        resolve({"transfer": override})
    assert "\n" not in str(caught.value)


def test_names_of_classes_stay_names():
    task = {"label": "irony", "sources": ["sentences"], "measure": "accuracy", "classes": ["no", "1"]}
    task["layouts"] = [{"reader": "labelled_lines", "files": {"all": "x"}, "labels": {"0": "no", "yes": "1"}}]
    found = resolve({"transfer": {"tasks": {"irony": task}}}).transfer.tasks["irony"]
    assert found.classes == ["no", "1"]
    assert found.layouts[0].labels == {"0": "no", "yes": "1"}


def test_null_leaves_things_out():
    transfer = make_plan(resolve({"transfer": {"tasks": {"mpqa": None}, "cnn": None}})).transfer
    assert "mpqa" not in transfer.tasks
    assert transfer.cnn_vectors == []
