"""The table of claims: statements, verdicts and our numbers, paper by paper."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from sentrep.claims.reading import Claim
from sentrep.claims.verdicts import FAILS, HOLDS, UNTESTED
from sentrep.tables.layout import Cell, Row, Section, Table

SAMPLE_NOTE = (
    "Sample texts and hand-written sample sets: nothing here is a verdict on a paper. Where a reason says what the "
    "computation gave, it gave it on these samples."
)
HEADINGS = ("verdict", "reason", "ours", "the paper", "floor", "seeds")


def build(verdicts: pd.DataFrame, claims: Sequence[Claim], preset: str, sample: bool) -> Table:
    """Build the table.

    Args:
        verdicts: a row per claim, in the order of ``claims``.
        claims: what is judged.
        preset: name of the preset.
        sample: the run's data are samples.
    """
    sections: dict[str, list[Row]] = {}
    for claim, row in zip(claims, verdicts.to_dict("records"), strict=True):
        heading = f"{claim.title}: {'claims' if claim.kind == 'claim' else 'errors in the paper'}"
        cells = (row["verdict"], row["reason"], row["ours"], row["evidence"], row["floor"], row["seeds"])
        stub = Cell(row["statement"], f"({row['section']})")
        first = Cell(cells[0], bold=row["verdict"] != UNTESTED)
        sections.setdefault(heading, []).append(Row(stub, (first, *(Cell(str(text)) for text in cells[1:]))))
    return Table(
        title=f"Claims of the papers, preset {preset}: {counts(verdicts)}",
        stub="Statement",
        groups=tuple(("", (name,)) for name in HEADINGS),
        sections=tuple(Section(heading, tuple(rows)) for heading, rows in sections.items()),
        notes=(
            "A statement holds or does not hold in the run's own results; the reason says how much smaller training "
            "data were. Models that did not read the same text are not compared. A rival that is missing could only "
            "make a claim harder: if it fails without the rival it does not hold, if it passes it is not tested.",
            "Correlations are means over seeds under the papers' protocol, which counts pairs without a score as 0.",
            "An error in a paper holds where the computation shows it.",
        ),
        sentences=True,
        sample=sample,
        sample_note=SAMPLE_NOTE,
    )


def counts(verdicts: pd.DataFrame) -> str:
    """Say how many claims hold, do not hold, are not tested, and how many errors are shown."""
    claims = verdicts.loc[verdicts["kind"] == "claim", "verdict"].value_counts()
    errors = verdicts.loc[verdicts["kind"] == "error", "verdict"].value_counts()
    told = f"{claims.get(HOLDS, 0)} hold, {claims.get(FAILS, 0)} do not, {claims.get(UNTESTED, 0)} are not tested"
    return f"{told}; {errors.get(HOLDS, 0)} of {errors.sum()} errors in the papers are shown"
