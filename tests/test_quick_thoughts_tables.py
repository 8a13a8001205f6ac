"""Test table 8 of Quick Thoughts: values, the overall mean, bold values, missing values and marks of sample data."""

import json
import math

import numpy as np
import pandas as pd
import pytest

from helpers_costs import entry, sts_part
from helpers_evaluation import REPORTED, run_script
from helpers_tables import SCORES, cells, description, numbers, show
from sentrep.errors import SentrepError
from sentrep.evaluation.statistics.bootstrap import average_weights
from sentrep.evaluation.sts.score_table import collect
from sentrep.sources.published import read_published
from sentrep.tables.collect.sts import sts_values
from sentrep.tables.markup import RENDERERS, markdown
from sentrep.tables.values import facts

PAPER = read_published(REPORTED.parent / "quick_thoughts.csv")
PAIRS = {dataset: pairs for (_, dataset), pairs in average_weights()[2014, "overall"].items()}
SETS = ["News", "Forum", "WordNet", "Tweets", "Images", "Headlines"]
SETTINGS = {"years": [2014], "protocols": ["paper"], "means": ["overall"]}


VALUES = {"deft-news": 0.5, "deft-forum": 0.1, "OnWN": 0.7, "tweet-news": 0.6, "images": 0.8, "headlines": 0.4}
OVERALL = (300 * 0.5 + 450 * 0.1 + 750 * (0.7 + 0.6 + 0.8 + 0.4)) / 3750


def other(dataset):
    """Return correlations of another model, which are the same for all 20 sets."""
    return VALUES.get(dataset, 0.2)


def test_weights_are_the_numbers_of_pairs():
    assert PAIRS == {
        "OnWN": 750,
        "deft-forum": 450,
        "deft-news": 300,
        "headlines": 750,
        "images": 750,
        "tweet-news": 750,
    }


def test_the_published_overall_is_this_mean():
    """The published overall value is this mean for all systems except SDAE and (by one digit) skip-gram."""
    differing = {}
    for column in PAPER.columns(8):
        products = [PAPER.number(8, f"2014 {name}", column, "pearson") * pairs for name, pairs in PAIRS.items()]
        mean = sum(products) / sum(PAIRS.values())
        if f"{mean + 1e-9:.2f}" != PAPER.text(8, "Overall", column, "pearson"):
            differing[column] = round(mean, 3)
    assert differing == {"SDAE": pytest.approx(0.299), "Skipgram": pytest.approx(0.636)}


def table8(sample=False, missing=()):
    shift = {1: 0.0, 2: 0.02}
    parts = [("fast", seed, sts_part(lambda d, s=s: other(d) + s, missing=missing)) for seed, s in shift.items()]
    parts += [
        ("cbow", 1, sts_part(lambda _d: 0.65, missing=missing)),
        ("random", 1, sts_part(lambda _d: 0.7, missing=missing)),
    ]
    models = [
        entry(None, "SDAE"),
        entry("cbow", "CBOW", "w2v CBOW"),
        entry("fast", "FastSent", seeds=(1, 2)),
        entry("random", label="untrained", baseline=True),
    ]
    sets = {**description(sample), "missing": [{"year": 2014, "dataset": d, "reason": "lost"} for d in missing]}
    return built(collect("novels", parts), sets, models)


def built(scores, sets, models):
    found = sts_values(
        "quick_thoughts",
        "table8",
        scores=scores,
        sets=sets,
        reported={"quick_thoughts": PAPER},
        models=models,
        **SETTINGS,
    )
    preset = "sample" if sets["sample"] else "novels"
    common = facts("quick_thoughts", "table8", preset=preset, sample=str(sets["sample"]))
    table, frame = show("quick_thoughts/table8", [*common, *found])
    return table, numbers(frame)


def test_table8():
    table, frame = table8()
    assert [section.heading for section in table.sections] == ["Sequence Models", "BoW Models", "Baselines"]
    assert [heading for heading, _ in table.groups] == [*SETS, "Overall"]
    row = cells(table, "FastSent")
    assert [row[n].text for n in range(3)] == [".5100 ±.014", "0.59", "-.08"]
    assert row[0].tail == "(.2550)"
    # the values of the two seeds are .552 and .572
    assert [row[n].text for n in (18, 19, 20)] == [".5620 ±.014", "0.64", "-.08"]
    data = frame.set_index("printed")
    assert data.loc["FastSent", "Overall pearson"] == pytest.approx(OVERALL + 0.01, abs=6e-5)
    assert data.loc["FastSent", "Overall sd"] == pytest.approx(np.std([0, 0.02], ddof=1), abs=6e-5)
    assert data.loc["FastSent", "Images difference"] == pytest.approx(0.81 - 0.78)
    assert data.loc["SDAE", "state"] == "published"
    assert math.isnan(data.loc["SDAE", "News pearson"])
    sdae = cells(table, "SDAE")
    assert sdae[0].text == ""
    assert sdae[1].text == "0.04"
    assert sdae[19].note == "the mean of the published values of the sets is 0.30"
    assert "SDAE (published)" in markdown(table)
    # for each set, our best trained model and the best published value are bold; a baseline above all of ours is marked
    assert row[6].bold
    assert cells(table, "w2v CBOW")[0].bold
    assert cells(table, "w2v CBOW")[1].bold
    baseline = cells(table, "untrained")
    assert baseline[0].mark == "‡"
    assert baseline[12].mark == ""
    assert not baseline[0].bold
    assert table.notes[0].endswith("In each column of published values, the highest r is in bold.")
    assert table.notes[1] == 'Columns headed "diff." show our r minus the published r.'


def test_table8_of_samples_and_of_missing_sets():
    table, frame = table8(sample=True)
    assert all("difference" not in heading and "diff." not in heading for _, names in table.groups for heading in names)
    assert frame.filter(like="difference").isna().all(axis=None)
    for render in RENDERERS.values():
        assert "SAMPLE: " in render(table)
        assert "not SemEval data" in render(table)
    table, frame = table8(missing=("images",))
    assert frame.filter(like="Overall pearson").isna().all(axis=None)
    assert cells(table, "FastSent")[18].text == ""
    assert "No data for images: lost." in table.notes


def test_table8_needs_every_seed():
    with pytest.raises(SentrepError, match="found none"):
        built(SCORES, description(), [entry("fast", "FastSent")])


def test_script(tmp_path):
    sts_part(other).assign(preset="sample", model="qt", seed=1).to_csv(tmp_path / "scores.csv", index=False)
    (tmp_path / "sts.json").write_text(json.dumps(description(sample=True)))
    output = {kind: tmp_path / f"table8.{kind}" for kind in ("csv", "tex")}
    source = {
        "scores": tmp_path / "scores.csv",
        "reported": [REPORTED.parent / "quick_thoughts.csv"],
        "sets": tmp_path / "sts.json",
    }
    settings = {"models": [entry("qt", "QT (BoW)")], "sample": True, **SETTINGS}
    params = {"item": "quick_thoughts/table8", "preset": "sample", "collector": "sts.sts_values", "settings": settings}
    run_script("values", input=source, output={"csv": tmp_path / "values.csv"}, params=params)
    params = {"name": "quick_thoughts/table8"}
    run_script("table", input={"source": [tmp_path / "values.csv"]}, output=output, params=params)
    assert pd.read_csv(output["csv"])["Overall pearson"].tolist() == [round(OVERALL, 4)]
    assert "SAMPLE" in output["tex"].read_text()
