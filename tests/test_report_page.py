"""Test the page of the report: it is well-formed, accessible and self-contained, and its numbers match the files."""

import re
from dataclasses import replace
from itertools import pairwise

import pandas as pd
import pytest

from conftest import ROOT
from helpers_report import NOVELS, Page, colours, results_folder
from sentrep.cli import main
from sentrep.provenance.publish import publish
from sentrep.report.page import make_report
from sentrep.tables.values import Value, Values, facts


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return results_folder(tmp_path_factory.mktemp("report") / "published")


@pytest.fixture(scope="module")
def text(folder):
    return make_report(folder)


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
    assert page.all("a")[0] == {"class": "skip", "href": "#main"}  # the first element that the Tab key reaches


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
    assert len(linked) > 10


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
    assert len(drawings) == 1 + len(list(NOVELS.rglob("*.svg")))  # the graph of rules and the figures
    for attributes in drawings:
        assert attributes["role"] == "img"
        named = attributes.get("aria-labelledby", "").split()
        assert [len(page.within(name)) > 10 for name in named] or len(attributes["aria-label"]) > 10
    for attributes in page.all("div"):
        if attributes.get("tabindex") == "0":
            assert attributes["role"] == "region"
            assert attributes["aria-labelledby"]
    assert all(page.text_of("summary"))


def test_tables_have_captions_and_scopes(page):
    assert len(page.all("table")) == len(page.all("caption"))
    assert all(page.text_of("caption"))
    assert {attributes.get("scope") for attributes in page.all("th")} == {"col", "colgroup", "row", "rowgroup"}
    headings = zip(page.text_of("th"), page.all("th"), strict=True)
    assert all(text for text, attributes in headings if attributes["scope"] != "col")


def contrast(one, other):
    """Return the contrast ratio of two colours, from 1 to 21, as defined in WCAG 2.2."""
    dark, light = sorted(map(luminance, (one, other)))
    return (light + 0.05) / (dark + 0.05)


def luminance(colour):
    channels = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_contrast(text):
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.478, abs=0.001)  # the value of WebAIM's contrast checker
    light, dark = colours(text)
    assert set(light) == set(dark)
    assert len(light) > 20
    for scheme in (light, dark):
        grounds = {(name, ground) for name in ("ink", "muted", "accent") for ground in ("paper", "surface", "hover")}
        grounds |= {
            (name, ground) for name in ("good", "bad", "open", "sample") for ground in ("paper", f"{name}-soft")
        }
        grounds |= {(name, "paper") for name in scheme if name.startswith("series-")}
        for name, ground in grounds:
            assert contrast(scheme[name], scheme[ground]) >= 4.5, (name, ground)
        assert contrast(scheme["control"], scheme["paper"]) >= 3.0


def test_every_colour_is_a_variable(text):
    (declared,) = re.findall(r"/\* Colours.*?\n}\n@media.*?\n}\n", text, re.DOTALL)
    rest = text.replace(declared, "")
    assert re.findall(r"(?<=[ :\"(])#[0-9a-fA-F]{6}\b", rest) == []
    assert set(re.findall(r"var\(--([a-z-]+)", rest)) <= {*colours(text)[0], "baseline"}


def test_headline_is_the_mean_of_the_scores(page):
    """Compare the headline with the mean in table 1, computed from the scores of seeds and sets."""
    scores = pd.read_csv(NOVELS / "scores.csv")
    models = pd.read_csv(NOVELS / "models.csv").dropna(subset="model").set_index("model")
    trained = models.index[models["state"] == "trained here"]
    scores = scores[(scores["protocol"] == "paper") & scores["model"].isin(trained)]
    means = scores.groupby(["model", "year", "dataset"])["pearson"].mean().groupby("model").mean()
    shown = f"{means.max():.4f}".removeprefix("0")
    label = models.loc[means.idxmax(), "label"]
    assert f"the best trained model, {label}, has {shown}." in page.within("headline")
    finding = "No trained model reached a higher mean correlation than the best untrained baseline."
    assert finding in page.within("headline")


def test_first_come_the_findings_and_a_figure(page):
    kinds = [a.get("id") or tag for tag, a in page.elements if a.get("id") in ("headline", "claims") or tag == "figure"]
    assert kinds[:2] == ["headline", "means"]
    assert kinds.index("means") < kinds.index("claims")
    baselines = [a for a in page.all("ul") if a.get("class") == "dots"]
    assert baselines
    assert all("--baseline" in a["style"] for a in baselines)  # the line of the best untrained baseline


def folded(page, wanted):
    """Return the elements of a class that are inside a closed fold, and all other elements of this class."""
    inside, outside = [], []
    for place, (tag, attributes) in enumerate(page.elements):
        if wanted in attributes.get("class", "").split():
            closed = any(
                "open" not in page.elements[p][1] for p in page.ancestors[place] if page.elements[p][0] == "details"
            )
            (inside if closed else outside).append(tag)
    return inside, outside


