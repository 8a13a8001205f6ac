"""Cache the checksums of files, and compute digests that identify sources by their content, not by their location."""

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
_WORTH_A_LINE = 1_000_000_000  # bytes; computing the checksum of a larger file takes a long time, so it is logged


class Checksums:
    """A cache of the SHA-256 checksums of files.

    A checksum is computed again only if the size or the modification time of the file has changed.

    Args:
        path: path of the JSON file in which :meth:`save` stores the checksums. If it is None, the checksums are
            kept only in memory.
    """

    def __init__(self, path: str | Path | None = None) -> None:
        self._path = None if path is None else Path(path)
        self._known: dict[str, str] = {}
        self._is_new = False
        if self._path and self._path.exists():
            try:
                self._known = {str(key): str(value) for key, value in read_json(self._path).items()}
            except SentrepError:
                self._known = {}  # the file is damaged, but its checksums can be computed again

    def of(self, path: Path) -> str:
        """Return the SHA-256 checksum of a file as 64 hexadecimal digits."""
        path = path.resolve()
        status = path.stat()
        key = f"{path}\t{status.st_size}\t{status.st_mtime_ns}"
        if key not in self._known:
            if status.st_size > _WORTH_A_LINE:
                log.info("computing the SHA-256 checksum of %s (%.1f GB)", path, status.st_size / 1e9)
            self._known[key], self._is_new = sha256(path), True
        return self._known[key]

    def save(self) -> None:
        """Write new checksums to the JSON file; errors are ignored, because checksums can be computed again."""
        if self._path and self._is_new:
            try:
                write_json(self._path, self._known)
                self._is_new = False
            except (OSError, SentrepError) as error:
                log.debug("could not save checksums to %s: %s", self._path, error)


def identity(row: Source, files: Sequence[Path], known: Checksums) -> str:
    """Return a digest that identifies the content of a source, as 64 hexadecimal digits.

    The digest depends on the checksums of the files and on their paths relative to their common folder, but not on the
    location of this folder. For a source without local files, the digest depends on the file name and the expected
    checksum of the download; it is "" if the source has no public address or if the checksum is unknown.

    Args:
        row: row of the source in ``workflow/sources.tsv``.
        files: local files of the source.
        known: cache of checksums.
    """
    if files:
        root = Path(os.path.commonpath([path.absolute().parent for path in files]))
        content = [(path.absolute().relative_to(root).as_posix(), known.of(path)) for path in files]
        known.save()
    else:
        content = [(row.place.name, row.sha256)] if row.addresses and row.sha256 else []
    return hashlib.sha256(json.dumps(sorted(content)).encode()).hexdigest() if content else ""
