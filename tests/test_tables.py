"""Tables: numbers, rounding, bold, daggers, floors, gaps, sample marks, and every format."""

import csv
import json
import math
import re
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import pytest
from helpers_evaluation import REPORTED, run_script, score_rows
from sentrep.errors import SentrepError
from sentrep.evaluation.sets import STANDARD
from sentrep.results import siamese_cbow, sts_table
from sentrep.results.markup import latex, markdown, page
from sentrep.results.reported import read_all
from sentrep.results.scores import COLUMNS, collect, read_scores, seed_means, write_scores
from sentrep.results.tables import (
    Cell,
    Row,
    Section,
    Table,
    best,
    correlation,
    difference,
    pair_cell,
    write_table,
)

PAPERS = read_all([REPORTED])
REASON = "STS.input.SMT.txt is not among the files; its text needs an LDC licence"


def entry(name, label, column=None, floor=False, seeds=(1,)):
    reported = {"paper": "siamese_cbow", "table": 1, "column": column} if column else None
    return {"id": name, "label": label, "floor": floor, "seeds": list(seeds), "reported": reported}


MODELS = [
    entry("w2v_cbow", "w2v CBOW", "w2v CBOW"),
    {**entry(None, "skip-thought", "skip-thought", seeds=()), "id": None},
    entry("siamese_cbow", "Siamese CBOW", "Siamese CBOW"),
    entry("random", "Untrained", floor=True, seeds=(1, 2)),
]


def scores_of(values, lee=True):
    """Return the long table from {(model, seed): r}; r may be a function of the set's place."""
    parts = []
    for (model, seed), r in values.items():
        rows = []
        for place, standard in enumerate(STANDARD):
            value = r(place) if callable(r) else r
            for protocol in ("paper", "official"):
                if standard.dataset == "SMT":
                    rows.append((protocol, 2013, "SMT", np.nan, np.nan, 0, 0))
                    continue
                shift = 0.2 if protocol == "official" and standard.year == 2015 else 0
                sizes = (standard.pairs, standard.scored_pairs)
                rows.append((protocol, standard.year, standard.dataset, value + shift, value / 2, *sizes))
        if lee:
            rows += [(protocol, 2005, "Lee", 0.5, 0.4, 1225, 1225) for protocol in ("paper", "official")]
        parts.append((model, seed, score_rows(rows)))
    return collect("novels", parts)


SCORES = scores_of(
    {
        ("w2v_cbow", 1): 0.41,
        ("siamese_cbow", 1): lambda place: 0.40 + place / 100,
        ("random", 1): 0.42,
        ("random", 2): 0.43,
    }
)
WILCOXON = pd.DataFrame(
    [(2012, "MSRpar", "w2v_cbow", "siamese_cbow", 1e-5), (2012, "MSRvid", "w2v_cbow", "siamese_cbow", 1e-4)],
    columns=["year", "dataset", "model_a", "model_b", "p"],
)


def description(sample=False):
    return {
        "sample": sample,
        "pairs": 16858,
        "scored_pairs": 11358,
        "sets": [
            {"year": s.year, "dataset": s.dataset, "pairs": s.pairs, "scored_pairs": s.scored_pairs}
            for s in STANDARD
            if s.dataset != "SMT"
        ]
        + [{"year": 2005, "dataset": "Lee", "pairs": 1225, "scored_pairs": 1225}],
        "missing": [{"year": 2013, "dataset": "SMT", "reason": REASON}],
        "notes": [],
    }


def build(sample=False, **options):
    preset = "sample" if sample else "novels"
    return sts_table.build(
        SCORES, WILCOXON, PAPERS, description(sample), MODELS, preset, "w2v_cbow", **options
    )


def cells(table, heading, section=None):
    for part in table.sections:
        for row in part.rows:
            if row.heading.text == heading and section in (None, part.heading):
                return row.cells
    raise AssertionError(heading)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.4379, ".4379"),
        (0.12345, ".1235"),  # half up
        (-0.12345, "-.1235"),
        ((0.1234 + 0.1235) / 2, ".1235"),  # stored as .12344999...
        (1.0, "1.0000"),
        (-1.0, "-1.0000"),
        (-0.00001, ".0000"),
        (np.float64(0.5), ".5000"),
        (math.nan, ""),
    ],
)
def test_correlations_as_printed(value, text):
    assert correlation(value) == text


def test_differences_carry_a_sign():
    assert [difference(v) for v in (0.0123, -0.0123, 0.0, math.nan)] == ["+.0123", "-.0123", ".0000", ""]


def test_cell_of_two_values():
    assert pair_cell(0.4379, 0.4311, bold=True, mark="†") == Cell(".4379", "(.4311)", True, "†")
    assert pair_cell(0.4, 0.3, spread=0.0123).text == ".4000 ±.012"
    assert pair_cell(math.nan, math.nan) == Cell()


