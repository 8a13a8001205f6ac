"""Combine the verdicts of several published runs into one table.

The runs are considered in a given order of precedence. The verdict on each claim comes from the first run that decides
the claim, or whose interval is based on test items or on at least five seeds. If there is no such run, the verdict
comes from the first run that tests the claim.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd

from sentrep.claims.decision import FAILS, HOLDS, UNDECIDED, UNTESTED
from sentrep.claims.reading import read_claims
from sentrep.claims.table import KINDS, REPORTED, counts, margin_text
from sentrep.claims.verdicts import COLUMNS, corrected
from sentrep.errors import SentrepError
from sentrep.io.csv_files import read_csv
from sentrep.tables.layout import Cell, Row, Section, Table
from sentrep.tables.render import write_table

_OTHER_RUN = re.compile("^this run lacks (?!these )|(is|are) not part of this run$")
"""Pattern that matches the reason for a verdict if the run lacks the models or the table that the test needs."""
_ENOUGH_SEEDS = 5
_HEADINGS = (
    "verdict",
    "after Holm's correction",
    "run",
    "margin (95% interval)",
    "seeds",
    "resampled units",
    "would be decided by",
    "other runs",
)


def write_overview(folders: Sequence[str | Path], stem: str | Path) -> str:
    """Combine the verdicts of several published runs into one table, and write it as CSV, Markdown and HTML files.

    Args:
        folders: folders of published runs, each with a ``claims.csv``. Earlier folders take precedence.
        stem: path of the output files without their suffixes, such as ``results/published/claims``.

    Returns:
        A sentence that states the number of claims for each verdict, how many of our own statements hold, and how many
        errors in the papers are confirmed.

    Raises:
        SentrepError: a folder has no ``claims.csv``, the file is damaged or lacks a column, or its list of claims
            differs from the list in the first folder.
    """
    runs: dict[str, pd.DataFrame] = {}
    for folder in map(Path, folders):
        table = read_csv(folder / "claims.csv", COLUMNS, texts=COLUMNS).fillna("")
        first = next(iter(runs.values()), table)
        if table["id"].tolist() != first["id"].tolist():
            raise SentrepError(
                folder / "claims.csv",
                expected=f"the same claims as in {Path(folders[0]) / 'claims.csv'}",
                found="a different list of claims",
                remedy=f"judge the claims of both runs again with `sentrep claims {folders[0]} {folder}`",
            )
        runs[folder.name] = table
    frame = combine(runs)
    write_table(_build(frame, list(runs)), frame, {kind: f"{stem}.{kind}" for kind in ("csv", "md", "html")})
    return counts(frame)


def combine(runs: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Return one row per claim, from the first run that decides the claim or has enough data for a useful interval.

    If there is no such run, the row comes from the first run that tests the claim. If no run tests the claim, a run
    that has all required models and tables is preferred, because the reason in its row says what else prevents the
    test.

    Args:
        runs: the table of claims of each run, keyed by the name of the run, in order of precedence. Each table has the
            columns :data:`~sentrep.claims.verdicts.COLUMNS`, and all tables have the same claims in the same order.

    Returns:
        A table with the columns of the tables in ``runs``, and two more: ``run`` is the name of the run from which the
        row comes (empty if no run tests the claim), and ``other_runs`` lists the verdicts of all other runs that test
        the claim. ``p_holm`` and ``corrected`` are computed again for the chosen verdicts.
    """
    chosen = []
    for rows in zip(*(table.to_dict("records") for table in runs.values()), strict=True):
        tested = [(name, row) for name, row in zip(runs, rows, strict=True) if row["verdict"] != UNTESTED]
        untested = sorted((("", row) for row in rows), key=lambda pair: bool(_OTHER_RUN.search(pair[1]["reason"])))
        first = [pair for pair in tested if _is_informative(pair[1])] or tested or untested
        name, row = first[0]
        others = "; ".join(f"{other}: {values['verdict']}" for other, values in tested if other != name)
        chosen.append({**row, "run": name, "other_runs": others})
    frame = pd.DataFrame(chosen, columns=[*COLUMNS, "run", "other_runs"])
    again = corrected(frame.assign(p=pd.to_numeric(frame["p"])))
    return again.assign(p_holm=[float(f"{p:.4g}") for p in again["p_holm"]])


def _is_informative(row: Mapping[str, str]) -> bool:
    """Return whether a run decides a claim, or has an interval that is based on test items or on at least five seeds.

    An interval without a lower or an upper end does not count. With fewer seeds and no test items, intervals are so
    wide that they could hardly decide any claim.
    """
    has_interval = all(math.isfinite(float(row[end] or "inf")) for end in ("low", "high"))
    enough = "items" in row["basis"] or min(map(int, re.findall(r"\d+", row["seeds"])), default=0) >= _ENOUGH_SEEDS
    return row["verdict"] != UNDECIDED or (has_interval and enough)


def _build(frame: pd.DataFrame, runs: Sequence[str]) -> Table:
    papers = read_claims(REPORTED / "claims.yaml").papers
    sections: dict[str, list[Row]] = {}
    for row in frame.astype(str).to_dict("records"):
        verdict = Cell(row["verdict"], bold=row["verdict"] in (HOLDS, FAILS))
        texts = [row["corrected"], row["run"], margin_text(row), row["seeds"], row["basis"]]
        texts += [row["reason"] if row["verdict"] == UNTESTED else row["needed"], row["other_runs"]]
        heading = f"{papers[row['paper']].title}: {KINDS[row['kind']]}"
        cells = (verdict, *map(Cell, texts))
        sections.setdefault(heading, []).append(Row(Cell(row["statement"], f"({row['section']})"), cells))
    return Table(
        title=f"Verdicts on the papers' claims, combined from several published runs: {counts(frame)}",
        stub="Statement",
        groups=tuple(("", (name,)) for name in _HEADINGS),
        sections=tuple(Section(heading, tuple(rows)) for heading, rows in sections.items()),
        notes=(
            f"The runs, in order of precedence, are {', '.join(runs)}. The verdict on each statement comes from the "
            "first run that decides the statement, or in which the interval of the margin is based on test items or on "
            f"at least {_ENOUGH_SEEDS} seeds. If there is no such run, the verdict comes from the first run that tests "
            "the statement. The table of claims in each run's folder contains our values, the published values and the "
            "reason for each verdict.",
            'The column "resampled units" states what was resampled for the 95% interval of the margin.',
        ),
        sentences=True,
    )
