"""Fill, search and verify mirror folders, which are folders with local copies of data sets.

``workflow/sources.tsv`` lists the path of each source in a mirror folder. The optional file ``SHA256SUMS`` in a mirror
folder contains checksums of the other files, in the format that ``sha256sum --check`` reads. Each run verifies the
files that it uses from the mirror against these checksums.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sentrep.errors import SentrepError
from sentrep.io.files import read_json, sha256, write_json, write_text
from sentrep.sources.checksums import Checksums
from sentrep.sources.download import download
from sentrep.sources.registry import Source, local_files, manifest, repository_root, source

log = logging.getLogger("sentrep")
SUMS = "SHA256SUMS"


def fetch(sources: Mapping[str, list[str] | None], folder: str | Path) -> tuple[list[Path], list[SentrepError]]:
    """Download sources to a mirror folder, without replacing existing files.

    Args:
        sources: mapping from the name of each source to the globs that the user configured for its files, or to None if
            the user configured none.
        folder: mirror folder, which is created if necessary.

    Returns:
        The files in the mirror that belong to the sources, and an error for each source that could not be downloaded or
        must be copied to the mirror by the user.
    """
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    found: list[Path] = []
    missing: list[SentrepError] = []
    for name in sorted(sources):
        try:
            files = _bring(source(name), folder, sources[name])
        except SentrepError as error:
            missing.append(error)
            continue
        found += [path for path in files if path.is_relative_to(folder)]
    _write_sums(folder, found)
    return found, missing


def find(
    row: Source,
    mirror: str | Path | None,
    downloads: str | Path,
    patterns: list[str] | None = None,
    known: Checksums | None = None,
) -> dict[str, Any]:
    """Return the manifest of a source's local files; if there are none, download the source first.

    Args:
        row: row of the source in ``workflow/sources.tsv``.
        mirror: mirror folder, or None.
        downloads: folder to download to.
        patterns: globs of the files that the user configured for the source, or None. If the globs match no files,
            nothing is downloaded.
        known: cache of checksums, or None.

    Raises:
        SentrepError: the files are not available, or a file does not have the expected content.
    """
    mirror = str(mirror) if mirror is not None else None
    found = local_files(row.name, mirror, patterns)
    if not found and patterns is None and row.addresses:
        target = Path(downloads) / Path(row.addresses[0]).name
        if not target.exists():
            download(row.addresses, target, row.sha256, row.bytes)
        found = [target]
    if not found:
        place = f" in the mirror folder {mirror}" if mirror else " in a mirror folder (`mirror` is not set)"
        if patterns:
            relative = not all(Path(pattern).is_absolute() for pattern in patterns)
            place = f"{place} or in the working directory" if relative else ""
        raise SentrepError(
            f"source {row.name}",
            expected=f"files that match {', '.join(patterns or [row.mirror_path])}{place}",
            found="no files",
            remedy=(
                "set `mirror` to a folder that contains the missing files or, for a corpus, "
                "set `files` to the path of your text"
            ),
        )
    written = manifest(row.name, found, (known or Checksums()).of)
    check(written, row, mirror, own=patterns is not None)
    if row.git_tree:
        written["root"] = str(repository_root(row, found, mirror))
    return written


def relocate(path: str | Path, row: Source, mirror: str | None, patterns: list[str] | None, known: Checksums) -> bool:
    """Update the paths in a source's manifest if the files have been moved but their content has not changed.

    The modification time of the manifest is kept, so that Snakemake reruns no job.

    Args:
        path: path of the manifest, which need not exist.
        row: row of the source in ``workflow/sources.tsv``.
        mirror: mirror folder, or None.
        patterns: globs of the files that the user configured for the source, or None.
        known: cache of checksums.

    Returns:
        Whether the manifest was changed.
    """
    path = Path(path)
    files = local_files(row.name, mirror, patterns) if path.exists() else []
    if not files:
        return False
    before, changed = read_json(path), path.stat()
    now = find(row, mirror, "", patterns, known)
    same = [entry["sha256"] for entry in before["files"]] == [entry["sha256"] for entry in now["files"]]
    if not same or before == now:
        return False
    write_json(path, now)
    os.utime(path, ns=(changed.st_atime_ns, changed.st_mtime_ns))
    folder = Path(now["files"][0]["path"]).parent
    log.info("source %s: found the moved files in %s, and updated their paths", row.name, folder)
    return True


def _bring(row: Source, folder: Path, patterns: list[str] | None) -> list[Path]:
    """Return the local files of a source; if there are none, download the source to the mirror."""
    files = local_files(row.name, str(folder), patterns)
    if files:
        log.info("source %s: the files are already available (number of files: %d)", row.name, len(files))
    elif row.addresses and patterns is None:
        files = [folder / row.place]
        log.info("source %s: downloading %s", row.name, row.addresses[0])
        download(row.addresses, files[0], row.sha256, row.bytes)
    else:
        raise SentrepError(
            f"source {row.name} ({row.version})",
            expected=f"files that match {', '.join(patterns or [row.mirror_path])} in {folder}",
            found="no files",
            remedy=f"copy the files to {folder}, because sentrep cannot download them",
        )
    return files


def _write_sums(folder: Path, files: list[Path]) -> None:
    sums = read_sums(folder) | {path.relative_to(folder).as_posix(): sha256(path) for path in files}
    write_text(folder / SUMS, "".join(f"{digest}  {name}\n" for name, digest in sorted(sums.items())))


def read_sums(folder: str | Path) -> dict[str, str]:
    """Return the checksums in the file ``SHA256SUMS`` of a mirror folder, keyed by the relative paths of the files.

    The result is empty if ``SHA256SUMS`` does not exist.
    """
    path = Path(folder) / SUMS
    if not path.exists():
        return {}
    lines = path.read_text(encoding="utf-8").splitlines()
    return {name: digest for digest, _, name in (line.partition("  ") for line in lines)}


def check(listed: Mapping[str, Any], row: Source, mirror: str | Path | None, own: bool = False) -> None:
    """Verify the files of a source against the checksums in ``SHA256SUMS`` and in ``workflow/sources.tsv``.

    Args:
        listed: manifest returned by :func:`sentrep.sources.registry.manifest`.
        row: row of the source in ``workflow/sources.tsv``.
        mirror: mirror folder, or None.
        own: whether the user configured the files; if so, the checksum of the download does not apply to them.

    Raises:
        SentrepError: the checksum of a file differs from a known checksum.
    """
    root = Path(mirror or "").resolve()
    sums = read_sums(root) if mirror else {}
    download_name = row.place.name if row.addresses and not own else None
    for entry in listed["files"]:
        path = Path(entry["path"])
        known = sums.get(path.relative_to(root).as_posix()) if path.is_relative_to(root) else None
        for expected in (known, row.sha256 if path.name == download_name else None):
            if expected and entry["sha256"] != expected:
                raise SentrepError(
                    path,
                    expected=f"a file with SHA-256 {expected}",
                    found=f"a file of {entry['bytes']} bytes with SHA-256 {entry['sha256']}",
                    remedy="delete the file, and download or copy it again",
                )