def test_all_that_print_alike_are_best():
    assert best({"a": 0.43214, "b": 0.43206, "c": 0.4, "d": math.nan}) == {"a", "b"}
    assert best({"a": -0.2, "b": -0.1}) == {"b"}
    assert best({"a": math.nan}) == set()


def test_collected_scores(tmp_path):
    path = tmp_path / "scores.csv"
    write_scores(path, SCORES)
    text = path.read_text().splitlines()
    assert text[0] == (
        "preset,protocol,year,dataset,model,seed,pearson,spearman,pairs,scored_pairs,oov_rate,all_oov_pairs"
    )
    assert text[1] == "novels,paper,2012,MSRpar,w2v_cbow,1,0.4100,0.2050,750,750,0.010000,0"
    frame = read_scores(path)
    assert list(frame.columns) == COLUMNS and len(frame) == 4 * 2 * 21
    order = list(dict.fromkeys(zip(frame["year"], frame["dataset"], strict=True)))
    assert order == [*[(s.year, s.dataset) for s in STANDARD], (2005, "Lee")]
    assert frame.loc[frame["dataset"] == "SMT", "pearson"].isna().all()


def test_snapshots_stay_out_of_the_collected_scores():
    part = score_rows([("paper", 2014, "images", 0.5, 0.4, 750, 750)])
    snapshot = part.assign(epochs=0.5)
    assert len(collect("novels", [("m", 1, pd.concat([part, snapshot]))])) == 1


def test_means_need_every_seed():
    means = seed_means(SCORES, MODELS[3])
    assert means["paper", 2012, "MSRpar"].pearson == pytest.approx(0.425)
    assert means["paper", 2012, "MSRpar"].sd == pytest.approx(np.std([0.42, 0.43], ddof=1))
    assert math.isnan(means["paper", 2013, "SMT"].pearson)
    with pytest.raises(SentrepError, match="scores of random for seeds 1, 2, 3, found none for 3"):
        seed_means(SCORES, entry("random", "Untrained", seeds=(1, 2, 3)))
    with pytest.raises(SentrepError, match="found none for 1"):
        seed_means(SCORES, entry("fastsent", "FastSent"))


def test_table1_csv():
    frame = build()[1]
    assert list(frame.columns) == [
        *["preset", "protocol", "year", "dataset", "pairs", "scored_pairs"],
        *[
            f"w2v_cbow {n}"
            for n in ("pearson", "spearman", "reported pearson", "reported spearman", "difference")
        ],
        *[f"skip-thought reported {n}" for n in ("pearson", "spearman")],
        *[
            f"siamese_cbow {n}"
            for n in ("pearson", "spearman", "reported pearson", "reported spearman", "difference")
        ],
        *["random pearson", "random spearman", "random sd", "note"],
    ]
    assert len(frame) == 2 * (20 + 1 + 1)  # sets, mean, Lee; both protocols
    rows = frame.set_index(["protocol", "dataset"])
    first = rows.loc[("paper", "MSRpar")]
    assert first["siamese_cbow difference"] == pytest.approx(0.40 - 0.4379)
    assert first["random pearson"] == pytest.approx(0.425)
    smt = rows.loc[("paper", "SMT")]
    assert math.isnan(smt["w2v_cbow pearson"]) and smt["note"] == REASON
    assert smt["siamese_cbow reported pearson"] == 0.3312 and math.isnan(smt["siamese_cbow difference"])
    # official protocol: the paper's 2015 values are of other pairs, so they have no difference
    official = frame[frame["protocol"] == "official"].set_index(["year", "dataset"])
    assert math.isnan(official.loc[(2015, "belief"), "w2v_cbow difference"])
    assert official.loc[(2014, "images"), "w2v_cbow difference"] == pytest.approx(0.41 - 0.5056)


def test_mean_is_over_the_sets_that_every_model_has():
    frame = build()[1]
    means = frame[frame["dataset"].str.startswith("mean")].set_index("protocol")
    assert means["dataset"].tolist() == ["mean of 19 sets"] * 2
    assert means.loc["paper", "note"] == "not in the mean: 2013 SMT"
    places = [place for place, standard in enumerate(STANDARD) if standard.dataset != "SMT"]
    assert means.loc["paper", "siamese_cbow pearson"] == pytest.approx(0.40 + np.mean(places) / 100)
    reported = PAPERS["siamese_cbow"]
    rows = [row for row in reported.rows(1) if row != "2013 SMT"]
    mean = np.mean([reported.number(1, row, "Siamese CBOW", "pearson") for row in rows])
    assert means.loc["paper", "siamese_cbow reported pearson"] == pytest.approx(mean)
    assert means.loc["paper", "pairs"] == 17608 - 750
    assert math.isnan(means.loc["official", "siamese_cbow difference"])


