"""Record the checksums of a folder's files in its ``meta.json``, to detect damage before the files are used."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sentrep.errors import SentrepError
from sentrep.io.files import read_json, sha256, write_json

_META = "meta.json"
_FILES = "files"


def seal(folder: str | Path, meta: Mapping[str, Any] | None = None) -> None:
    """Write a folder's ``meta.json``, including the SHA-256 checksums of the folder's files under the key ``files``.

    Files in subfolders are not included. The checksum of ``meta.json`` itself covers all entries except ``files``.

    Args:
        folder: path of the folder.
        meta: other entries of ``meta.json``; by default, the entries of the existing ``meta.json``.
    """
    folder = Path(folder)
    # Convert the values as JSON does, so that they have the same digest after they are read from the file.
    given = read_meta(folder) if meta is None else json.loads(json.dumps(meta))
    meta = {key: value for key, value in given.items() if key != _FILES}
    files = {path.name: sha256(path) for path in sorted(folder.iterdir()) if path.is_file() and path.name != _META}
    write_json(folder / _META, {**meta, _FILES: {**files, _META: _digest(meta)}})


def read_meta(folder: str | Path) -> dict[str, Any]:
    """Return a folder's ``meta.json`` as a dictionary.

    Raises:
        SentrepError: the file is missing or is not a JSON object.
    """
    return read_json(Path(folder) / _META)


def check_seal(folder: str | Path, meta: Mapping[str, Any]) -> None:
    """Compare the files in a folder with the checksums in the folder's ``meta.json``, if that file contains checksums.

    Args:
        folder: path of the folder to check.
        meta: the folder's ``meta.json`` as a dictionary.

    Raises:
        SentrepError: a file is missing or has changed.
    """
    files = meta.get(_FILES, {})
    if not isinstance(files, dict):
        raise _changed(Path(folder) / _META)
    for name, digest in files.items():
        path = Path(folder) / name
        if name == _META:
            found = _digest({key: value for key, value in meta.items() if key != _FILES})
        else:
            found = sha256(path) if path.is_file() else "no file"
        if found != digest:
            raise _changed(path, found)


def _digest(meta: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(meta, sort_keys=True).encode()).hexdigest()


def _changed(path: Path, found: str = "") -> SentrepError:
    return SentrepError(
        path,
        expected="the file whose checksum is recorded in meta.json",
        found=found if found == "no file" else "a file with another checksum",
        remedy="create the folder again, or replace it with an undamaged copy",
    )
