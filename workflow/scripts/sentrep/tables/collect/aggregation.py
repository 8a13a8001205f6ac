"""Values of the weighted aggregation paper (De Boom et al. 2016).

Published split errors are in percent. ``workflow/reported/weighted_aggregation.csv`` also holds the weights of the
authors' released code, as table "released weights": Figure 3 of the paper shows them without numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

import numpy as np
import pandas as pd

from sentrep.aggregation.evaluation import BINOMIAL_COLUMNS, HISTOGRAM_COLUMNS, METRIC_COLUMNS
from sentrep.errors import unknown_name
from sentrep.io.csv_files import read_csv
from sentrep.io.files import read_json
from sentrep.io.frames import as_float, rows_where
from sentrep.sources.published import Published, read_published
from sentrep.tables.collect import NO_INTERVAL
from sentrep.tables.numbers import fixed
from sentrep.tables.values import Value, facts, notes, with_published
from sentrep.tables.weighted_figures import NON_RELATED, OURS, RELATED, RELEASED

ERROR, DIVERGENCE, UNBIASED = "split error", "js divergence", "js divergence, unbiased"
CONTRASTIVE, MEDIAN = "Learned weights, contrastive", "Learned weights, median"
_PAPER = "weighted_aggregation"


@dataclass(frozen=True)
class Column:
    """One data set with one set of word vectors.

    Attributes:
        label: our heading, which names the word vectors.
        reported: the published column that it is compared with.
        metrics: ``metrics.csv`` of :func:`sentrep.aggregation.evaluation.evaluate`.
        binomial: tests between the methods, from the same.
    """

    label: str
    reported: str
    metrics: pd.DataFrame
    binomial: pd.DataFrame


def error_values(number: int, columns: Sequence[Column], paper: Published, *, sample: bool) -> list[Value]:
    """Return the values of Table 1 or 2: split errors with their bootstrap intervals, and divergences.

    Args:
        number: number of the table in the paper.
        columns: data sets, in the paper's order.
        paper: the paper's published values.
        sample: whether the pairs are made from the sample texts.
    """
    item = f"table{number}"
    compared, described = [], []
    for column in columns:
        for row in column.metrics.to_dict("records"):
            value = Value(_PAPER, item, row["method"], column.reported, "", label=column.label, seeds=1)
            error = {"mean": 100 * row["error"], "low": 100 * row["error_low"], "high": 100 * row["error_high"]}
            compared.append(replace(value, metric=ERROR, unit="percent", note=column.label, **error))
            note = f"{column.label}; {NO_INTERVAL}"
            compared.append(replace(value, metric=DIVERGENCE, mean=row["js_authors"], note=note))
            described.append(replace(value, metric=UNBIASED, mean=row["js_unbiased"]))
            described.append(replace(value, metric="split", mean=row["split"]))
            described.append(replace(value, metric="pairs", mean=row["pairs"]))
            described += _tests(value, column) if row["method"] == MEDIAN else []
    described += notes(_PAPER, item, (_note(column) for column in columns))
    return [*with_published(compared, paper, item, number, not sample), *described]


def _tests(value: Value, column: Column) -> list[Value]:
    """Return the binomial tests of the median-based weights: against the best baseline and the contrastive weights."""
    errors = column.metrics.set_index("method")["error"]
    if MEDIAN not in errors:
        return []
    baselines = cast("pd.Series", errors[[not str(name).startswith("Learned weights") for name in errors.index]])
    rivals = [str(baselines.idxmin()), *([CONTRASTIVE] if CONTRASTIVE in errors else [])]
    tests = column.binomial.set_index(["reference", "method"])["p"]
    return [
        replace(value, row=rival, metric="binomial p", mean=as_float(tests[rival, MEDIAN]), note=f"error of {MEDIAN}")
        for rival in rivals
    ]


def _note(column: Column) -> str:
    """Return the sentence that says how many pairs a column has, and what the binomial tests find."""
    first = column.metrics.iloc[0]
    empty = int(first["pairs_with_empty_text"])
    known = f"; {empty:,} with a text without a known word" if empty else ""
    tests = [(value.row, value.mean) for value in _tests(Value(_PAPER, "", MEDIAN, "", ""), column)]
    rivals = ", and of ".join(f"{rival} {_p(p)}" for rival, p in tests)
    tested = f" Two-tailed binomial test of {MEDIAN} against the error rate of {rivals}." if tests else ""
    return f"{column.label}: {int(first['pairs']):,} test pairs{known}.{tested}"


def _p(p: float) -> str:
    return "(p < .001)" if p < 0.001 else f"(p = {fixed(p, 3, leading_zero=False)})"


def kappa_values(table: pd.DataFrame) -> list[Value]:
    """Return the values of ``kappa.csv``: the error of the median loss by kappa, over folds.

    Args:
        table: as :func:`sentrep.aggregation.kappa.cross_validate_kappa` returns it.
    """
    value = Value(_PAPER, "kappa", MEDIAN, "", "error")
    values = []
    for row in table.to_dict("records"):
        at = replace(value, x=row["kappa"])
        values.append(replace(at, mean=row["error"], sd=row["error_sd"]))
        names = ("behind", "behind_se", "plateau", "least")
        values += [replace(at, metric=name.replace("_", " "), mean=float(row[name])) for name in names]
    return values


def pair_values(table: pd.DataFrame) -> list[Value]:
    """Return the values of ``pairs.csv``: numbers of pairs and of words in their texts.

    A row is a source; a column is a split, or the reason why pairs were left out.

    Args:
        table: as :func:`sentrep.aggregation.evaluation.count_pairs` returns it.
    """
    values = []
    for row in table.to_dict("records"):
        related = {True: "related", False: "non-related"}.get(row["related"], "")
        counted = pd.isna(row["note"])
        value = Value(_PAPER, "pairs", row["source"], row["split"] if counted else row["note"], "pairs", related)
        values.append(replace(value, mean=float(row["pairs"])))
        names = ("words_least", "words_mean", "words_most") if counted else ()
        values += [replace(value, metric=name.replace("_", " "), mean=float(row[name])) for name in names]
    return values


def distance_values(histograms: pd.DataFrame, method: str) -> list[Value]:
    """Return the values of Figure 2: numbers of related and other pairs by distance, the lower end of a bin as x.

    Args:
        histograms: columns method, low, high, related, non_related.
        method: the method to draw.

    Raises:
        SentrepError: there is no such method.
    """
    chosen = rows_where(histograms, histograms["method"] == method)
    if chosen.empty:
        raise unknown_name("figure2", "method", method, histograms["method"].unique())
    return [
        *facts(_PAPER, "figure2", last_edge=as_float(chosen["high"].max())),
        *(
            Value(_PAPER, "figure2", method, "Twitter", metric, x=row["low"], mean=row[column])
            for column, metric in (("related", RELATED), ("non_related", NON_RELATED))
            for row in chosen.to_dict("records")
        ),
    ]


def weight_values(learnt: Sequence[Mapping[str, Any]], paper: Published) -> list[Value]:
    """Return the values of Figure 3: weights by their index in the order of descending idf, as x.

    Args:
        learnt: entries with id, loss, seed, weights (a sequence), updates, stopped.
        paper: the paper's published values, with the table "released weights".
    """
    values = []
    for entry in learnt:
        about: dict[str, Any] = {"column": entry["loss"], "system": entry["id"], "seeds": 1}
        values += _curve(Value(_PAPER, "figure3", OURS, metric="", **about), entry["weights"])
        values += [
            Value(_PAPER, "figure3", "", metric="seed", mean=entry["seed"], **about),
            Value(_PAPER, "figure3", "", metric="updates", mean=entry["updates"], **about),
            Value(_PAPER, "figure3", "", metric="stopped", text=entry["stopped"], **about),
        ]
    for loss in paper.columns(RELEASED):
        weights = [paper.number(RELEASED, row, loss, "weight") for row in paper.rows(RELEASED)]
        values += _curve(Value(_PAPER, "figure3", RELEASED, loss, ""), weights)
    return values


def _curve(value: Value, weights: Sequence[float]) -> list[Value]:
    largest = float(np.abs(weights).max())
    return [
        replace(value, metric=metric, x=float(index), mean=float(weight) / divisor)
        for index, weight in enumerate(weights, 1)
        for metric, divisor in (("weight", 1.0), ("relative weight", largest))
    ]


def collect_errors(source: Any, params: Any) -> list[Value]:
    """Return the values of Table 1 or 2; inputs are ``<column>_metrics`` and ``<column>_binomial`` of each column."""
    columns = [
        Column(
            column["label"],
            column["reported"],
            read_csv(source[f"{column['name']}_metrics"], METRIC_COLUMNS),
            read_csv(source[f"{column['name']}_binomial"], BINOMIAL_COLUMNS),
        )
        for column in params.columns
    ]
    paper = read_published(source.reported)
    return error_values(params.number, columns, paper, sample=params.sample)


def collect_kappa(source: Any, _params: Any) -> list[Value]:
    """Return the values of ``kappa.csv``."""
    return kappa_values(read_csv(source.table))


def collect_pairs(source: Any, _params: Any) -> list[Value]:
    """Return the values of ``pairs.csv``."""
    return pair_values(read_csv(source.table))


def collect_distances(source: Any, params: Any) -> list[Value]:
    """Return the values of Figure 2."""
    histograms = read_csv(source.histograms, HISTOGRAM_COLUMNS)
    return distance_values(histograms, params.method)


def collect_weights(source: Any, params: Any) -> list[Value]:
    """Return the values of Figure 3; ``params.models`` has id, loss and seed of each model folder, in order."""
    learnt = [
        {**model, **read_json(Path(folder) / "weights.json")}
        for model, folder in zip(params.models, source.models, strict=True)
    ]
    return weight_values(learnt, read_published(source.reported))
