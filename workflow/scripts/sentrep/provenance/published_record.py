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
    known = _recorded(record).get(f"results/{VALUES}") if record.exists() and values.exists() else None
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
    known = _recorded(folder / RECORD)
    paths = {name: folder / PurePosixPath(name).relative_to("results") for name in known}
    found = {name: sha256(path) for name, path in paths.items() if path.exists()}
    write_json(folder / RECORD, {**read_json(folder / RECORD), "results": {**known, **found}})
    if (folder / CRATE).exists():
        describe_run(folder)


def _recorded(record: Path) -> dict[str, str]:
    """Return the checksums of the results in a record, by path."""
    return read_json(record).get("results", {})
