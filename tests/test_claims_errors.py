"""Test that the published values show each error in the papers, and that corrected values do not."""

import dataclasses

import pytest

from helpers_claims import BY_ID, CLAIMS, PAPERS, outcome_of, run_of, values_of
from sentrep.tables.values import Value

ERRORS = [claim for claim in CLAIMS.claims if claim.kind == "error"]
PUBLISHED_ONLY = [claim.id for claim in ERRORS if CLAIMS.view_of(claim).published]
EMPTY = run_of()


def cells_of(name, changes=()):
    """Return the published values that a claim's test reads; changes are given as (row, column, metric, value)."""
    claim = BY_ID[name]
    cells, changed = EMPTY.data(CLAIMS.view_of(claim)).cells, {change[:3]: change[3] for change in changes}
    used = [place for place in changed if any(place == (c.row, c.column, c.metric) for c in cells)]
    assert len(used) == len(changed)
    return [
        dataclasses.replace(c, published_value=changed.get((c.row, c.column, c.metric), c.published_value))
        if c.paper == claim.paper
        else c
        for c in cells
    ]


@pytest.mark.parametrize("name", PUBLISHED_ONLY)
def test_published_values_show_the_error(name):
    assert outcome_of(name, cells_of(name)).holds


MPQA, MSRP = ("MPQA", "MC-QT", "accuracy"), "combine-QT (BookCorpus + UMBC)"
CORRECTED = {
    # If a set of 2014 also has such a ratio of r to rho, the ratios of the sets of 2015 are not exceptional.
    "sets_2015_odd": [("2014 images", "w2v CBOW", "spearman", 0.3)],
    "fastsent_columns_swapped": [("2014 OnWN", "FastSent", "spearman", 0.71)],
    "half_each_depends_on_swap": [("2014 deft-forum", "FastSent", "spearman", 0.41)],
    "sdae_overall": [("Overall", "SDAE", "pearson", 0.30)],
    "cbos_averages": [
        ("2012 average", "CBOW", "pearson", 0.4655),
        ("2012 average", "skip-thought", "pearson", 0.4105),
        ("2013 average", "CBOW", "pearson", 0.4031),
    ],
    "cbos_tweet_news_difference": [("2014 tweet-news", "CBOS", "pearson", 0.7240)],
    "umbc_improvements": [
        ("MSRP", MSRP, "accuracy", 76.3),
        ("MSRP", MSRP, "f1", 83.6),
        ("MSRP", "MC-QT (BookCorpus + UMBC)", "accuracy", 77.0),
        ("MSRP", "MC-QT (BookCorpus + UMBC)", "f1", 84.1),
    ],
    "mc_qt_outperforms_all": [(*MPQA, 89.5)],
    "impossible_median_ranks": [
        ("Image Annotation", "DVSA", "median rank", 2),
        ("Image Search", "m-RNN", "r@5", 62.2),
    ],
}


def test_every_error_has_a_correction():
    assert set(CORRECTED) == set(PUBLISHED_ONLY)


@pytest.mark.parametrize("name", PUBLISHED_ONLY)
def test_corrected_values_do_not(name):
    outcome = outcome_of(name, cells_of(name, CORRECTED[name]))
    assert outcome.holds is False, outcome


def test_all_averages_that_are_wrong_are_named():
    """Compare with the yearly means, computed by hand from the rows."""
    paper, wrong = PAPERS["cbos"], set()
    for column in paper.columns(1):
        for year in (2012, 2013, 2014, 2015):
            rows = [row for row in paper.rows(1) if row.startswith(str(year)) and not row.endswith("average")]
            total = 0.0
            for row in rows:
                total += float(paper.text(1, row, column, "pearson"))
            if abs(total / len(rows) - float(paper.text(1, f"{year} average", column, "pearson"))) > 0.001:
                wrong.add(f"{year} average {column}")
    assert wrong == {"2012 average CBOW", "2012 average skip-thought", "2013 average CBOW"}
    *parts, elsewhere = outcome_of("cbos_averages", cells_of("cbos_averages")).ours.split("; ")
    assert {part.split(":")[0] for part in parts} == wrong
    assert elsewhere.startswith(
        "the published averages that are not listed differ from the recomputed averages by at most 0.00"
    )


def test_weighted_mean_by_hand():
    """Compare with the mean weighted by hand: News has 300 pairs, Forum 450, and the other four sets 750 each."""
    values = {"News": 0.04, "Forum": 0.13, "WordNet": 0.24, "Tweets": 0.42, "Images": 0.38, "Headlines": 0.36}
    pairs = {"News": 300, "Forum": 450}
    mean = sum(r * pairs.get(name, 750) for name, r in values.items()) / (300 + 450 + 4 * 750)
    outcome = outcome_of("sdae_overall", cells_of("sdae_overall"))
    assert f"Overall SDAE: published 0.15, recomputed {mean:.4f}" in outcome.ours


def test_zero_filled_columns():
    name, paper = "sets_2015_counted_unscored_pairs", PAPERS["siamese_cbow"]
    published = {row: paper.number(1, row, "Siamese CBOW", "pearson") for row in paper.rows(1) if row.startswith("20")}
    theirs = [
        Value("siamese_cbow", "table1", row, "Siamese CBOW", "pearson", "paper", published_value=r)
        for row, r in published.items()
    ]

    def ours(as_zero, dropped):
        return [
            value
            for protocol, gap in (("paper", as_zero), ("official", dropped))
            for value in values_of(
                "siamese_cbow_table1", {row: {"random": r + gap} for row, r in published.items()}, protocol, seeds=2
            )
        ]

    outcome = outcome_of(name, [*theirs, *ours(0.02, 0.3)])
    assert outcome.holds
    assert outcome.support.seeds == "2"
    assert ".0200 if unscored pairs count as 0, and .3000 if unscored pairs are omitted" in outcome.ours
    assert not outcome_of(name, [*theirs, *ours(0.3, 0.02)]).holds
    assert EMPTY.data(CLAIMS.view_of(BY_ID["sdae_overall"])).cells
