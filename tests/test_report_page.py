"""The report as a page: well-formed, for everyone, complete in itself; its numbers are those of the files."""

import re
from itertools import pairwise

import pandas as pd
import pytest

from conftest import ROOT
from helpers_report import NOVELS, Page, results_folder
from sentrep.cli import main
from sentrep.provenance.publish import publish
from sentrep.report.build import make_report
from sentrep.report.folder import of_run, published
from sentrep.report.palette import GRAPHIC_PAIRS, TEXT_PAIRS, contrast, stylesheet, variables
from sentrep.tables import style
from sentrep.tables.layout import Cell, Row, Section, Table, write_table


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return results_folder(tmp_path_factory.mktemp("report") / "published")


@pytest.fixture(scope="module")
def text(folder):
    return make_report(published(folder))


@pytest.fixture(scope="module")
def page(text):
    return Page(text)


def test_nesting_and_attributes(page):
    assert page.faults == []


def test_has_what_a_document_needs(page):
    assert page.all("html") == [{"lang": "en"}]
    assert len(page.all("h1")) == len(page.all("main")) == len(page.all("nav")) == 1
    assert page.text_of("title")[0] == "Four papers on sentence embeddings, replicated: novels"
    assert {"name": "viewport", "content": "width=device-width, initial-scale=1"} in page.all("meta")
    assert page.all("a")[0] == {"class": "skip", "href": "#main"}  # the first thing that Tab reaches


def test_headings_skip_no_level(page):
    levels = [int(tag[1]) for tag, _ in page.elements if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    assert all(page.text_of(f"h{level}") and all(page.text_of(f"h{level}")) for level in set(levels))


def test_ids_are_unique_and_references_resolve(page):
    ids = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    assert all(re.fullmatch(r"[A-Za-z][\w.:-]*", name) for name in ids)
    named = {name for _, a in page.elements for key in ("aria-labelledby", "for") for name in a.get(key, "").split()}
    linked = {a["href"][1:] for tag, a in page.elements if "href" in a}
    used = {
        name for _, a in page.elements for value in a.values() for name in re.findall(r"url\(#([^)]+)\)", value or "")
    }
    assert named | linked | used <= set(ids)
    assert len(linked) > 50


def test_refers_to_nothing_outside_itself(page, text):
    for tag, attributes in page.elements:
        assert not {"src", "srcset", "xlink:href", "data", "action"} & set(attributes), tag
        assert attributes.get("href", "#").startswith("#")
        assert not any(name.startswith("on") for name in attributes)
    assert page.all("link", "img", "iframe", "object", "embed", "base") == []
    assert "@import" not in text
    assert set(re.findall(r"url\((.)", text)) <= {"#"}
    script = text[text.index("<script>") :]
    assert not re.search(r"https?:|fetch\(|XMLHttpRequest|import\(", script)


def test_everything_has_a_name_or_text(page):
    drawings = page.all("svg")
    assert len(drawings) == 1 + len(list(NOVELS.rglob("*.svg")))  # the graph of steps, and each figure
    for attributes in drawings:
        assert attributes["role"] == "img"
        assert all(len(page.within(name)) > 10 for name in attributes["aria-labelledby"].split())
    for attributes in page.all("div"):
        if attributes.get("tabindex") == "0":
            assert attributes["role"] == "region" and attributes["aria-labelledby"]
    labelled = {attributes["for"] for attributes in page.all("label") if "for" in attributes}
    assert {attributes["id"] for attributes in page.all("select")} <= labelled
    assert all(page.text_of("summary")) and all(page.text_of("legend")) and all(page.text_of("option"))


def test_tables_have_captions_and_scopes(page):
    assert len(page.all("table")) == len(page.all("caption"))
    assert all(page.text_of("caption"))
    assert {attributes.get("scope") for attributes in page.all("th")} == {"col", "colgroup", "row", "rowgroup"}
    headings = zip(page.text_of("th"), page.all("th"), strict=True)
    assert all(text for text, attributes in headings if attributes["scope"] != "col")


def test_numeric_columns_have_numeric_keys(page):
    keys = [a["data-sort"] for a in page.all("td") if "data-sort" in a and a.get("class") != "text"]
    numbers = [float(key) for key in keys if re.fullmatch(r"-?[\d.]+(e[+-]?\d+)?", key)]
    assert len(numbers) > 1000


def test_contrast():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.478, abs=0.001)  # WebAIM's contrast checker
    values = variables()
    for pairs, least in ((TEXT_PAIRS, 4.5), (GRAPHIC_PAIRS, 3.0)):
        for one, other in pairs:
            for scheme in (0, 1):
                assert contrast(values[one][scheme], values[other][scheme]) >= least, (one, other, scheme)


