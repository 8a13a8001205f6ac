"""Helpers for the tests of tables: a paper, models, their scores, and table 1 built from them."""

import numpy as np
import pandas as pd

from helpers_evaluation import REPORTED, score_rows
from sentrep.evaluation.sts.score_table import collect
from sentrep.evaluation.sts.sets import STANDARD
from sentrep.sources.published import read_all
from sentrep.tables.build import build_frame, build_table
from sentrep.tables.collect.sts import sts_values
from sentrep.tables.values import facts
from sentrep.tables.views import read_views

PAPERS = read_all([REPORTED])
REASON = "STS.input.SMT.txt is not among the files; its text needs an LDC licence"


def entry(name, label, column=None, baseline=False, seeds=(1,)):
    reported = {"paper": "siamese_cbow", "table": 1, "column": column} if column else None
    return {"id": name, "label": label, "baseline": baseline, "seeds": list(seeds), "reported": reported}


MODELS = [
    entry("w2v_cbow", "w2v CBOW", "w2v CBOW"),
    {**entry(None, "skip-thought", "skip-thought", seeds=()), "id": None},
    entry("siamese_cbow", "Siamese CBOW", "Siamese CBOW"),
    entry("random", "Untrained", baseline=True, seeds=(1, 2)),
]


def scores_of(values, lee=True):
    """Return scores in long format from {(model, seed): r}; r may be a function of the index of a set."""
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


def values(sample=False, daggers=("siamese_cbow",), name="siamese_cbow/table1", **options):
    paper, item = name.split("/")
    preset = "sample" if sample else "novels"
    given = {"scores": SCORES, "sets": description(sample), "reported": PAPERS, "models": MODELS}
    given |= {"wilcoxon": WILCOXON, "baseline": "w2v_cbow", "daggers": daggers, "title": "Correlations"}
    found = sts_values(paper, item, **{**given, **options})
    return [*facts(paper, item, preset=preset, sample=str(sample)), *found]


def show(name, found):
    """Return the table and the csv file that are declared under a name."""
    view = read_views().view(name)
    return build_table(view, found), build_frame(view.csv, found)


def build(sample=False, name="siamese_cbow/table1", **options):
    return show(name, values(sample, name=name, **options))


def numbers(frame):
    """Return the data frame of a csv file as a reader gets it, with numbers in numeric columns."""
    return frame.apply(_number)


def _number(column):
    try:
        return pd.to_numeric(column.replace("", np.nan))
    except ValueError:
        return column


def cells(table, heading, section=None):
    for part in table.sections:
        for row in part.rows:
            if row.heading.text == heading and section in (None, part.heading):
                return row.cells
    raise AssertionError(heading)
