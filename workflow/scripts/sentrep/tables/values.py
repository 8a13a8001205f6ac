"""The table of values: one row for each measured or published value of a run.

Every table, figure, claim and the report is a view of this table, ``results/values.csv``. Its columns are described in
``workflow/schemas/values.schema.json``, a Frictionless table schema that is made from :data:`FIELDS`.

A value is identified by :data:`KEY`: the paper and the item (``table1``, ``figure3``) that it belongs to, its row and
column as the paper names them, the metric, the evaluation protocol, the system, and, for figures, the value on the
horizontal axis. Paper ``sentrep`` holds the items that no paper has, such as the table of all models on all sets.

Values without a column describe a row (the number of pairs of an evaluation set). Values without a row and a column are
facts of the item (the name of the preset, a sentence for its notes).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any, Self

import pandas as pd

from sentrep.io.csv_files import read_csv, write_csv
from sentrep.io.frames import rows_where
from sentrep.sources.published import Published, published_number

KEY = ("paper", "item", "row", "column", "metric", "protocol", "system", "x")

# Column -> (type, what it holds), in the order of the file.
FIELDS: dict[str, tuple[str, str]] = {
    "paper": ("string", "The paper, as its file in workflow/reported is called; 'sentrep' for items of our own."),
    "item": ("string", "Table or figure: table1, figure3, corpus_size."),
    "row": ("string", "Row as the paper names it, such as an evaluation set: '2012 MSRpar'."),
    "column": ("string", "Column as the paper names it, or the label of a system that the paper does not have."),
    "metric": ("string", "What is measured: pearson, accuracy, split error, hours."),
    "protocol": ("string", "Evaluation protocol, where there are several: paper or official, kiros or senteval."),
    "x": ("number", "Figures: value on the horizontal axis."),
    "system": ("string", "Id of the model that was evaluated; empty if the value is published only."),
    "label": ("string", "The system's name in our tables."),
    "baseline": ("boolean", "Whether the system is an untrained baseline."),
    "mean": ("number", "Our value: the mean over seeds."),
    "sd": ("number", "Standard deviation over seeds (n - 1); empty for one seed."),
    "seeds": ("integer", "Number of seeds; 0 if there is no value of ours."),
    "low": ("number", "Lower end of the 95% confidence interval."),
    "high": ("number", "Upper end of the 95% confidence interval."),
    "text": ("string", "Our value where it is no number, such as a retrieved sentence."),
    "published": ("string", "The published value, as published."),
    "published_value": ("number", "The published value as a number."),
    "difference": ("number", "Our value minus the published one, where the two are comparable."),
    "unit": ("string", "Unit of the values: percent, seconds, hours; empty for correlations and other plain numbers."),
    "missing": ("string", "Why there is no value of ours."),
    "note": ("string", "What a reader must know to compare the two values."),
}
_TEXTS = [name for name, (kind, _) in FIELDS.items() if kind == "string"]


@dataclass(frozen=True)
class Value:
    """One measured value, before a published one is put next to it; attributes as in :data:`FIELDS`."""

    paper: str
    item: str
    row: str
    column: str
    metric: str
    protocol: str = ""
    x: float = math.nan
    system: str = ""
    label: str = ""
    baseline: bool = False
    mean: float = math.nan
    sd: float = math.nan
    seeds: int = 0
    low: float = math.nan
    high: float = math.nan
    text: str = ""
    published: str = ""
    published_value: float = math.nan
    difference: float = math.nan
    unit: str = ""
    missing: str = ""
    note: str = ""


def facts(paper: str, item: str, **named: str | float) -> list[Value]:
    """Return facts of an item.

    Args:
        paper: as in :data:`FIELDS`.
        item: as in :data:`FIELDS`.
        named: text or number of each fact; underscores in a name stand for spaces.
    """
    found = []
    for name, fact in named.items():
        empty = Value(paper, item, "", "", name.replace("_", " "))
        found.append(replace(empty, text=fact) if isinstance(fact, str) else replace(empty, mean=float(fact)))
    return found


def notes(paper: str, item: str, sentences: Iterable[str]) -> list[Value]:
    """Return sentences to be shown below an item, in order."""
    return [Value(paper, item, "", "", "note", x=float(place), text=text) for place, text in enumerate(sentences)]


def with_published(
    measured: Iterable[Value],
    paper: Published,
    item: str,
    table: str | int,
    comparable: Callable[[Value], bool] | Sequence[str] | bool = True,
) -> list[Value]:
    """Put the published value next to each measured one, and add what is published only.

    Args:
        measured: values of one item.
        paper: the paper's published values.
        item: the item, as in :data:`FIELDS`.
        table: the paper's name of it in ``workflow/published``.
        comparable: which measured values are of the same data as the published ones, so that a difference means
            something: a test of a value, the names of protocols, or all or none (sample data).

    Returns:
        Values without a column, then the systems in the paper's order, measured or published only, then the systems
        that the paper does not have, in the order given.
    """
    cells = {key[1:]: text for key, text in paper.values.items() if key[0] == str(table)}
    found: dict[str, list[Value]] = {"": [], **{column: [] for column in paper.columns(table)}}
    filled = set()
    for value in measured:
        key = (value.row, value.column, value.metric)
        if text := cells.get(key, ""):
            filled.add(key)
            number = published_number(text)
            gap = value.mean - number if _comparable(value, comparable) else math.nan
            value = replace(value, published=text, published_value=number, difference=gap)
        found.setdefault(value.column, []).append(value)
    for (row, column, metric), text in cells.items():
        if (row, column, metric) not in filled:
            only = Value(paper.path.stem, item, row, column, metric, label=column)
            found[column].append(replace(only, published=text, published_value=published_number(text)))
    order = {row: place for place, row in enumerate(paper.rows(table))}
    last = len(order)
    return [value for of in found.values() for value in sorted(of, key=lambda value: order.get(value.row, last))]


def _comparable(value: Value, comparable: Callable[[Value], bool] | Sequence[str] | bool) -> bool:
    if isinstance(comparable, bool):
        return comparable
    return comparable(value) if callable(comparable) else value.protocol in comparable


class Values:
    """A table of values in memory.

    Args:
        frame: columns :data:`FIELDS`; texts are never missing.
    """

    def __init__(self, frame: pd.DataFrame) -> None:
        self.frame = frame

    @classmethod
    def of(cls, values: Iterable[Value]) -> Self:
        """Return the table of some values."""
        frame = pd.DataFrame([asdict(value) for value in values], columns=[field.name for field in fields(Value)])
        return cls(frame)

    @classmethod
    def read(cls, *paths: str | Path) -> Self:
        """Read one or several files of values, one below the other.

        Raises:
            SentrepError: a file is missing or has other columns.
        """
        frame = pd.concat([read_csv(path, list(FIELDS), texts=_TEXTS) for path in paths], ignore_index=True)
        frame[_TEXTS] = frame[_TEXTS].fillna("")
        return cls(frame.loc[:, list(FIELDS)])

    def write(self, path: str | Path) -> None:
        """Write the table atomically."""
        write_csv(path, self.frame.loc[:, list(FIELDS)])

    def select(self, **wanted: Any) -> Values:
        """Return the rows whose columns have these values; a list, tuple or set allows any of its members."""
        rows = pd.Series(True, index=self.frame.index)
        for name, value in wanted.items():
            column = self.frame[name]
            rows &= column.isin(list(value)) if isinstance(value, list | tuple | set | frozenset) else column == value
        return Values(rows_where(self.frame, rows))

    def rows(self) -> list[Value]:
        """Return the values one by one, in the order of the table."""
        return [Value(*record) for record in self.frame[list(FIELDS)].itertuples(index=False, name=None)]

    def __len__(self) -> int:
        return len(self.frame)


def table_schema() -> dict[str, Any]:
    """Return the Frictionless table schema of the columns."""
    columns = [{"name": name, "type": kind, "description": text} for name, (kind, text) in FIELDS.items()]
    return {"fields": columns, "primaryKey": list(KEY), "missingValues": [""]}


def columns_page() -> str:
    """Return the columns as a Markdown table, for the documentation."""
    key = [f"| `{name}` | {kind} | {text} |" for name, (kind, text) in FIELDS.items()]
    return "\n".join(["| column | type | content |", "|---|---|---|", *key]) + "\n"
