"""Compiled loops that split text into sentences for :mod:`sentrep.corpora.punkt`.

The loops process text as UTF-8 bytes, with one paragraph per line and no whitespace other than spaces and line breaks.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import njit

Bytes = npt.NDArray[np.uint8]
Int64 = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

_SPACE, _LINE_END, _STOP, _HYPHEN, _APOSTROPHE = 32, 10, ord("."), ord("-"), ord("'")
_MARKS = np.isin(np.arange(256), list(b".?!"))
_LETTERS = np.isin(np.arange(256), list(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"))
_UPPER = np.isin(np.arange(256), list(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
# _AFTER contains the ASCII characters that may directly follow a mark at the end of a sentence. _CLOSING contains the
# ASCII closing punctuation, which Punkt assigns to the preceding sentence. _quote_length finds other quotation marks.
_AFTER = np.isin(np.arange(256), list(b")\";}]*:@'({[?!"))
_CLOSING = np.isin(np.arange(256), list(b"\"')]}"))
_HASH_START, _HASH_FACTOR = np.uint64(0xCBF29CE484222325), np.uint64(0x100000001B3)  # FNV-1a
HASH_VALUES = 1 << 16


@njit(cache=True)
def word_hash(word: Bytes) -> int:
    """Return the hash of a word, from 0 to ``HASH_VALUES`` - 1.

    The hash is an index into the argument ``special`` of :func:`candidates`.
    """
    state = _HASH_START
    for byte in word:
        state = (state ^ np.uint64(byte)) * _HASH_FACTOR
    return _folded(state)


@njit(cache=True)
def _folded(state: np.uint64) -> int:
    return np.int64((state ^ state >> np.uint64(32)) & np.uint64(HASH_VALUES - 1))  # pyright: ignore[reportReturnType]


@njit(cache=True)
def _quote_length(text: Bytes, i: int) -> int:
    """Return the length in bytes of the quotation mark (‘ ’ “ ” « or ») at position i, or 0 if there is none."""
    if text[i] == 0xC2:
        return 2 if text[i + 1] == 0xAB or text[i + 1] == 0xBB else 0
    if text[i] == 0xE2 and text[i + 1] == 0x80:
        third = text[i + 2]
        return 3 if third in (0x98, 0x99, 0x9C, 0x9D) else 0
    return 0


@njit(cache=True)
def candidates(text: Bytes, special: Flags) -> tuple[Int64, Flags]:
    """Find the marks ".", "?" and "!" at which a sentence may end within a paragraph.

    A mark is found if certain punctuation follows it directly, or if spaces and another word follow it. Of a run of
    marks such as "!!!", only the last mark is found.

    Args:
        text: paragraphs, (bytes,) uint8.
        special: (HASH_VALUES,) bool, for each hash, whether a word with this hash may be an abbreviation or the first
            word of a collocation.

    Returns:
        boundaries: (n, 4) int64, four byte positions for each candidate: the start of the word before the punctuation
            mark, the mark itself, the end of the context that NLTK examines, and the start of the next sentence (if a
            sentence ends at the mark).
        clear: (n,) bool, whether a sentence certainly ends at the mark; NLTK decides the other cases.
    """
    n_marks = 0
    for byte in text:
        n_marks += _MARKS[byte]
    found = np.empty((n_marks, 4), np.int64)
    clear = np.empty(n_marks, np.bool_)
    count = 0
    pending = False
    word_start = word_stop = 0  # start of the pending candidate's word, and position of the mark after the word
    blank = -1
    for i in range(len(text)):
        byte = text[i]
        if byte == _SPACE:
            blank = i
        elif byte == _LINE_END:
            if pending:
                count += 1
            pending = False
            word_start = word_stop = i + 1
        elif _MARKS[byte]:
            # A mark can end a sentence only if it is followed by certain punctuation, or by spaces and another word.
            following = text[i + 1]
            if following == _SPACE:
                next_start = i + 1
                while text[next_start] == _SPACE:
                    next_start += 1
                if text[next_start] == _LINE_END:
                    continue
                context_end = next_start
                while text[context_end] != _SPACE and text[context_end] != _LINE_END:
                    context_end += 1
            else:
                length = 1 if _AFTER[following] else _quote_length(text, i + 1)
                if not length:
                    continue
                next_start, context_end = i + 1, i + 1 + length
            # As in NLTK, a space at the beginning of a paragraph is ignored, and only the last mark of a run such as
            # "!!!" counts.
            start = blank + 1 if blank > word_stop else word_start
            if pending and start >= word_stop:
                count += 1
            pending = True
            word_start, word_stop = start, i
            found[count] = (start, i, context_end, next_start)
            clear[count] = byte != _STOP or (text[next_start] != _STOP and _ordinary(text, start, i, special))
    if pending:
        count += 1
    return found[:count], clear[:count]


@njit(cache=True)
def _ordinary(text: Bytes, start: int, stop: int, special: Flags) -> bool:
    """Return whether the full stop after a word is certainly not part of an abbreviation, initial or ordinal number.

    The result is true only if the word has at least two characters, ends with a letter, and consists of ASCII letters,
    hyphens, em dashes and apostrophes. Opening quotation marks and brackets before the word are ignored. As in NLTK, an
    apostrophe begins a new word, so only the part from the last apostrophe counts. The result is false if the word, or
    its part after the last hyphen, may be an abbreviation or the first word of a collocation.
    """
    while start < stop and (text[start] == ord('"') or text[start] == ord("(")):
        start += 1
    if start == stop or text[start] == _HYPHEN or not _LETTERS[text[stop - 1]]:
        return False
    token = start
    whole = after_hyphen = _HASH_START
    i = start
    while i < stop:
        byte = text[i]
        if byte == _APOSTROPHE:
            token, whole, after_hyphen = i, _HASH_START, _HASH_START
        elif byte == _HYPHEN:
            if text[i + 1] == _HYPHEN:
                return False
        elif byte == 0xE2 and text[i + 1] == 0x80 and (text[i + 2] == 0x99 or text[i + 2] == 0x94):
            if text[i + 2] == 0x99:
                token, whole, after_hyphen = i, _HASH_START, _HASH_START
            for k in range(i, i + 2):
                whole = (whole ^ np.uint64(text[k])) * _HASH_FACTOR
                after_hyphen = (after_hyphen ^ np.uint64(text[k])) * _HASH_FACTOR
            i += 2
            byte = text[i]
        elif not _LETTERS[byte]:
            return False
        if _UPPER[byte]:
            byte += 32
        whole = (whole ^ np.uint64(byte)) * _HASH_FACTOR
        after_hyphen = _HASH_START if byte == _HYPHEN else (after_hyphen ^ np.uint64(byte)) * _HASH_FACTOR
        i += 1
    return stop - token > 1 and not special[_folded(whole)] and not special[_folded(after_hyphen)]


@njit(cache=True)
def cut(text: Bytes, boundaries: Int64) -> Bytes:
    """Split paragraphs into sentences, and return the sentences, one per line.

    As in NLTK, closing quotation marks and brackets belong to the sentence before them.

    Args:
        text: paragraphs, (bytes,) uint8.
        boundaries: (n, 4) int64, those boundaries from :func:`candidates` at which a sentence ends.
    """
    out = np.empty(len(text) + len(boundaries), np.uint8)
    size = k = start = 0
    for line_end in range(len(text)):
        if text[line_end] != _LINE_END:
            continue
        stop = line_end
        while stop > start and text[stop - 1] == _SPACE:
            stop -= 1
        while k < len(boundaries) and boundaries[k, 1] < stop:
            next_start = boundaries[k, 3]
            inside = k + 1 < len(boundaries) and boundaries[k + 1, 1] < stop
            closing, taken = _closing(text, next_start, boundaries[k + 1, 1] + 1 if inside else stop)
            size = _append(text, start, next_start + closing if closing else boundaries[k, 1] + 1, out, size)
            start = next_start + taken
            k += 1
        size = _append(text, start, stop, out, size)
        start = line_end + 1  # where the next paragraph begins
    return out[:size]


@njit(cache=True)
def _append(text: Bytes, start: int, stop: int, out: Bytes, size: int) -> int:
    if start >= stop:
        return size
    for i in range(start, stop):
        out[size] = text[i]
        size += 1
    out[size] = _LINE_END
    return size + 1


@njit(cache=True)
def _closing(text: Bytes, start: int, stop: int) -> tuple[int, int]:
    """Return the length in bytes of the closing punctuation at ``start``, without and with the spaces after it.

    As in NLTK, the punctuation must be followed by spaces or two hyphens, or must end at position ``stop``; otherwise
    both lengths are 0.
    """
    i = start
    while i < stop:
        length = 1 if _CLOSING[text[i]] else _quote_length(text, i)
        if not length:
            return 0, 0
        i += length
        closing = i - start
        if i == stop or (text[i] == _HYPHEN and i + 1 < stop and text[i + 1] == _HYPHEN):
            return closing, closing
        if text[i] == _SPACE:
            while i < stop and text[i] == _SPACE:
                i += 1
            return closing, i - start
    return 0, 0
