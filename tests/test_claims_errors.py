"""Errors in the papers: the printed numbers show each, and with the error corrected they no longer do."""

import pandas as pd
import pytest

from helpers_claims import BY_ID, CLAIMS, FOLDER, PAPERS, scores_of
from sentrep.claims import printed_tests
from sentrep.claims.catalogue import TESTS
from sentrep.claims.run_tables import PRINTED
from sentrep.evaluation.sts.sets import STANDARD

ERRORS = [claim for claim in CLAIMS if claim.kind == "error"]
PRINTED_ONLY = [c.id for c in ERRORS if all(path.startswith(PRINTED) for path in c.files.values())]


def arguments_of(name, changes=()):
    """Arguments of a claim's test; changes are (row, column, metric, value) of its first printed file."""
    claim = BY_ID[name]
    frames = {}
    for argument, path in claim.files.items():
        frames[argument] = pd.read_csv(FOLDER / path.removeprefix(PRINTED), dtype=str, keep_default_na=False)
    for row, column, metric, value in changes:
        frame = frames["reported"]
        at = (frame["row"] == row) & (frame["column"] == column) & (frame["metric"] == metric)
        at &= frame["table"] == str(claim.arguments["table"])
        assert at.sum() == 1, (row, column, metric)
        frame.loc[at, "value"] = value
    return {**claim.arguments, **frames}


@pytest.mark.parametrize("name", PRINTED_ONLY)
def test_printed_numbers_show_the_error(name):
    assert TESTS[BY_ID[name].test](**arguments_of(name)).holds


MPQA, MSRP = ("MPQA", "MC-QT", "accuracy"), "combine-QT (BookCorpus + UMBC)"
CORRECTED = {
    # r and rho of a set of 2014, in the ratio of the 2015 sets: then that is nothing special
    "sets_2015_odd": [("2014 images", "w2v CBOW", "spearman", ".3000")],
    "fastsent_columns_swapped": [("2014 OnWN", "FastSent", "spearman", ".71")],
    "half_each_depends_on_swap": [("2014 deft-forum", "FastSent", "spearman", ".41")],
    "sdae_overall": [("Overall", "SDAE", "pearson", "0.30")],
    "cbos_averages": [
        ("2012 average", "CBOW", "pearson", "0.4655"),
        ("2012 average", "skip-thought", "pearson", "0.4105"),
        ("2013 average", "CBOW", "pearson", "0.4031"),
    ],
    "cbos_tweet_news_difference": [("2014 tweet-news", "CBOS", "pearson", "0.7240")],
    "umbc_improvements": [
        ("MSRP", MSRP, "accuracy", "76.3"),
        ("MSRP", MSRP, "f1", "83.6"),
        ("MSRP", "MC-QT (BookCorpus + UMBC)", "accuracy", "77.0"),
        ("MSRP", "MC-QT (BookCorpus + UMBC)", "f1", "84.1"),
    ],
    "mc_qt_outperforms_all": [(*MPQA, "89.5")],
    "impossible_median_ranks": [
        ("Image Annotation", "DVSA", "median rank", "2"),
        ("Image Search", "m-RNN", "r@5", "62.2"),
    ],
}


def test_every_error_has_a_correction():
    assert set(CORRECTED) == set(PRINTED_ONLY)


@pytest.mark.parametrize("name", PRINTED_ONLY)
def test_corrected_numbers_do_not(name):
    outcome = TESTS[BY_ID[name].test](**arguments_of(name, CORRECTED[name]))
    assert outcome.holds is False, outcome


def test_all_averages_that_are_wrong_are_named():
    """By hand: the sums of the rows of each year."""
    paper, wrong = PAPERS["cbos"], set()
    for column in paper.columns(1):
        for year in (2012, 2013, 2014, 2015):
            rows = [row for row in paper.rows(1) if row.startswith(str(year)) and not row.endswith("average")]
            total = 0.0
            for row in rows:
                total += float(paper.text(1, row, column, "pearson"))
            if abs(total / len(rows) - float(paper.text(1, f"{year} average", column, "pearson"))) > 0.001:
                wrong.add(f"{year} {column}")
    assert wrong == {"2012 CBOW", "2012 skip-thought", "2013 CBOW"}
    text = TESTS["averages_are_no_means"](**arguments_of("cbos_averages")).ours
    assert {part.rsplit(" ", 3)[0] for part in text.split("; ")} == wrong


def test_weighted_mean_by_hand():
    """News 300, Forum 450 and four sets of 750 pairs."""
    values = {"News": 0.04, "Forum": 0.13, "WordNet": 0.24, "Tweets": 0.42, "Images": 0.38, "Headlines": 0.36}
    pairs = {"News": 300, "Forum": 450}
    mean = sum(r * pairs.get(name, 750) for name, r in values.items()) / (300 + 450 + 4 * 750)
    assert f"printed 0.15, weighted mean {mean:.3f}" in TESTS["overall_is_no_mean"](**arguments_of("sdae_overall")).ours


def test_zero_filled_columns():
    rows = {(s.year, s.dataset): f"{s.year} {s.label}" for s in STANDARD}
    printed = {key: PAPERS["siamese_cbow"].number(1, row, "Siamese CBOW", "pearson") for key, row in rows.items()}
    near = {key: (r + 0.02, r + 0.3) for key, r in printed.items()}
    arguments = dict(BY_ID["sets_2015_counted_unscored_pairs"].arguments)
    arguments["reported"] = pd.read_csv(FOLDER / "siamese_cbow.csv", dtype=str, keep_default_na=False)
    outcome = printed_tests.nearer_zero_filled(**{**arguments, "scores": scores_of({"random": near}, seeds=2)})
    assert outcome.holds and outcome.seeds == "2" and "as 0 .0200, without them .3000" in outcome.ours
    far = {key: (r + 0.3, r + 0.02) for key, r in printed.items()}
    assert not printed_tests.nearer_zero_filled(**{**arguments, "scores": scores_of({"random": far})}).holds
