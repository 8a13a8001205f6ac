"""Test training costs: the time to train a model, the tables and the figure of times, and the table of all models."""

import math
import re

import numpy as np
import pandas as pd
import pytest

from helpers_costs import entry, history_of, model_folder, sts_part
from helpers_evaluation import REPORTED
from helpers_tables import cells
from helpers_views import run_values, view_of
from sentrep.errors import SentrepError
from sentrep.evaluation.training_costs import elapsed_seconds, read_cost, read_costs, seconds_at
from sentrep.evaluation.transfer.tasks import SNAPSHOT_COLUMNS
from sentrep.sources.published import read_published
from sentrep.tables.collect.costs import (
    SENTENCES,
    curve_values,
    mean_accuracy,
    size_values,
    time_values,
)
from sentrep.tables.markup import markdown
from sentrep.tables.numbers import compact
from sentrep.tables.render import write_item
from sentrep.tables.values import Values, facts
from sentrep.tables.views import read_views

QT_FILE = REPORTED.parent / "quick_thoughts.csv"
PAPER = read_published(QT_FILE)


def test_cost_of_a_model(tmp_path):
    folders = [model_folder(tmp_path, "a", seed, seconds) for seed, seconds in ((1, 100.0), (2, 200.0))]
    cost = read_cost(folders)
    assert (cost.seconds, cost.dimension, cost.parameters, cost.sentences) == (150.0, 3, 12, 50_000)
    assert (cost.family, cost.device, cost.epochs, cost.imported) == ("siamese_cbow", "cpu", 2.0, False)
    assert cost.seconds_per_million == pytest.approx(3000)
    assert cost.hours(1_000_000) == pytest.approx(3000 / 3600)


def test_cost_of_a_model_built_on_others(tmp_path):
    """Component models count as trained in parallel, so the slowest counts, with the models it is built from."""
    model_folder(tmp_path, "vectors", seconds=7.0)
    model_folder(tmp_path, "uni", seconds=100.0, device="cuda")
    model_folder(tmp_path, "bi", seconds=99.0, inputs=[("vectors", "seed1")])
    folder = model_folder(tmp_path, "both", seconds=1.0, inputs=[("uni", "seed1"), ("bi", "seed1"), ("pairs", "x")])
    cost = read_cost([folder])
    assert cost.seconds == 107.0
    assert cost.device == "cpu + cuda"


def test_share_of_the_cores_is_a_mean_over_the_training_time(tmp_path):
    """Joining two models takes a second; this second does not decide whether their training was undisturbed."""
    model_folder(tmp_path, "uni", seconds=99.0, processor_share=1.0)
    model_folder(tmp_path, "bi", seconds=50.0, processor_share=0.2)  # in parallel, so it does not count
    folders = [
        model_folder(tmp_path, "m", 1, seconds=10.0, processor_share=0.99),
        model_folder(tmp_path, "m", 2, 1.0, processor_share=0.5, inputs=[("uni", "seed1"), ("bi", "seed1")]),
    ]
    shares = [read_cost([folder]).processor_share for folder in folders]
    assert shares == pytest.approx([0.99, (99 * 1.0 + 1 * 0.5) / 100])
    assert read_cost(folders).processor_share == pytest.approx(0.99)
    silent = model_folder(tmp_path, "older")
    assert math.isnan(read_cost([folders[0], silent]).processor_share)


def test_what_is_imported(tmp_path):
    source = [("sources", "glove.json")]
    read = read_costs(
        [
            model_folder(tmp_path, "glove", inputs=source, history=False, parameters={}),
            model_folder(tmp_path, "channels", inputs=source),  # trained, but also uses published vectors
            model_folder(tmp_path, "tfidf", history=False),
        ]
    )
    assert {name: cost.imported for name, cost in read.items()} == {"glove": True, "channels": False, "tfidf": False}
    assert math.isnan(read["glove"].seconds)
    assert math.isnan(read["glove"].epochs)


def test_incomplete_folders_are_refused(tmp_path):
    folder = model_folder(tmp_path, "a", seconds=None)
    with pytest.raises(
        SentrepError, match=r"meta\.json: expected the training time under `seconds`, found no such key"
    ):
        read_cost([folder])
    (folder / "meta.json").unlink()
    with pytest.raises(SentrepError, match="found no file"):
        read_cost([folder])


