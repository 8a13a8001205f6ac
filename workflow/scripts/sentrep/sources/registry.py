"""Sources: where each data set comes from, and how its files are read wherever they lie.

``workflow/sources.tsv`` has one row per data set. A source is looked for, in this order, in the files the
configuration names, in the mirror folder, among the files that come with the project or with a package it needs,
and at its public addresses. What was found is written down in a manifest: name, and for each file path, bytes and
SHA-256. A file may be plain, an archive (tar, zip) or compressed alone; readers see members either way.
"""

from __future__ import annotations

import contextlib
import csv
import errno
import glob
import gzip
import importlib.util
import lzma
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, BinaryIO

from sentrep.errors import SentrepError, unknown_name
from sentrep.io.files import read_json, sha256
from sentrep.sources.multistream import open_bz2

WORKFLOW = Path(__file__).resolve().parents[3]
_COMPRESSED = {".gz": gzip.open, ".bz2": open_bz2, ".xz": lzma.open}
_BROKEN = (EOFError, lzma.LZMAError, zlib.error, tarfile.TarError, zipfile.BadZipFile, gzip.BadGzipFile, OSError)


@dataclass(frozen=True)
class Source:
    """One row of ``workflow/sources.tsv``.

    Attributes:
        name: the key used by the configuration.
        version: which edition.
        addresses: public addresses, tried in order.
        sha256: of the download, or "".
        bytes: size of the download, or "".
        licence: under which it may be used.
        mirror_path: where it lies under a mirror folder: a file, a folder or a glob.
        bundled: blank-separated "package:NAME:PATH" inside a Python package or "workflow:PATH" in this project.
        stands_in_for: what of the papers it replaces, or "".
    """

    name: str
    version: str
    addresses: tuple[str, ...]
    sha256: str
    bytes: str
    licence: str
    mirror_path: str
    bundled: tuple[str, ...]
    stands_in_for: str

    @property
    def place(self) -> Path:
        """Where under a mirror folder a download goes: the mirror's own path, or under its own name beside or in it."""
        name, path = Path(self.addresses[0]).name, Path(self.mirror_path)
        if path.name == name:
            return path
        a_folder = not path.suffix and "*" not in path.name
        return (path if a_folder else path.parent) / name


def read_sources(path: Path = WORKFLOW / "sources.tsv") -> dict[str, Source]:
    """Read the table of sources, by name."""
    with path.open(encoding="utf-8", newline="") as stream:
        rows = csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE)
        return {
            row["name"]: Source(
                **{
                    **row,
                    "addresses": tuple(row["addresses"].split()),
                    "bundled": tuple(row["bundled"].split()),
                }
            )
            for row in rows
        }


def source(name: str) -> Source:
    """Return the source called ``name``.

    Raises:
        SentrepError: there is none of that name.
    """
    sources = read_sources()
    if name not in sources:
        raise unknown_name("workflow/sources.tsv", "source", name, sources)
    return sources[name]


def local_files(name: str, mirror: str | None, patterns: Sequence[str] | None = None) -> list[Path]:
    """Return the files of a source that are at hand without a download; empty if there are none.

    Args:
        name: of the source.
        mirror: the mirror folder.
        patterns: globs, paths or folders that replace the table's path; relative ones are looked up under the
            mirror, then from the working directory.

    Raises:
        SentrepError: there is no such source or no such mirror folder.
    """
    row = source(name)
    if mirror and not Path(mirror).is_dir():
        raise SentrepError("mirror", expected="a folder", found=f"none at {mirror}", remedy="correct its path")
    found: list[Path] = []
    for pattern in patterns or [row.mirror_path, *([str(row.place)] if row.addresses else [])]:
        if found and not patterns:
            break
        roots = ([Path(mirror)] if mirror else []) + ([Path()] if patterns else [])
        for root in roots:
            # A pattern may be absolute, which Path.glob refuses.
            matches = sorted(glob.glob(str(root / Path(pattern).expanduser()))) if pattern else []  # noqa: PTH207
            found += [file for match in matches for file in _files_below(Path(match))]
            if matches:
                break
    if not found and not patterns:
        for entry in row.bundled:
            kind, _, where = entry.partition(":")
            found += _files_below(WORKFLOW / where if kind == "workflow" else _package_path(where))
    return list(dict.fromkeys(found))


def _files_below(path: Path) -> list[Path]:
    if path.is_dir():
        return sorted(p for p in path.rglob("*") if p.is_file() and not p.name.startswith("."))
    return [path] if path.exists() else []


