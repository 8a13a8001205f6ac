"""Map the distinct strings of a text to integer ids, in the order of their first occurrence.

Strings are delimited by spaces and line breaks. They are stored in a hash table by compiled loops that read the text
byte by byte. On 32 MB of English novels (5.8 million strings, of which 219,000 are distinct), pyarrow's dictionary
encoding took 1.5 times as long as this module and used three times as much memory, and a Python dictionary took five
times as long.
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

_LINE_END = ord("\n")
_ENDS_STRING = np.isin(np.arange(256), list(b" \n"))
_HASH_START, _HASH_FACTOR = np.uint64(0xCBF29CE484222325), np.uint64(0x100000001B3)  # FNV-1a
_HALF, _LOW = np.uint64(32), np.uint64(0xFFFFFFFF)
_CHUNK = 1 << 16  # approximate number of bytes of text for which memory is reserved at a time


class StringIds:
    """A mapping from distinct strings to integer ids; new strings are added by :meth:`assign`."""

    def __init__(self) -> None:
        # A free slot is 0. In other slots, the upper half is the hash of a string, and the lower half is the id of this
        # string plus 1.
        self._slots = np.zeros(1 << 15, np.uint64)
        self._pool = np.zeros(0, np.uint8)  # the strings, each followed by a line break
        self._ends = np.zeros(1, np.int64)  # string i is pool[ends[i]:ends[i + 1] - 1]
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def assign(self, text: bytes) -> tuple[UInt32, Int32]:
        """Add new strings to the mapping, and return the id of each string and the number of strings on each line.

        Args:
            text: UTF-8 text that contains the strings and ends with a line break. The text must not contain
                whitespace other than spaces and line breaks.

        Returns:
            ids: (strings,) uint32, id of each string.
            lengths: (lines,) int32, number of strings on each line; -1 for an empty line.
        """
        ids = np.empty(len(text) // 2 + 1, np.uint32)
        lengths = np.empty(text.count(b"\n"), np.int32)
        content = np.frombuffer(text, np.uint8)
        n_ids = n_lines = start = 0
        while start < len(text):
            stop = text.find(b"\n", start + _CHUNK) + 1 or len(text)
            self._reserve(stop - start)
            tables = self._slots, self._ends, self._pool
            found = _assign(content[start:stop], *tables, self._count, ids[n_ids:], lengths[n_lines:])
            self._count = found[0]
            n_ids, n_lines, start = n_ids + found[1], n_lines + found[2], stop
        return ids[:n_ids].copy(), lengths

    def text(self) -> bytes:
        """Return all strings in the order of their ids, one per line."""
        return self._pool[: self._ends[self._count]].tobytes()

    def string(self, number: int) -> str:
        """Return the string with the id ``number``."""
        return self._pool[self._ends[number] : self._ends[number + 1] - 1].tobytes().decode()

    def _reserve(self, size: int) -> None:
        """Reserve memory for the strings in ``size`` bytes of text."""
        strings = self._count + size // 2 + 1
        if 2 * strings > len(self._slots):
            self._slots = _rehashed(self._slots, 1 << (2 * strings).bit_length())
        self._ends = _extended(self._ends, strings + 1)
        self._pool = _extended(self._pool, int(self._ends[self._count]) + size + 1)


def _extended(array: npt.NDArray, size: int) -> npt.NDArray:
    """Return an array of at least ``size`` elements that begins with the elements of ``array``."""
    return np.resize(array, max(size, 2 * len(array))) if size > len(array) else array


def compile_loops() -> None:
    """Compile the loops of this module, or load them from the cache, so that forked processes share them."""
    ids, lengths = StringIds().assign(b"a\n")
    _rehashed(np.zeros(1, np.uint64), 2)
    for kind in (np.uint16, np.uint32):
        expand(ids, lengths, np.arange(2), np.zeros(1, np.int32), np.zeros(1, kind), np.zeros(1, np.int64), 0)


@njit(cache=True)
def expand(
    ids: UInt32,
    lengths: Int32,
    starts: Int64,
    rows: Int32,
    tokens: npt.NDArray[np.unsignedinteger],
    offsets: Int64,
    first: int,
) -> None:
    """Replace each string of a text by the ids of its words, and write the ids and the line offsets to output arrays.

    Args:
        ids: (strings,) uint32, id of each string, from :meth:`StringIds.assign`.
        lengths: (lines,) int32, number of strings on each line (-1 for an empty line), from :meth:`StringIds.assign`.
        starts: (distinct strings + 1,) int64; the word ids of the string with id i are
            ``rows[starts[i]:starts[i + 1]]``.
        rows: int32, word ids of all distinct strings, concatenated.
        tokens: output array, uint16 or uint32, for the word ids of all lines.
        offsets: (non-empty lines,) int64 output array; for each non-empty line, the number of tokens in the store up to
            the end of the line.
        first: number of tokens in the store before the first line.
    """
    string = token = line = 0
    for length in lengths:
        if length < 0:
            continue
        for number in ids[string : string + length]:
            for k in range(starts[number], starts[number + 1]):
                tokens[token] = rows[k]
                token += 1
        string += length
        offsets[line] = first + token
        line += 1


@njit(cache=True)
def _assign(
    text: Bytes, slots: UInt64, ends: Int64, pool: Bytes, count: int, ids: UInt32, lengths: Int32
) -> tuple[int, int, int]:
    """Write the id of each string in ``text`` to ``ids``, and the number of strings on each line to ``lengths``.

    Strings that are not in the hash table are added to it.

    Returns:
        The number of distinct strings so far, and the numbers of strings and of lines in ``text``.
    """
    n_ids = n_lines = start = line_start = line_first = 0
    state = _HASH_START
    for position in range(len(text)):
        byte = text[position]
        if not _ENDS_STRING[byte]:
            state = (state ^ np.uint64(byte)) * _HASH_FACTOR
            continue
        if position > start:
            key = (state ^ state >> _HALF) & _LOW
            slot = _find(text, start, position, key, slots, ends, pool)
            if not slots[slot]:
                end = ends[count] + position - start + 1
                pool[ends[count] : end - 1] = text[start:position]
                pool[end - 1] = _LINE_END
                count += 1
                ends[count] = end
                slots[slot] = key << _HALF | np.uint64(count)
            ids[n_ids] = (slots[slot] & _LOW) - np.uint64(1)
            n_ids += 1
        if byte == _LINE_END:
            lengths[n_lines] = -1 if position == line_start else n_ids - line_first
            n_lines += 1
            line_start, line_first = position + 1, n_ids
        start = position + 1
        state = _HASH_START
    return count, n_ids, n_lines


@njit(cache=True)
def _find(text: Bytes, start: int, stop: int, key: np.uint64, slots: UInt64, ends: Int64, pool: Bytes) -> np.int64:
    """Return the slot of the string ``text[start:stop]``, or the free slot in which it would be stored."""
    mask = len(slots) - 1
    slot = np.int64(key) & mask
    while slots[slot]:
        if slots[slot] >> _HALF == key:
            known = np.int64(slots[slot] & _LOW) - 1
            if ends[known + 1] - ends[known] == stop - start + 1:
                shift = ends[known] - start
                i = start
                while i < stop and text[i] == pool[i + shift]:
                    i += 1
                if i == stop:
                    return slot  # `break` would halve the speed of the loop
        slot = (slot + 1) & mask
    return slot


@njit(cache=True)
def _rehashed(slots: UInt64, size: int) -> UInt64:
    """Return a hash table of ``size`` slots with the entries of ``slots``; ``size`` must be a power of two."""
    larger = np.zeros(size, np.uint64)
    for entry in slots:
        if entry:
            slot = np.int64(entry >> _HALF) & (size - 1)
            while larger[slot]:
                slot = (slot + 1) & (size - 1)
            larger[slot] = entry
    return larger
