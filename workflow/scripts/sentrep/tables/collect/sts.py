"""Collect the values of tables that show correlations with human scores on sets of sentence pairs, such as STS sets."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from sentrep.errors import SentrepError
from sentrep.evaluation.statistics.bootstrap import INTERVAL_COLUMNS
from sentrep.evaluation.sts.score_table import read_scores
from sentrep.evaluation.sts.scoring import PROTOCOLS
from sentrep.evaluation.sts.sets import CUSTOM_YEAR, LEE_DATASET
from sentrep.io.csv_files import read_csv
from sentrep.io.files import read_json
from sentrep.io.frames import rows_where
from sentrep.sources.published import Published, published_number, read_all
from sentrep.tables.collect import reads, rows_of
from sentrep.tables.collect.sts_rows import LABELS, METRICS, SeedScores, SetKey, SetRow, set_rows
from sentrep.tables.systems import Entry, Mean, mean_over_seeds, names, seed_values
from sentrep.tables.values import Value, described, facts, notes, with_published

Intervals = Mapping[tuple[Any, ...], tuple[float, float]]
"""Lower and upper ends of confidence intervals, keyed by (model, protocol, year, dataset, metric)."""
PUBLISHED_MEAN = "mean of published"
NO_SIMILARITIES = "no interval, because pair similarities are missing or a correlation is undefined in a bootstrap draw"
LEE_NOTE = (
    "The set Lee contains human similarity scores for all pairs of 50 news texts (Lee, Pincombe and Welsh, 2005). "
    "These scores are real even in a run whose other sets are sample data. None of the replicated papers uses this "
    "set, and it is not included in any mean."
)
YEARLY_NOTE = "Our averages are unweighted means over the sets of a year; published averages are copied from the paper."


def read_intervals(path: str) -> Intervals:
    """Read confidence intervals from a CSV file into a mapping keyed by (model, protocol, year, dataset, metric)."""
    keys = ["model", "protocol", "year", "dataset", "metric"]
    table = read_csv(path, INTERVAL_COLUMNS)
    bounds = zip(table["low"], table["high"], strict=True)
    return dict(zip(table[keys].itertuples(index=False, name=None), bounds, strict=True))


@reads(
    scores=read_scores,
    sets=read_json,
    reported=read_all,
    wilcoxon=rows_of(["year", "dataset", "model_a", "model_b", "p"]),
    intervals=read_intervals,
)
def sts_values(
    paper: str,
    item: str,
    *,
    scores: pd.DataFrame,
    sets: Mapping[str, Any],
    reported: Mapping[str, Published],
    models: Sequence[Entry],
    wilcoxon: pd.DataFrame | None = None,
    intervals: Intervals | None = None,
    baseline: str | None = None,
    daggers: Sequence[str] = (),
    years: Sequence[int] = (),
    protocols: Sequence[str] = PROTOCOLS,
    means: Sequence[str] = ("mean",),
    title: str = "",
) -> list[Value]:
    """Return the values of a table of correlations on sentence-pair sets.

    Args:
        paper: paper to which the values belong.
        item: name of the table or figure to which the values belong.
        scores: scores of all models, with one row for each model, seed, protocol and set.
        sets: description of the evaluation sets, including which sets are missing and whether the sets are samples.
        reported: published values by paper.
        models: systems of the table, in order.
        wilcoxon: Wilcoxon tests that compare models; if None, our values have no daggers.
        intervals: confidence intervals, as returned by :func:`read_intervals`.
        baseline: id of the model with which the tests compare the other models.
        daggers: ids of the models that daggers may mark. The p-values for these models have the metric ``wilcoxon p``,
            and those for untrained baselines have the metric ``wilcoxon p of the untrained``.
        years: years of the sets to include; all by default.
        protocols: evaluation protocols to include.
        means: the means over sets that the table shows as rows: "mean" (of all sets), "year" (of the sets of each
            year) and "overall" (of all sets, weighted by their numbers of pairs; only for tables of the sets of 2014).
        title: title of the table, or an empty string if the configuration sets no title.

    Raises:
        SentrepError: the scores of a model for one of its seeds are missing, or there are no tests that compare a model
            in ``daggers`` with the baseline.
    """
    sample = bool(sets["sample"])
    shown = [protocol for protocol in PROTOCOLS if protocol in protocols]
    chosen = rows_where(scores, scores["protocol"].isin(shown) & (scores["year"].isin(years) if years else True))
    own = {entry["id"]: _per_seed(chosen, entry) for entry in models if entry["id"]}
    rows = [row for protocol in shown for row in set_rows(chosen, protocol, own, sets, sample, means)]
    bounds = intervals or {}
    systems: list[Value] = []
    for entry in models:
        tested = entry["id"] in daggers or (daggers and entry["id"] and entry["baseline"])
        tests = _tests(wilcoxon, entry["id"], baseline, entry["id"] in daggers) if tested else {}
        metric = "wilcoxon p" if entry["id"] in daggers else "wilcoxon p of the untrained"
        for row in rows:
            empty = Value(paper, item, row.name, metric="", protocol=row.protocol, **names(entry))
            measured = _measured(empty, row, entry, own.get(entry["id"], {}), bounds)
            if entry["reported"]:
                measured = _with_published(measured, row, entry["reported"], reported)
            systems += [v for v in measured if entry["id"] or v.published or not math.isnan(v.published_value)]
            key = next(iter(row.weights))
            if row.protocol == PROTOCOLS[0] and len(row.weights) == 1 and key in tests:
                systems.append(replace(empty, metric=metric, mean=tests[key]))
    means_of_rows = list(_published_means(paper, item, rows, models, reported))
    labels = {entry["id"]: entry["label"] for entry in models}
    more: dict[str, str | float] = {"pairs": sets["pairs"], "scored_pairs": sets["scored_pairs"]}
    if title:
        more["title"] = title
    if baseline in labels:
        more["baseline"] = labels[baseline]
    return [
        *facts(paper, item, **more),
        *notes(paper, item, [*([YEARLY_NOTE] if "year" in means else []), *_sentences(sets, years)]),
        *(value for row in rows for value in _row_facts(paper, item, row, means_of_rows)),
        *_unknown_words(paper, item, rows, chosen),
        *systems,
        *means_of_rows,
        *(_rest(item, reported[paper], systems) if paper in reported else []),
    ]


def _rest(item: str, published: Published, systems: Sequence[Value]) -> list[Value]:
    """Return the published values that ``systems`` lacks: headings, and values in rows that we did not measure."""
    columns = {value.column for value in systems}
    shown = {(value.row, value.column, value.metric) for value in systems if value.published}
    rest = with_published([], published, item, item.removeprefix("table"))
    return [v for v in rest if v.column in columns and (v.row, v.column, v.metric) not in shown]


def _per_seed(scores: pd.DataFrame, entry: Entry) -> SeedScores:
    """Return the correlations of a model: for each (protocol, metric, set), a list with one value for each seed."""
    found: dict[tuple[str, str, SetKey], Sequence[float]] = {}
    for metric in METRICS:
        values = seed_values(scores, entry, ["protocol", "year", "dataset"], metric, "scores.csv")
        for (protocol, year, dataset), of_seeds in values.items():
            found[protocol, metric, (int(year), dataset)] = of_seeds
    return found


def _measured(
    empty: Value,
    row: SetRow,
    entry: Entry,
    own: SeedScores,
    intervals: Intervals,
) -> list[Value]:
    """Return the correlations of one system in a row of the table.

    The correlations are NaN if the system has only published values.
    """
    found = []
    for metric in METRICS:
        value = replace(empty, metric=metric)
        if entry["id"]:
            absent = [math.nan] * len(entry["seeds"])
            total = sum(row.weights.values())
            parts = [np.array(own.get((row.protocol, metric, k), absent)) * w for k, w in row.weights.items()]
            mean: Mean = mean_over_seeds(list(np.sum(parts, axis=0) / total))
            low, high = intervals.get((entry["id"], row.protocol, row.year, row.interval, metric), (math.nan, math.nan))
            value = replace(value, mean=mean.mean, sd=mean.sd, seeds=mean.seeds, low=low, high=high)
            if math.isnan(mean.mean):
                value = replace(value, missing=row.note)
            elif intervals and entry["reported"] and row.interval and row.protocol == PROTOCOLS[0] and math.isnan(low):
                value = replace(value, note=NO_SIMILARITIES)
        found.append(value)
    return found


def _with_published(
    values: Sequence[Value], row: SetRow, reported: Mapping[str, Any], published: Mapping[str, Published]
) -> list[Value]:
    """Add the published correlations to our values, and append a value for the published dagger of the row, if any.

    If the published mean of a row is missing, the mean of the published values of the row's sets is used.
    """
    paper, found = published[reported["paper"]], []
    for value in values:
        text = paper.text(reported["table"], row.name, reported["column"], value.metric) or ""
        number = published_number(text) if text else _mean_of_published(row, reported, paper, value.metric)
        gap = value.mean - number if row.comparable else math.nan
        found.append(replace(value, published=text, published_value=number, difference=gap))
    if row.protocol == PROTOCOLS[0] and (text := paper.text(reported["table"], row.name, reported["column"], "dagger")):
        found.append(replace(values[0], metric="dagger", mean=math.nan, sd=math.nan, seeds=0, published=text))
    return found


def _mean_of_published(row: SetRow, reported: Mapping[str, Any], paper: Published, metric: str) -> float:
    place = (reported["column"], metric)
    sets = {f"{year} {LABELS.get((year, name), name)}": weight for (year, name), weight in row.weights.items()}
    numbers = [paper.number(reported["table"], name, *place) * weight for name, weight in sets.items()]
    return sum(numbers) / sum(sets.values())


def _published_means(
    paper: str, item: str, rows: Sequence[SetRow], models: Sequence[Entry], published: Mapping[str, Published]
) -> Iterator[Value]:
    """Yield recomputed means that differ from the published means.

    The means are recomputed from the published correlations of single sets. Differences up to :func:`_tolerance` are
    ignored.
    """
    for entry in models:
        for row in rows if entry["reported"] else ():
            source, reported = published[entry["reported"]["paper"]], entry["reported"]
            text = source.text(reported["table"], row.name, reported["column"], METRICS[0])
            mean = _mean_of_published(row, reported, source, METRICS[0])
            if text and len(row.weights) > 1 and abs(published_number(text) - mean) > _tolerance(text):
                note = f"the mean of the published values of the sets is {mean:.{_decimals(text)}f}"
                value = Value(paper, item, row.name, metric=PUBLISHED_MEAN, protocol=row.protocol, **names(entry))
                yield replace(value, mean=mean, text=note)


def _tolerance(text: str) -> float:
    """Return the accepted difference between a published mean and the mean of the published values of its sets.

    The result is 0.001 if the published mean has at least three decimals. Otherwise, it is slightly larger than the
    largest difference that rounding can cause.
    """
    return 1.01 * 10.0 ** -_decimals(text) if _decimals(text) < 3 else 0.001


def _decimals(text: str) -> int:
    return len(text.partition(".")[2])


def _row_facts(paper: str, item: str, row: SetRow, means: Sequence[Value]) -> Iterator[Value]:
    empty = Value(paper, item, row.name, "", "", row.protocol)
    year = {} if row.year is None else {"year": row.year}
    wrong = ", ".join(f"{v.label} {v.mean:.4f}" for v in means if (v.row, v.protocol) == (row.name, row.protocol))
    wrong = (
        f"means of the published values of the sets, for systems with a different published mean: {wrong}"
        if wrong
        else ""
    )
    note = "; ".join(part for part in (wrong, row.note) if part)
    yield replace(empty, metric="heading", text=row.heading, note=note)
    yield from described(empty, dataset=row.dataset, **year, pairs=row.pairs, scored_pairs=row.scored_pairs)


def _unknown_words(paper: str, item: str, rows: Sequence[SetRow], scores: pd.DataFrame) -> Iterator[Value]:
    """Yield the percentage of unknown words for each row.

    For a row that shows a mean over sets, the percentages are averaged with the weights that the sets have in this
    mean. The percentages are those of the first model for which ``scores`` contains shares of unknown words.
    """
    if "oov_rate" not in scores or (counted := rows_where(scores, scores["oov_rate"].notna())).empty:
        return
    first = rows_where(counted, counted["model"] == counted["model"].iloc[0])
    rates = first.groupby(["protocol", "year", "dataset"])["oov_rate"].first().to_dict()
    for row in rows:
        found = [(rates.get((row.protocol, *key), math.nan), weight) for key, weight in row.weights.items()]
        if not any(math.isnan(rate) for rate, _ in found):
            mean = sum(rate * weight for rate, weight in found) / sum(weight for _, weight in found)
            yield Value(paper, item, row.name, "", "unknown words", row.protocol, mean=100 * mean, unit="percent")


def _sentences(sets: Mapping[str, Any], years: Sequence[int]) -> list[str]:
    found = []
    if years:
        gaps = [gap for gap in sets["missing"] if gap["year"] in years]
        found += [f"No data for {gap['dataset']}: {gap['reason']}." for gap in gaps]
    else:
        if any(entry["dataset"] == LEE_DATASET for entry in sets["sets"]):
            found.append(LEE_NOTE)
        if own := [entry["dataset"] for entry in sets["sets"] if entry["year"] == CUSTOM_YEAR]:
            found.append(f"Custom sets (`evaluation.own`), which are not included in any mean: {', '.join(own)}.")
    return [*found, *(f"{note}." for note in sets.get("notes", []))]


def _tests(wilcoxon: pd.DataFrame | None, model: str, baseline: str | None, needed: bool = True) -> dict[SetKey, float]:
    """Return, for each set, the p-value of the Wilcoxon test that compares a model with the baseline.

    Raises:
        SentrepError: ``needed`` is True, but no test compares the model with the baseline. Without this error, a
            missing dagger would wrongly suggest that the two models do not differ significantly.
    """
    if wilcoxon is None or baseline is None:
        return {}
    pair = wilcoxon[["model_a", "model_b"]].apply(frozenset, axis=1) if len(wilcoxon) else pd.Series(dtype=object)
    tests = wilcoxon[pair == frozenset((model, baseline))]
    if tests.empty and needed:
        raise SentrepError(
            "wilcoxon.csv",
            expected=f"Wilcoxon tests between {model} and {baseline}",
            found="none",
            remedy="run `snakemake --forcerun wilcoxon`",
        )
    return {(int(y), str(d)): float(p) for y, d, p in zip(tests["year"], tests["dataset"], tests["p"], strict=True)}
