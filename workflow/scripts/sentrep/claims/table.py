"""The table of claims: statements, verdicts and our values, paper by paper."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from sentrep.claims.reading import Claims, read_claims
from sentrep.claims.run import Run
from sentrep.claims.verdicts import COLUMNS, FAILS, HOLDS, UNTESTED, judge_all
from sentrep.errors import SentrepError
from sentrep.io.files import read_json
from sentrep.io.project import WORKFLOW
from sentrep.sources.published import read_all
from sentrep.tables.layout import Cell, Row, Section, Table
from sentrep.tables.render import write_table
from sentrep.tables.values import Values

REPORTED = WORKFLOW / "reported"
VALUES, PROVENANCE = "values.csv", "provenance.json"
SAMPLE_NOTE = (
    "The texts and evaluation sets are samples, so nothing here is a verdict on a paper. Reasons say what the "
    "computation gave on these samples."
)
HEADINGS = ("verdict", "reason", "ours", "the paper", "untrained baseline", "seeds")


def write_claims(
    claims: str | Path,
    reported: Sequence[str | Path],
    values: str | Path,
    *,
    preset: str,
    sample: bool,
    record: Path | None = None,
    **outputs: str | Path,
) -> str:
    """Judge the claims and write their table.

    Args:
        claims: the list of claims, ``claims.yaml``.
        reported: files of the papers' published values.
        values: the run's table of values.
        preset: name of the run's preset.
        sample: the run's data are samples.
        record: ``provenance.json`` of a published run.
        outputs: path by format: csv, md, html.

    Returns:
        How many claims hold, do not hold and are not tested.
    """
    listed = read_claims(claims)
    verdicts = judge_all(listed, Run(Values.read(values), read_all(reported), record), preset, sample)
    write_table(build(verdicts, listed, preset, sample), verdicts, outputs)
    return counts(verdicts)


def judge_folder(folder: str | Path) -> str:
    """Write ``claims.csv``, ``.md`` and ``.html`` into the folder of a published run, and return the counts.

    Raises:
        SentrepError: the folder has no values or no record of its run.
    """
    folder = Path(folder)
    for name in (PROVENANCE, VALUES):
        if not (folder / name).exists():
            raise SentrepError(
                folder,
                expected=f"a published run with {name}",
                found="none",
                remedy="name a folder that `sentrep publish` wrote",
            )
    record = read_json(folder / PROVENANCE)
    return write_claims(
        REPORTED / "claims.yaml",
        sorted(REPORTED.glob("*.csv")),
        folder / VALUES,
        preset=record["preset"],
        sample=bool(record["evaluation"]["sample"]),
        record=folder / PROVENANCE,
        **{kind: folder / f"claims.{kind}" for kind in ("csv", "md", "html")},
    )


def build(verdicts: pd.DataFrame, claims: Claims, preset: str, sample: bool) -> Table:
    """Build the table.

    Args:
        verdicts: a row per claim, as :func:`~sentrep.claims.verdicts.judge_all` returns them.
        claims: the claims, for the papers' titles.
        preset: name of the preset.
        sample: the run's data are samples.
    """
    sections: dict[str, list[Row]] = {}
    for values in verdicts[COLUMNS].astype(str).to_numpy().tolist():
        row: dict[str, str] = dict(zip(COLUMNS, values, strict=True))
        kind = "claims" if row["kind"] == "claim" else "errors in the paper"
        heading = f"{claims.papers[row['paper']].title}: {kind}"
        verdict = Cell(row["verdict"], bold=row["verdict"] != UNTESTED)
        others = (Cell(row[name]) for name in ("reason", "ours", "evidence", "floor", "seeds"))
        stub = Cell(row["statement"], f"({row['section']})")
        sections.setdefault(heading, []).append(Row(stub, (verdict, *others)))
    return Table(
        title=f"Claims of the papers, preset {preset}: {counts(verdicts)}",
        stub="Statement",
        groups=tuple(("", (name,)) for name in HEADINGS),
        sections=tuple(Section(heading, tuple(rows)) for heading, rows in sections.items()),
        notes=(
            "A statement holds or does not hold in the results of this run. The reason says how much smaller the "
            "training data were than the paper's. Models that did not read the same text are not compared. A missing "
            "rival could only make a claim harder to meet: a claim that fails without it does not hold, and one that "
            "passes is not tested.",
            "Correlations are means over seeds under the papers' protocol, which counts pairs without a score as 0.",
            "An error in a paper holds if the computation shows it.",
        ),
        sentences=True,
        sample=sample,
        sample_note=SAMPLE_NOTE,
    )


def counts(verdicts: pd.DataFrame) -> str:
    """Return how many claims hold, do not hold and are not tested, and how many errors are shown."""
    found = list(zip(verdicts["kind"].tolist(), verdicts["verdict"].tolist(), strict=True))
    hold, fail, untested = (found.count(("claim", verdict)) for verdict in (HOLDS, FAILS, UNTESTED))
    errors = sum(kind == "error" for kind, _ in found)
    shown = found.count(("error", HOLDS))
    return f"{hold} hold, {fail} do not, {untested} are not tested; {shown} of {errors} errors in the papers are shown"
