"""Test the published numbers of the paper on weighted aggregation, and the weights in its released code."""

import re

import numpy as np
import pytest

from helpers_evaluation import ROOT
from sentrep.aggregation.representations import BASELINES, CONTRASTIVE, MEDIAN
from sentrep.sources.published import read_published

PAPER = read_published(ROOT / "workflow" / "reported" / "weighted_aggregation.csv")
COLUMNS = ["Wikipedia, 20 words", "Wikipedia, variable length", "Google, variable length"]


def test_reported_values_are_whole():
    assert PAPER.columns(1) == COLUMNS
    assert PAPER.columns(2) == ["Twitter"]
    assert PAPER.rows(1) == PAPER.rows(2) == [*BASELINES, CONTRASTIVE, MEDIAN]
    for number in (1, 2):
        for row in PAPER.rows(number):
            for column in PAPER.columns(number):
                assert re.fullmatch(r"\d\d\.\d\d", PAPER.text(number, row, column, "split error"))
                assert re.fullmatch(r"0\.\d{4}", PAPER.text(number, row, column, "js divergence"))


# These sums over the ten rows come from the paper and not from the file, so that wrong digits in the file are found.
@pytest.mark.parametrize(
    ("number", "column", "error", "divergence"),
    [
        (1, COLUMNS[0], 178.83, 4.2220),
        (1, COLUMNS[1], 245.09, 2.8364),
        (1, COLUMNS[2], 323.32, 1.5387),
        (2, "Twitter", 341.90, 0.7576),
    ],
)
def test_reported_sums(number, column, error, divergence):
    rows = PAPER.rows(number)
    assert sum(PAPER.number(number, row, column, "split error") for row in rows) == pytest.approx(error)
    assert sum(PAPER.number(number, row, column, "js divergence") for row in rows) == pytest.approx(divergence)


def test_what_the_paper_says_of_its_tables():
    def error(row, column, number=1):
        return PAPER.number(number, row, column, "split error")

    # "concatenating the minimum and maximum vectors performs approx 2.25% better" and "almost 5%", "approx 5%"
    assert error("Max", COLUMNS[0]) - error("Min/max", COLUMNS[0]) == pytest.approx(2.27)
    assert error(CONTRASTIVE, COLUMNS[1]) - error(MEDIAN, COLUMNS[1]) == pytest.approx(4.79)
    assert error(CONTRASTIVE, COLUMNS[2]) - error(MEDIAN, COLUMNS[2]) == pytest.approx(5.40)
    best = [min(PAPER.rows(1), key=lambda row: error(row, column)) for column in COLUMNS]
    assert best == [MEDIAN, MEDIAN, "Tf-idf"]
    assert max(PAPER.rows(2), key=lambda row: error(row, "Twitter", 2)) == "Tf-idf"
    # the divergence ranks the rows nearly as the error does
    for number, column in [*((1, c) for c in COLUMNS), (2, "Twitter")]:
        pairs = [
            (error(r, column, number), PAPER.number(number, r, column, "js divergence")) for r in PAPER.rows(number)
        ]
        assert np.corrcoef(np.array(pairs).T)[0, 1] < -0.75


def test_released_weights():
    assert PAPER.rows("released weights") == [str(i) for i in range(1, 21)]
    weights = {
        loss: np.array(
            [PAPER.number("released weights", row, loss, "weight") for row in PAPER.rows("released weights")]
        )
        for loss in ("contrastive", "median")
    }
    # "the second weight is only half the first weight", "from the 16th word on, the weights are close to zero"
    assert weights["median"][0] / weights["median"][1] == pytest.approx(2.27, abs=0.01)
    assert (weights["contrastive"][15:] < 0.07).all()
    assert np.linalg.norm(weights["median"]) == pytest.approx(3.125, abs=0.1)
    assert (np.diff(weights["contrastive"][:19]) < 0).all()
