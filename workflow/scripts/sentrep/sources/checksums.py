"""Remembered checksums, and the identity of a source: the content of its files, wherever they are."""

from __future__ import annotations

import hashlib
import json
import logging
import os
from collections.abc import Sequence
from pathlib import Path

from sentrep.errors import SentrepError
from sentrep.io.files import read_json, sha256, write_json
from sentrep.sources.registry import Source

log = logging.getLogger("sentrep")
_WORTH_A_LINE = 1_000_000_000  # bytes


class Checksums:
    """SHA-256 of files, computed once for each path, size and time of change.

    Args:
        path: JSON file that remembers them; None: they are kept in memory.
    """

    def __init__(self, path: str | Path | None = None) -> None:
        self._path = None if path is None else Path(path)
        self._known: dict[str, str] = {}
        self._is_new = False
        if self._path and self._path.exists():
            try:
                self._known = {str(key): str(value) for key, value in read_json(self._path).items()}
            except SentrepError:
                self._known = {}  # damaged: it is only a memory

    def of(self, path: Path) -> str:
        """Return the checksum of a file."""
        path = path.resolve()
        status = path.stat()
        key = f"{path}\t{status.st_size}\t{status.st_mtime_ns}"
        if key not in self._known:
            if status.st_size > _WORTH_A_LINE:
                log.info("computing the checksum of %s, %.1f GB", path, status.st_size / 1e9)
            self._known[key], self._is_new = sha256(path), True
        return self._known[key]

    def save(self) -> None:
        """Write the file if there is something new; one that cannot be written is left as it is."""
        if self._path and self._is_new:
            try:
                write_json(self._path, self._known)
                self._is_new = False
            except (OSError, SentrepError) as error:
                log.debug("%s: %s", self._path, error)


def identity(row: Source, files: Sequence[Path], known: Checksums) -> str:
    """Return a digest of the content of a source.

    It depends on the files' names below the folder they share and on their checksums, not on that folder. A source
    without local files has the identity of its download, if the table of sources knows its checksum.

    Args:
        row: the source.
        files: its local files.
        known: checksums.
    """
    if files:
        root = Path(os.path.commonpath([path.absolute().parent for path in files]))
        content = [(path.absolute().relative_to(root).as_posix(), known.of(path)) for path in files]
        known.save()
    else:
        content = [(row.place.name, row.sha256)] if row.addresses and row.sha256 else []
    return hashlib.sha256(json.dumps(sorted(content)).encode()).hexdigest() if content else ""
