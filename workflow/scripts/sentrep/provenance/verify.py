"""Verify a finished run by comparing the checksums of its inputs, models, tables and figures with the recorded ones."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from sentrep.errors import SentrepError
from sentrep.io.files import read_json
from sentrep.io.project import WORKFLOW
from sentrep.provenance.checksums import CRATE, RECORD, WORKFLOW_FILE, checksum, members
from sentrep.runtime.progress import Progress

_RECORD_AGAIN = "run `snakemake --force results/provenance.json`"
_PUT_BACK = "restore the original file, or run `snakemake` to update the results"


def verify(project: str | Path = Path(), preset: str | None = None) -> tuple[int, list[SentrepError]]:
    """Compare the checksum of every file of a run with the recorded checksum, and return the differences.

    Args:
        project: folder that contains results/.
        preset: preset of the run; by default, the preset of the tables and figures in results/. For any other preset,
            only the files in ``results/<preset>/`` and the sources are compared, because a later run has overwritten
            the tables and figures of that preset.

    Returns:
        The number of files compared, and a list of errors: one for each file that is missing, has been changed, or has
        no recorded checksum, and one for each disagreement between the records of the run.

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
    except (KeyError, TypeError):
        raise SentrepError(
            record, expected="the record of a run", found="invalid data", remedy="delete the file and run `snakemake`"
        ) from None
    findings = []
    if last is None or last["preset"] != preset:
        files = {name: entry for name, entry in files.items() if not _is_result(name, preset)}
    else:
        findings = _records_agree(last, files, preset) + _unrecorded(project, after.union(files))
        findings += _crate_agrees(results, last["results"])
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


def _records_agree(last: Mapping[str, Any], files: Mapping[str, Any], preset: str) -> list[SentrepError]:
    """Return an error for each result whose checksum differs between ``provenance.json`` and ``steps.json``."""
    ours = {name: entry["sha256"] for name, entry in files.items() if _is_result(name, preset)}
    return [
        SentrepError(
            f"results/provenance.json, {name}",
            expected=f"{_sha256(ours.get(name))} as in results/{preset}/steps.json",
            found=_sha256(last["results"].get(name)),
            remedy=_RECORD_AGAIN,
        )
        for name in sorted({*ours, *last["results"]})
        if ours.get(name) != last["results"].get(name)
    ]


def _crate_agrees(results: Path, recorded: Mapping[str, str]) -> list[SentrepError]:
    """Return an error for each file whose checksum in the RO-Crate is missing or wrong.

    For results, the expected checksum is read from ``provenance.json``; for other files, it is computed from the file.
    If the run has no RO-Crate, a single error is returned.
    """
    path = results / CRATE
    if not path.exists():
        return [
            SentrepError(
                f"results/{CRATE}",
                expected="the record of the run as an RO-Crate",
                found="no file",
                remedy=_RECORD_AGAIN,
            )
        ]
    described = _described(read_json(path).get("@graph"))
    expected = {name.removeprefix("results/"): (digest, f"results/{RECORD}") for name, digest in recorded.items()}
    for name in {WORKFLOW_FILE, RECORD, *described} - expected.keys():
        digest = checksum(results / name)["sha256"] if (results / name).is_file() else ""
        expected[name] = (digest, f"results/{name}")
    return [
        SentrepError(
            f"results/{CRATE}, {name}",
            expected=f"sha256 {digest} as in {where}" if digest else f"the file {where}",
            found=_sha256(described.get(name)) if digest else "no such file",
            remedy=_RECORD_AGAIN,
        )
        for name, (digest, where) in sorted(expected.items())
        if described.get(name) != digest
    ]


def _sha256(digest: str | None) -> str:
    return f"sha256 {digest}" if digest else "no entry"


def _described(graph: object) -> dict[str, str]:
    """Return the SHA-256 that an RO-Crate records for each of its files, keyed by the path of the file."""
    found: dict[str, str] = {}
    for entity in graph if isinstance(graph, list) else []:
        if isinstance(entity, dict) and "File" in entity.get("@type", ""):
            found[unquote(str(entity.get("@id")))] = str(entity.get("sha256"))
    return found


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
                    expected="a record in results/provenance.json",
                    found="none",
                    remedy="delete the file, which the recorded run did not create",
                )
            )
    return found
