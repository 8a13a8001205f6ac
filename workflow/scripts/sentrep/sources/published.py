"""Read the published values of a paper from the file ``workflow/reported/<paper>.csv``.

Each line of the file describes one value, with the fields table, row, column, metric and value. Values are written as
in the paper (``.4379``, ``98,804.0``), and empty cells are omitted. In the configuration of a model, the entry
``reported`` names a column. In most tables that compare systems, the field ``column`` therefore contains the name of
the system, even if the paper shows the systems as rows. In the tables listed in ``SYSTEMS_IN_ROWS`` of
:mod:`sentrep.tables.deltas`, the field ``row`` contains the name of the system. The row for a set of sentence pairs is
named ``<year> <set>``. Some values are text; for example, a value with the metric ``mark`` is a symbol that follows
another value in the paper, and a value with the metric ``heading`` in the row ``Section`` is the section heading under
which the paper's table lists a system.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from sentrep.errors import SentrepError

OURS = "sentrep"  # used instead of a paper's name for tables and figures that belong to no paper
COLUMNS = ["table", "row", "column", "metric", "value"]


@dataclass(frozen=True)
class Published:
    """The published values of one paper.

    Attributes:
        path: path of the file, for error messages.
        values: published values as text, keyed by (table, row, column, metric).
    """

    path: Path
    values: dict[tuple[str, str, str, str], str]

    def text(self, table: str | int, row: str, column: str, metric: str) -> str | None:
        """Return the text of a published value, or None if the paper does not report it."""
        return self.values.get((str(table), row, column, metric))

    def number(self, table: str | int, row: str, column: str, metric: str) -> float:
        """Return a published value as a number, or NaN if the paper does not report it.

        Raises:
            SentrepError: the value is not a number.
        """
        text = self.text(table, row, column, metric)
        if text is None:
            return float("nan")
        try:
            return float(text.replace(",", ""))
        except ValueError:
            raise SentrepError(
                self.path,
                expected=f"a number in table {table}, row {row}, column {column}, metric {metric}",
                found=repr(text),
                remedy="replace the text with the value in the paper",
            ) from None

    def columns(self, table: str | int) -> list[str]:
        """Return the column names of a published table, in the order of their first occurrence in the file."""
        return list(dict.fromkeys(column for number, _, column, _ in self.values if number == str(table)))

    def rows(self, table: str | int) -> list[str]:
        """Return the row names of a published table, in the order of their first occurrence in the file."""
        return list(dict.fromkeys(row for number, row, _, _ in self.values if number == str(table)))


def published_number(text: str) -> float:
    """Convert a published value to a number; return NaN for text that is not a number, such as ``<500``."""
    try:
        return float(text.replace(",", ""))
    except ValueError:
        return math.nan


def read_published(path: str | Path) -> Published:
    """Read the published values of one paper from its CSV file.

    Raises:
        SentrepError: the file is missing or has unexpected columns, or a line is malformed or has the same first four
            fields as an earlier line.
    """
    path = Path(path)
    try:
        with path.open(encoding="utf-8", newline="") as stream:
            header, *lines = list(csv.reader(stream)) or [[]]
    except FileNotFoundError:
        raise SentrepError(
            path,
            expected="a file of published values",
            found="no file",
            remedy="restore the file from the repository",
        ) from None
    if header != COLUMNS:
        raise SentrepError(
            path,
            expected=f"the header {','.join(COLUMNS)}",
            found=",".join(header) or "an empty file",
            remedy="correct the header",
        )
    values: dict[tuple[str, str, str, str], str] = {}
    for number, line in enumerate(lines, 2):
        if len(line) != len(COLUMNS) or tuple(line[:4]) in values:
            raise SentrepError(
                f"{path}:{number}",
                expected="five fields, and no earlier line with the same table, row, column and metric",
                found=",".join(line) or "an empty line",
                remedy="correct or delete the line",
            )
        values[line[0], line[1], line[2], line[3]] = line[4]
    return Published(path, values)


def read_all(paths: Iterable[str | Path]) -> dict[str, Published]:
    """Read the published values of several papers; the keys of the result are the file names without the suffix."""
    return {Path(path).stem: read_published(path) for path in paths}
