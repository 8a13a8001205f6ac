"""Test the table of ablations and the dot figure: tables/collect/ablation.py, tables/dot_figure.py."""

import re

import pandas as pd
import pytest

from helpers_views import lines, view_of
from sentrep.evaluation.statistics.ablation import COLUMNS
from sentrep.tables.collect.ablation import ablation_values
from sentrep.tables.render import render_folder, write_item
from sentrep.tables.values import Value, Values, facts

CONVENTIONS = ("omitted", "omitted, empty pairs differ", "random")


def measured():
    rows = []
    for label, model, r, difference in (("variant", "v", 0.428, 0.029), ("untrained", "random", 0.399, 0.0)):
        for place, convention in enumerate(CONVENTIONS):
            low, high = difference - 0.01, difference + 0.012
            mean = r + 0.01 * place
            norms = "to of the" if model == "v" else "zebra"
            loss = 1.36 if model == "v" else float("nan")
            rows.append(
                ("Title", label, model, "random", convention, mean, 0.002, 3, difference, low, high, 20, loss, norms)
            )
    return pd.DataFrame(rows, columns=COLUMNS)


def test_ablation_table():
    table, csv = view_of("siamese_cbow/ablation", ablation_values(measured(), "siamese_cbow", "ablation"))
    shown = lines(table)
    assert shown["Title", "variant"] == [
        *(".4280 ±.0020", ".0290 [.0190, .0410]", ".4480 ±.0020", ".0290 [.0190, .0410]"),
        *(".4380 ±.0020", ".0290 [.0190, .0410]", "1.3600", "to of the"),
    ]
    assert shown["Title", "untrained"][:2] == [".3990 ±.0020", ""]  # the baseline has no difference from itself
    assert csv.groupby("unknown_words")["pearson"].first().to_dict() == pytest.approx(
        {"omitted": 0.428, "omitted, empty pairs differ": 0.438, "random": 0.448}
    )
    assert csv["sets"].unique().tolist() == [20]


def test_dots(tmp_path):
    values = facts("sentrep", "table1", preset="novels", sample="False")
    systems = (
        ("siamese_cbow", "Siamese CBOW", 0.40),
        ("siamese_cbow_released", "as released", 0.42),
        ("random", "untrained", 0.39),
    )
    for row in ("2012 MSRpar", "2013 FNWN", "mean"):
        for system, label, r in systems:
            published = 0.46 if system == "siamese_cbow" else float("nan")
            place = Value("sentrep", "table1", row, label, "pearson", "paper", system=system, label=label)
            values.append(
                Value(
                    **{
                        **vars(place),
                        "mean": r,
                        "seeds": 1,
                        "published_value": published,
                        "baseline": system == "random",
                    }
                )
            )
    outputs = {kind: tmp_path / f"sets.{kind}" for kind in ("svg", "pdf", "csv")}
    write_item("siamese_cbow/sets", values, outputs)
    svg = outputs["svg"].read_text(encoding="utf-8")
    written = re.findall(r"<!-- (.+?) -->", svg)
    for text in ("2012 MSRpar", "2013 FNWN", "mean of all sets", "published", "as released", "untrained"):
        assert text in written
    assert "w2v CBOW" not in written  # the run does not contain this system
    csv = pd.read_csv(outputs["csv"])
    assert csv.set_index(["set", "model"])["pearson"]["2013 FNWN", "siamese_cbow_released"] == 0.42
    assert csv["published"].dropna().tolist() == [0.46] * 3


@pytest.mark.parametrize("paper", ["quick_thoughts", "siamese_cbow"])
def test_figures_of_papers_that_a_run_leaves_out_are_not_drawn(tmp_path, paper):
    """The figure of all sets belongs to the Siamese CBOW paper, although its values are those of table 1."""
    values = facts("sentrep", "table1", preset="novels", sample="False")
    about = {"system": "random", "label": "untrained", "mean": 0.39, "seeds": 1, "baseline": True}
    values += [
        Value("sentrep", "table1", row, "untrained", "pearson", "paper", **about) for row in ("2012 MSRpar", "mean")
    ]
    Values.of([*values, *facts(paper, "table2", preset="novels", sample="False")]).write(tmp_path / "values.csv")
    assert ("siamese_cbow/sets" in render_folder(tmp_path)) == (paper == "siamese_cbow")
    assert (tmp_path / "siamese_cbow" / "sets.svg").exists() == (paper == "siamese_cbow")
