"""Test the parts of the report: tables, figures and sentences."""

import math
import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from conftest import ROOT
from helpers_report import colours
from sentrep.errors import SentrepError
from sentrep.report import inline_figures
from sentrep.report.costs import Job, duration, summary
from sentrep.report.figure_descriptions import describe
from sentrep.report.headline import MOST_TRAINED, dot_plot, findings, headline
from sentrep.report.inline_figures import inline_figure
from sentrep.report.papers import heading, number, paper_name, subject
from sentrep.tables import style
from sentrep.tables.build import build_table
from sentrep.tables.layout import Cell, Row, Section, Table
from sentrep.tables.markup import html_table
from sentrep.tables.values import Value, Values, facts
from sentrep.tables.views import TableView

VIEW = {
    "title": "Siamese CBOW, table 1. Pearson's r (Spearman's ρ)",
    "systems": "columns",
    "lines": {"by": ["row"]},
    "groups": [
        {
            "heading": "{label}",
            "by": ["column", "system"],
            "cells": [
                {"heading": "r (ρ)", "metric": "pearson", "digits": 2, "tail": "spearman"},
                {"heading": "published", "metric": "pearson", "show": "published"},
            ],
        }
    ],
    "brief": {
        "title": "Siamese CBOW, table 1. Correlations",
        "lines": {"by": ["row"]},
        "groups": [
            {
                "by": ["column", "system"],
                "where": {"system": "?*"},
                "first": ["own*"],
                "cells": [{"heading": "{label}", "metric": "pearson", "digits": 2, "only": "ours"}],
            }
        ],
    },
    "csv": {"lines": {"by": ["column"]}, "groups": []},
}


def test_a_brief_table_shows_r_of_our_systems_and_the_papers_own_first():
    view = TableView.model_validate(VIEW)
    value = Value("p", "table1", "MSRpar", "Rival", "pearson", system="rival", label="Rival", mean=0.5, published=".6")
    values = [
        value,
        replace(value, metric="spearman", mean=0.4),
        replace(value, column="Own", system="own_model", label="Own", mean=0.7),
        replace(value, column="Published only", system="", label="Published only", mean=math.nan),
    ]
    brief, whole = view.shortened(), build_table(view, values)
    table = build_table(brief, values)
    assert [names for _, names in table.groups] == [("Own",), ("Rival",)]
    assert [cell.text for row in table.rows() for cell in row.cells] == ["0.70", "0.50"]
    assert subject(table.title) == "Correlations"
    assert sum(len(names) for _, names in whole.groups) == 6
    assert view.model_copy(update={"brief": None}).shortened() is None


def test_titles_lose_what_stands_above_them():
    assert subject("Siamese CBOW as released, figure 2: performance across epochs") == "Performance across epochs"
    assert subject("Quick Thoughts: variants") == "Variants"
    assert subject("Table 1. Correlation") == "Correlation"
    assert subject("Siamese CBOW on every set") == "Siamese CBOW on every set"


def test_rendered_cells_are_escaped():
    table = Table("<i>", "&", (("", ("<b>x",)),), (Section("", (Row(Cell("<"), (Cell("1 < 2", "(-3)"),)),)),))
    text = html_table(table, "t")
    assert "&lt;b&gt;x" in text
    assert "1 &lt; 2" in text
    assert "<i>" not in text
    assert "(−3)" in text


def test_minus_signs_stand_before_numbers_only():
    row = Row(Cell("a"), (Cell("-.1774", "(-.2347)"), Cell("non-zero")))
    text = html_table(Table("t", "s", (("", ("x", "y")),), (Section("", (row,)),)), "t")
    assert "−.1774" in text
    assert "(−.2347)" in text
    assert "non-zero" in text


def test_columns_without_numbers_are_texts():
    rows = (
        Row(Cell("a"), (Cell("cpu"), Cell("1"), Cell(), Cell("<500"))),
        Row(Cell("b"), (Cell(), Cell("n.a."), Cell(), Cell())),
    )
    text = html_table(Table("t", "s", (("", tuple("wxyz")),), (Section("", rows),)), "t")
    assert '<td class="text">cpu</td><td>1</td><td></td><td>&lt;500</td>' in text