def _package_path(where: str) -> Path:
    package, _, inside = where.partition(":")
    spec = importlib.util.find_spec(package)  # this does not import the package
    if spec is None or not spec.submodule_search_locations:
        raise SentrepError(
            package, expected="an installed package", found="none", remedy="pip install -r requirements.txt"
        )
    return Path(spec.submodule_search_locations[0]) / inside


def manifest(name: str, files: Sequence[Path]) -> dict[str, Any]:
    """Return the record of a source: name, version, licence, and each file's path, bytes and SHA-256."""
    row = source(name)
    entries = [{"path": str(f.resolve()), "bytes": f.stat().st_size, "sha256": sha256(f)} for f in files]
    return {
        **{"name": name, "version": row.version, "licence": row.licence, "stands_in_for": row.stands_in_for},
        **{"bytes": sum(entry["bytes"] for entry in entries), "files": entries},
    }


class SourceFiles:
    """The members of a source: iterate for (name, stream), looking inside archives and compressed files.

    A stream is to be read before the next one is asked for; reading happens under :meth:`guard`, so that a damaged
    file is reported by name.

    Attributes:
        current: the file being read.
    """

    def __init__(self, manifest_path: str | Path) -> None:
        self._paths = [Path(entry["path"]) for entry in read_json(manifest_path)["files"]]
        self._manifest_path = manifest_path
        self.current = Path()

    @classmethod
    def of(cls, paths: Sequence[Path]) -> SourceFiles:
        """Return the members of files that no manifest lists."""
        members = cls.__new__(cls)
        members._paths, members._manifest_path, members.current = list(paths), paths[0], Path()
        return members

    def __iter__(self) -> Iterator[tuple[str, BinaryIO]]:
        for path in self._paths:
            self.current = path
            if not self.current.exists():
                raise SentrepError(
                    self.current,
                    expected="a source file",
                    found="none",
                    remedy=f"put it back, or delete {self._manifest_path} and run again",
                )
            yield from _members(self.current)

    @contextlib.contextmanager
    def guard(self) -> Iterator[None]:
        """Turn what the standard library raises on a damaged file into the one-line error that names it."""
        try:
            yield
        except _BROKEN as error:
            if isinstance(error, OSError) and error.errno not in (None, errno.EINVAL):
                raise  # the disk's fault, not the file's; a wrong offset in a file is an invalid argument
            raise SentrepError(
                self.current,
                expected="a whole and readable file",
                found=f"{type(error).__name__}: {error}",
                remedy="delete it and fetch it again",
            ) from error


def iter_members(manifest_path: str | Path) -> Iterator[tuple[str, bytes]]:
    """Yield (name, content) of every member of a source: for small files."""
    members = SourceFiles(manifest_path)
    with members.guard():
        for name, stream in members:
            yield name, stream.read()


def _members(path: Path) -> Iterator[tuple[str, BinaryIO]]:
    if ".tar" in path.suffixes or path.suffix == ".tgz":
        yield from _tar_members(path)
    elif path.suffix == ".zip":
        with zipfile.ZipFile(path) as archive:
            for info in archive.infolist():
                if not info.is_dir():
                    with _open_member(archive, info) as stream:
                        yield info.filename, stream
    elif path.suffix in _COMPRESSED:
        with _COMPRESSED[path.suffix](path, "rb") as stream:
            yield path.stem, stream
    else:
        with path.open("rb") as stream:
            yield path.name, stream


def _tar_members(path: Path) -> Iterator[tuple[str, BinaryIO]]:
    """Yield members in their order; nothing is unpacked to disk."""
    # Not by tarfile itself, which leaves the checksum of a gzip stream unread.
    with _decompressor(path)(path, "rb") as stream:
        with tarfile.open(fileobj=stream, mode="r|") as archive:
            for member in archive:
                content = archive.extractfile(member) if member.isfile() else None
                if content is not None:
                    yield member.name, content
        while stream.read(1 << 20):  # the checksum is at the end
            pass


def _decompressor(path: Path) -> Callable[..., Any]:
    """Return what opens a file, by its first bytes: names are not always right."""
    with path.open("rb") as stream:
        head = stream.read(10)
    if head.startswith(b"BZh") and head[4:] == b"1AY&SY":  # a tar may begin with a name such as BZh.txt
        return open_bz2
    return gzip.open if head.startswith(b"\x1f\x8b") else lzma.open if head.startswith(b"\xfd7zXZ") else open


def _open_member(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> IO[bytes]:
    try:
        return archive.open(info)
    except (RuntimeError, NotImplementedError) as error:  # encrypted, or packed in a way that is not known
        raise zipfile.BadZipFile(str(error)) from None
