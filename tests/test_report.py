"""Parts of the report: tables read back, sort keys, figures, sentences."""

import re

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sentrep.errors import SentrepError
from sentrep.report.costs import duration
from sentrep.report.describe import describe
from sentrep.report.figures import inline, read_title
from sentrep.report.headline import headline, sentences
from sentrep.report.html import render
from sentrep.report.names import heading, paper_name
from sentrep.report.notes import to_html
from sentrep.report.pages import read_page, side_by_side
from sentrep.report.sorting import is_numeric, sort_key, sort_keys
from sentrep.tables import style
from sentrep.tables.layout import Cell, Row, Section, Table
from sentrep.tables.markup import page

words = st.text(st.characters(codec="utf-8", categories=["L", "N", "P", "S"]), min_size=1, max_size=8)
texts = st.lists(words.filter(lambda word: "−" not in word), max_size=3).map(" ".join)
filled = texts.filter(bool)


@st.composite
def tables(draw):
    grouped = draw(st.booleans())
    widths = draw(st.lists(st.integers(1, 3), min_size=1, max_size=3))
    groups = tuple((draw(filled) if grouped else "", tuple(draw(texts) for _ in range(width))) for width in widths)
    notes = draw(st.lists(filled, max_size=3, unique=True))
    cells = st.builds(
        Cell,
        text=filled,
        tail=texts,
        bold=st.booleans(),
        mark=st.sampled_from(["", "†", "‡"]),
        note=st.sampled_from(["", *notes]),
    )
    rows = st.builds(Row, cells, st.tuples(*[cells] * sum(widths)), st.booleans())
    sections = st.builds(Section, texts, st.lists(rows, max_size=3).map(tuple))
    sample = draw(st.booleans())
    extra = {"sample_note": draw(filled)} if sample else {}
    return Table(
        draw(filled),
        draw(texts),
        groups,
        tuple(draw(st.lists(sections, min_size=1, max_size=3))),
        tuple(draw(st.lists(filled, max_size=2))),
        sample,
        prose=draw(st.booleans()),
        **extra,
    )


@settings(max_examples=40)
@given(tables())
def test_a_page_holds_the_whole_table(tmp_path_factory, table):
    path = tmp_path_factory.getbasetemp() / "table.html"
    path.write_text(page(table), encoding="utf-8")
    assert read_page(path) == table


def test_minus_signs_are_read_back(tmp_path):
    row = Row(Cell("a"), (Cell("-.1774", "(-.2347)"), Cell("non-zero")))
    table = Table("t", "s", (("", ("x", "y")),), (Section("", (row,)),))
    (tmp_path / "t.html").write_text(page(table), encoding="utf-8")
    assert "−.1774" in (tmp_path / "t.html").read_text(encoding="utf-8")
    assert read_page(tmp_path / "t.html") == table


def test_another_page_is_refused(tmp_path):
    (tmp_path / "x.html").write_text("<p>404</p>")
    with pytest.raises(SentrepError, match="a table page of this pipeline"):
        read_page(tmp_path / "x.html")


def test_systems_come_side_by_side():
    rows = (
        Row(Cell("SDAE", "(ours)"), (Cell("45.5"), Cell(), Cell("10"))),
        Row(Cell("SDAE", "(reported)"), (Cell("67.6"), Cell("0.7"), Cell())),
        Row(Cell("", "difference"), (Cell("-22.1"), Cell(), Cell())),
        Row(Cell("ParagraphVec DM", "(ours)"), (Cell("52.0"), Cell(), Cell("10"))),
        Row(Cell("ParagraphVec", "(reported)"), (Cell("61.5"), Cell(), Cell())),
        Row(Cell("GloVe", "(reprinted)"), (Cell("78.1"), Cell(), Cell())),
        Row(Cell("tf-idf", "(ours)"), (Cell("56.0", bold=True), Cell(), Cell("10"))),
    )
    groups = (("Accuracy", ("MR", "r")), ("", ("Folds",)))
    found = side_by_side(Table("t", "Model", groups, (Section("", rows),)))
    kinds = ("ours", "reported", "difference")
    assert found.groups == (("Accuracy MR", kinds), ("Accuracy r", ("reported",)), ("Folds", ("ours",)))
    shown = {row.heading.text: [cell.text for cell in row.cells] for row in found.rows()}
    assert shown == {
        "SDAE": ["45.5", "67.6", "-22.1", "0.7", "10"],
        "ParagraphVec DM": ["52.0", "61.5", "", "", "10"],
        "GloVe": ["", "78.1", "", "", ""],
        "tf-idf": ["56.0", "", "", "", "10"],
    }
    assert [row.heading.tail for row in found.rows()] == ["", "(printed as ParagraphVec)", "(reprinted)", ""]


