"""Define the table of values, which contains the measured values of a run and the published values.

All tables and figures, the verdicts on claims, and the report are derived from these values. The whole table is
written to ``results/values.csv``. Its columns are described in ``workflow/schemas/values.schema.json``, a Frictionless
table schema that is generated from :data:`FIELDS`.

A value is identified by the columns in :data:`KEY`: the paper, the item (a table or figure, such as ``table1``), the
row and the column as the paper names them, the metric, the evaluation protocol, the system, and a number ``x``, such as
the value on the horizontal axis of a figure. For items that are not in any paper, such as the table of all models on
all sets, the column ``paper`` contains "sentrep".

A value with a row but no column describes the row; an example is the number of pairs in an evaluation set. A value with
a column but no row describes the column or its system; an example is the normalisation of a system's sentence vectors.
A value with neither row nor column describes the whole item; examples are the name of the preset and a note below a
table. As an exception, a warning about the training of a system describes this system, but has neither row nor column.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Annotated, Any, Self, get_args, get_type_hints

import pandas as pd

from sentrep.errors import SentrepError
from sentrep.io.csv_files import read_csv, write_csv
from sentrep.io.frames import rows_where
from sentrep.sources.published import Published, published_number

KEY = ("paper", "item", "row", "column", "metric", "protocol", "system", "x")
WARNING = "training warning"
"""Metric of values whose text is a warning about the training of a system; these values have no row or column."""


@dataclass(frozen=True)
class Value:
    """A row of the table of values. The annotation of each field describes the column with the same name."""

    paper: Annotated[str, "The paper, as named in workflow/reported; 'sentrep' if the item is not in any paper."]
    item: Annotated[str, "Table or figure, such as table1, figure3 or corpus_size."]
    row: Annotated[str, "Row as the paper names it, for example the evaluation set '2012 MSRpar'."]
    column: Annotated[str, "Column as the paper names it, or the label of a system that is not in the paper."]
    metric: Annotated[str, "What the value measures or describes, such as pearson, split error, hours or preset."]
    protocol: Annotated[
        str, "Evaluation protocol or other condition, such as 'paper' or 'with query sentences', if any."
    ] = ""
    x: Annotated[float, "Position of the value on the horizontal axis of a figure or in a list."] = math.nan
    system: Annotated[
        str, "Id of the model that the value describes, if any; empty for values that are only published."
    ] = ""
    label: Annotated[str, "Name of the system in our tables."] = ""
    baseline: Annotated[bool, "Whether the system is an untrained baseline."] = False
    mean: Annotated[float, "Our value; if it was measured for several seeds, the mean over these seeds."] = math.nan
    sd: Annotated[
        float, "Standard deviation over seeds or folds (divisor n - 1); empty if there is only one seed or fold."
    ] = math.nan
    seeds: Annotated[int, "Number of seeds on which our value is based, or 0 if there are none."] = 0
    low: Annotated[
        float,
        "Lower end of the 95% confidence interval or, if our value is extrapolated, of the 95% prediction interval.",
    ] = math.nan
    high: Annotated[
        float,
        "Upper end of the 95% confidence interval or, if our value is extrapolated, of the 95% prediction interval.",
    ] = math.nan
    text: Annotated[str, "Our value if it is text instead of a number, such as a retrieved sentence."] = ""
    published: Annotated[str, "The published value as text, exactly as published."] = ""
    published_value: Annotated[float, "The published value as a number."] = math.nan
    difference: Annotated[float, "Our value minus the published one, if the two are comparable."] = math.nan
    unit: Annotated[
        str, "Unit of our value and the published one, such as percent or hours; empty if they have no unit."
    ] = ""
    missing: Annotated[str, "Reason why we have no value."] = ""
    note: Annotated[str, "Information needed to compare our value with the published one."] = ""


_KINDS = {str: "string", float: "number", int: "integer", bool: "boolean"}
# Column -> (type, description), in the order of the columns in the file.
FIELDS: dict[str, tuple[str, str]] = {
    name: (_KINDS[get_args(hint)[0]], get_args(hint)[1])
    for name, hint in get_type_hints(Value, include_extras=True).items()
}
_TEXTS = [name for name, (kind, _) in FIELDS.items() if kind == "string"]


def described(value: Value, **named: str | float) -> list[Value]:
    """Return copies of a value, each with a different metric and its own text or number.

    Args:
        value: the value to copy.
        named: one keyword argument for each copy: the name is the metric of the copy, with underscores instead of
            spaces, and the argument is the text or number of the copy.
    """
    places = {name: replace(value, metric=name.replace("_", " ")) for name in named}
    return [
        replace(places[name], text=found) if isinstance(found, str) else replace(places[name], mean=float(found))
        for name, found in named.items()
    ]


def facts(paper: str, item: str, **named: str | float) -> list[Value]:
    """Return values that describe a whole table or figure, one for each keyword argument (see :func:`described`)."""
    return described(Value(paper, item, "", "", ""), **named)


def notes(paper: str, item: str, sentences: Iterable[str]) -> list[Value]:
    """Return a value for each note below a table or figure; ``x`` is the position of the note, counted from 0."""
    return [Value(paper, item, "", "", "note", x=float(place), text=text) for place, text in enumerate(sentences)]


def with_published(
    measured: Iterable[Value],
    paper: Published,
    item: str,
    table: str | int,
    comparable: Callable[[Value], bool] | Sequence[str] | bool = True,
) -> list[Value]:
    """Combine the measured values with the published values of a table or figure.

    Each measured value is combined with the published value that has the same row, column and metric, if there is one.
    Published values without a measured counterpart are also included.

    Args:
        measured: measured values of one table or figure.
        paper: published values of a paper.
        item: name of the table or figure, used as the ``item`` of published values without a measured counterpart.
        table: number or name of the table in ``workflow/reported/<paper>.csv``.
        comparable: which measured values are comparable with published values: all (True), none (False, as for sample
            data), those measured under the listed protocols, or those for which the given function returns True.
            Differences are computed only for comparable values.

    Returns:
        The values, ordered by column and then by row. Values without a column come first. The columns of the published
        table follow in the paper's order, and then other columns in the order of their first occurrence in
        ``measured``. Within a column, the rows of the published table are in the paper's order, before all other rows.
    """
    cells = {key[1:]: text for key, text in paper.values.items() if key[0] == str(table)}
    found: dict[str, list[Value]] = {"": [], **{column: [] for column in paper.columns(table)}}
    filled = set()
    for value in measured:
        key, compared = (value.row, value.column, value.metric), value
        if text := cells.get(key, ""):
            filled.add(key)
            number = published_number(text)
            gap = value.mean - number if _comparable(value, comparable) else math.nan
            compared = replace(value, published=text, published_value=number, difference=gap)
        found.setdefault(value.column, []).append(compared)
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
    """A table of values, stored as a data frame.

    Args:
        frame: data frame with the columns in :data:`FIELDS`; missing text values are empty strings.
    """

    def __init__(self, frame: pd.DataFrame) -> None:
        self.frame = frame

    @classmethod
    def of(cls, values: Iterable[Value]) -> Self:
        """Create a table from the given values."""
        frame = pd.DataFrame([asdict(value) for value in values], columns=[field.name for field in fields(Value)])
        return cls(frame)

    @classmethod
    def read(cls, *paths: str | Path) -> Self:
        """Read one or more CSV files of values into one table.

        Raises:
            SentrepError: a file is missing, is not a CSV file or lacks a column, or several rows agree in all columns
                of :data:`KEY`.
        """
        frame = pd.concat([read_csv(path, list(FIELDS), texts=_TEXTS) for path in paths], ignore_index=True)
        frame[_TEXTS] = frame[_TEXTS].fillna("")
        # The verdicts on claims would treat two rows with the same key as values for two seeds.
        twice = frame[frame.duplicated(list(KEY))]
        if len(twice):
            raise SentrepError(
                ", ".join(str(path) for path in paths),
                expected="one row per value",
                found=f"two rows for {' '.join(str(field) for field in twice.iloc[0][list(KEY)] if field)}",
                remedy="rerun the rules that create the listed files",
            )
        return cls(frame.loc[:, list(FIELDS)])

    def write(self, path: str | Path) -> None:
        """Write the table of values to a CSV file, atomically."""
        write_csv(path, self.frame.loc[:, list(FIELDS)])

    def select(self, **wanted: Any) -> Values:
        """Return a table of the rows that match all keyword arguments.

        Each keyword is the name of a column, and its argument is the required value or a collection of allowed values.
        """
        rows = pd.Series(True, index=self.frame.index)
        for name, value in wanted.items():
            column = self.frame[name]
            rows &= column.isin(list(value)) if isinstance(value, list | tuple | set | frozenset) else column == value
        return Values(rows_where(self.frame, rows))

    def rows(self) -> list[Value]:
        """Return the rows as :class:`Value` objects, in the order of the table."""
        return [Value(*record) for record in self.frame[list(FIELDS)].itertuples(index=False, name=None)]

    def __len__(self) -> int:
        return len(self.frame)


def table_schema() -> dict[str, Any]:
    """Return the Frictionless table schema of the table of values."""
    columns = [{"name": name, "type": kind, "description": text} for name, (kind, text) in FIELDS.items()]
    return {"fields": columns, "primaryKey": list(KEY), "missingValues": [""]}


def columns_page() -> str:
    """Return a Markdown table that describes the columns of the table of values, for the documentation."""
    key = [f"| `{name}` | {kind} | {text} |" for name, (kind, text) in FIELDS.items()]
    return "\n".join(["| column | type | content |", "|---|---|---|", *key]) + "\n"
