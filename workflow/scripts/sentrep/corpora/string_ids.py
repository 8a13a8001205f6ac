"""Distinct pieces of text as numbers: the compiled core of the token store.

A piece is what stands between blanks and line ends. A Python dictionary takes a string object for each; here bytes are
hashed where they lie, about 30 million pieces a second.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import njit

Bytes = npt.NDArray[np.uint8]
Int32 = npt.NDArray[np.int32]
Int64 = npt.NDArray[np.int64]
UInt32 = npt.NDArray[np.uint32]
UInt64 = npt.NDArray[np.uint64]

_BLANK, _LINE_END = 32, 10
_HASH_START, _HASH_FACTOR = np.uint64(0xCBF29CE484222325), np.uint64(0x100000001B3)  # FNV-1a
_HALF = np.uint64(32)
_NUMBER = np.uint64(0xFFFFFFFF)


class Numbering:
    """Pieces seen so far, numbered in the order of their first occurrence."""

    def __init__(self) -> None:
        # A slot is 0 if free, else half of a piece's hash and, in the lower 32 bits, its number + 1.
        self._slots = np.zeros(1 << 15, np.uint64)
        self._ends = np.zeros((1 << 14) + 1, np.int64)  # piece i is pool[ends[i]:ends[i + 1] - 1], a line end after it
        self._pool = np.empty(1 << 17, np.uint8)
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def number(self, text: bytes) -> tuple[UInt32, Int32]:
        """Return the number of each piece of a text, new ones being added, and how many pieces each line has.

        Args:
            text: UTF-8, its white space blanks and "\\n" only, the last line ended by "\\n".

        Returns:
            (pieces,) uint32 numbers, and (lines,) int32 lengths; the length of a line without a byte is -1.
        """
        numbers = np.empty(len(text) // 2 + 1, np.uint32)
        lengths = np.empty(text.count(b"\n"), np.int32)
        read = np.frombuffer(text, np.uint8)
        position = found = line = begun = 0
        while position < len(text):
            position, found, line, begun, self._count = _number(
                *(read, position, found, line, begun, numbers, lengths),
                *(self._slots, self._ends, self._pool, self._count),
            )
            if 2 * (self._count + 1) > len(self._slots):
                self._slots = _larger(self._slots, self._ends, self._pool, self._count)
                self._ends = np.concatenate((self._ends, np.empty(len(self._ends) - 1, np.int64)))
            elif position < len(text):
                self._pool = np.concatenate((self._pool, np.empty(max(len(self._pool), len(text)), np.uint8)))
        return numbers[:found].copy(), lengths

    def text(self) -> bytes:
        """Return all pieces in the order of their numbers, each followed by "\\n"."""
        return self._pool[: self._ends[self._count]].tobytes()

    def piece(self, number: int) -> str:
        """Return one piece."""
        return self._pool[self._ends[number] : self._ends[number + 1] - 1].tobytes().decode()


def compile_loops() -> None:
    """Compile what worker processes need, or load it compiled: those forked afterwards have it."""
    numbers, lengths = Numbering().number(b"a\n")
    for kind in (np.uint16, np.uint32):
        offsets, rows = np.zeros(1, np.int64), np.zeros(1, np.int32)
        expand(numbers, lengths, np.arange(2), rows, np.zeros(1, kind), offsets, 0)


@njit(cache=True)
def expand(
    numbers: UInt32,
    lengths: Int32,
    starts: Int64,
    rows: Int32,
    ids: npt.NDArray[np.unsignedinteger],
    offsets: Int64,
    first: int,
) -> None:
    """Put what numbers stand for into a token store.

    Args:
        numbers: (pieces,) of :meth:`Numbering.number`.
        lengths: (lines,) of it.
        starts: (distinct + 1,) number i stands for ``rows[starts[i]:starts[i + 1]]``.
        rows: word ids.
        ids: written, the ids of these lines.
        offsets: (lines with a byte,) written, where each line ends among all ids.
        first: where these ids begin among all.
    """
    piece = token = line = 0
    for length in lengths:
        if length < 0:
            continue
        for number in numbers[piece : piece + length]:
            for k in range(starts[number], starts[number + 1]):
                ids[token] = rows[k]
                token += 1
        piece += length
        offsets[line] = first + token
        line += 1


@njit(cache=True)
def _number(
    text: Bytes,
    position: int,
    found: int,
    line: int,
    begun: int,
    numbers: UInt32,
    lengths: Int32,
    slots: UInt64,
    ends: Int64,
    pool: Bytes,
    count: int,
) -> tuple[int, int, int, int, int]:
    """Number pieces until the text ends or there is no room for a new one.

    Args:
        text: read from ``position``.
        position: where a piece begins.
        found: pieces before it.
        line: lines before it.
        begun: pieces before its line.
        numbers: written.
        lengths: written.
        slots, ends, pool, count: see :class:`Numbering`.

    Returns:
        ``position``, ``found``, ``line``, ``begun``, ``count``, as they are then.
    """
    start = position
    state = _HASH_START
    for position in range(start, len(text)):
        byte = text[position]
        if byte != _BLANK and byte != _LINE_END:
            state = (state ^ np.uint64(byte)) * _HASH_FACTOR
            continue
        if position > start:
            slot = _find(text, start, position, state, slots, ends, pool)
            if not slots[slot]:
                end = ends[count] + position - start + 1
                if 2 * (count + 1) > len(slots) or end > len(pool):
                    return start, found, line, begun, count
                pool[ends[count] : end - 1] = text[start:position]
                pool[end - 1] = _LINE_END
                count += 1
                ends[count] = end
                slots[slot] = state >> _HALF << _HALF | np.uint64(count)
            numbers[found] = (slots[slot] & _NUMBER) - np.uint64(1)
            found += 1
        if byte == _LINE_END:
            empty = position == start and (start == 0 or text[start - 1] == _LINE_END)
            lengths[line] = -1 if empty else found - begun
            line += 1
            begun = found
        start = position + 1
        state = _HASH_START
    return len(text), found, line, begun, count


@njit(cache=True)
def _find(text: Bytes, start: int, stop: int, state: np.uint64, slots: UInt64, ends: Int64, pool: Bytes) -> int:
    """Return the slot of a piece, or the free slot where it belongs."""
    mask = len(slots) - 1
    slot = np.int64(state ^ state >> _HALF) & mask
    while slots[slot]:
        if slots[slot] >> _HALF == state >> _HALF:
            known = np.int64(slots[slot] & _NUMBER) - 1
            if ends[known + 1] - ends[known] == stop - start + 1:
                shift = ends[known] - start
                i = start
                while i < stop and text[i] == pool[i + shift]:
                    i += 1
                if i == stop:
                    return slot
        slot = (slot + 1) & mask
    return slot


@njit(cache=True)
def _larger(slots: UInt64, ends: Int64, pool: Bytes, count: int) -> UInt64:
    """Return a table twice as large that holds the same."""
    larger = np.zeros(2 * len(slots), np.uint64)
    for number in range(count):
        start, stop = ends[number], ends[number + 1] - 1
        state = _HASH_START
        for byte in pool[start:stop]:
            state = (state ^ np.uint64(byte)) * _HASH_FACTOR
        slot = _find(pool, start, stop, state, larger, ends, pool)
        larger[slot] = state >> _HALF << _HALF | np.uint64(number + 1)
    return larger
