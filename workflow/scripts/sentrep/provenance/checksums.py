"""Compute the checksums of all files that the jobs of a run read or write."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from sentrep.io.files import read_json, sha256
from sentrep.io.project import WORKFLOW

RECORD = "provenance.json"
CRATE = "ro-crate-metadata.json"  # contains part of the record as RO-Crate metadata, which other programs can read
WORKFLOW_FILE = "Snakefile"  # name of the file that is copied into the RO-Crate

Step = Mapping[str, Any]  # a job, with the keys rule, code, inputs and outputs
Checksum = dict[str, Any]  # has the keys sha256 and bytes


def members(path: str | Path) -> list[Path]:
    """Return the visible files in a folder and its subfolders, sorted, or the path itself if it is not a folder.

    A file is hidden if its path relative to the folder begins with a dot.
    """
    path = Path(path)
    if not path.is_dir():
        return [path]
    return [p for p in sorted(path.rglob("*")) if p.is_file() and not p.relative_to(path).as_posix().startswith(".")]


def checksum(path: str | Path) -> Checksum:
    """Return the SHA-256 checksum of a file and its size in bytes."""
    return {"sha256": sha256(path), "bytes": Path(path).stat().st_size}


def step_files(steps: Iterable[Step], manifests: Iterable[str | Path]) -> dict[str, Checksum]:
    """Return the checksum of each file that the given jobs read or write, in a dictionary with the file paths as keys.

    Args:
        steps: jobs; their "inputs" and "outputs" are paths of files and folders.
        manifests: source manifests. The files listed in them are included; their checksums are copied from the
            manifests, so that large files need not be read again.
    """
    files = {}
    for manifest in manifests:
        for entry in read_json(manifest)["files"]:
            files[entry["path"]] = {"sha256": entry["sha256"], "bytes": entry["bytes"]}
    for path in sorted({path for step in steps for path in (*step["outputs"], *step["inputs"])}):
        for file in members(path):
            name = file.as_posix()
            if name not in files and str(file.resolve()) not in files:
                files[name] = checksum(file)
    return dict(sorted(files.items()))


def with_checksums(step: Step, files: Mapping[str, Checksum]) -> dict[str, Any]:
    """Return a copy of a job in which the inputs and outputs are mappings from path to SHA-256.

    The SHA-256 of a folder is computed from the names and checksums of its files. Paths inside the project are made
    relative to the root of the project.

    Args:
        step: job to copy.
        files: checksums of all files, as returned by :func:`step_files`.
    """

    def summary(paths: Iterable[str]) -> dict[str, str]:
        return {path.removeprefix(f"{WORKFLOW.parent}/"): _digest(path, files) for path in paths}

    return {**step, "inputs": summary(step["inputs"]), "outputs": summary(step["outputs"])}


def _digest(path: str, files: Mapping[str, Checksum]) -> str:
    if entry := files.get(path) or files.get(str(Path(path).resolve())):
        return entry["sha256"]
    inside: Sequence[str] = sorted(name for name in files if name.startswith(f"{path}/"))
    lines = (f"{name.removeprefix(path)}\t{files[name]['sha256']}\n" for name in inside)
    return hashlib.sha256("".join(lines).encode()).hexdigest()
