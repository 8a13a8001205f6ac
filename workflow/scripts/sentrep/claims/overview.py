"""One verdict per claim from several published runs: that of the first run that tests it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd

from sentrep.claims.decision import FAILS, HOLDS, UNTESTED
from sentrep.claims.reading import read_claims
from sentrep.claims.table import KINDS, REPORTED, counts, margin_text
from sentrep.claims.verdicts import COLUMNS
from sentrep.errors import SentrepError
from sentrep.io.csv_files import read_csv
from sentrep.tables.layout import Cell, Row, Section, Table
from sentrep.tables.render import write_table

_HEADINGS = (
    "verdict",
    "after Holm's correction",
    "run",
    "margin (95% interval)",
    "seeds",
    "interval over",
    "other runs",
)


def write_overview(folders: Sequence[str | Path], stem: str | Path) -> str:
    """Write the table of claims over several runs as csv, Markdown and HTML.

    Args:
        folders: published runs with ``claims.csv``. Earlier folders take precedence.
        stem: path of the files without suffix, such as ``results/published/claims``.

    Returns:
        How many claims there are with each verdict.

    Raises:
        SentrepError: a folder has no table of claims, or one of other claims.
    """
    runs: dict[str, pd.DataFrame] = {}
    for folder in map(Path, folders):
        table = read_csv(folder / "claims.csv", COLUMNS, texts=COLUMNS).fillna("")
        first = next(iter(runs.values()), table)
        if table["id"].tolist() != first["id"].tolist():
            raise SentrepError(
                folder / "claims.csv",
                expected="the same claims as in the other runs",
                found="others",
                remedy=f"judge it again: sentrep claims {folder}",
            )
        runs[folder.name] = table
    frame = combine(runs)
    write_table(_build(frame, list(runs)), frame, {kind: f"{stem}.{kind}" for kind in ("csv", "md", "html")})
    return counts(frame)


def combine(runs: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Return one row per claim: that of the first run that tests it, or of the last run.

    Args:
        runs: tables of the same claims by run, with the columns :data:`~sentrep.claims.verdicts.COLUMNS`.

    Returns:
        These columns, ``run``, and ``other_runs``: the verdicts of the runs after it that test the claim, too.
    """
    chosen = []
    for rows in zip(*(table.to_dict("records") for table in runs.values()), strict=True):
        tested = [(name, row) for name, row in zip(runs, rows, strict=True) if row["verdict"] != UNTESTED]
        name, row = tested[0] if tested else ("", rows[-1])
        others = "; ".join(f"{other}: {values['verdict']}" for other, values in tested[1:])
        chosen.append({**row, "run": name, "other_runs": others})
    return pd.DataFrame(chosen, columns=[*COLUMNS, "run", "other_runs"])


def _build(frame: pd.DataFrame, runs: Sequence[str]) -> Table:
    papers = read_claims(REPORTED / "claims.yaml").papers
    sections: dict[str, list[Row]] = {}
    for row in frame.astype(str).to_dict("records"):
        verdict = Cell(row["verdict"], bold=row["verdict"] in (HOLDS, FAILS))
        texts = [row["corrected"], row["run"], margin_text(row), row["seeds"], row["basis"], row["other_runs"]]
        heading = f"{papers[row['paper']].title}: {KINDS[row['kind']]}"
        cells = (verdict, *map(Cell, texts))
        sections.setdefault(heading, []).append(Row(Cell(row["statement"], f"({row['section']})"), cells))
    return Table(
        title=f"Claims of the papers in all published runs: {counts(frame)}",
        stub="Statement",
        groups=tuple(("", (name,)) for name in _HEADINGS),
        sections=tuple(Section(heading, tuple(rows)) for heading, rows in sections.items()),
        notes=(
            f"A claim is judged by the first of these runs that tests it: {', '.join(runs)}. Each run's own table of "
            "claims has our values, the published ones and the reason of each verdict.",
        ),
        sentences=True,
    )