def test_bold_daggers_and_floors():
    table, _ = build()
    w2v, printed_w2v, gap, printed_skip, ours, printed, _, floor = cells(table, "MSRpar")
    assert (w2v.bold, ours.bold, floor.bold) == (True, False, False)
    assert (printed_w2v.bold, printed_skip.bold, printed.bold) == (False, False, True)
    assert (ours.mark, printed.mark, w2v.mark) == ("†", "†", "")
    assert floor == Cell(".4250 ±.007", "(.2125)", False, "‡")  # above both trained models
    assert gap == Cell("+.0681")
    msrvid = cells(table, "MSRvid")
    assert (msrvid[0].bold, msrvid[4].bold) == (True, True)  # .4100 both
    assert msrvid[4].mark == ""  # p is not below .0001
    assert cells(table, "tweet-news")[-1].mark == ""
    assert cells(build(daggers=[])[0], "MSRpar")[4].mark == ""
    belief = cells(table, "belief", "2015, official protocol")
    assert belief[4] == Cell(".7700" if belief[4].text == ".7700" else ".7700", "(.2850)", True)
    assert belief[5] == Cell() and belief[6] == Cell()


def test_sections_of_table1():
    table, _ = build()
    assert [section.heading for section in table.sections] == [
        *["2012", "2013", "2014", "2015", "All, paper's protocol"],
        *["2015, official protocol", "All, official protocol", "Other human judgements"],
    ]
    assert [len(section.rows) for section in table.sections] == [5, 4, 6, 5, 1, 5, 1, 1]


def test_sample_is_said_everywhere(tmp_path):
    table, frame = build(sample=True)
    assert set(frame["preset"]) == {"sample"}
    named = frame.loc[frame["dataset"] != "Lee", "dataset"]
    assert named.str.endswith(" (sample)").all()
    assert frame.filter(like="difference").isna().all(axis=None)
    for text in (markdown(table), latex(table), page(table)):
        assert "SAMPLE: " in text and "not SemEval data" in text and "MSRpar (sample)" in text
        assert "SemEval sets" not in text
    assert "SAMPLE" not in markdown(build()[0])


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
        "| --- | --: | --: | --: |\n"
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


def test_latex_of_the_real_table_is_ascii_and_balanced():
    text = latex(build()[0])
    assert text.isascii()
    assert text.count("{") - text.count(r"\{") == text.count("}") - text.count(r"\}")
    body = text.split(r"\midrule")[1].split(r"\bottomrule")[0]
    for line in body.splitlines():
        if "&" in line:
            assert line.count("&") == 8


class Check(HTMLParser):
    """Collects what a page holds, and refuses tags that do not match."""

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
    assert tags.count("caption") == 1 and tags.count("html") == 1
    scopes = {attributes.get("scope") for tag, attributes in check.tags if tag == "th"}
    assert scopes == {"col", "colgroup", "row", "rowgroup"}
    assert set(check.widths) == {9, 8}  # 8: the second line of headings, beside the first column's
    assert "−.0379" in text and "prefers-color-scheme" not in text and "color-scheme: light dark" in text
    assert not re.search(r"(src|href)=", text)  # needs no other file
    escaped = page(NASTY)
    assert "<title>A &amp; B_1 &lt;100%&gt;</title>" in escaped and "<b>−.10</b><sup>†</sup>" in escaped


def test_a_row_of_the_wrong_width_is_refused():
    with pytest.raises(ValueError, match="2 cells for 1 columns"):
        Table("t", "s", (("", ("one",)),), (Section("", (Row(Cell("x"), (Cell(), Cell())),)),))


def test_written_files(tmp_path):
    table, frame = build()
    outputs = {kind: tmp_path / f"table1.{kind}" for kind in ("csv", "md", "tex", "html")}
    write_table(table, frame, outputs)
    rows = list(csv.DictReader(outputs["csv"].open(encoding="utf-8")))
    assert rows[0]["siamese_cbow reported pearson"] == "0.4379"
    assert rows[0]["siamese_cbow difference"] == "-0.0379"
    assert rows[7]["dataset"] == "SMT" and rows[7]["siamese_cbow pearson"] == ""
    assert REASON in outputs["md"].read_text(encoding="utf-8")
    assert sorted(tmp_path.iterdir()) == sorted(outputs.values())  # no temporary file is left


