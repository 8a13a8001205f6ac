"""Our values for printed cells: where each result table holds the value of a paper's table, row, column and metric."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

import pandas as pd

from sentrep.evaluation.statistics.bootstrap import share_interval
from sentrep.evaluation.transfer.tasks import PAPER_PROTOCOLS
from sentrep.tables.reported import Reported

CellKey = tuple[str, str, str, str, str]  # paper, table, row, column, metric
SAMPLE_MARK = " (sample)"
RANKING = {"annotation": "Image Annotation", "search": "Image Search"}
RECALLS = ("r@1", "r@5", "r@10", "median rank")
POOL = "with query sentences"
NO_INTERVAL = "no interval: the bootstrap needs what single items gave"


class Ours(NamedTuple):
    """Our value of one printed cell.

    Attributes:
        model: id.
        mean: over seeds.
        sd: over seeds (n - 1); NaN for one.
        low: of the bootstrap's 95% interval; NaN without one.
        high: of it.
        note: on what differs from the paper's cell, or why there is no interval.
    """

    model: str
    mean: float
    sd: float = math.nan
    low: float = math.nan
    high: float = math.nan
    note: str = ""


def transfer_values(table: pd.DataFrame, paper: str, number: int, seed: int) -> Iterator[tuple[CellKey, Ours]]:
    """Read tables 1 to 3 of Quick Thoughts: a row per system, task and metric; accuracies in percent."""
    compared = table["ours"].notna() & table["printed"].notna() & table["protocol"].isin(PAPER_PROTOCOLS)
    for row in table[compared].to_dict("records"):
        key = (paper, str(number), str(row["task"]).removesuffix(SAMPLE_MARK), str(row["printed"]), str(row["metric"]))
        low, high, note = math.nan, math.nan, NO_INTERVAL
        if row["metric"] == "accuracy":
            low, high = (100 * end for end in share_interval(row["ours"] / 100, row["items"], seed))
            note = ""
        yield key, Ours(str(row["model"]), float(row["ours"]), float(row["sd"]), low, high, note)


def retrieval_values(table: pd.DataFrame, paper: str, number: int, seed: int) -> Iterator[tuple[CellKey, Ours]]:
    """Read table 4 of Quick Thoughts: both directions of retrieval side by side."""
    for row in table[table["model"].notna()].to_dict("records"):
        for direction, printed in RANKING.items():
            for metric in RECALLS:
                value, sd = row.get(f"{direction} {metric}"), row.get(f"{direction} {metric} sd", math.nan)
                if value is not None and not math.isnan(value):
                    ours = Ours(str(row["model"]), float(value), float(sd), note=NO_INTERVAL)
                    yield (paper, str(number), printed, str(row["system"]), metric), ours


def analogy_values(table: pd.DataFrame, paper: str, number: int, seed: int) -> Iterator[tuple[CellKey, Ours]]:
    """Read table 6 of Quick Thoughts: the share of analogies solved, by relation."""
    relations = [name.removesuffix(" questions") for name in table.columns if name.endswith(" questions")]
    for row in table[(table["pool"] == POOL) & table["system"].notna()].to_dict("records"):
        for relation in relations:
            value = row.get(relation, math.nan)
            if not math.isnan(value):
                low, high = share_interval(float(value), float(row[f"{relation} questions"]), seed)
                key = (paper, str(number), relation, str(row["system"]), "retrieval")
                yield key, Ours(str(row["model"]), float(value), float(row.get(f"{relation} sd", math.nan)), low, high)


def hour_values(table: pd.DataFrame, paper: str, number: int, seed: int) -> Iterator[tuple[CellKey, Ours]]:
    """Read the training times of Quick Thoughts, table 1: hours, projected to the paper's corpus."""
    for row in table[table["projected hours"].notna()].to_dict("records"):
        note = f"projected to the paper's corpus; {row['device']}, another device than the paper's"
        key = (paper, str(number), "Training time", str(row["printed"]), "hours")
        yield key, Ours(str(row["model"]), float(row["projected hours"]), note=note)


