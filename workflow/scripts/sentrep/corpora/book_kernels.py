"""Compiled loops that clean and measure the text of a book, join its lines, and compute its fingerprints.

Unless stated otherwise, a text is an array of UTF-8 bytes returned by :func:`sentrep.corpora.whitespace.squeeze`. Its
lines have no surrounding whitespace and end with a line break.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import njit

Bytes = npt.NDArray[np.uint8]

# Columns of the array that paragraph_table returns: the byte positions at which the paragraph starts and ends; the
# number of its lines, of its lines after the first that begin with a capital letter, and of its lines that do not end
# with one of END_MARKS; the number of letters (each non-ASCII byte counts as one), of ASCII capital letters, of digits
# and of words; the number of bytes in double and in single quotation marks; and the hash that _label returns.
COLUMNS = (
    *("start", "end", "lines", "capital_lines", "open_lines", "letters", "capitals", "digits", "words"),
    *("double_quoted", "single_quoted", "label"),
)
NGRAM = 7  # number of words per fingerprint
SAMPLED = 32  # on average, one in this many fingerprints is kept

_LINE_END, _SPACE, _HYPHEN, _DOUBLE, _SINGLE, _BACKTICK = (ord(character) for character in "\n -\"'`")
_LONGEST_LABEL = 32  # maximum length in bytes of a speaker's name in a play, including the "." or ":" after it
END_MARKS = b".,;:!?\"')-]"
_ENDS = np.isin(np.arange(256), [*END_MARKS])
_LABEL_MARKS = np.isin(np.arange(256), [*b" .'&-"])
_OPENS_QUOTE = np.isin(np.arange(256), [*b' \n-"'])  # characters that may precede an opening single quote
_EMPHASIS = np.isin(np.arange(256), [*b"*_\\"])
# Bytes that plain_characters may change: emphasis marks, quotes, hyphens and the first bytes of typographic characters.
_SPECIAL = np.isin(np.arange(256), [*b"*_\\'`-", 0xC2, 0xE2, 0xEF])
_LETTER, _CAPITAL, _DIGIT = 1, 2, 4
_KIND = np.array(
    [
        _LETTER | _CAPITAL if 65 <= byte <= 90 else _LETTER if byte >= 128 or 97 <= byte <= 122 else 0
        for byte in range(256)
    ],
    np.uint8,
)
_KIND[48:58] = _DIGIT


@njit(cache=True)
def plain_characters(text: Bytes) -> Bytes:
    """Replace typographic characters with ASCII characters, and remove emphasis marks and invisible characters.

    Quotes, dashes, ellipses, and the ligatures for fi and fl are replaced. Asterisks, underscores, backslashes, soft
    hyphens, zero-width spaces and byte order marks are removed. A long dash (an em dash, a horizontal bar or a run of
    hyphens) becomes two hyphens. If an ASCII letter follows, a space is written before and after the hyphens, so that
    the dash does not join two words.

    Args:
        text: any UTF-8 text, (bytes,) uint8.
    """
    out = np.empty(2 * len(text) + 4, np.uint8)
    size = i = 0
    while i < len(text):
        byte = text[i]
        if not _SPECIAL[byte]:
            out[size] = byte
            size += 1
            i += 1
            continue
        following = text[i + 1] if i + 1 < len(text) else _SPACE
        length, plain, times = 1, byte, 1  # number of bytes read, byte to write, and how often to write it
        if _EMPHASIS[byte]:
            times = 0
        elif byte in (_SINGLE, _BACKTICK) and following == byte:
            length, plain = 2, _DOUBLE
        elif byte == 0xE2 and following == 0x80 and i + 2 < len(text):
            last = text[i + 2]
            if 0x90 <= last <= 0x95 or 0x98 <= last <= 0x9E or last in (0xA6, 0x8B):
                length = 3
                if last <= 0x95:
                    plain, times = _HYPHEN, 2 if last >= 0x94 else 1
                elif last <= 0x9E:
                    plain = _SINGLE if last <= 0x9B else _DOUBLE
                if last == 0x8B:
                    times = 0
                elif last == 0xA6:
                    plain, times = 46, 3
        elif byte == 0xC2 and following == 0xAD:
            length, times = 2, 0
        elif byte == 0xEF and i + 2 < len(text):
            if following == 0xBB and text[i + 2] == 0xBF:
                length, times = 3, 0
            elif following == 0xAC and (text[i + 2] == 0x81 or text[i + 2] == 0x82):
                out[size] = 102  # f
                size += 1
                length, plain = 3, 105 if text[i + 2] == 0x81 else 108
        if plain == _HYPHEN:
            while times == 1 and i + length < len(text) and text[i + length] == _HYPHEN:
                length += 1
            times = 2 if length > 1 and byte == _HYPHEN else times
            letter = text[i + length] | 32 if i + length < len(text) else _SPACE
            if times == 2 and 97 <= letter <= 122:
                out[size : size + 4] = np.array([_SPACE, _HYPHEN, _HYPHEN, _SPACE], np.uint8)
                size += 4
                i += length
                continue
        for _ in range(times):
            out[size] = plain
            size += 1
        i += length
    return out[:size]


@njit(cache=True)
def paragraph_table(text: Bytes, wrapped: bool) -> npt.NDArray[np.int64]:
    """Measure each paragraph of a text.

    Args:
        text: the text, which ends with a line break.
        wrapped: True if paragraphs are separated by empty lines, False if each line is a paragraph.

    Returns:
        (paragraphs, len(COLUMNS)) int64, the measures of each paragraph in the order of ``COLUMNS``.
    """
    table = np.empty((1024, 12), np.int64)
    n = i = 0
    while i < len(text):
        if text[i] == _LINE_END:
            i += 1
            continue
        if n == len(table):
            larger = np.empty((2 * n, 12), np.int64)
            larger[:n] = table
            table = larger
        row = table[n]
        row[:] = 0
        row[0] = i
        row[11] = _label(text, i)
        n += 1
        in_word = in_double = in_single = False
        row[2] = 1
        while True:
            byte = text[i]
            if byte == _LINE_END:
                row[4] += not _ENDS[text[i - 1]]
                if not wrapped or i + 1 >= len(text) or text[i + 1] == _LINE_END:
                    break
                row[2] += 1
                row[3] += 65 <= text[i + 1] <= 90
                in_word = False
                i += 1
                continue
            kind = _KIND[byte]
            if kind:
                letter = kind & _LETTER
                row[5] += letter
                row[6] += (kind & _CAPITAL) >> 1
                row[7] += kind >> 2
                if letter and not in_word:
                    in_word = True
                    row[8] += 1
            elif byte == _SPACE:
                in_word = False
            elif byte == _DOUBLE:
                in_double = not in_double
            elif byte == _SINGLE:
                before = text[i - 1] if i > row[0] else _SPACE
                in_single = _OPENS_QUOTE[before] or (in_single and not _ENDS[before])
            row[9] += in_double
            row[10] += in_single
            i += 1
        row[1] = i
    return table[:n]


@njit(cache=True)
def _label(text: Bytes, i: int) -> int:
    """Return a hash of the name with which the paragraph at position i begins, or 0 if there is no such name.

    A name consists of capitalised words and is followed by "." or ":", like the names of speakers in many plays, for
    example "HAMLET." or "First Witch:".
    """
    value = np.uint64(14695981039346656037)
    begins = True
    for k in range(i, min(i + _LONGEST_LABEL, len(text) - 2)):
        byte = text[k]
        upper = 65 <= byte <= 90
        if begins and not upper:
            return 0
        if byte in (46, 58) and k > i + 1 and (text[k + 1] == _SPACE or text[k + 1] == _LINE_END):
            return int(value >> np.uint64(1))
        if not (upper or 97 <= byte <= 122 or byte >= 128 or _LABEL_MARKS[byte]):
            return 0
        begins = byte == _SPACE
        value = (value ^ np.uint64(byte)) * np.uint64(1099511628211)
    return 0


@njit(cache=True)
def join_lines(
    text: Bytes, starts: npt.NDArray[np.int64], ends: npt.NDArray[np.int64], joined: npt.NDArray[np.int64]
) -> Bytes:
    """Join the lines of each paragraph, and return the paragraphs, one per line, as UTF-8 bytes.

    Two lines are joined without a space if the first ends with a hyphen that follows a letter, and the second begins
    with a lower-case letter. The hyphen is dropped if its position is in ``joined``.

    Args:
        text: the text of a book.
        starts: the byte positions at which the paragraphs start, (paragraphs,) int64.
        ends: the byte positions at which the paragraphs end, (paragraphs,) int64.
        joined: the byte positions of the hyphens to drop, in ascending order, (hyphens,) int64.
    """
    out = np.empty(int((ends - starts).sum()) + len(starts), np.uint8)
    size = j = 0
    for p in range(len(starts)):
        i = starts[p]
        while i < ends[p]:
            byte = text[i]
            if byte == _LINE_END:
                out[size] = _SPACE
            elif byte == _HYPHEN and i + 2 < ends[p] and text[i + 1] == _LINE_END and hyphenated(text, i):
                while j < len(joined) and joined[j] < i:
                    j += 1
                i += 2
                if j < len(joined) and joined[j] == i - 2:
                    continue
                out[size] = _HYPHEN
                size += 1
                continue
            else:
                out[size] = byte
            size += 1
            i += 1
        out[size] = _LINE_END
        size += 1
    return out[:size]


@njit(cache=True)
def hyphenated(text: Bytes, i: int) -> bool:
    """Return whether a letter precedes the hyphen at position i and the next line begins with a lower-case letter.

    The caller must ensure that the hyphen is the last character of its line.
    """
    before, after = text[i - 1] | 32, text[i + 2]
    return i > 0 and 97 <= before <= 122 and 97 <= after <= 122


@njit(cache=True)
def fingerprints(text: Bytes) -> npt.NDArray[np.uint64]:
    """Return the distinct fingerprints of a text, (n,) uint64 in ascending order.

    A fingerprint is the hash of ``NGRAM`` consecutive words. On average, one in ``SAMPLED`` hashes is kept. Whether a
    hash is kept depends only on its value, so it is kept either for all texts that contain these words or for none.
    Words are runs of ASCII letters; case is ignored.
    """
    base = np.uint64(0x9E3779B97F4A7C15)
    power = np.uint64(1)
    for _ in range(NGRAM):
        power *= base
    found = np.empty(1024, np.uint64)
    recent = np.zeros(NGRAM, np.uint64)
    n = words = 0
    rolling = word = np.uint64(0)
    for i in range(len(text)):
        byte = text[i] | 32
        if 97 <= byte <= 122:
            word = (word ^ np.uint64(byte)) * np.uint64(1099511628211) + np.uint64(0x27D4EB2F165667C5)
            continue
        if word == 0:
            continue
        rolling = rolling * base + word - recent[words % NGRAM] * power
        recent[words % NGRAM] = word
        words += 1
        word = np.uint64(0)
        if words < NGRAM:
            continue
        value = rolling ^ (rolling >> np.uint64(29))
        value *= np.uint64(0xBF58476D1CE4E5B9)
        value ^= value >> np.uint64(32)
        if value % np.uint64(SAMPLED) == 0:
            if n == len(found):
                larger = np.empty(2 * n, np.uint64)
                larger[:n] = found
                found = larger
            found[n] = value
            n += 1
    return np.unique(found[:n])
