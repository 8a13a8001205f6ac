"""Test tables: rounding, signs, ties, and the output in each format."""

import csv
import math
import re
from dataclasses import replace
from html.parser import HTMLParser

import numpy as np
import pytest

from helpers_tables import REASON, build
from sentrep.tables.layout import Cell, Row, Section, Table
from sentrep.tables.markup import latex, markdown, page
from sentrep.tables.numbers import compact, fixed, signed
from sentrep.tables.render import write_table


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.4379, ".4379"),
        (0.12345, ".1235"),  # rounded half up
        (-0.12345, "-.1235"),
        ((0.1234 + 0.1235) / 2, ".1235"),  # stored as .12344999...
        (1.0, "1.0000"),
        (-1.0, "-1.0000"),
        (-0.00001, ".0000"),
        (np.float64(0.5), ".5000"),
        (math.nan, ""),
    ],
)
def test_correlations_as_published(value, text):
    assert fixed(value, 4, leading_zero=False) == text


def test_numbers_are_rounded_half_away_from_zero():
    assert [fixed(value, 1) for value in (84.85, -84.85, 2.35, -0.04)] == ["84.9", "-84.9", "2.4", "0.0"]
    assert [compact(value) for value in (3.0, 0.25, math.nan)] == ["3", "0.25", ""]


def test_differences_carry_a_sign():
    assert [signed(v, 4, False) for v in (0.0123, -0.0123, 0.0, math.nan)] == ["+.0123", "-.0123", ".0000", ""]
    assert signed(-0.00001, 2) == "0.00"


NASTY = Table(
    "A & B_1 <100%>",
    "Set | x",
    (("", ("one",)), ("Group $", ("r (ρ)", "difference"))),
    (
        Section(
            "",
            (Row(Cell("a_b", note="50% & more"), (Cell("-.10", "(-.20)", True, "†"), Cell(), Cell("+.1"))),),
        ),
        Section("Part", (Row(Cell("c", note="50% & more"), (Cell("*"), Cell("x|y"), Cell()), summary=True),)),
    ),
    ("a # note",),
)


def test_markdown_golden():
    assert markdown(NASTY) == (
        "**A & B\\_1 \\<100%\\>**\n\n"
        "| Set \\| x | one | Group $<br>r (ρ) | Group $<br>difference |\n"
        "| --- | --: | :-- | --: |\n"
        "| a\\_b<sup>a</sup> | **-.10**† (-.20) |  | +.1 |\n"
        "| **Part** |  |  |  |\n"
        "| c<sup>a</sup> | \\* | x\\|y |  |\n"
        "\n"
        "<sup>a</sup> 50% & more  \n"
        "a \\# note  \n"
    )


def test_latex_golden():
    lines = latex(NASTY).splitlines()
    assert r"\caption{A \& B\_1 \textless{}100\%\textgreater{}}" in lines
    assert r" & \multicolumn{1}{c}{} & \multicolumn{2}{c}{Group \$} \\" in lines
    assert r"\cmidrule(lr){3-4}" in lines
    assert r"a\_b$^{\mathrm{a}}$ & \textbf{$-$.10}$^{\dagger}$ ($-$.20) &  & +.1 \\" in lines
    assert r"\multicolumn{4}{l}{\textit{Part}} \\" in lines
    assert r"$^{\mathrm{a}}$ 50\% \& more\par" in lines
    assert latex(NASTY).isascii()


def test_latex_quotation_marks():
    table = replace(NASTY, notes=('"one" and ("two"), 3"',))
    assert '``one" and (``two"), 3"' in latex(table)


def test_latex_of_the_real_table_is_ascii_and_balanced():
    text = latex(build()[0])
    assert text.isascii()
    assert text.count("{") - text.count(r"\{") == text.count("}") - text.count(r"\}")
    body = text.split(r"\midrule")[1].split(r"\bottomrule")[0]
    for line in body.splitlines():
        if "&" in line:
            assert line.count("&") == 9


class Check(HTMLParser):
    """Collects the contents of a page, and raises an error if tags do not match."""

    def __init__(self):
        super().__init__()
        self.open, self.tags, self.widths = [], [], []

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        if tag not in ("meta", "br"):
            self.open.append(tag)
        if tag == "tr":
            self.widths.append(0)
        if tag in ("td", "th"):
            self.widths[-1] += int(dict(attributes).get("colspan", 1))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_html_page():
    text = page(build()[0])
    check = Check()
    check.feed(text)
    assert not check.open
    tags = [tag for tag, _ in check.tags]
    assert tags.count("caption") == 1
    assert tags.count("html") == 1
    scopes = {attributes.get("scope") for tag, attributes in check.tags if tag == "th"}
    assert scopes == {"col", "colgroup", "row", "rowgroup"}
    assert set(check.widths) == {10, 9}  # 9 in the second header line, because the first column spans both lines
    assert "−.0379" in text
    assert "prefers-color-scheme" not in text
    assert "color-scheme: light dark" in text
    assert not re.search(r"(src|href)=", text)  # the page does not need other files
    escaped = page(NASTY)
    assert "<title>A &amp; B_1 &lt;100%&gt;</title>" in escaped
    assert "<b>−.10</b><sup>†</sup>" in escaped


def test_a_row_of_the_wrong_width_is_refused():
    with pytest.raises(ValueError, match="expected 1 cells, found 2"):
        Table("t", "s", (("", ("one",)),), (Section("", (Row(Cell("x"), (Cell(), Cell())),)),))


def test_written_files(tmp_path):
    table, frame = build()
    outputs = {kind: tmp_path / f"table1.{kind}" for kind in ("csv", "md", "tex", "html")}
    write_table(table, frame, outputs)
    rows = list(csv.DictReader(outputs["csv"].open(encoding="utf-8")))
    assert rows[0]["siamese_cbow reported pearson"] == "0.4379"
    assert rows[0]["siamese_cbow difference"] == "-0.0379"
    assert rows[7]["dataset"] == "SMT"
    assert rows[7]["siamese_cbow pearson"] == ""
    assert REASON in outputs["md"].read_text(encoding="utf-8")
    assert sorted(tmp_path.iterdir()) == sorted(outputs.values())  # no temporary file is left