def size_values(table: pd.DataFrame, paper: str, number: int, seed: int) -> Iterator[tuple[CellKey, Ours]]:
    """Read table 9 of Quick Thoughts: hours and mean accuracy by size of the vectors."""
    for row in table.to_dict("records"):
        cell = (paper, str(number), f"{row['size']:g}", "MC-QT")
        if not pd.isna(row["projected hours"]):
            note = f"projected to the paper's corpus; {row['device']}, another device than the paper's"
            yield (*cell, "hours"), Ours("quick_thoughts_mc", float(row["projected hours"]), note=note)
        if not pd.isna(row["mean accuracy"]):
            yield (*cell, "accuracy"), Ours("quick_thoughts_mc", float(row["mean accuracy"]))


def time_values(table: pd.DataFrame, paper: str, number: int, seed: int) -> Iterator[tuple[CellKey, Ours]]:
    """Read table 3 of Siamese CBOW: seconds for all pairs and for one; another processor than the paper's."""
    timed = {"siamese_cbow": "Siamese CBOW (300d)", "word2vec_cbow": "word2vec (300d)"}
    for row in table[table["one by one seconds"].notna()].to_dict("records"):
        printed = timed.get(str(row["model"]))
        if printed:
            note = f"another processor than the paper's; {int(row['pairs']):,} pairs"
            for column, name in (("20 sets", "one by one seconds"), ("1 pair", "one by one seconds per pair")):
                key = (paper, str(number), printed, column, "seconds")
                yield key, Ours(str(row["model"]), float(row[name]), note=note)


def error_values(table: pd.DataFrame, reported: Reported, number: int) -> Iterator[tuple[CellKey, Ours]]:
    """Read tables 1 and 2 of weighted aggregation: split errors (with their own bootstrap) and divergences.

    The table repeats the printed errors, by which a printed column is known, whatever word vectors stand in for the
    paper's.
    """
    paper = reported.path.stem
    columns = reported.columns(number)
    for label, rows in table[table["error"].notna() & table["reported_error"].notna()].groupby("column", sort=False):
        pairs = list(zip(rows["method"], rows["reported_error"], strict=True))
        of = [c for c in columns if all(reported.number(number, m, c, "split error") == e for m, e in pairs)]
        if len(of) != 1:
            continue
        for row in rows.to_dict("records"):
            place = (paper, str(number), str(row["method"]), of[0])
            bounds = float(row["error_low"]), float(row["error_high"])
            yield (*place, "split error"), Ours("", float(row["error"]), math.nan, *bounds, note=str(label))
            note = f"{label}; {NO_INTERVAL}"
            yield (*place, "js divergence"), Ours("", float(row["js"]), note=note)


# Result file below results/ -> reader, paper, number of its table.
READERS: dict[str, tuple[Callable[..., Iterator[tuple[CellKey, Ours]]], str, int]] = {
    "quick_thoughts/table1.csv": (transfer_values, "quick_thoughts", 1),
    "quick_thoughts/table2.csv": (transfer_values, "quick_thoughts", 2),
    "quick_thoughts/table3.csv": (transfer_values, "quick_thoughts", 3),
    "quick_thoughts/table4.csv": (retrieval_values, "quick_thoughts", 4),
    "quick_thoughts/table6.csv": (analogy_values, "quick_thoughts", 6),
    "quick_thoughts/table9.csv": (size_values, "quick_thoughts", 9),
    "quick_thoughts/training_time.csv": (hour_values, "quick_thoughts", 1),
    "siamese_cbow/table3.csv": (time_values, "siamese_cbow", 3),
}
ERROR_TABLES = {"weighted_aggregation/table1.csv": 1, "weighted_aggregation/table2.csv": 2}


def table_values(tables: Mapping[str, pd.DataFrame], papers: Mapping[str, Reported], seed: int) -> dict[CellKey, Ours]:
    """Return our values of all tables at hand, by the printed cell.

    Args:
        tables: by path below results/.
        papers: printed values.
        seed: of the bootstrap.
    """
    found: dict[CellKey, Ours] = {}
    for name, table in tables.items():
        if name in READERS:
            reader, paper, number = READERS[name]
            found.update(reader(table, paper, number, seed))
        elif name in ERROR_TABLES:
            found.update(error_values(table, papers["weighted_aggregation"], ERROR_TABLES[name]))
    return found


def table_files() -> Sequence[str]:
    """Return the tables that are read, by path below results/."""
    return [*READERS, *ERROR_TABLES]
