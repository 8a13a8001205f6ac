"""Helpers for the tests of claims: the list of claims, and values in the form in which a view reads them."""

import math
from itertools import starmap

import yaml

from conftest import ROOT
from sentrep.claims.data import SETS, Data
from sentrep.claims.reading import TESTS, read_claims
from sentrep.claims.run import Run
from sentrep.sources.published import read_all
from sentrep.tables.values import Value, Values

FOLDER = ROOT / "workflow" / "reported"
CLAIMS = read_claims(FOLDER / "claims.yaml")
BY_ID = {claim.id: claim for claim in CLAIMS.claims}
PAPERS = read_all(sorted(FOLDER.glob("*.csv")))
MODELS = yaml.safe_load((ROOT / "workflow" / "presets" / "base.yaml").read_text())["models"]
NAMES = list(SETS)  # the 20 sets, in the order of the papers


def published_models(paper, table):
    """Map each model to the column in which the paper publishes its values."""
    return {
        model: entry["column"]
        for model, settings in MODELS.items()
        for entry in settings.get("reported", [])
        if (entry["paper"], entry["table"]) == (paper, table)
    }


def values_of(view, table, protocol=None, seeds=1, item=0, spread=math.nan):
    """Return the values of a view from {case: {compared item: number}}; intervals extend by ``spread`` to each side."""
    view = CLAIMS.views[view] if isinstance(view, str) else view
    paper, name = view.items[item].split("/")
    protocol = (view.protocols or ("",))[0] if protocol is None else protocol

    def value(case, compared, number):
        where = {"row": view.rows[0], "column": "", "metric": view.metrics[0], view.cases: case}
        where[view.compared] = float(compared) if view.compared == "x" else compared
        number = float(number)
        ends = {"low": number - spread, "high": number + spread}
        return Value(paper, name, **where, protocol=protocol, mean=number, seeds=seeds, **ends)

    return list(starmap(value, ((case, name, number) for case, row in table.items() for name, number in row.items())))


def data_of(view, table, **options):
    """Return the data that a test of a claim reads, from {case: {compared item: number}}."""
    view = CLAIMS.views[view] if isinstance(view, str) else view
    return Data(values_of(view, table, **options), view)


def outcome_of(name, cells, **changes):
    """Return the outcome of a claim's test on some values; ``changes`` replace arguments of the test."""
    claim = BY_ID[name]
    return TESTS[claim.test["name"]](Data(cells, CLAIMS.view_of(claim)), **{**claim.arguments, **changes})


def scores(a, b, official=None, seeds=1, **more):
    """Return correlations of systems a, b and others on the 20 sets under both protocols.

    The scores of a system are given as one number for all sets, or as this number and {index of a set: other number}.
    """
    table = {name: {} for name in NAMES}
    for system, numbers in {"a": a, "b": b, **more}.items():
        base, changes = numbers if isinstance(numbers, tuple) else (numbers, {})
        for place, name in enumerate(NAMES):
            table[name][system] = changes.get(place, base)
    return Data(
        values_of("sets", table, seeds=seeds) + values_of("sets", official or table, "official", seeds=seeds),
        CLAIMS.views["sets"],
    )


def without(data, row):
    """Return a copy of the data without one row."""
    return Data([value for value in data.cells if value.row != row], data.view)


def run_of(*cells, record=None):
    """Return a run that contains these values."""
    return Run(Values.of([value for part in cells for value in part]), PAPERS, record)