@pytest.mark.parametrize(
    ("text", "key"),
    [
        (".4379", 0.4379),
        ("-.0529", -0.0529),
        ("−.0529", -0.0529),
        ("+.0123", 0.0123),
        (".4344 ±.036", 0.4344),
        ("98,804.0", 98804.0),
        ("2,430,900", 2430900.0),
        ("<500", 500.0),
        ("2*", 2.0),
        ("336†", 336.0),
        ("10 / 3", 10.0),
        ("17.51 [16.0, 19.0]", 17.51),
        ("99.17%", 99.17),
        ("3.5e-05", 3.5e-5),
        ("", ""),
        ("2014 images", "2014 images"),
        ("MSRpar", "msrpar"),
        ("1,2,3", "1,2,3"),
        ("-", "-"),
    ],
)
def test_sort_key(text, key):
    assert sort_key(Cell(text)) == key


@given(st.lists(st.one_of(st.just(""), st.integers(-(10**6), 10**6).map(lambda n: f"{n:,}")), max_size=8))
def test_keys_of_numbers_sort_as_numbers(shown):
    keys = sort_keys([Cell(text) for text in shown])
    assert [key == "" for key in keys] == [text == "" for text in shown]
    assert [float(key) for key in keys if key] == [float(text.replace(",", "")) for text in shown if text]
    assert is_numeric(keys) == any(shown)


def test_one_text_makes_a_column_of_texts():
    assert sort_keys([Cell("12"), Cell("n.a."), Cell("B")]) == ["12", "n.a.", "b"]


def test_rendered_cells_are_escaped():
    table = Table("<i>", "&", (("", ("<b>x",)),), (Section("", (Row(Cell("<"), (Cell("1 < 2", "(-3)"),)),)),))
    text = render(table, "t")
    assert "&lt;b&gt;x" in text and "1 &lt; 2" in text and "<i>" not in text
    assert "(−3)" in text


@pytest.fixture(scope="module")
def drawing(tmp_path_factory):
    path = tmp_path_factory.mktemp("figure") / "figure.svg"
    figure, grid = style.new_figure(1, 1, 3, 2)
    for colour in style.PALETTE:
        grid[0][0].plot([0, 1], [0, 1], color=colour, marker="o")
    style.label_ends(grid[0][0], [(1, 1, "curve <a>", style.ORANGE)])
    style.save(figure, {"svg": path}, "A & B", sample=True)
    return path


def test_a_figure_can_stand_twice_in_a_page(drawing):
    one, two = (inline(drawing, name, "rises") for name in ("one", "two"))
    for text, name in ((one, "one"), (two, "two")):
        ids = re.findall(r' id="([^"]+)"', text)
        used = set(re.findall(r'href="#([^"]+)"|url\(#([^)]+)\)', text))
        assert len(ids) == len(set(ids))
        assert {first or second for first, second in used} <= set(ids)
        assert all(identity.startswith(f"{name}-") for identity in ids)
    assert one.replace("one-", "two-") == two
    assert "<path" in one and one.count("<path") == drawing.read_text().count("<path")
    assert "xmlns" not in one and "http" not in one and "<style" not in one


def test_colours_of_a_figure_follow_the_scheme(drawing):
    text = inline(drawing, "x", "rises")
    assert re.findall(r"#[0-9a-f]{6}", text.lower()) == []
    assert "stroke: var(--series-orange)" in text  # a line
    assert "fill: var(--text-orange)" in text  # its name
    assert "var(--paper)" in text and "var(--ink)" in text


