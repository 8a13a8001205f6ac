"""Claims of a published run, from the tables in its folder."""

from __future__ import annotations

from pathlib import Path

from sentrep.claims.reading import read_claims
from sentrep.claims.run_tables import PROVENANCE, folder_tables
from sentrep.claims.table import build, counts
from sentrep.claims.verdicts import judge_all
from sentrep.errors import SentrepError
from sentrep.io.files import read_json
from sentrep.io.project import WORKFLOW
from sentrep.tables.layout import write_table

REPORTED = WORKFLOW / "reported"
CLAIMS = "claims.yaml"


def judge_folder(folder: str | Path, reported: str | Path = REPORTED) -> str:
    """Write ``claims.csv``, ``.md`` and ``.html`` into the folder of a published run.

    Args:
        folder: as ``sentrep publish`` writes it.
        reported: folder of the printed values and of ``claims.yaml``.

    Returns:
        How many claims hold, do not hold and are not tested.

    Raises:
        SentrepError: the folder has no record of its run, or the claims are malformed.
    """
    folder, reported = Path(folder), Path(reported)
    if not (folder / PROVENANCE).exists():
        raise SentrepError(
            folder,
            expected=f"a published run with {PROVENANCE}",
            found="none",
            remedy="name a folder that `sentrep publish` wrote",
        )
    record = read_json(folder / PROVENANCE)
    preset, sample = record["preset"], bool(record["evaluation"]["sample"])
    claims = read_claims(reported / CLAIMS)
    verdicts = judge_all(claims, folder_tables(folder, reported), preset, sample)
    outputs = {kind: folder / f"claims.{kind}" for kind in ("csv", "md", "html")}
    write_table(build(verdicts, claims, preset, sample), verdicts, outputs)
    return counts(verdicts)
