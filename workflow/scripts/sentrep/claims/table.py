"""Test the claims against the values of a run, and write the table of claims with verdicts and values."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd

from sentrep.claims.decision import FAILS, HOLDS, UNDECIDED, UNTESTED
from sentrep.claims.reading import Claims, read_claims
from sentrep.claims.run import Run
from sentrep.claims.verdicts import COLUMNS, judge_all
from sentrep.errors import SentrepError
from sentrep.evaluation.statistics.draws import read_draws
from sentrep.io.files import read_json
from sentrep.io.project import WORKFLOW
from sentrep.provenance.published_record import check_values, update_record
from sentrep.sources.published import read_all
from sentrep.tables.layout import Cell, Row, Section, Table
from sentrep.tables.render import write_table
from sentrep.tables.values import Values

REPORTED = WORKFLOW / "reported"
VALUES, PROVENANCE, DRAWS = "values.csv", "provenance.json", "draws.npz"
SAMPLE_NOTE = (
    'The texts and evaluation sets are samples, so these results are not verdicts on the papers. The column "reason" '
    "gives the verdicts computed on the samples."
)
HEADINGS = (
    "verdict",
    "after Holm's correction",
    "margin (95% interval)",
    "reason",
    "would be decided by",
    "ours",
    "the paper",
    "untrained baseline",
    "seeds",
    "test items",
    "resampled units",
)
KINDS = {"claim": "claims", "ours": "our own statements", "error": "errors in the paper"}


def write_claims(
    claims: str | Path,
    reported: Sequence[str | Path],
    values: str | Path,
    *,
    preset: str,
    sample: bool,
    record: Path | None = None,
    draws: str | Path | None = None,
    **outputs: str | Path,
) -> str:
    """Test the claims against the values of a run, and write the table of claims.

    Args:
        claims: path of the list of claims, ``claims.yaml``.
        reported: paths of the CSV files with published values, one for each paper.
        values: path of the table of values of the run.
        preset: name of the preset of the run, which appears in the title of the table.
        sample: whether the run used sample data, on which claims about measured values are not tested.
        record: path of the ``provenance.json`` of a published run.
        draws: path of the bootstrap draws of the run. Without it, draws are generated from each value's own confidence
            interval and from its standard deviation over seeds.
        outputs: path of the table for each of the formats ``csv``, ``md`` and ``html``.

    Returns:
        A one-sentence summary of the verdicts; see :func:`counts`.
    """
    listed = read_claims(claims)
    run = Run(Values.read(values), read_all(reported), record, read_draws(draws) if draws else None)
    verdicts = judge_all(listed, run, preset, sample)
    write_table(build(verdicts, listed, preset, sample), verdicts, outputs)
    return counts(verdicts)


def judge_folder(folder: str | Path) -> str:
    """Test the claims against the values of a published run, and write the table of claims to the folder of the run.

    Args:
        folder: folder of the published run. The files ``claims.csv``, ``claims.md`` and ``claims.html`` are written.

    Returns:
        A one-sentence summary of the verdicts; see :func:`counts`.

    Raises:
        SentrepError: the folder has no ``values.csv`` or no ``provenance.json``, or ``values.csv`` differs from the
            file that the run wrote.
    """
    folder = Path(folder)
    for name in (PROVENANCE, VALUES):
        if not (folder / name).exists():
            raise SentrepError(
                folder,
                expected="a folder with a published run",
                found=f"no {name}",
                remedy="pass a folder written by `sentrep publish`",
            )
    check_values(folder)
    record = read_json(folder / PROVENANCE)
    summary = write_claims(
        REPORTED / "claims.yaml",
        sorted(REPORTED.glob("*.csv")),
        folder / VALUES,
        preset=record["preset"],
        sample=bool(record["evaluation"]["sample"]),
        record=folder / PROVENANCE,
        draws=folder / DRAWS if (folder / DRAWS).exists() else None,
        **{kind: folder / f"claims.{kind}" for kind in ("csv", "md", "html")},
    )
    update_record(folder)
    return summary


def build(verdicts: pd.DataFrame, claims: Claims, preset: str, sample: bool) -> Table:
    """Return the table of claims, with one section for each paper and kind of statement.

    Args:
        verdicts: one row per claim, as returned by :func:`~sentrep.claims.verdicts.judge_all`.
        claims: contents of ``claims.yaml``, which include the titles of the papers.
        preset: name of the preset of the run, which appears in the title.
        sample: whether the run used sample data, in which case the table says so.
    """
    sections: dict[str, list[Row]] = {}
    for values in verdicts[COLUMNS].astype(str).to_numpy().tolist():
        row: dict[str, str] = dict(zip(COLUMNS, values, strict=True))
        heading = f"{claims.papers[row['paper']].title}: {KINDS[row['kind']]}"
        verdict = Cell(row["verdict"], bold=row["verdict"] in (HOLDS, FAILS))
        others = (row[name] for name in ("reason", "needed", "ours", "evidence", "baseline", "seeds"))
        texts = [row["corrected"], margin_text(row), *others, f"{int(row['items']):,}" if row["items"] != "0" else ""]
        stub = Cell(row["statement"], f"({row['section']})")
        sections.setdefault(heading, []).append(Row(stub, (verdict, *map(Cell, [*texts, row["basis"]]))))
    return Table(
        title=f"Claims of the papers, preset {preset}: {counts(verdicts)}",
        stub="Statement",
        groups=tuple(("", (name,)) for name in HEADINGS),
        sections=tuple(Section(heading, tuple(rows)) for heading, rows in sections.items()),
        notes=(
            "A statement holds if the 95% interval of its margin is above 0, does not hold if the interval is below "
            "0, and is undecided if the interval includes 0 or does not exist. The margin is the amount by which the "
            "measured values exceed the statement's threshold. The verdict after Holm's correction accounts for the "
            "number of claims tested per paper.",
            'If a model was trained on less data than in the paper, the column "reason" says so. Except in claims '
            "about time, models are compared only if they were trained on the same text. If models are missing or were "
            'trained on another text, the claim is judged without them. The verdict "holds" is then replaced by "not '
            'tested", because more models could only make the claim harder to satisfy.',
            "Unless another protocol is named, correlations are means over seeds under the papers' protocol, which "
            "counts missing human scores as 0.",
            'The column "resampled units" states what was resampled for the 95% interval of the margin.',
            'For a statement that a paper contains an error, the verdict "holds" means that the error is confirmed.',
        ),
        sentences=True,
        sample=sample,
        sample_note=SAMPLE_NOTE,
    )


def margin_text(row: Mapping[str, str]) -> str:
    """Format the margin and the interval in a row of ``claims.csv``.

    Returns:
        Text such as ``+0.02 (+0.01 to +0.03)``, or ``+0.02 (no interval)`` if an end of the interval is infinite; "" if
        there is no margin or if both ends of the interval are equal.
    """
    margin, low, high = (float(row[name] or "nan") for name in ("margin", "low", "high"))
    if math.isnan(margin) or low == high:
        return ""
    return f"{margin:+.3g}" + (f" ({low:+.3g} to {high:+.3g})" if math.isfinite(high - low) else " (no interval)")


def counts(verdicts: pd.DataFrame) -> str:
    """Return a one-sentence summary of the verdicts.

    The sentence gives the number of claims with each verdict, the number of our own statements that hold, and the
    number of confirmed errors in the papers.

    Args:
        verdicts: one row per claim, with the columns ``kind`` and ``verdict``.
    """
    found = Counter(zip(verdicts["kind"].tolist(), verdicts["verdict"].tolist(), strict=True))
    total = Counter(verdicts["kind"].tolist())
    hold, fail, undecided, untested = (found["claim", v] for v in (HOLDS, FAILS, UNDECIDED, UNTESTED))
    return (
        f"{hold} of {total['claim']} claims hold, {fail} do not hold, {undecided} are undecided, and {untested} are "
        f"not tested; {found['ours', HOLDS]} of {total['ours']} statements of our own hold; {found['error', HOLDS]} of "
        f"{total['error']} errors in the papers are confirmed"
    )
