"""Read the result files that the report presents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sentrep.errors import SentrepError
from sentrep.io.csv_files import read_csv
from sentrep.io.files import read_json
from sentrep.tables.values import Values


@dataclass(frozen=True)
class ResultFiles:
    """The files in a results folder. Only the files with the values of tables and figures are required.

    Attributes:
        root: folder ``results/`` of a run, or a folder written by ``sentrep publish``.
    """

    root: Path

    def values(self) -> Values:
        """Return the values of all tables and figures; for an unfinished run, the values computed so far.

        Raises:
            SentrepError: the folder contains no values.
        """
        path = self.root / "values.csv"
        found = [path] if path.exists() else sorted(self.root.glob("*/values/*/*.csv"))
        if not found:
            raise SentrepError(
                self.root,
                expected="values.csv, or the values of tables and figures in <preset>/values/",
                found="neither" if self.root.is_dir() else "no such folder",
                remedy="pass the folder results/ of a run, or a folder written by `sentrep publish`",
            )
        return Values.read(*found)

    def provenance(self) -> dict[str, Any]:
        """Return the contents of ``provenance.json``, or an empty dictionary if the file does not exist."""
        path = self.root / "provenance.json"
        return read_json(path) if path.exists() else {}

    def rows(self, name: str, columns: Sequence[str]) -> list[dict[str, str]]:
        """Return the rows of a CSV file as dictionaries of strings, or an empty list if the file does not exist.

        The dictionaries contain only the given columns.

        Raises:
            SentrepError: the file lacks one of ``columns``.
        """
        path = self.root / name
        if not path.exists():
            return []
        rows = read_csv(path, columns, texts=columns).filter(columns).fillna("").to_dict("records")
        return [{str(name): str(value) for name, value in row.items()} for row in rows]

    def text(self, name: str) -> str:
        """Return the contents of a text file, or "" if the file does not exist."""
        path = self.root / name
        return path.read_text(encoding="utf-8") if path.exists() else ""