@pytest.fixture(scope="module")
def drawing(tmp_path_factory):
    path = tmp_path_factory.mktemp("figure") / "figure.svg"
    figure, grid = style.new_figure(1, 1, 3, 2)
    for colour in style.PALETTE:
        grid[0][0].plot([0, 1], [0, 1], color=colour, marker="o")
    style.label_ends(grid[0][0], [(1, 1, "curve <a>", style.ORANGE)])
    style.save(figure, {"svg": path}, "A & B", style.SAMPLE_TEXT)
    return path


def test_a_figure_can_stand_twice_in_a_page(drawing):
    one, two = (inline_figure(drawing, name, "rises") for name in ("one", "two"))
    for text, name in ((one, "one"), (two, "two")):
        ids = re.findall(r' id="([^"]+)"', text)
        used = set(re.findall(r'href="#([^"]+)"|url\(#([^)]+)\)', text))
        assert len(ids) == len(set(ids))
        assert {first or second for first, second in used} <= set(ids)
        assert all(identity.startswith(f"{name}-") for identity in ids)
    assert one.replace("one-", "two-") == two
    assert "<path" in one
    assert one.count("<path") == drawing.read_text().count("<path")
    assert "xmlns" not in one
    assert "http" not in one
    assert "<style" not in one
    ElementTree.fromstring(one)


def test_colours_of_a_figure_follow_the_scheme(drawing):
    text = inline_figure(drawing, "x", "rises")
    assert re.findall(r"#[0-9a-f]{6}", text.lower()) == []
    assert "stroke: var(--series-orange)" in text  # the colour of a line
    assert "fill: var(--series-orange)" in text  # the colour of its label
    assert "var(--paper)" in text
    assert "var(--ink)" in text


def test_a_figure_has_a_description_and_shows_no_title(drawing):
    text = inline_figure(drawing, "x", 'rises "fast" <')
    assert 'aria-label="rises &#34;fast&#34; &lt;"' in text
    assert "<title" not in text
    assert "A &amp; B" not in text


def test_another_file_is_refused_as_a_figure(tmp_path):
    (tmp_path / "x.svg").write_text("<p>404</p>")
    with pytest.raises(SentrepError, match="an SVG figure"):
        inline_figure(tmp_path / "x.svg", "x", "d")


def curve(label, protocol, row, points, metric="pearson"):
    return [
        Value("p", "figure3", row, label, metric, protocol, float(x), system=label, label=label, mean=y, seeds=1)
        for x, y in points.items()
    ]


def test_description_is_computed():
    values = [
        *curve("s", "paper", "a", {1: 0.1, 2: 0.2, 5: 0.5}),
        *curve("s", "paper", "b", {1: 0.3, 2: 0.4, 5: 0.7}),
        *curve("s", "official", "a", {1: 9.0}),
        *curve("s", "paper", "c", {1: math.nan}),
    ]
    expected = "Pearson’s r, mean over 2 sets, by number of negatives: 0.200 at 1, 0.300 at 2, 0.600 at 5."
    assert describe(values, "number of negatives") == expected
    weights = [
        *curve("x", "", "w", dict(enumerate([5, 8, 7, 6, 5, 4, 3, 2, 1])), "weight"),
        *curve("y", "", "w", dict(enumerate(range(9))), "weight"),
    ]
    assert describe(weights, "idf rank") == (
        "Trained weight by idf rank. w, x: 5.000 at 0, 1.000 at 8, maximum 8.000 at 1; w, y: 0.000 at 0, 8.000 at 8."
    )
    assert describe(curve("s", "", "a", {1: 1.0}, "js divergence"), "x") == ""


def mean(label, ours, published=math.nan, baseline=False, difference=math.nan, **more):
    gap = ours - published if math.isnan(difference) else difference
    found = Value("sentrep", "table1", "mean", label, "pearson", "paper", system=label, label=label, mean=ours)
    return replace(found, baseline=baseline, published_value=published, difference=gap, seeds=1, **more)


