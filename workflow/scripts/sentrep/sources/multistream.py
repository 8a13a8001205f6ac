"""Multistream .bz2 files (Wikipedia's dumps, pbzip2) decompressed by several threads.

Such a file is many bz2 streams one after the other, each beginning at a byte with the same ten bytes. The file is cut
there into groups of about a megabyte, and threads decompress several groups ahead of the reader; the order is kept and
at most a few dozen megabytes are held. What is not multistream is read by Python's own reader, from the first stream on
that is too long to be held.
"""

from __future__ import annotations

import bz2
import io
import os
import re
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import BinaryIO

_STREAM = re.compile(rb"BZh[1-9]1AY&SY")  # chance hits: one in 2**77 bytes
_BLOCK = 1 << 20  # bytes read at a time; a group of streams is at least as long
_LONGEST = 16 << 20  # a stream longer than this is not held in memory
_WORTHWHILE = 4 << 20  # bytes; smaller files are decompressed before threads have started


def open_bz2(path: str | Path, mode: str = "rb", *, threads: int | None = None) -> BinaryIO:
    """Open a .bz2 file for reading from its beginning to its end.

    Args:
        path: of the file.
        mode: "rb".
        threads: that decompress; None takes half of the cores this process may use, four at most. (One thread gives
            25 MB/s and so keeps two cores busy with cleaning articles; more of them would only take these cores away.)

    Raises:
        ValueError: another mode.
        EOFError, OSError: while reading, the file is truncated or damaged.
    """
    if mode != "rb":
        raise ValueError(mode)
    if threads is None:
        limit = os.environ.get("OMP_NUM_THREADS", "")  # what sentrep.runtime.job allows
        cores = min(len(os.sched_getaffinity(0)), int(limit) if limit.isdecimal() else 8)
        threads = min(cores // 2, 4)
    if threads <= 1 or Path(path).stat().st_size < _WORTHWHILE:
        return bz2.open(path, "rb")
    return io.BufferedReader(_Chunks(_decompressed(Path(path), threads)), 1 << 16)


class _Chunks(io.RawIOBase):
    """An iterator of bytes as a stream."""

    def __init__(self, chunks: Iterator[bytes]) -> None:
        self._chunks = chunks
        self._rest = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:
        while not self._rest:
            chunk = next(self._chunks, None)
            if chunk is None:
                return 0
            self._rest = memoryview(chunk)
        size = min(len(buffer), len(self._rest))
        buffer[:size] = self._rest[:size]
        self._rest = self._rest[size:]
        return size

    def close(self) -> None:
        self._chunks.close()  # stops the threads
        super().close()


def _decompressed(path: Path, threads: int) -> Iterator[bytes]:
    """Yield the file's content in order."""
    with path.open("rb") as stream, ThreadPoolExecutor(threads) as pool:
        pending: deque[Future[bytes]] = deque()
        try:
            for group in _groups(stream):
                if isinstance(group, int):  # from here on streams are too long to be held
                    while pending:
                        yield pending.popleft().result()
                    stream.seek(group)
                    with bz2.open(stream, "rb") as rest:
                        while block := rest.read(_BLOCK):
                            yield block
                    return
                pending.append(pool.submit(_decompress, group))  # holds no lock of the interpreter
                if len(pending) > 2 * threads:
                    yield pending.popleft().result()
            while pending:
                yield pending.popleft().result()
        finally:
            for future in pending:
                future.cancel()


def _decompress(group: bytes) -> bytes:
    try:
        return bz2.decompress(group)
    except ValueError as error:
        raise EOFError(str(error)) from None  # what Python's reader of files raises


def _groups(stream: BinaryIO) -> Iterator[bytes | int]:
    """Yield groups of whole streams, or the position from which on there is a stream too long to be one."""
    start, group = 0, bytearray()
    while block := stream.read(_BLOCK):
        searched = max(len(group) - 9, _BLOCK)  # a beginning may lie across two blocks
        group += block
        if beginning := _STREAM.search(group, searched):
            yield bytes(group[: beginning.start()])
            del group[: beginning.start()]
            start += beginning.start()
        elif len(group) > _LONGEST:
            yield start
            return
    if group:
        yield bytes(group)
