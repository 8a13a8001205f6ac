"""Normalise whitespace in a compiled loop over UTF-8 bytes, which is faster than ``str.split`` and ``str.join``."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import njit

Bytes = npt.NDArray[np.uint8]

_SPACE, _LINE_END = ord(" "), ord("\n")
# ASCII whitespace, including the line break, and the first bytes of multi-byte whitespace characters.
_MAY_BE_WHITESPACE = np.isin(np.arange(256), [*b"\t\n\v\f\r\x1c\x1d\x1e\x1f ", 0xC2, 0xE1, 0xE2, 0xE3])


def squeeze_lines(text: str) -> tuple[str, int, int]:
    r"""Remove whitespace around each line of a text, and reduce whitespace within lines to single spaces.

    Returns:
        The normalised text, ``"\n".join(" ".join(line.split()) for line in text.split("\n"))``; the number of lines
        that are not empty; and the number of characters in the longest line.
    """
    out, filled, longest = squeeze(np.frombuffer(text.encode() + b"\n", np.uint8))
    return out[:-1].tobytes().decode(), filled, longest


@njit(cache=True)
def _whitespace_length(text: Bytes, i: int) -> int:
    """Return the length in bytes of the whitespace character at position i, or 0 if there is none.

    Whitespace is defined as in ``str.isspace``. The byte at position i must be marked in ``_MAY_BE_WHITESPACE``.
    """
    byte = text[i]
    if byte < 0x80:
        return 1
    if byte == 0xC2:
        return 2 if text[i + 1] == 0x85 or text[i + 1] == 0xA0 else 0
    code = (byte & 0x0F) << 12 | np.int64(text[i + 1] & 0x3F) << 6 | np.int64(text[i + 2] & 0x3F)
    if 0x2000 <= code <= 0x200A or code in (0x2028, 0x2029, 0x202F, 0x205F):
        return 3
    return 3 if code in (0x1680, 0x3000) else 0


@njit(cache=True)
def squeeze(text: Bytes) -> tuple[Bytes, int, int]:
    """Remove whitespace around each line of a UTF-8 text, and reduce whitespace within lines to single spaces.

    The text must end with a line break.

    Returns:
        The normalised text in UTF-8, with a line break after each line; the number of lines that are not empty; and the
        number of characters in the longest line.
    """
    out = np.empty_like(text)
    size = continued = filled = longest = i = 0
    line_start = 0  # start of the current line in `out`
    waiting = False  # whether a space must be written before the next character of the line
    while i < len(text):
        byte = text[i]
        if _MAY_BE_WHITESPACE[byte]:
            if byte == _LINE_END:
                filled += size > line_start
                longest = max(longest, size - line_start - continued)
                out[size] = byte
                size += 1
                i += 1
                line_start, continued = size, 0
                waiting = False
                continue
            white = _whitespace_length(text, i)
            if white:
                waiting = size > line_start
                i += white
                continue
        if waiting:
            out[size] = _SPACE
            size += 1
            waiting = False
        continued += byte & 0xC0 == 0x80  # continuation byte of a character
        out[size] = byte
        size += 1
        i += 1
    return out[:size], filled, longest
