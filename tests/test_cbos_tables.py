"""Test the tables of the 20 sets as configured for CBOS: its columns, yearly averages and figures."""

import numpy as np
import pandas as pd
import pytest

import helpers_tables
from helpers_costs import sts_part
from helpers_evaluation import REPORTED, run_script
from helpers_tables import MODELS, REASON, SCORES, cells, description, numbers, scores_of
from sentrep.evaluation.sts.sets import STANDARD
from sentrep.sources.published import read_all
from sentrep.tables.markup import markdown

PAPERS = read_all(sorted(REPORTED.parent.glob("*.csv")))


def build(scores=SCORES, sample=False, missing=True):
    sets = description(sample)
    sets["missing"] = sets["missing"] if missing else []
    names = {"w2v_cbow": "CBOW", "siamese_cbow": "Siamese CBOW", None: "CBOS", "random": None}
    models = [
        {
            **model,
            "label": names[model["id"]] or "Untrained",
            "reported": {"paper": "cbos", "table": 1, "column": names[model["id"]]} if names[model["id"]] else None,
        }
        for model in MODELS
    ]
    given = {"scores": scores, "sets": sets, "reported": PAPERS, "models": models, "title": "CBOS, table 1"}
    given |= {"wilcoxon": None, "baseline": None, "daggers": (), "means": ("year", "mean")}
    table, frame = helpers_tables.build(sample, "cbos/table1", **given)
    return table, numbers(frame)


def complete_scores():
    """Return scores of all 20 sets in which r rises with the index of the set, so that the yearly means differ."""
    parts = scores_of(
        {("w2v_cbow", 1): lambda p: p / 20, ("siamese_cbow", 1): lambda _p: 0.3, ("random", 1): 0.1, ("random", 2): 0.2}
    )
    smt = parts["dataset"] == "SMT"
    place = next(i for i, s in enumerate(STANDARD) if s.dataset == "SMT")
    parts.loc[smt, ["pairs", "scored_pairs"]] = 750
    for name, r in (("w2v_cbow", place / 20), ("siamese_cbow", 0.3), ("random", 0.15)):
        parts.loc[smt & (parts["model"] == name), ["pearson", "spearman"]] = r
    return parts


def test_yearly_averages():
    table, frame = build(complete_scores(), missing=False)
    assert [len(section.rows) for section in table.sections][:5] == [6, 5, 7, 6, 1]
    averages = frame[(frame["dataset"] == "average") & (frame["protocol"] == "paper")]
    assert averages["year"].tolist() == [2012, 2013, 2014, 2015]
    # these are the means over the sets with the indices 0-4, 5-8, 9-14 and 15-19
    assert averages["w2v_cbow pearson"].tolist() == pytest.approx([0.1, 0.325, 0.575, 0.85])
    assert averages["CBOS reported pearson"].tolist() == [0.5359, 0.4952, 0.6614, 0.3396]
    assert averages["w2v_cbow reported pearson"].tolist() == [0.4479, 0.4083, 0.5425, 0.2497]  # as published
    assert averages["w2v_cbow difference"].iloc[0] == pytest.approx(0.1 - 0.4479)
    assert averages["note"].fillna("").tolist() == [
        "means of the published values of the sets, for systems with a different published mean: CBOW 0.4655",
        "means of the published values of the sets, for systems with a different published mean: CBOW 0.4031",
        *["", ""],
    ]
    row = cells(table, "average", "2012")
    assert [cell.text for cell in row] == [
        "1.0",
        ".1000",
        ".4479",
        "-.3479",
        ".5359",
        ".3000",
        ".4750",
        "-.1750",
        ".1500",
    ]
    overall = frame[(frame["protocol"] == "paper") & frame["dataset"].eq("mean of 20 sets")].iloc[0]
    assert overall["w2v_cbow pearson"] == pytest.approx(np.mean(np.arange(20) / 20), abs=6e-5)
    assert np.isnan(overall["year"])
    official = frame[(frame["dataset"] == "average") & (frame["protocol"] == "official")].set_index("year")
    assert official.loc[2014, "w2v_cbow difference"] == pytest.approx(0.575 - 0.5425)
    assert np.isnan(official.loc[2015, "w2v_cbow difference"])  # the published values for 2015 are for other pairs


def test_an_average_of_fewer_sets_is_compared_with_these():
    table, frame = build()
    row = frame[(frame["year"] == 2013) & frame["dataset"].str.startswith("average")].iloc[0]
    assert row["dataset"] == "average of 3 sets"
    assert row["CBOS reported pearson"] == pytest.approx((0.3857 + 0.6347 + 0.6486) / 3, abs=6e-5)
    assert row["siamese_cbow difference"] == pytest.approx(
        0.40 + (5 + 6 + 8) / 300 - (0.2322 + 0.4985 + 0.6534) / 3, abs=6e-5
    )
    assert row["note"] == "not in the mean: 2013 SMT"
    assert cells(table, "SMT")[1].text == ""
    assert REASON in markdown(table)


def test_columns_that_are_only_published():
    table, _ = build()
    assert table.groups[2] == ("CBOS", ("published",))
    assert cells(table, "OnWN", "2014")[4].bold  # .7245 is the highest published value


def test_samples_say_so():
    table, frame = build(sample=True)
    text = markdown(table)
    assert "SAMPLE: CBOS, table 1" in text
    assert "average (sample)" in text
    assert frame.filter(like="difference").isna().all(axis=None)


def test_figure_of_one_year(tmp_path):
    files = []
    for k in range(1, 6):
        files.append(tmp_path / f"{k}.csv")
        pd.concat([sts_part(lambda _, k=k: k / 10), sts_part(lambda _: 0.9, epochs=1.0)]).to_csv(files[-1], index=False)
    output = {kind: tmp_path / f"figure3.{kind}" for kind in ("svg", "pdf", "csv")}
    points = [{"id": "cbos", "label": "CBOS", "values": {"context": k}, "seed": 1} for k in range(1, 6)]
    params = {
        "item": "cbos/figure3",
        "preset": "sample",
        "collector": "sweeps.sweep_values",
        "settings": {"points": points, "parameter": "context", "years": [2014], "sample": True},
    }
    values = tmp_path / "values.csv"
    run_script("values", input={"scores": files}, output={"csv": values}, params=params)
    run_script("table", input={"source": [values]}, output=output, params={"name": "cbos/figure3"})
    data = pd.read_csv(output["csv"])
    assert set(data["year"]) == {2014}
    assert len(data) == 2 * 6 * 5
    assert data.groupby("context")["pearson"].first().tolist() == pytest.approx([0.1, 0.2, 0.3, 0.4, 0.5])
    svg = output["svg"].read_text(encoding="utf-8")
    assert "SAMPLE" in svg
    assert "<!-- tweet-news -->" in svg
    assert "<!-- 2013" not in svg
    for k in range(1, 6):  # every value of k is a label of the axis
        assert f"<!-- {k} -->" in svg
    assert "<!-- 1.5 -->" not in svg
