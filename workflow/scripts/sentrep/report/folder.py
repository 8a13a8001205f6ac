"""What a folder of results holds: found by name, of a run or published."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sentrep.errors import SentrepError
from sentrep.io.files import read_json


@dataclass(frozen=True)
class Folder:
    """A folder of results.

    Attributes:
        root: results/ of a run, or a published folder.
        names: paths below the root that belong to the report.
        benchmarks: folder of Snakemake's benchmark files; None: ``costs.csv`` of a published folder.
    """

    root: Path
    names: frozenset[str]
    benchmarks: Path | None = None

    def has(self, name: str) -> bool:
        """Return whether a file belongs to the report."""
        return name in self.names

    def path(self, name: str) -> Path:
        """Return where a file lies."""
        return self.root / name

    def record(self) -> dict[str, Any]:
        """Return ``provenance.json``; empty if there is none."""
        return read_json(self.path("provenance.json")) if self.has("provenance.json") else {}

    def rows(self, name: str, columns: Iterable[str] = ()) -> list[dict[str, str]]:
        """Return the lines of a CSV file; none if there is no such file.

        Raises:
            SentrepError: a column is missing.
        """
        if not self.has(name):
            return []
        with self.path(name).open(encoding="utf-8", newline="") as stream:
            reader = csv.DictReader(stream)
            missing = set(columns) - set(reader.fieldnames or ())
            if missing:
                raise SentrepError(
                    self.path(name),
                    expected=f"the columns {', '.join(columns)}",
                    found=f"no {', '.join(sorted(missing))}",
                    remedy="make that file again",
                )
            return list(reader)

    def stems(self, paper: str, suffix: str) -> list[str]:
        """Return the tables (suffix html) or figures (svg) of a paper, in reading order, without the suffix."""
        here = [name for name in self.names if name.endswith(suffix) and str(Path(name).parent) == (paper or ".")]
        return sorted((name.removesuffix(suffix) for name in here), key=lambda stem: (not stem[-1].isdigit(), stem))


def of_run(results: Path, targets: Iterable[str | Path], benchmarks: Path) -> Folder:
    """Return the folder of a run; what an earlier run with other settings left there does not belong to it.

    Args:
        results: folder that the targets lie below.
        targets: files the run has made. What lies beside one under the same name but for its suffix belongs to it.
        benchmarks: folder of its benchmark files.
    """
    found = set()
    for target in map(Path, targets):
        found |= {target, *(target.with_suffix(suffix) for suffix in (".html", ".svg", ".csv"))}
    return Folder(results, frozenset(str(path.relative_to(results)) for path in found if path.exists()), benchmarks)


def published(folder: Path) -> Folder:
    """Return a published folder.

    Raises:
        SentrepError: it holds no tables.
    """
    names = {str(path.relative_to(folder)) for pattern in ("*", "*/*") for path in folder.glob(pattern)}
    if not any(name.endswith((".html", ".csv")) for name in names):
        raise SentrepError(
            folder,
            expected="a folder that `sentrep publish` has written",
            found="no tables" if folder.is_dir() else "no such folder",
            remedy="name another, such as results/published/novels",
        )
    return Folder(folder, frozenset(names - {"report.html"}))