def test_numbers():
    values = (336.24, 0.000123456, 5.0, 1.234e-7, 0.0, math.nan)
    assert [compact(value, 3) for value in values] == ["336", "0.000123", "5", "0.000000123", "0", ""]


def costs(tmp_path):
    source = [("sources", "glove.json")]
    return read_costs(
        [
            model_folder(tmp_path, "uni", seconds=3600.0, dimension=8),
            model_folder(tmp_path, "glove", inputs=source, history=False),
        ]
    )


def test_training_time(tmp_path):
    models = [
        entry("glove", "GloVe BoW", table=1),
        entry(None, "FastSent", table=1),
        entry("uni", "uni-QT", table=1),
        entry("random", baseline=True),
    ]
    values = time_values(costs(tmp_path), PAPER, [m for m in models if m["reported"]], sample=False)
    table, frame = view_of("quick_thoughts/training_time", values)
    frame = frame.set_index("printed")
    hours = SENTENCES / 50_000
    assert [c.text for c in cells(table, "uni-QT")] == [
        "8",
        "2400",
        "1",
        f"{hours:.0f}",
        "11",
        "cpu",
        "50,000",
        "72000",
    ]
    fastsent = cells(table, "FastSent")
    assert [c.text for c in fastsent] == ["", "<500", "", "", "2", "", "", ""]
    assert fastsent[4].mark == "*"
    assert [c.text for c in cells(table, "GloVe BoW")][2:4] == ["", ""]  # no times, because nothing was trained
    states = ["imported", "published", "trained here"]
    assert frame.loc[["GloVe BoW", "FastSent", "uni-QT"], "state"].tolist() == states
    assert frame.loc[["FastSent", "uni-QT"], "reported hours"].tolist() == [2, 11]
    assert frame.loc["uni-QT", "projected hours"] == pytest.approx(hours, rel=1e-5)
    assert [section.heading for section in table.sections][:2] == ["", "Trained from scratch on BookCorpus data"]
    values = time_values(costs(tmp_path / "2"), PAPER, [m for m in models if m["reported"]], sample=True)
    table, frame = view_of("quick_thoughts/training_time", values, sample=True)
    assert frame["projected hours"].isna().all()
    assert "SAMPLE: " in markdown(table)
    assert not any("45.8 M" in name for _, names in table.groups for name in names)


def test_table9(tmp_path):
    folders = [model_folder(tmp_path, f"m{size}", seconds=36.0, dimension=size) for size in (2400, 100)]
    values = size_values(folders, [transfer_part(82.5), transfer_part(69.0)], PAPER, sample=False)
    table, frame = view_of("quick_thoughts/table9", values)
    assert frame["size"].tolist() == [100, 1600, 2400, 3200, 4000, 4800, 5600]
    assert frame["state"].tolist() == ["trained here", "published", "trained here", *4 * ["published"]]
    row = cells(table, "2400")
    assert [row[n].text for n in (0, 2, 3, 4, 5)] == ["0.01", "4.7", "85.00", "85.12", "-0.12"]
    assert cells(table, "1600")[0].text == ""
    assert cells(table, "1600")[2].text == "4"


def transfer_part(first, tasks=("mr", "cr", "subj", "mpqa", "trec", "msrp")):
    """Return transfer scores whose accuracies rise by one from task to task; other rows must not be counted."""
    rows = [("kiros", task, "accuracy", first + place) for place, task in enumerate(tasks)]
    rows += [("senteval", "mr", "accuracy", 1), ("kiros", "msrp", "f1", 2), ("kiros", "sick", "pearson", 0.3)]
    return pd.DataFrame(rows, columns=["protocol", "task", "metric", "value"])


def test_mean_accuracy():
    assert mean_accuracy(transfer_part(70)) == pytest.approx(72.5)
    assert np.isnan(mean_accuracy(transfer_part(70, tasks=("mr", "cr"))))