def test_table2():
    models = [{**MODELS[2], "reported": {"paper": "siamese_cbow", "table": 2, "column": "Siamese CBOW"}}]
    table, frame = siamese_cbow.build_table2(SCORES, PAPERS["siamese_cbow"], description(), models, "novels")
    assert frame["dataset"].tolist() == [
        "OnWN",
        "deft-forum",
        "deft-news",
        "headlines",
        "images",
        "tweet-news",
    ]
    fastsent, siamese, swapped, ours, gap = cells(table, "deft-forum")
    assert fastsent == Cell(".41", "(.36)", True) and siamese == Cell(".4082", "(.4188)", False)
    assert swapped == Cell(".36", "(.41)", False)  # un-swapped, Siamese CBOW wins
    assert ours.text == ".5000" and gap.text == "+.0918"
    assert frame.loc[1, "FastSent un-swapped pearson"] == 0.36
    assert "on 3 of 6 sets as printed, and on 4 of 6" in " ".join(table.notes)
    table, frame = siamese_cbow.build_table2(
        SCORES, PAPERS["siamese_cbow"], description(True), models, "sample"
    )
    assert cells(table, "deft-forum (sample)")[-1] == Cell()


def test_table3():
    timing = pd.DataFrame(
        [("one by one", 17608, 3, 4.25, 0.000241, "CPU"), ("batched", 17608, 3, 0.42, 2.4e-5, "CPU")],
        columns=["presentation", "pairs", "repeats", "seconds", "seconds_per_pair", "processor"],
    )
    models = [
        {"id": "siamese_cbow", "label": "Siamese CBOW (300d)", "reported": {"row": "Siamese CBOW (300d)"}},
        {"id": "tfidf", "label": "tf-idf", "reported": None},
    ]
    timings = {"siamese_cbow": timing, "tfidf": timing}
    table, frame = siamese_cbow.build_table3(timings, PAPERS["siamese_cbow"], description(), models, "novels")
    text = [[c.text for c in row.cells] for row in table.rows()]
    assert text == [
        ["7.7", "0.0004", "4.3", "0.000241", "0.42", "0.000024"],
        ["7.0", "0.0004", "", "", "", ""],
        ["98,804.0", "5.6", "", "", "", ""],
        ["", "", "4.3", "0.000241", "0.42", "0.000024"],
    ]
    assert frame["model"].tolist() == ["siamese_cbow", "word2vec (300d)", "skip-thought (1200d)", "tfidf"]
    assert frame["batched seconds per pair"].tolist() == ["2.4e-05", "", "", "2.4e-05"]


def test_scripts(tmp_path):
    """collect_scores.py and the three tables' scripts, on the files they exchange."""
    parts = {}
    for model, seed in (("w2v_cbow", 1), ("siamese_cbow", 1), ("random", 1), ("random", 2)):
        rows = SCORES[(SCORES["model"] == model) & (SCORES["seed"] == seed)]
        parts[model, seed] = tmp_path / f"{model}.{seed}.csv"
        rows.assign(epochs=np.nan).drop(columns=["preset", "model", "seed"]).to_csv(
            parts[model, seed], index=False
        )
    collected = tmp_path / "scores.csv"
    run_script(
        "collect_scores",
        input={"scores": list(parts.values())},
        output={"scores": collected},
        params={"preset": "novels", "models": [{"id": model, "seed": seed} for model, seed in parts]},
    )
    WILCOXON.to_csv(tmp_path / "wilcoxon.csv", index=False)
    (tmp_path / "sts.json").write_text(json.dumps(description()))
    common = {"scores": collected, "description": tmp_path / "sts.json"}
    outputs = {kind: tmp_path / f"table1.{kind}" for kind in ("csv", "md", "tex", "html")}
    run_script(
        "table1",
        input={**common, "wilcoxon": tmp_path / "wilcoxon.csv", "reported": [REPORTED]},
        output=outputs,
        params={"preset": "novels", "models": MODELS, "baseline": "w2v_cbow"},
    )
    assert ".4000† (.2000)" in outputs["md"].read_text(encoding="utf-8")
    run_script(
        "siamese_cbow_table2",
        input={**common, "reported": REPORTED},
        output={"md": tmp_path / "table2.md"},
        params={"preset": "novels", "models": [MODELS[2]]},
    )
    assert "Un-swapped" in (tmp_path / "table2.md").read_text(encoding="utf-8")
    timing = tmp_path / "timing.csv"
    timing.write_text(
        "presentation,pairs,repeats,seconds,seconds_per_pair,processor\n"
        "one by one,9,3,2,0.2,CPU\nbatched,9,3,1,0.1,CPU\n"
    )
    run_script(
        "siamese_cbow_table3",
        input={"timings": [timing], "description": tmp_path / "sts.json", "reported": REPORTED},
        output={"csv": tmp_path / "table3.csv"},
        params={"preset": "novels", "models": [{"id": "random", "label": "Untrained", "reported": None}]},
    )
    assert "novels,random,,,2,0.2,9,1,0.1" in (tmp_path / "table3.csv").read_text(encoding="utf-8")
