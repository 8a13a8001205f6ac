"""White space of UTF-8 bytes, squeezed by a compiled loop: a book in milliseconds."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import njit

Bytes = npt.NDArray[np.uint8]

_BLANK, _LINE_END = ord(" "), ord("\n")
# Bytes that are white space or begin a longer character that may be, the line end among them.
_MAY_BE_WHITE = np.isin(np.arange(256), [*b"\t\n\v\f\r\x1c\x1d\x1e\x1f ", 0xC2, 0xE1, 0xE2, 0xE3])


def squeeze_lines(text: str) -> tuple[str, int, int]:
    """Return ``"\\n".join(" ".join(line.split()) for line in text.split("\\n"))``, and what its lines are like.

    Returns:
        The text, how many of its lines are not empty, and how many characters the longest has.
    """
    out, filled, longest = _squeeze(np.frombuffer(text.encode() + b"\n", np.uint8))
    return out[:-1].tobytes().decode(), filled, longest


@njit(cache=True)
def _white_space(text: Bytes, i: int) -> int:
    """Return the bytes of what ``str.isspace`` calls white space at position i, 0 if it is something else."""
    byte = text[i]
    if byte < 0x80:
        return 1
    if byte == 0xC2:
        return 2 if text[i + 1] == 0x85 or text[i + 1] == 0xA0 else 0
    code = (byte & 0x0F) << 12 | np.int64(text[i + 1] & 0x3F) << 6 | np.int64(text[i + 2] & 0x3F)
    if 0x2000 <= code <= 0x200A or code == 0x2028 or code == 0x2029 or code == 0x202F or code == 0x205F:
        return 3
    return 3 if code == 0x1680 or code == 0x3000 else 0


@njit(cache=True)
def _squeeze(text: Bytes) -> tuple[Bytes, int, int]:
    out = np.empty_like(text)
    size = continued = filled = longest = i = 0
    line_start = 0  # in `out`
    waiting = False  # for the rest of the line, before which a blank is due
    while i < len(text):
        byte = text[i]
        if _MAY_BE_WHITE[byte]:
            if byte == _LINE_END:
                filled += size > line_start
                longest = max(longest, size - line_start - continued)
                out[size] = byte
                size += 1
                i += 1
                line_start, continued = size, 0
                waiting = False
                continue
            white = _white_space(text, i)
            if white:
                waiting = size > line_start
                i += white
                continue
        if waiting:
            out[size] = _BLANK
            size += 1
            waiting = False
        continued += byte & 0xC0 == 0x80  # a byte that goes on with a character
        out[size] = byte
        size += 1
        i += 1
    return out[:size], filled, longest