def test_every_colour_is_of_the_palette(text):
    declared = stylesheet()
    rest = text.replace(declared, "")
    assert declared in text
    assert re.findall(r"(?<=[ :\"(])#[0-9a-fA-F]{6}\b", rest) == []
    assert set(re.findall(r"var\(--([a-z-]+)", rest)) <= {*variables(), "floor", "first-row"}


def test_headline_is_the_mean_of_the_scores(page):
    """The average of table 1, computed again from the scores of seeds and sets."""
    scores = pd.read_csv(NOVELS / "scores.csv")
    scores = scores[(scores["protocol"] == "paper") & (scores["model"] == "cbos")]
    mean = scores.groupby(["year", "dataset"])["pearson"].mean().mean()
    shown = f"{mean:.4f}".removeprefix("0")
    assert f"is {shown}: CBOS." in page.within("headline")
    assert "none of the trained models are above it" in page.within("headline")


def test_claims_are_counted_and_escaped(page, text):
    assert "Of the 4 claims of the papers that are tested, 2 hold and 2 do not; 1 of 5 cannot" in page.within("claims")
    assert "&lt;near zero&gt;" in text and "<near zero>" not in text
    verdicts = [a["data-verdict"] for a in page.all("li") if a.get("data-paper") and "claim-" in a["id"]]
    assert sorted(verdicts) == ["does not hold", "does not hold", "holds", "holds", "not tested"]
    assert "confirmed" in page.within("error-swapped_columns")


def test_costs_are_those_of_the_file(page):
    costs = pd.read_csv(NOVELS / "costs.csv")
    minutes = round(costs["seconds"].sum()) // 60
    assert f"{len(costs)} measured steps took {minutes // 60} h {minutes % 60} min" in page.within("costs")
    assert f"longest, {costs.loc[costs['seconds'].idxmax(), 'step']}," in page.within("costs")


def test_what_is_missing_is_said(tmp_path):
    (tmp_path / "table1.csv").write_text("protocol,dataset\npaper,MSRpar\n")
    page = Page(make_report(published(tmp_path)))
    assert page.faults == []
    for part in ("headline", "claims", "data", "costs", "steps", "provenance"):
        assert "left out" in page.within(part), part
    assert page.all("figure") == []


def test_a_folder_without_tables_is_refused(tmp_path, capsys):
    assert main(["report", str(tmp_path)]) == 1
    assert main(["report", str(tmp_path / "nowhere")]) == 1
    assert capsys.readouterr().err.count("error: ") == 2


def test_command_writes_one_small_file(folder, tmp_path):
    assert main(["report", str(folder), "--output", str(tmp_path / "r.html")]) == 0
    assert [path.name for path in tmp_path.iterdir()] == ["r.html"]
    assert 100_000 < (tmp_path / "r.html").stat().st_size < 10_000_000


def test_the_report_is_not_published_beside_what_it_is_made_from(tmp_path):
    results = tmp_path / "results"
    (results / "sample").mkdir(parents=True)
    for name, text in {
        "provenance.json": '{"preset": "sample"}',
        "report.html": "x",
        "steps.csv": "step,needs\n",
    }.items():
        (results / name).write_text(text)
    assert publish(tmp_path, tmp_path / "out") == ["costs.csv", "provenance.json", "run.log", "steps.csv"]


def test_sample_parts_say_so(tmp_path):
    results = tmp_path / "results"
    (results / "cbos").mkdir(parents=True)
    table = Table("A table", "Set", (("", ("r",)),), (Section("", (Row(Cell("a"), (Cell(".1"),)),)),), sample=True)
    write_table(table, pd.DataFrame({"r": [0.1]}), {"html": results / "cbos/table1.html"})
    figure, _ = style.new_figure(1, 1, 2, 2)
    style.save(figure, {"svg": results / "cbos/figure3.svg"}, "A figure", sample=True)
    (results / "left_by_another_run.html").write_text("<p>old</p>")
    targets = [results / "cbos/table1.csv", results / "cbos/figure3.svg"]
    text = make_report(of_run(results, targets, tmp_path / "benchmarks"))
    assert text.count('<p class="sample">') == 2
    assert "left by another run" not in text.lower()


def test_templates_are_shipped():
    project = (ROOT / "pyproject.toml").read_text()
    for path in (ROOT / "workflow/scripts/sentrep/report").iterdir():
        if path.suffix not in (".py", ".pyc") and path.is_file():
            assert f'"*{path.suffix}"' in project
