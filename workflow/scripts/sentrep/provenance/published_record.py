"""Keep the checksums in a published run's record correct when its tables, figures and verdicts are written again."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

from sentrep.errors import SentrepError
from sentrep.io.files import read_json, sha256, write_json
from sentrep.provenance.checksums import CRATE, RECORD

VALUES = "values.csv"


def check_values(folder: str | Path) -> None:
    """Check that the table of values in a folder is the one that the run wrote, if the folder contains its checksum.

    Raises:
        SentrepError: the file has another checksum.
    """
    record, values = Path(folder) / RECORD, Path(folder) / VALUES
    if not record.exists() or not values.exists():
        return
    known = read_json(record).get("results", {}).get(f"results/{VALUES}")
    if known is not None and known != sha256(values):
        raise SentrepError(
            values,
            expected=f"the file whose checksum is in {RECORD}",
            found="a file with another checksum",
            remedy="restore the file, or publish the run again",
        )


def update_record(folder: str | Path) -> None:
    """Replace the checksums of files that have changed, in ``provenance.json`` and in the metadata of the RO-Crate.

    Args:
        folder: folder of a published run. Nothing is done if it has no ``provenance.json``.
    """
    from sentrep.provenance.run_crate import describe_run

    folder = Path(folder)
    if not (folder / RECORD).exists():
        return
    record = read_json(folder / RECORD)
    for name in record.get("results", {}):
        path = folder / PurePosixPath(name).relative_to("results")
        if path.exists():
            record["results"][name] = sha256(path)
    write_json(folder / RECORD, record)
    if (folder / CRATE).exists():
        describe_run(folder)