def test_a_figure_has_title_and_description(drawing):
    assert read_title(drawing) == (style.SAMPLE_TEXT, "A & B")
    text = inline(drawing, "x", 'rises "fast" <')
    assert f'<title id="x-title">{style.SAMPLE_TEXT}. A &amp; B</title>' in text
    assert '<desc id="x-description">rises &#34;fast&#34; &lt;</desc>' in text


def test_description_is_computed(tmp_path):
    path = tmp_path / "figure3.csv"
    rows = [("paper", 2012, name, n, n / 10 + add) for name, add in (("a", 0.0), ("b", 0.2)) for n in (1, 2, 5)]
    rows += [("official", 2012, "a", 1, 9.0), ("paper", 2013, "c", 1, None)]
    columns = ["protocol", "year", "dataset", "negatives", "pearson"]
    pd.DataFrame(rows, columns=columns).to_csv(path, index=False)
    expected = "Pearson’s r, mean of 2 sets, by number of negatives: 0.200 at 1, 0.300 at 2, 0.600 at 5."
    assert describe(path) == expected
    many = pd.DataFrame({"loss": ["x"] * 9, "index": range(9), "weight": [5, 8, 7, 6, 5, 4, 3, 2, 1]})
    pd.concat([many, many.assign(loss="y", weight=range(9))]).to_csv(path, index=False)
    assert describe(path) == (
        "Learnt weight by place in the idf order. x: 5.000 at 0, 1.000 at 8, highest at 1 with 8.000; "
        "y: 0.000 at 0, 8.000 at 8."
    )
    pd.DataFrame({"a": [1]}).to_csv(path, index=False)
    assert describe(path) == ""


AVERAGES = {
    "protocol": "paper",
    "dataset": "mean of 19 sets",
    "good pearson": "0.50",
    "good spearman": "0.4",
    "good sd": "0.003",
    "good reported pearson": "0.5100",
    "good difference": "-0.0101",
    "bad pearson": "0.30",
    "bad reported pearson": "0.52",
    "bad difference": "-0.2200",
    "floor pearson": "0.40",
    "printed reported pearson": "0.60",
}


SAMPLE_AVERAGES = {key: "" if key.endswith("difference") else value for key, value in AVERAGES.items()}


def test_headline_sentences():
    found = headline([AVERAGES], ["Good", "Bad", "tf-idf", "Printed"], {"floor"})
    assert [average.label for average in found.averages] == ["Good", "tf-idf", "Bad"]
    assert found.averages[0].difference == -0.0101  # the file's own, of unrounded means
    said = " ".join(sentences(found))
    assert (
        "Over 19 sets, paper’s protocol, the highest mean Pearson’s r of the 2 models trained here is .5000: Good."
        in said
    )
    assert "is tf-idf with .4000; 1 of the trained models is above it" in said
    assert "1 of these means is within .02 of ours; the widest difference is −.2200: Bad." in said
    assert "The one pair of these systems does not stand in the printed order" in said


def test_headline_of_samples_compares_nothing():
    found = headline([{**SAMPLE_AVERAGES, "dataset": "mean of 20 sets (sample)"}], [], {"floor"})
    assert found.sample and found.averages[0].label == "good"
    said = " ".join(sentences(found))
    assert "no number can be compared" in said and "widest" not in said
    assert headline([{"protocol": "paper", "dataset": "MSRpar"}], [], set()) is None


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.43, "0.4 s"), (59.6, "1 min 0 s"), (42, "42 s"), (3599, "59 min 59 s"), (8378, "2 h 19 min")],
)
def test_duration(seconds, text):
    assert duration(seconds) == text


def test_notes_are_paragraphs_and_lists():
    text = "# Run <1>\n\nOne\nline.\n\n- `a < b`: first\n  of two\n- second\n"
    assert to_html(text) == (
        "<p>Run &lt;1&gt;</p>\n<p>One line.</p>\n<ul><li><code>a &lt; b</code>: first of two</li><li>second</li></ul>"
    )


def test_names():
    assert heading("results/cbos/table1.html".removesuffix(".html")) == "Table 1"
    assert heading("results/quick_thoughts/training_time") == "Training time"
    assert paper_name("results/cbos/table1") == "CBOS"
    assert paper_name("results/table1") == paper_name("table1") == "All systems"
