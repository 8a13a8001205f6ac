"""Every printed number beside ours, with a class that says how near they are.

Classes, for a printed cell of which we have a value:

``within interval``  the printed number, with half a unit of its last digit on either side, touches the 95% interval of
    ours. The interval is the bootstrap's over sentence pairs, test pairs, test items or questions (percentiles, 1,000
    draws, fixed seed): what other data of the same kind could have given, not what another corpus or seed could.
``same ordering``    it does not, but among the systems of the same row (for tables with systems in rows: the same
    column) that both the paper prints and we have, ours is above and below the same ones as the paper's. Systems that
    print alike count as agreeing. At least one other system is needed.
``differs``          neither.

Cells without a value of ours are ``no value``; on sample data all others are ``sample data``, without a difference.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

import pandas as pd

from sentrep.tables.delta_values import CellKey, Ours
from sentrep.tables.reported import Reported

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
# Not measurements: headings, signs, sentences, sizes.
TEXTS = {"heading", "mark", "dagger", "sentence", "dimension"}
SYSTEMS_IN_ROWS = {("weighted_aggregation", "1"), ("weighted_aggregation", "2"), ("siamese_cbow", "3")}


def build(papers: Mapping[str, Reported], ours: Mapping[CellKey, Ours], preset: str, sample: bool) -> pd.DataFrame:
    """Build the table of all printed numbers.

    Args:
        papers: printed values.
        ours: by cell.
        preset: name of the preset.
        sample: the data are samples.

    Returns:
        Columns :data:`COLUMNS`, in the papers' order.
    """
    printed = dict(printed_cells(papers))
    records = []
    for key, text in printed.items():
        own, number = ours.get(key), number_of(text)
        record = {"preset": preset, **dict(zip(COLUMNS[1:6], key, strict=True)), "reported": text}
        if own is None:
            records.append({**record, "class": NOTHING})
            continue
        record |= {
            "model": own.model,
            "ours": own.mean,
            "sd": own.sd,
            "low": own.low,
            "high": own.high,
            "note": own.note,
        }
        if sample:
            records.append({**record, "class": SAMPLE})
        else:
            verdict = classify(key, printed, ours)
            records.append({**record, "difference": own.mean - number, "class": verdict})
    return pd.DataFrame(records, columns=COLUMNS)


def printed_cells(papers: Mapping[str, Reported]) -> Iterator[tuple[CellKey, str]]:
    """Yield the printed numbers of numbered tables, in the papers' order."""
    for name, paper in papers.items():
        for (table, row, column, metric), text in paper.values.items():
            if table.isdigit() and metric not in TEXTS:
                yield (name, table, row, column, metric), text


def classify(key: CellKey, printed: Mapping[CellKey, str], ours: Mapping[CellKey, Ours]) -> str:
    """Return the class of one cell; see the module's text."""
    own, number = ours[key], number_of(printed[key])
    half = half_unit(printed[key])
    if own.low - half <= number <= own.high + half:
        return WITHIN
    others = [other for other in printed if other != key and other in ours and same_comparison(key, other)]
    return ORDERING if others and all(agrees(key, other, printed, ours) for other in others) else DIFFERS


def same_comparison(key: CellKey, other: CellKey) -> bool:
    """Return whether two cells are of the same measure for two systems of one table."""
    paper, table, row, column, metric = key
    if (other[0], other[1], other[4]) != (paper, table, metric):
        return False
    return other[3] == column if (paper, table) in SYSTEMS_IN_ROWS else other[2] == row


def agrees(key: CellKey, other: CellKey, printed: Mapping[CellKey, str], ours: Mapping[CellKey, Ours]) -> bool:
    """Return whether two systems stand in the same order as printed."""
    theirs = number_of(printed[key]) - number_of(printed[other])
    own = ours[key].mean - ours[other].mean
    return theirs == 0 or own * theirs > 0


def number_of(text: str) -> float:
    """Return a printed number; NaN for one such as ``<500``."""
    try:
        return float(text.replace(",", ""))
    except ValueError:
        return math.nan


def half_unit(text: str) -> float:
    """Return half a unit of a printed number's last digit: 0.00005 for ``.4379``."""
    _, _, decimals = text.replace(",", "").partition(".")
    return 0.5 * 10.0 ** -len(decimals)
