"""Collect the values of the tables and figures on weighted aggregation (De Boom et al., 2016).

The split error is the mean of the error rates on related and on non-related pairs. Published split errors are in
percent. ``workflow/reported/weighted_aggregation.csv`` also contains the weights from the authors' released code as the
table "released weights", because figure 3 of the paper plots the weights without giving numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import Any, cast

import numpy as np
import pandas as pd
from scipy.special import stdtrit

from sentrep.aggregation.evaluation import BINOMIAL_COLUMNS, HISTOGRAM_COLUMNS, METRIC_COLUMNS
from sentrep.errors import unknown_name
from sentrep.io.csv_files import read_csv
from sentrep.io.files import read_json
from sentrep.io.frames import as_float, rows_where
from sentrep.sources.published import Published, read_published
from sentrep.tables.collect import NO_INTERVAL, each, reads, rows_of
from sentrep.tables.numbers import fixed
from sentrep.tables.systems import mean_over_seeds
from sentrep.tables.values import Value, described, facts, notes, with_published
from sentrep.tables.weighted_figures import NON_RELATED, OURS, RELATED, RELEASED

ERROR, DIVERGENCE, UNBIASED = "split error", "js divergence", "js divergence, unbiased"
CONFIGURED = "as in table 1"  # protocol of the values of columns that are not variants
CONTRASTIVE, MEDIAN = "Learned weights, contrastive", "Learned weights, median"
_PAPER = "weighted_aggregation"


@reads(metrics=each(METRIC_COLUMNS), binomial=each(BINOMIAL_COLUMNS), reported=read_published)
def error_values(
    number: int,
    columns: Sequence[Mapping[str, Any]],
    metrics: Sequence[pd.DataFrame],
    binomial: Sequence[pd.DataFrame],
    reported: Published,
    sample: bool,
) -> list[Value]:
    """Return the values of table 1 or 2 of De Boom et al.: split errors and Jensen-Shannon divergences.

    Split errors have 95% confidence intervals. Each column of the table shows the results for the word vectors of one
    model on one set of pairs.

    Args:
        number: number of the table in the paper.
        columns: for each column of the table, a mapping with the keys label, reported (name of the column in the
            paper) and seeds.
        metrics: results of all methods, one data frame for each column and seed, ordered by column and then by seed.
        binomial: binomial tests that compare the methods, in the same order as ``metrics``; only the tests for the
            first seed of each column are used.
        reported: published values.
        sample: whether the pairs come from sample data.
    """
    item = f"table{number}"
    compared, further, sentences = [], [], []
    measured, in_pairs = _by_column(columns, metrics), _by_column(columns, binomial)
    for column, of_seeds, of_tests in zip(columns, measured, in_pairs, strict=True):
        label, tested, results, tests = column["label"], [], of_seeds[0], of_tests[0]
        for row in _over_seeds(of_seeds):
            value = Value(_PAPER, item, row["method"], column["reported"], "", label=label, seeds=row["seeds"])
            compared.append(replace(value, metric=ERROR, unit="percent", note=label, **_error(row)))
            compared.append(replace(value, metric=DIVERGENCE, mean=row["js_authors"], note=f"{label}; {NO_INTERVAL}"))
            further.append(replace(value, metric=UNBIASED, mean=row["js_unbiased"]))
            further += described(value, split=row["split"], pairs=row["pairs"])
            if row["method"] == MEDIAN:
                tested = _tests(value, results, tests)
                further += tested
        sentences.append(_note(label, results, tested))
    further += notes(_PAPER, item, sentences)
    return [*with_published(compared, reported, item, number, not sample), *further]


@reads(metrics=each(METRIC_COLUMNS))
def variant_values(columns: Sequence[Mapping[str, Any]], metrics: Sequence[pd.DataFrame]) -> list[Value]:
    """Return the split errors for columns of tables 1 and 2 of De Boom et al., and for variants of these columns.

    A variant repeats the evaluation of a column with other parameters or options. The row of a value is the method, the
    column is the label of the original column, and the protocol is the label of the variant (:data:`CONFIGURED` for the
    original column).

    Args:
        columns: for each original column and each variant, a mapping with the keys label (of the original column),
            variant (label of the variant, or "" for the original column) and seeds.
        metrics: results of all methods, one data frame for each entry of ``columns`` and each of its seeds, ordered by
            entry and then by seed.
    """
    found = []
    for column, of_seeds in zip(columns, _by_column(columns, metrics), strict=True):
        for row in _over_seeds(of_seeds):
            value = Value(_PAPER, "variants", row["method"], column["label"], ERROR, column["variant"] or CONFIGURED)
            value = replace(value, label=row["method"], seeds=row["seeds"], unit="percent", **_error(row))
            found += [value, *described(value, pairs=row["pairs"])]
    return found


def _by_column(columns: Sequence[Mapping[str, Any]], frames: Sequence[pd.DataFrame]) -> list[list[pd.DataFrame]]:
    """Split a list of data frames into one list for each column, with one data frame for each seed of the column."""
    rest = iter(frames)
    return [[next(rest) for _ in column["seeds"]] for column in columns]


def _over_seeds(frames: Sequence[pd.DataFrame]) -> list[dict[str, Any]]:
    """Return one dictionary for each method, with the split error and the divergences averaged over seeds.

    Each dictionary also contains the number of seeds, the standard deviation of the split error over seeds, and the 95%
    confidence interval of the mean split error. The other entries are the results for the first seed.

    The distance from the mean to each end of the interval is ``sqrt(b**2 + t**2)``. Here, b is the distance from the
    split error to the corresponding end of the bootstrap interval over test pairs, averaged over seeds, and t is half
    the width of the t-interval over seeds (0 for one seed).

    Args:
        frames: results of all methods, one data frame for each seed.
    """
    rows = frames[0].to_dict("records")
    for place, row in enumerate(rows):
        every = pd.DataFrame([frame.iloc[place] for frame in frames])
        error = mean_over_seeds(every["error"].tolist())
        spread = 0.0 if np.isnan(error.sd) else float(stdtrit(error.seeds - 1, 0.975)) * error.sd / np.sqrt(error.seeds)
        low, high = (as_float((every[end] - every["error"]).abs().mean()) for end in ("error_low", "error_high"))
        row |= {"error": error.mean, "error_sd": error.sd, "seeds": error.seeds}
        row |= {"error_low": error.mean - np.hypot(low, spread), "error_high": error.mean + np.hypot(high, spread)}
        row |= {name: as_float(every[name].mean()) for name in ("js_authors", "js_unbiased")}
    return cast("list[dict[str, Any]]", rows)


def _error(row: Mapping[str, Any]) -> dict[str, float]:
    names = {"mean": "error", "sd": "error_sd", "low": "error_low", "high": "error_high"}
    return {field: 100 * row[name] for field, name in names.items()}


def _tests(value: Value, results: pd.DataFrame, tests: pd.DataFrame) -> list[Value]:
    """Return the p-values of the binomial tests that compare the method :data:`MEDIAN` with other methods.

    The other methods are the best method without trained weights and, if it was evaluated, :data:`CONTRASTIVE`.
    """
    errors = results.set_index("method")["error"]
    baselines = cast("pd.Series", errors[[not str(name).startswith("Learned weights") for name in errors.index]])
    rivals = [str(baselines.idxmin()), *([CONTRASTIVE] if CONTRASTIVE in errors else [])]
    p = tests.set_index(["reference", "method"])["p"]
    return [
        replace(value, row=rival, metric="binomial p", mean=as_float(p[rival, MEDIAN]), note=f"error of {MEDIAN}")
        for rival in rivals
    ]


def _note(label: str, results: pd.DataFrame, tests: Sequence[Value]) -> str:
    """Return a note with the number of test pairs and the p-values of the binomial tests for one table column."""
    first = results.iloc[0]
    empty = int(first["pairs_with_empty_text"])
    known = f"; in {empty:,} of them, at least one text has no known words" if empty else ""
    rivals = " and that of ".join(f'"{test.row}" {_p(test.mean)}' for test in tests)
    tested = f' A two-tailed binomial test compares the error rate of "{MEDIAN}" with that of {rivals}.'
    return f"{label}: {int(first['pairs']):,} test pairs{known}.{tested if tests else ''}"


def _p(p: float) -> str:
    return "(p < .001)" if p < 0.001 else f"(p = {fixed(p, 3, leading_zero=False)})"


@reads(table=read_csv)
def kappa_values(table: pd.DataFrame) -> list[Value]:
    """Return the values of ``kappa.csv``: the cross-validated split error for each value of kappa.

    Kappa is the parameter of the median loss. The errors are means over folds, and they are compared with the smallest
    of these means (see :func:`sentrep.aggregation.kappa.cross_validate_kappa`). The ``x`` of a value is kappa.
    """
    value = Value(_PAPER, "kappa", MEDIAN, "", "error")
    values = []
    for row in table.to_dict("records"):
        at = replace(value, x=row["kappa"])
        values.append(replace(at, mean=row["error"], sd=row["error_sd"]))
        values += described(at, **{name: float(row[name]) for name in ("behind", "behind_se", "plateau", "least")})
    return values


@reads(table=read_csv)
def pair_values(table: pd.DataFrame) -> list[Value]:
    """Return the values of ``pairs.csv``: numbers of pairs, and the minimum, mean and maximum text length in words.

    The row of a value is the source of the pairs. The column is the split or, for omitted pairs or texts, a note on
    what was omitted and why. The protocol is "related" or "non-related"; it is empty for counts that do not make this
    distinction.
    """
    values = []
    for row in table.to_dict("records"):
        related = {True: "related", False: "non-related"}.get(row["related"], "")
        counted = pd.isna(row["note"])
        value = Value(_PAPER, "pairs", row["source"], row["split"] if counted else row["note"], "", related)
        names = ("pairs", "words_least", "words_mean", "words_most") if counted else ("pairs",)
        values += described(value, **{name: float(row[name]) for name in names})
    return values


@reads(histograms=rows_of(HISTOGRAM_COLUMNS))
def distance_values(histograms: pd.DataFrame, method: str) -> list[Value]:
    """Return the values of figure 2 of De Boom et al.: histograms of the distances between paired texts.

    There is one histogram for the related and one for the non-related validation pairs. The ``x`` of a value is the
    lower edge of a bin; the upper edge of the last bin is a separate value with the metric ``last edge``.

    Args:
        histograms: histograms for all methods.
        method: name of the method to show.

    Raises:
        SentrepError: there is no histogram for the method.
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


