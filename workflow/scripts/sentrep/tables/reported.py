"""The numbers the papers print, from ``workflow/reported/<paper>.csv``: table, row, column, metric, value.

Values are kept as printed (``.4379``, ``98,804.0``); a cell without a value has no line. Where a table compares
systems, a system is a ``column``, whichever way the paper prints it, and sentence-pair sets are rows ``<year> <set>``,
so that a model's `reported` entry names a column. Beside numbers there are texts: ``mark`` (a sign after a value), and
in the row ``Section`` the ``heading`` that a column stands under. One reader serves all papers.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from sentrep.errors import SentrepError, unknown_name

COLUMNS = ["table", "row", "column", "metric", "value"]


@dataclass(frozen=True)
class Reported:
    """One paper's printed values.

    Attributes:
        path: the file, for errors.
        values: by (table, row, column, metric).
    """

    path: Path
    values: dict[tuple[str, str, str, str], str]

    def text(self, table: str | int, row: str, column: str, metric: str) -> str | None:
        """Return a value as printed; None where the paper prints none."""
        return self.values.get((str(table), row, column, metric))

    def number(self, table: str | int, row: str, column: str, metric: str) -> float:
        """Return a value as a number; NaN where the paper prints none."""
        text = self.text(table, row, column, metric)
        if text is None:
            return float("nan")
        try:
            return float(text.replace(",", ""))
        except ValueError:
            raise SentrepError(
                self.path,
                expected=f"a number for table {table}, {row}, {column}, {metric}",
                found=repr(text),
                remedy="compare it with the paper",
            ) from None

    def columns(self, table: str | int) -> list[str]:
        """Return a table's columns, in the paper's order."""
        return list(dict.fromkeys(column for number, _, column, _ in self.values if number == str(table)))

    def rows(self, table: str | int) -> list[str]:
        """Return a table's rows, in the paper's order."""
        return list(dict.fromkeys(row for number, row, _, _ in self.values if number == str(table)))


def read_reported(path: str | Path) -> Reported:
    """Read one paper's file.

    Raises:
        SentrepError: the file is missing, has other columns, or gives a value twice.
    """
    path = Path(path)
    try:
        with path.open(encoding="utf-8", newline="") as stream:
            header, *lines = list(csv.reader(stream)) or [[]]
    except FileNotFoundError:
        raise SentrepError(
            path,
            expected="a file of reported values",
            found="no file",
            remedy="restore it from the repository",
        ) from None
    if header != COLUMNS:
        raise SentrepError(
            path, expected=f"columns {','.join(COLUMNS)}", found=",".join(header), remedy="correct the header"
        )
    values: dict[tuple[str, str, str, str], str] = {}
    for number, line in enumerate(lines, 2):
        if len(line) != len(COLUMNS) or tuple(line[:4]) in values:
            raise SentrepError(
                f"{path}:{number}",
                expected="five fields, each value once",
                found=",".join(line) or "an empty line",
                remedy="correct the line",
            )
        values[line[0], line[1], line[2], line[3]] = line[4]
    return Reported(path, values)


def read_all(paths: Iterable[str | Path]) -> dict[str, Reported]:
    """Read several papers' files; a paper's name is its file's."""
    return {Path(path).stem: read_reported(path) for path in paths}


def paper_of(reported: dict[str, Reported], name: str, where: str = "models") -> Reported:
    """Return a paper's values by name.

    Raises:
        SentrepError: there is no file of that name.
    """
    if name not in reported:
        raise unknown_name(where, "paper", name, reported)
    return reported[name]