def test_elapsed_seconds():
    """1,000 examples at 100, 50, 200 and 100 examples per second take 10, 20, 5 and 10 seconds."""
    history = history_of()
    assert elapsed_seconds(history).tolist() == [10, 30, 35, 45]
    # each row stands for half an epoch, within which the time is interpolated
    assert seconds_at(history, np.array([0.25, 0.5, 1.0, 2.0])).tolist() == [5, 10, 30, 45]
    with pytest.raises(SentrepError, match="expected a training history up to epoch 3, found a history up to epoch 2"):
        seconds_at(history, np.array([3.0]))


def objective(r):
    """Return scores of snapshots that rise by .1 per epoch, and the scores ``r`` of the final model."""
    snapshots = [sts_part(lambda _d, e=e: r + e / 10, epochs=e) for e in (0.5, 1.0, 2.0)]
    return pd.concat([*snapshots, sts_part(lambda _d: r)], ignore_index=True)


POINTS = [
    {"id": name, "label": label, "seed": seed, "values": {}}
    for name, label, seed in (("qt", "Quick Thoughts", 1), ("qt", "Quick Thoughts", 2), ("st", "skip-thought", 1))
]


def draw(values, folder, sample):
    known = facts("quick_thoughts", "figure2", preset="p", sample=str(sample))
    write_item(
        "quick_thoughts/figure2", [*known, *values], {kind: folder / f"figure2.{kind}" for kind in ("svg", "csv")}
    )
    return (folder / "figure2.svg").read_text(encoding="utf-8"), pd.read_csv(folder / "figure2.csv")


def test_quality_over_time(tmp_path):
    histories = [history_of(), history_of((50.0, 25.0, 100.0, 50.0)), history_of((20.0, 10.0, 40.0, 20.0))]
    scores = [objective(0.3), objective(0.5), objective(0.2)]
    none = [pd.DataFrame(columns=SNAPSHOT_COLUMNS)] * 3
    values = curve_values(scores, none, histories, POINTS, {}, PAPER)
    text, curves = draw(values, tmp_path, sample=False)
    chosen = curves[(curves["dataset"] == "images") & (curves["year"] == 2014) & (curves["protocol"] == "paper")]
    of_qt, of_st = (chosen[chosen["model"] == name] for name in ("qt", "st"))
    assert of_qt["epochs"].tolist() == [0.5, 1.0, 2.0]
    assert of_qt["seconds"].tolist() == pytest.approx([15, 45, 67.5])  # the means of the two seeds
    assert of_qt["pearson"].tolist() == pytest.approx([0.45, 0.5, 0.6])
    assert set(of_qt["seeds"]) == {2}
    assert of_st["seconds"].tolist() == pytest.approx([50, 150, 225])
    lines = re.findall("<!-- (.*?) -->", text)  # the text is wrapped over several lines
    # The factor is 225 / 67.5.
    told = "An epoch of skip-thought takes 3.3 times as long as an epoch of Quick Thoughts (in the paper: 4.8)"
    assert told in " ".join(lines)
    panels = read_views().figures["quick_thoughts/figure2"].options["sets"].values()
    assert all(f"<!-- {name} -->" in text for name in (*panels, "Quick Thoughts", "skip-thought"))
    assert "<!-- training time (minutes) -->" in text
    assert "SAMPLE" not in text
    assert "SAMPLE" in draw(values, tmp_path, sample=True)[0]
    with pytest.raises(
        SentrepError,
        match=r"models\.qt\.parameters: expected snapshots that were saved during training, found none",
    ):
        curve_values([sts_part(lambda _d: 0.3)], none[:1], histories[:1], POINTS[:1], {}, PAPER)


def on_tasks(first, seed=1):
    """Return accuracies of snapshots that rise by 10 per epoch, and measures that the figure does not show."""
    rows = [("kiros", "mr", "accuracy", first + 10 * epochs, epochs, seed) for epochs in (0.5, 1.0, 2.0)]
    rows += [("kiros", "msrp", "f1", 1.0, epochs, seed) for epochs in (0.5, 1.0, 2.0)]
    frame = pd.DataFrame(rows, columns=["protocol", "task", "metric", "value", "epochs", "seed"])
    return frame.reindex(columns=SNAPSHOT_COLUMNS)