MEANS = [
    mean("Good", 0.50, 0.51, difference=-0.0101, sd=0.003),
    mean("Bad", 0.30, 0.52),
    mean("tf-idf", 0.40, baseline=True),
    replace(mean("Published", math.nan, 0.60), system=""),
    *(replace(mean("Good", 0.5), row=f"201{n} set") for n in range(2, 6)),
]


def test_findings():
    found = headline(Values.of([*facts("sentrep", "table1", sample="False"), *MEANS]))
    assert [value.label for value in found.means] == ["Good", "tf-idf", "Bad"]
    assert found.means[0].difference == -0.0101  # the difference comes from the unrounded means in the table
    assert findings(found) == [
        (
            "1 of 2 trained models reached a higher mean correlation than the best untrained baseline.",
            "The best baseline, tf-idf, has a mean Pearson’s r of .4000 over 4 sets; the best trained model, Good, has "
            ".5000.",
        ),
        (
            "For 1 of 2 systems with published means, our mean correlation is within .02 of the published one.",
            "The largest difference from a published mean is −.2200, for Bad. For 0 of 1 pairs of systems with "
            "published means, our means are in the same order as the published ones.",
        ),
    ]
    plot = dot_plot(found)
    assert (plot["low"], plot["high"], plot["baseline"]) == ("0", ".6", ("tf-idf", 66.67))
    assert plot["rows"][0] | {"bar": None} == {
        "label": "Good",
        "baseline": False,
        "ours": ".5000",
        "published": ".5100",
        "place": 83.33,
        "published_place": 85.0,
        "bar": None,
    }
    assert plot["more"] == []


def test_the_plot_folds_all_but_the_best_systems():
    many = [mean(f"m{n:02}", n / 100) for n in range(MOST_TRAINED + 3)]
    plot = dot_plot(headline(Values.of([*many, mean("tf-idf", 0.001, baseline=True)])))
    assert [row["label"] for row in plot["more"]] == ["m02", "m01", "m00"]
    assert [row["label"] for row in plot["rows"]][-2:] == ["m03", "tf-idf"]  # baselines are never folded


def test_headline_of_samples_compares_nothing():
    sample = [replace(value, difference=math.nan) for value in MEANS]
    found = headline(Values.of([*facts("sentrep", "table1", sample="True"), *sample]))
    assert found.sample
    assert len(findings(found)) == 1
    assert not dot_plot(found)["compared"]
    assert all(row["bar"] is None for row in dot_plot(found)["rows"])
    assert headline(Values.of([replace(MEANS[0], row="2012 MSRpar")])) is None


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.43, "0.4 s"), (59.6, "1 min 0 s"), (42, "42 s"), (3599, "59 min 59 s"), (8378, "2 h 19 min")],
)
def test_duration(seconds, text):
    assert duration(seconds) == text


def test_names():
    assert heading("results/cbos/table1.html".removesuffix(".html")) == "Table 1"
    assert heading("results/quick_thoughts/training_time") == "Training time"
    assert number("quick_thoughts/training_time") == ""
    assert number("siamese_cbow/figure2_released") == "Figure 2 (released)"
    assert paper_name("results/cbos/table1") == "CBOS"
    assert paper_name("results/table1") == paper_name("table1") == "All systems"


def test_figures_have_the_dark_colours_of_the_report():
    """SVG figures choose their own dark colours, because a page that shows them as images cannot change them."""
    dark = colours((ROOT / "workflow/scripts/sentrep/report/report.css").read_text())[1]
    names = inline_figures.VARIABLES
    assert set(names) == {light.lower() for light in style.DARK if light}
    assert {light.lower(): value for light, value in style.DARK.items() if light} == {
        light: dark[name] for light, name in names.items()
    }
    assert style.DARK[None] == dark["ink"]


def test_costs_without_memory():
    """Snakemake records no memory on some systems."""
    assert summary([Job("fetch/lee", 2.0, math.nan, 50.0)]).startswith("1 measured job took ")
    assert "memory" not in summary([Job("fetch/lee", 2.0, math.nan, 50.0)])
    jobs = [Job("fetch/lee", 2.0, 2048.0, 50.0), Job("fetch/msr", 1.0, math.nan, 50.0)]
    assert summary(jobs).endswith("No job needed more than 2.0 GB of memory.")