def _read_weights(folders: Sequence[str]) -> list[dict[str, Any]]:
    return [read_json(Path(folder) / "weights.json") for folder in folders]


@reads(learnt=_read_weights, reported=read_published)
def weight_values(
    models: Sequence[Mapping[str, Any]], learnt: Sequence[Mapping[str, Any]], reported: Published
) -> list[Value]:
    """Return the values of figure 3 of De Boom et al.: the weights of words in order of descending idf.

    The ``x`` of a weight is the rank of the word, starting at 1. The column is the name of the loss, followed by the
    number of weights if the first model with the same loss has a different number of weights. Weights are means over
    the seeds of a model.

    Args:
        models: for each model and seed, a mapping with the keys id, loss and seed, ordered by model.
        learnt: contents of ``weights.json`` for each entry of ``models``: the weights, the number of updates, the
            reason why training stopped, and the change in the weights towards the end of training
            (:attr:`sentrep.aggregation.learning.Learnt.shape_change`).
        reported: published values, including the table "released weights".
    """
    values = []
    first: dict[str, int] = {}
    for _, group in groupby(zip(models, learnt, strict=True), key=lambda pair: pair[0]["id"]):
        entries = list(group)
        loss, words = entries[0][0]["loss"], len(entries[0][1]["weights"])
        column = loss if first.setdefault(loss, words) == words else f"{loss}, {words} words"
        value = Value(_PAPER, "figure3", "", column, "", system=entries[0][0]["id"], seeds=len(entries))
        found = [content for _, content in entries]
        values += _curve(replace(value, row=OURS), [content["weights"] for content in found])
        updates = mean_over_seeds([content["updates"] for content in found]).mean
        stopped = "; ".join(dict.fromkeys(content["stopped"] for content in found))
        values += described(value, updates=updates, stopped=stopped)
        for entry, content in entries:
            if content.get("shape_change") is not None:
                of_seed = replace(value, row=OURS, x=float(entry["seed"]), seeds=1)
                values += described(of_seed, shape_change=content["shape_change"])
    for loss in reported.columns(RELEASED):
        weights = [reported.number(RELEASED, row, loss, "weight") for row in reported.rows(RELEASED)]
        values += _curve(Value(_PAPER, "figure3", RELEASED, loss, ""), [weights])
    return values


def _curve(value: Value, weights: Sequence[Sequence[float]]) -> list[Value]:
    """Return the means over seeds of the weights and of the relative weights.

    A relative weight is a weight divided by the largest absolute value of all weights trained with the same seed.

    Args:
        value: template for the returned values; its row, column and system identify the curve.
        weights: for each seed, the weights in order of descending idf.
    """
    absolute = np.asarray(weights, dtype=np.float64)
    relative = absolute / np.abs(absolute).max(axis=1, keepdims=True)
    values = []
    for metric, curves in (("weight", absolute), ("relative weight", relative)):
        for index, found in enumerate(curves.T.tolist(), 1):
            mean = mean_over_seeds(found)
            values.append(replace(value, metric=metric, x=float(index), mean=mean.mean, sd=mean.sd))
    return values