def test_accuracy_over_time(tmp_path):
    histories = [history_of(), history_of((50.0, 25.0, 100.0, 50.0)), history_of((20.0, 10.0, 40.0, 20.0))]
    scores = [objective(0.3), objective(0.5), objective(0.2)]
    accuracies = [on_tasks(60), on_tasks(64, 2), on_tasks(50)]
    tasks = {"mr": {"label": "MR", "measure": "accuracy"}, "msrp": {"label": "MSRP", "measure": "paraphrase"}}
    values = curve_values(scores, accuracies, histories, POINTS, tasks, PAPER)
    text, curves = draw(values, tmp_path, sample=False)
    shown = curves[curves["task"] == "MR"]
    assert shown["protocol"].unique() == ["kiros"]
    # the means of the two seeds
    assert shown[shown["model"] == "qt"]["accuracy"].tolist() == pytest.approx([67, 72, 82])
    assert shown[shown["model"] == "qt"]["seconds"].tolist() == pytest.approx([15, 45, 67.5])
    assert shown[shown["model"] == "st"]["accuracy"].tolist() == pytest.approx([55, 60, 70])
    assert set(curves["task"].dropna()) == {"MR"}
    assert "<!-- MR -->" in text
    assert "<!-- MSRP (no data) -->" in text
    assert "<!-- accuracy (%) -->" in text
    assert "<!-- News -->" not in text


def test_values_of_jobs(tmp_path):
    """Compute the values of models, training times and table 9 from the files that rules write."""
    folders = [
        model_folder(tmp_path, name, seconds=s, dimension=d) for name, s, d in (("qt", 30.0, 4), ("st", 90.0, 6))
    ]
    models = [
        {**entry("qt", "uni-QT", "Quick Thoughts", table=1), "papers": ["quick_thoughts"]},
        {**entry("st", baseline=True), "papers": []},
    ]
    source = {"models": folders, "reported": [QT_FILE]}
    params = {"rows": models, "published_only": [entry(None, "SDAE", table=1)]}
    values = run_values("sentrep/models", "costs.model_values", tmp_path, source, params, sample=True).rows()
    table, rows = view_of("sentrep/models", values, sample=True)
    rows = rows.set_index("label")
    assert rows["state"].tolist() == ["trained here", "untrained", "published"]
    assert rows.loc["Quick Thoughts", ["parameters", "dimension", "sentences"]].tolist() == [16, 4, 50000]
    assert rows.loc["Quick Thoughts", "seconds_per_million_sentences"] == 600
    assert rows.loc["SDAE", ["papers", "dimension"]].tolist() == ["quick_thoughts", 2400]
    assert "SAMPLE: Models, preset p" in markdown(table)
    source = {"models": folders[:1], "reported": QT_FILE}
    times = run_values(
        "quick_thoughts/training_time", "costs.time_values", tmp_path, source, {"systems": models[:1]}, sample=True
    )
    hours = times.select(system="qt", metric="measured hours").frame
    assert hours["mean"].tolist() == pytest.approx([30 / 3600])
    transfer = [tmp_path / f"{name}_transfer.csv" for name in ("qt", "st")]
    for path, first in zip(transfer, (70, 60), strict=True):
        transfer_part(first).to_csv(path, index=False)
    source = {"models": folders, "scores": transfer, "reported": QT_FILE}
    sizes = run_values("quick_thoughts/table9", "costs.size_values", tmp_path, source, {}, sample=True)
    assert sizes.select(metric="accuracy").frame["mean"].tolist()[:2] == [72.5, 62.5]
    source["scores"] = [tmp_path / f"{name}.csv" for name in ("qt", "st")]
    for path, r in zip(source["scores"], (0.3, 0.2), strict=True):
        objective(r).to_csv(path, index=False)
    source["accuracies"] = [tmp_path / f"{name}_snapshots.csv" for name in ("qt", "st")]
    for path in source["accuracies"]:
        on_tasks(50).to_csv(path, index=False)
    points = {"points": [POINTS[0], POINTS[2]], "tasks": {"mr": {"label": "MR", "measure": "accuracy"}}}
    curves = run_values("quick_thoughts/figure2", "costs.curve_values", tmp_path, source, points)
    assert isinstance(curves, Values)
    assert set(curves.select(metric="seconds").frame["system"]) == {"qt", "st"}
