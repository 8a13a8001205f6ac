"""The printed numbers of the Siamese CBOW paper, and their reader."""

import pytest

from helpers_evaluation import REPORTED
from sentrep.errors import SentrepError
from sentrep.evaluation.sets import STANDARD
from sentrep.results.reported import paper_of, read_all, read_reported

PAPER = read_reported(REPORTED)
COLUMNS = ["w2v skipgram", "w2v CBOW", "skip-thought", "Siamese CBOW"]


def test_table1_is_whole():
    assert PAPER.columns(1) == COLUMNS
    assert PAPER.rows(1) == [f"{standard.year} {standard.label}" for standard in STANDARD]
    for row in PAPER.rows(1):
        for column in COLUMNS:
            for metric in ("pearson", "spearman"):
                text = PAPER.text(1, row, column, metric)
                assert len(text) == 5 and text[0] == "." and text[1:].isdigit()


# Sums over the 20 rows of a second typing of the table: a digit that is wrong in the file shows here.
@pytest.mark.parametrize(
    ("column", "pearson", "spearman"),
    [
        ("w2v skipgram", 8.2642, 8.5295),
        ("w2v CBOW", 8.4439, 8.4595),
        ("skip-thought", 7.3145, 7.1543),
        ("Siamese CBOW", 9.2479, 8.8639),
    ],
)
def test_table1_sums(column, pearson, spearman):
    sums = [sum(PAPER.number(1, row, column, metric) for row in PAPER.rows(1)) for metric in ("pearson", "spearman")]
    assert sums == [pytest.approx(pearson), pytest.approx(spearman)]


def test_siamese_cbow_is_best_in_14_of_20():
    best = [max(COLUMNS, key=lambda column: PAPER.number(1, row, column, "pearson")) for row in PAPER.rows(1)]
    assert best.count("Siamese CBOW") == 14


def test_daggers():
    without = [row for row in PAPER.rows(1) if PAPER.text(1, row, "Siamese CBOW", "dagger") != "†"]
    assert without == ["2015 answ-forums", "2015 belief"]
    assert all(PAPER.text(1, row, c, "dagger") is None for row in PAPER.rows(1) for c in COLUMNS[:3])


def test_table2_repeats_table1():
    assert PAPER.columns(2) == ["FastSent", "Siamese CBOW"]
    assert PAPER.rows(2) == [row for row in PAPER.rows(1) if row.startswith("2014")]
    for row in PAPER.rows(2):
        for metric in ("pearson", "spearman"):
            assert PAPER.text(2, row, "Siamese CBOW", metric) == PAPER.text(1, row, "Siamese CBOW", metric)
            assert len(PAPER.text(2, row, "FastSent", metric)) == 3


def test_table3():
    assert PAPER.columns(3) == ["20 sets", "1 pair"]
    seconds = {row: [PAPER.number(3, row, column, "seconds") for column in PAPER.columns(3)] for row in PAPER.rows(3)}
    assert seconds == {
        "Siamese CBOW (300d)": [7.7, 0.0004],
        "word2vec (300d)": [7.0, 0.0004],
        "skip-thought (1200d)": [98804.0, 5.6],
    }
    for whole, one in seconds.values():
        assert whole / 17608 == pytest.approx(one, rel=0.1)


def test_what_a_paper_does_not_print():
    assert PAPER.text(1, "2012 MSRpar", "FastSent", "pearson") is None
    assert PAPER.number(1, "2012 MSRpar", "FastSent", "pearson") != PAPER.number(1, "x", "y", "z")  # NaN


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("a,b\n", "expected columns table,row,column,metric,value, found a,b"),
        ("table,row,column,metric,value\n1,r,c,m\n", ":2: expected five fields"),
        (
            "table,row,column,metric,value\n1,r,c,m,.1\n1,r,c,m,.2\n",
            ":3: expected five fields, each value once",
        ),
    ],
)
def test_malformed_files(tmp_path, content, message):
    path = tmp_path / "paper.csv"
    path.write_text(content)
    with pytest.raises(SentrepError, match=message):
        read_reported(path)


def test_other_errors(tmp_path):
    with pytest.raises(SentrepError, match="found no file"):
        read_reported(tmp_path / "none.csv")
    path = tmp_path / "paper.csv"
    path.write_text("table,row,column,metric,value\n1,r,c,pearson,high\n")
    with pytest.raises(SentrepError, match="expected a number for table 1, r, c, pearson, found 'high'"):
        read_reported(path).number(1, "r", "c", "pearson")
    with pytest.raises(SentrepError, match="did you mean 'siamese_cbow'"):
        paper_of(read_all([REPORTED]), "siamese_cbo")
