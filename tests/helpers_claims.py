"""What the tests of claims share: the claims, the papers' own numbers in the shape of our result tables."""

from pathlib import Path

import pandas as pd
import yaml

from conftest import ROOT
from sentrep.claims.reading import read_claims
from sentrep.claims.run_tables import RunTables
from sentrep.evaluation.sts.sets import STANDARD
from sentrep.tables.reported import read_all

FOLDER = ROOT / "workflow" / "reported"
CLAIMS = read_claims(FOLDER / "claims.yaml")
BY_ID = {claim.id: claim for claim in CLAIMS}
PAPERS = read_all(sorted(FOLDER.glob("*.csv")))
MODELS = yaml.safe_load((ROOT / "workflow" / "presets" / "base.yaml").read_text())["models"]
KEYS = {f"{s.year} {s.label}": (s.year, s.dataset) for s in STANDARD}


def printed_models(paper, table):
    """{model: the column that the paper prints it in}."""
    found = {}
    for model, entry in MODELS.items():
        for reported in entry.get("reported", []):
            if (reported["paper"], reported["table"]) == (paper, table):
                found[model] = reported["column"]
    return found


def scores_of(values, seeds=1):
    """Return the long table of scores from {model: {(year, dataset): r, or r of each protocol}}."""
    rows = []
    for model, by_set in values.items():
        for (year, dataset), r in by_set.items():
            for protocol, value in zip(("paper", "official"), r if isinstance(r, tuple) else (r, r), strict=True):
                rows += [("novels", protocol, year, dataset, model, seed, value) for seed in range(1, seeds + 1)]
    return pd.DataFrame(rows, columns=["preset", "protocol", "year", "dataset", "model", "seed", "pearson"])


def printed_scores(paper, table):
    """Return the correlations that a paper prints, as if they were ours."""
    values = {}
    for model, column in printed_models(paper, table).items():
        numbers = {key: PAPERS[paper].number(table, row, column, "pearson") for row, key in KEYS.items()}
        values[model] = {key: r for key, r in numbers.items() if r == r}
    return scores_of(values)


def pair_table(number):
    """Return a printed table of the weighted aggregation paper, as if it were ours."""
    paper, rows = PAPERS["weighted_aggregation"], []
    for column in paper.columns(number):
        for method in paper.rows(number):
            error = paper.number(number, method, column, "split error")
            rows.append((f"ours of {column}", method, error, error, 3_000_000 if number == 1 else 27_290))
    return pd.DataFrame(rows, columns=["column", "method", "error", "reported_error", "pairs"])


def released_weights():
    """Return the released weights, as if they were ours."""
    paper = PAPERS["weighted_aggregation"]
    rows = [
        ("ours", loss, int(index), paper.number("released weights", index, loss, "weight"))
        for loss in ("contrastive", "median")
        for index in paper.rows("released weights")
    ]
    return pd.DataFrame(rows, columns=["source", "loss", "index", "weight"]).assign(updates=29_000, stopped="converged")


def tables(folder, **frames):
    """Write frames as files of a run's folder and return its tables."""
    files = {f"{name}.csv": Path(folder) / f"{name}.csv" for name in frames}
    for name, frame in frames.items():
        frame.to_csv(files[f"{name}.csv"], index=False)
    return RunTables(files, FOLDER)
