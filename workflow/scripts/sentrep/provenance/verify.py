"""Verify a finished run by comparing the checksums of its files with the recorded ones."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import Any

from sentrep.errors import SentrepError
from sentrep.io.files import read_json
from sentrep.io.project import WORKFLOW
from sentrep.provenance.checksums import CRATE, RECORD, WORKFLOW_FILE, checksum, members
from sentrep.runtime.progress import Progress

_PUT_BACK = "restore the original file, or run `snakemake` to update the results"


def verify(project: str | Path = Path(), preset: str | None = None) -> tuple[int, list[SentrepError]]:
    """Compare the checksum of every file of a run with the recorded checksum, and return the differences.

    Args:
        project: folder that contains results/.
        preset: preset of the run; by default, the preset of the tables and figures in results/. For any other preset,
            only the files in ``results/<preset>/`` and the sources are compared, because a later run has overwritten
            the tables and figures of that preset.

    Returns:
        The number of files compared, and an error for each file that is missing, has been changed, or has no recorded
        checksum.

    Raises:
        SentrepError: there is no finished run, or a record of the run is damaged.
    """
    project = Path(project)
    results = project / "results"
    last = read_json(results / "provenance.json") if (results / "provenance.json").exists() else None
    preset = preset or (None if last is None else str(last["preset"]))
    if preset is None:
        raise SentrepError(
            results / "provenance.json",
            expected="the record of a finished run",
            found="no file",
            remedy="run `snakemake` first",
        )
    record = results / preset / "steps.json"
    if not record.exists():
        raise SentrepError(
            record,
            expected=f"the record of a finished run of preset {preset}",
            found="no file",
            remedy="run `snakemake` first",
        )
    read = read_json(record)
    try:
        files = dict(read["files"])
        after = set(read["after"])
        made_by = {path: step["rule"] for step in read["steps"] for path in step["outputs"]}
        made_by |= {f"results/{name}": "provenance" for name in (RECORD, CRATE, WORKFLOW_FILE)}
    except (KeyError, TypeError):
        raise SentrepError(
            record, expected="the record of a run", found="invalid data", remedy="delete the file and run `snakemake`"
        ) from None
    if last is None or last["preset"] != preset:
        findings = []
        files = {name: entry for name, entry in files.items() if not _is_result(name, preset)}
    else:
        findings = _unrecorded(project, after.union(files))
    progress = Progress(sum(entry["bytes"] for entry in files.values()), "bytes", "comparing")
    for name, entry in files.items():
        if finding := _compare(project / name, name, entry, made_by):
            findings.append(finding)
        progress.advance(entry["bytes"])
    progress.close()
    return len(files), findings


def _compare(path: Path, name: str, entry: Mapping[str, Any], made_by: Mapping[str, str]) -> SentrepError | None:
    output = next((p for p in (name, *map(str, Path(name).parents)) if p in made_by), None)
    if path.is_file():
        now = checksum(path)
        if now["sha256"] == entry["sha256"]:
            return None
        found = _describe(now)
    else:
        found = "no file"
    of_step = f", as written by the rule `{made_by[output]}`" if output else ""
    remedy = f"run `snakemake --force {shlex.quote(output)}`, then `snakemake`" if output else _PUT_BACK
    return SentrepError(name, expected=f"{_describe(entry)}{of_step}", found=found, remedy=remedy)


def _describe(entry: Mapping[str, Any]) -> str:
    return f"{entry['bytes']} bytes with sha256 {entry['sha256'][:16]}"


def _is_result(name: str, preset: str) -> bool:
    return name.startswith("results/") and not name.startswith(f"results/{preset}/")


def _unrecorded(project: Path, known: AbstractSet[str]) -> list[SentrepError]:
    """Return an error for each file in results/ that no job of the run writes.

    The folder ``results/published/`` and the folders ``results/<preset>/`` of all presets are ignored.

    Args:
        project: folder that contains results/.
        known: paths of the files with recorded checksums, and of the files that are written after the checksums have
            been recorded.
    """
    presets = {path.stem for path in (WORKFLOW / "presets").glob("*.yaml")}
    found = []
    for path in members(project / "results"):
        name = path.relative_to(project)
        of_a_run = name.parts[1] in presets | {"published"}
        if not of_a_run and name.as_posix() not in known:
            found.append(
                SentrepError(
                    name.as_posix(),
                    expected="a record of the file",
                    found="none",
                    remedy="delete the file, which the recorded run did not create",
                )
            )
    return found
