"""Compare every published number with our value, and classify how well the two numbers agree.

Each published number gets one of these classes:

``within interval``
    The published number is in the 95% confidence interval of our value, extended at both ends by half a unit of the
    last published digit. The interval comes from a percentile bootstrap over sentence pairs, test pairs, test items or
    questions, with 1,000 draws (10,000 for split errors) and a fixed seed. It accounts for the random choice of test
    data, but not for differences between our training corpus and the paper's. Only the intervals of our split errors
    also account for differences between seeds.
``same ordering``
    The published number of a system is outside that interval, or our value has no interval. However, our values rank
    the system above and below the same other systems as the published numbers do. The other systems are those in the
    same row (or in the same column, for tables with systems in rows) for which there is both a published number and a
    value of ours; there must be at least one. If two published numbers are equal, our values may have either order.
``differs``
    Neither of the two conditions above holds.
``no value``
    We have no value to compare with the published number.
``sample data``
    We have a value, but it was computed from sample data. No difference is reported.
"""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Iterator, Mapping

import pandas as pd

from sentrep.sources.published import Published, published_number
from sentrep.tables.values import Value

CellKey = tuple[str, str, str, str, str]  # paper, table, row, column, metric

COLUMNS = [
    "preset",
    "paper",
    "table",
    "row",
    "column",
    "metric",
    "reported",
    "model",
    "ours",
    "sd",
    "low",
    "high",
    "difference",
    "class",
    "note",
]
WITHIN, ORDERING, DIFFERS, NOTHING, SAMPLE = "within interval", "same ordering", "differs", "no value", "sample data"
# Metrics of published entries that are not measurements.
TEXTS = {"heading", "mark", "dagger", "sentence", "dimension"}
# Protocols whose values are compared with published values.
PROTOCOLS = {"", "paper", "kiros", "kim", "with query sentences", "projected"}
# The published table to which the values of an item belong, if the table and the item have different names.
TABLE_OF = {("quick_thoughts", "training_time"): "1"}
SYSTEMS_IN_ROWS = {("weighted_aggregation", "1"), ("weighted_aggregation", "2"), ("siamese_cbow", "3")}


def build(papers: Mapping[str, Published], values: Iterable[Value], preset: str, sample: bool) -> pd.DataFrame:
    """Return a table that compares every published number with our value.

    Args:
        papers: published values by paper.
        values: our values for all items.
        preset: name of the preset.
        sample: whether our values were computed from sample data.

    Returns:
        One row for each published number, in the order of the papers, with the columns :data:`COLUMNS`.
    """
    published = dict(published_cells(papers))
    ours = measured_cells(values, published)
    records = []
    for key, text in published.items():
        record = {"preset": preset, **dict(zip(COLUMNS[1:6], key, strict=True)), "reported": text}
        own = ours.get(key)
        if own is None:
            records.append({**record, "class": NOTHING})
            continue
        record |= {name: getattr(own, name) for name in ("sd", "low", "high", "note")}
        record |= {"model": own.system, "ours": own.mean, "class": SAMPLE}
        if not sample:
            number = published_number(text)
            record |= {"difference": own.mean - number, "class": classify(key, published, ours)}
        records.append(record)
    return pd.DataFrame(records, columns=COLUMNS)


def measured_cells(values: Iterable[Value], published: Container[CellKey]) -> dict[CellKey, Value]:
    """Return our values that correspond to published numbers, keyed by paper, table, row, column and metric.

    Values that are NaN or were not measured under a protocol of the papers (:data:`PROTOCOLS`) are ignored.

    Args:
        values: our values for all items. If several values have the same key, the last one is used.
        published: keys of the published numbers.
    """
    found: dict[CellKey, Value] = {}
    for value in values:
        table = TABLE_OF.get((value.paper, value.item), value.item.removeprefix("table"))
        key = (value.paper, table, value.row, value.column, value.metric)
        if key in published and not math.isnan(value.mean) and value.protocol in PROTOCOLS:
            found[key] = value
    return found


def published_cells(papers: Mapping[str, Published]) -> Iterator[tuple[CellKey, str]]:
    """Yield the key and the published text of each numeric cell in the papers' tables, paper by paper."""
    for name, paper in papers.items():
        for (table, row, column, metric), text in paper.values.items():
            if table.isdigit() and metric not in TEXTS:
                yield (name, table, row, column, metric), text


def classify(key: CellKey, published: Mapping[CellKey, str], ours: Mapping[CellKey, Value]) -> str:
    """Return the class of a published number for which we have a value; the module docstring defines the classes."""
    own, number = ours[key], published_number(published[key])
    half = half_unit(published[key])
    if own.low - half <= number <= own.high + half:
        return WITHIN
    others = [other for other in published if other != key and other in ours and same_comparison(key, other)]
    return ORDERING if others and all(agrees(key, other, published, ours) for other in others) else DIFFERS


def same_comparison(key: CellKey, other: CellKey) -> bool:
    """Return whether two cells contain values of two systems that can be compared with each other.

    Such cells have the same metric and are in the same row of one table or, if the table has systems in rows, in the
    same column.
    """
    paper, table, row, column, metric = key
    if (other[0], other[1], other[4]) != (paper, table, metric):
        return False
    return other[3] == column if (paper, table) in SYSTEMS_IN_ROWS else other[2] == row


def agrees(key: CellKey, other: CellKey, published: Mapping[CellKey, str], ours: Mapping[CellKey, Value]) -> bool:
    """Return whether our values rank two systems in the published order; True if the published values are equal."""
    theirs = published_number(published[key]) - published_number(published[other])
    own = ours[key].mean - ours[other].mean
    return theirs == 0 or own * theirs > 0


def half_unit(text: str) -> float:
    """Return half a unit of the last digit of a published number, for example 0.00005 for ``.4379``."""
    _, _, decimals = text.replace(",", "").partition(".")
    return 0.5 * 10.0 ** -len(decimals)
