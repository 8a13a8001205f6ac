"""Read the files of a source: plain files, compressed files, and members of tar and zip archives.

A damaged or truncated file raises a one-line error that names the file.

Large .bz2 files are decompressed in parallel with indexed_bzip2, even if they consist of a single stream. Compared with
a custom reader for multi-stream files, indexed_bzip2 took 0.8 times as long on multi-stream files and 0.5 times as long
on single-stream files (60 MB of Wikipedia exports, two threads on a busy machine with two cores, best of three runs).
rapidgzip 0.16.1 is as fast as indexed_bzip2, but it aborts the process if the program does not close a truncated file.
"""

from __future__ import annotations

import bz2
import contextlib
import errno
import gzip
import io
import lzma
import os
import re
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import IO, Any

from sentrep.errors import SentrepError
from sentrep.io.files import check_input, read_json

_BROKEN = (
    EOFError,
    lzma.LZMAError,
    zlib.error,
    tarfile.TarError,
    zipfile.BadZipFile,
    gzip.BadGzipFile,
    OSError,
)
_BZ2_HEADER = re.compile(rb"BZh[1-9](?:1AY&SY|\x17rE8P\x90)")  # the second alternative is for files without content
PARALLEL_BZ2_BYTES = 4 << 20  # decompressing a smaller file takes less time than starting threads


class SourceFiles:
    """The decompressed files of a source, as an iterable of pairs (name, binary stream).

    Archives are replaced by their members. Each stream must be read before the next one is requested. Iterate within
    :meth:`guard`, so that errors name the damaged file.

    Args:
        manifest_path: path of the manifest that lists the files.
        paths: files to read instead of the files that the manifest lists.

    Attributes:
        current: path of the file that is being read, or an empty path before the first file.
    """

    def __init__(self, manifest_path: str | Path, paths: Sequence[Path] | None = None) -> None:
        listed = (Path(entry["path"]) for entry in read_json(manifest_path)["files"]) if paths is None else paths
        self._paths, self._manifest_path, self.current = list(listed), manifest_path, Path()

    @classmethod
    def of(cls, paths: Sequence[Path]) -> SourceFiles:
        """Create an instance from file paths instead of a manifest."""
        return cls(paths[0], paths)

    def __iter__(self) -> Iterator[tuple[str, IO[bytes]]]:
        for path in self._paths:
            self.current = path
            if not self.current.exists():
                raise SentrepError(
                    self.current,
                    expected="a source file",
                    found="no file",
                    remedy=(
                        f"restore the file, or delete {self._manifest_path} and run the same command again"
                        if self._manifest_path not in self._paths
                        else "check the path"
                    ),
                )
            yield from _members(check_input(self.current))

    @contextlib.contextmanager
    def guard(self) -> Iterator[None]:
        """Raise a one-line error that names the current file if a ``with`` block fails because this file is damaged."""
        try:
            yield
        except _BROKEN as error:
            if isinstance(error, OSError) and error.errno not in (None, errno.EINVAL):
                raise  # a disk error; a wrong offset in a damaged file raises EINVAL or an error without errno
            raise SentrepError(
                self.current,
                expected="a complete and readable file",
                found=f"a file that cannot be read ({type(error).__name__}: {error})",
                remedy="delete the file and download it again, or replace it with an undamaged copy",
            ) from error


def iter_members(manifest_path: str | Path) -> Iterator[tuple[str, bytes]]:
    """Yield the name and the decompressed content of each file of a source; archives are replaced by their members."""
    members = SourceFiles(manifest_path)
    with members.guard():
        for name, stream in members:
            yield name, stream.read()


def open_bz2(path: Path, *, threads: int | None = None) -> IO[bytes]:
    """Open a .bz2 file for sequential reading.

    Args:
        path: path of the file.
        threads: number of threads for decompression; None means half of the cores that the job may use, but at most
            four. One thread decompresses 25 MB/s, enough to keep two cores busy extracting text from articles.

    Raises:
        EOFError, OSError: the file is truncated or damaged. Most damage is detected only while the file is read.
    """
    if threads is None:
        limit = os.environ.get("OMP_NUM_THREADS", "")  # set by sentrep.runtime.job
        threads = min(len(os.sched_getaffinity(0)), int(limit) if limit.isdecimal() else 8, 8) // 2
    if threads <= 1 or path.stat().st_size < PARALLEL_BZ2_BYTES:
        return bz2.open(path, "rb")
    return io.BufferedReader(_ParallelBz2(path, threads), 1 << 16)


