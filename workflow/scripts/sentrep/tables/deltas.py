"""Every published number next to ours, with a class for their agreement.

Classes of a published cell for which we have a value:

``within interval``  the published number, give or take half a unit of its last digit, touches the 95% interval of ours.
    The interval is a bootstrap over sentence pairs, test pairs, test items or questions (percentiles, 1,000 draws,
    fixed seed): it covers the variation over data of the same kind, not over corpora or seeds.
``same ordering`` it does not, but among the systems of the same row (or of the same column, for tables with systems in
rows) for which both values exist, our value is above and below the same systems as the published one. Systems with
equal published values count as agreeing. At least one other system is needed. ``differs`` neither.

Cells without a value of ours are ``no value``; on sample data, all other cells are ``sample data``, without a
difference.
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
# Metrics that are not measurements: headings, signs, sentences, sizes.
TEXTS = {"heading", "mark", "dagger", "sentence", "dimension"}
# Protocols whose values are compared with published ones.
PROTOCOLS = {"", "paper", "kiros", "kim", "with query sentences", "projected"}
# Items that contain values of a table of another name.
TABLE_OF = {("quick_thoughts", "training_time"): "1"}
SYSTEMS_IN_ROWS = {("weighted_aggregation", "1"), ("weighted_aggregation", "2"), ("siamese_cbow", "3")}


def build(papers: Mapping[str, Published], values: Iterable[Value], preset: str, sample: bool) -> pd.DataFrame:
    """Build the table of all published numbers.

    Args:
        papers: published values.
        values: values of all items.
        preset: name of the preset.
        sample: the data are samples.

    Returns:
        Columns :data:`COLUMNS`, in the papers' order.
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
    """Return our value for each published cell: that of the last system with a value under the paper's protocol."""
    found: dict[CellKey, Value] = {}
    for value in values:
        table = TABLE_OF.get((value.paper, value.item), value.item.removeprefix("table"))
        key = (value.paper, table, value.row, value.column, value.metric)
        if key in published and not math.isnan(value.mean) and value.protocol in PROTOCOLS:
            found[key] = value
    return found


def published_cells(papers: Mapping[str, Published]) -> Iterator[tuple[CellKey, str]]:
    """Yield the key and the published text of each numeric cell in the papers' tables, in the papers' order."""
    for name, paper in papers.items():
        for (table, row, column, metric), text in paper.values.items():
            if table.isdigit() and metric not in TEXTS:
                yield (name, table, row, column, metric), text


def classify(key: CellKey, published: Mapping[CellKey, str], ours: Mapping[CellKey, Value]) -> str:
    """Return the class of a cell; see the module docstring."""
    own, number = ours[key], published_number(published[key])
    half = half_unit(published[key])
    if own.low - half <= number <= own.high + half:
        return WITHIN
    others = [other for other in published if other != key and other in ours and same_comparison(key, other)]
    return ORDERING if others and all(agrees(key, other, published, ours) for other in others) else DIFFERS


def same_comparison(key: CellKey, other: CellKey) -> bool:
    """Return whether two cells have the same measure for two systems of the same table."""
    paper, table, row, column, metric = key
    if (other[0], other[1], other[4]) != (paper, table, metric):
        return False
    return other[3] == column if (paper, table) in SYSTEMS_IN_ROWS else other[2] == row


def agrees(key: CellKey, other: CellKey, published: Mapping[CellKey, str], ours: Mapping[CellKey, Value]) -> bool:
    """Return whether two systems have the same order as published."""
    theirs = published_number(published[key]) - published_number(published[other])
    own = ours[key].mean - ours[other].mean
    return theirs == 0 or own * theirs > 0


def half_unit(text: str) -> float:
    """Return half a unit of the last digit of a published number: 0.00005 for ``.4379``."""
    _, _, decimals = text.replace(",", "").partition(".")
    return 0.5 * 10.0 ** -len(decimals)