def test_claims_are_folded_by_paper(page):
    inside, outside = folded(page, "claim")
    assert len(inside) == 8
    assert outside == []
    groups = [a for a in page.all("details") if a.get("class") == "claims"]
    assert [a["id"] for a in groups][-2:] == ["own", "errors"]
    assert "open" not in {key for a in groups for key in a}


def test_only_first_tables_and_figures_are_unfolded(page):
    papers = [a for a in page.all("section") if a.get("id", "").startswith("paper-")]
    parts = [a for a in page.all("details") if "part" in a.get("class", "").split()]
    assert len(parts) >= 20
    unfolded = [a for a in parts if "open" in a]
    assert sum("figure" not in a["class"].split() for a in unfolded) == len(papers)
    assert all("open" in a for a in parts if "figure" in a["class"].split())


def test_brief_tables_come_before_whole_ones(page, text):
    whole = [a["id"] for a in page.all("table") if a["id"].endswith("-whole")]
    assert len(whole) > 5
    for identity in whole:
        brief = identity.removesuffix("-whole")
        assert text.index(f'id="{brief}"') < text.index(f'id="{identity}"')
        assert page.within(brief).count("(ρ)") == 0
    first = text[text.index('id="siamese-cbow-table1"') :]
    assert re.findall(r'<th scope="col"[^>]*>(.*?)</th>', first)[0] == "Siamese CBOW"


def test_a_title_is_shown_once(page):
    figures = [title for title in page.text_of("h3") if title.startswith("Figure")]
    assert "Figure 3 Number of negative examples" in figures
    assert len(figures) == len(set(figures)) > 6
    captions = page.text_of("figcaption")
    assert len(captions) > 3
    assert all(title.split(maxsplit=2)[2] not in caption for title in figures for caption in captions)


def test_claims_are_counted_and_escaped(page, text):
    claims = page.within("claims")
    assert "2 of the papers’ 6 claims held. 2 did not hold, 1 was undecided, and 1 could not be tested" in page.within(
        "headline"
    )
    assert "+0.004 (-0.006 to +0.014)" in claims
    assert "items: 3750" in claims
    assert "Siamese CBOW is above untrained vectors." in page.within("own")
    assert "&lt;near zero&gt;" in text
    assert "<near zero>" not in text
    verdicts = [a["data-verdict"] for a in page.all("details") if a.get("id", "").startswith("claim-")]
    assert sorted(verdicts) == ["does not hold", "does not hold", "holds", "holds", "not tested", "undecided"]
    assert "confirmed" in page.within("error-swapped_columns")


def test_costs_are_those_of_the_file(page):
    costs = pd.read_csv(NOVELS / "costs.csv")
    minutes = round(costs["seconds"].sum()) // 60
    assert f"{len(costs):,} measured jobs took {minutes // 60} h {minutes % 60} min" in page.within("costs")
    assert f"The longest, {costs.loc[costs['seconds'].idxmax(), 'step']}," in page.within("costs")


def test_what_is_missing_is_said(tmp_path):
    """Only one item of the run is finished; its values are in a separate file."""
    path = tmp_path / "sample" / "values" / "cbos" / "table1.csv"
    path.parent.mkdir(parents=True)
    Values.of(sample_values()).write(path)
    page = Page(make_report(tmp_path))
    assert page.faults == []
    for part in ("headline", "claims", "data", "costs", "workflow", "provenance"):
        assert "There " in page.within(part), part
    assert page.all("figure") == []
    assert "MSRpar" in page.within("cbos-table1")


def test_an_unfinished_run_is_named(folder, tmp_path):
    path = tmp_path / "sample" / "values" / "cbos" / "table1.csv"
    path.parent.mkdir(parents=True)
    Values.of(sample_values()).write(path)
    assert "<strong>Unfinished run.</strong>" in make_report(tmp_path)
    assert "Unfinished run" not in make_report(folder)


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
    }.items():
        (results / name).write_text(text)
    assert publish(tmp_path, tmp_path / "out") == ["costs.csv", "provenance.json", "run.log"]


def sample_values():
    row = Value("cbos", "table1", "2012 MSRpar", "CBOS", "pearson", "paper", label="CBOS")
    heading = Value("cbos", "table1", "2012 MSRpar", "", "heading", "paper", text="MSRpar")
    measured = replace(row, system="cbos", mean=0.1, seeds=1, published=".4530", published_value=0.453)
    return [*facts("cbos", "table1", preset="sample", sample="True", title="CBOS, table 1"), heading, measured]


def test_sample_parts_say_so(tmp_path):
    Values.of(sample_values()).write(tmp_path / "values.csv")
    (tmp_path / "cbos").mkdir()
    (tmp_path / "cbos" / "table2.html").write_text("<p>left by another run</p>")
    text = make_report(tmp_path)
    assert text.count('<p class="sample">') == 2  # one at the top of the page and one at the table
    assert "left by another run" not in text.lower()
    assert ".4530" in text


def test_templates_are_shipped():
    project = (ROOT / "setup.py").read_text()
    for path in (ROOT / "workflow/scripts/sentrep/report").iterdir():
        if path.suffix not in (".py", ".pyc") and path.is_file():
            assert f'"*{path.suffix}"' in project