class _ParallelBz2(io.RawIOBase):
    """A reader for .bz2 files that uses indexed_bzip2 and raises EOFError or OSError if a file is damaged."""

    def __init__(self, path: Path, threads: int) -> None:
        import indexed_bzip2

        with path.open("rb") as stream:
            if not _BZ2_HEADER.match(stream.read(10)):  # indexed_bzip2 treats any other file as empty
                raise OSError("Invalid data stream")
        self._file = indexed_bzip2.IndexedBzip2FileRaw(str(path), threads)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        try:
            return self._file.readinto(buffer)
        except (RuntimeError, ValueError) as error:
            raise EOFError(f"truncated or damaged bz2 stream ({error})") from None

    def close(self) -> None:
        if not self.closed:
            self._file.close()
        super().close()


class _Zstd(io.RawIOBase):
    """A reader for single-frame .zst files; unlike zstandard's own reader, it raises EOFError for truncated files."""

    def __init__(self, path: Path) -> None:
        import zstandard

        self._file, self._decoder = path.open("rb"), zstandard.ZstdDecompressor().decompressobj()
        self._error, self._rest = zstandard.ZstdError, b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._rest and not self._decoder.eof:
            block = self._file.read(1 << 17)
            if not block:
                raise EOFError("truncated zst stream")
            try:
                self._rest = self._decoder.decompress(block)
            except self._error as error:
                raise EOFError(f"damaged zst stream ({error})") from None
        size = min(len(buffer), len(self._rest))
        buffer[:size], self._rest = self._rest[:size], self._rest[size:]
        return size

    def close(self) -> None:
        if not self.closed:
            self._file.close()
        super().close()


_COMPRESSED: dict[str, Callable[..., Any]] = {
    ".gz": gzip.open,
    ".bz2": open_bz2,
    ".xz": lzma.open,
    ".zst": _Zstd,
}


def _members(path: Path) -> Iterator[tuple[str, IO[bytes]]]:
    if ".tar" in path.suffixes or path.suffix == ".tgz":
        yield from _tar_members(path)
    elif path.suffix == ".zip":
        with zipfile.ZipFile(path) as archive:
            for info in archive.infolist():
                if not info.is_dir():
                    with _open_member(archive, info) as stream:
                        yield info.filename, stream
    elif path.suffix in _COMPRESSED:
        with _COMPRESSED[path.suffix](path) as stream:
            yield path.stem, stream
    else:
        with path.open("rb") as stream:
            yield path.name, stream


@contextlib.contextmanager
def open_tar(path: Path) -> Iterator[tarfile.TarFile]:
    """Open a tar file, which may be compressed, to read its members in order without extracting them to disk."""
    # The tarfile module does not verify the checksum of a gzip stream.
    with _decompressor(path)(path) as stream:
        with tarfile.open(fileobj=stream, mode="r|") as archive:
            yield archive
        while stream.read(1 << 20):  # the gzip module verifies the checksum when it reaches the end
            pass


def tar_entries(archive: tarfile.TarFile) -> Iterator[tarfile.TarInfo]:
    """Yield the entries of a tar file that :func:`open_tar` opened, in order and in constant memory.

    The tarfile module itself keeps all entries in memory, where each entry takes up about a kilobyte.
    """
    while (entry := archive.next()) is not None:
        vars(archive)["members"].clear()
        yield entry


def _tar_members(path: Path) -> Iterator[tuple[str, IO[bytes]]]:
    """Yield the name and stream of each file in a tar archive, in order."""
    with open_tar(path) as archive:
        for member in tar_entries(archive):
            content = archive.extractfile(member) if member.isfile() else None
            if content is not None:
                yield member.name, content


def _decompressor(path: Path) -> Callable[..., Any]:
    """Detect a file's compression from its first bytes, and return the function that opens and decompresses it."""
    with path.open("rb") as stream:
        head = stream.read(10)
    if _BZ2_HEADER.match(head):  # "BZh" alone is ambiguous: a tar file begins with a member's name, such as BZh.txt
        return open_bz2
    if head.startswith(b"\x1f\x8b"):
        return gzip.open
    if head.startswith(b"\xfd7zXZ"):
        return lzma.open
    return partial(open, mode="rb")


def _open_member(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> IO[bytes]:
    try:
        return archive.open(info)
    except (RuntimeError, NotImplementedError) as error:  # encrypted, or an unknown compression method
        raise zipfile.BadZipFile(str(error)) from None
