"""De Boom et al.'s normalisation of a paragraph (section 4.1): lower case, no punctuation, every number is "0".

The released code (``clean.pyx``) differs from the paper in more than the paper says:

- ``paper``: letters of every script stay; a number is digits with points or commas between them, so "F-16" is
  "f 0", "3rd" is "0rd" and "1.5.2" is "0"; the underscore is punctuation.
- ``released_code``: Python 2 works on bytes, so letters outside ASCII become spaces and split their word, and only
  ASCII letters are lower-cased; a number includes its sign and one run of points ("F-16" is "f0", "1.5.2" is "00");
  the underscore stays; a line of one character, or one that begins with two underscores, is dropped.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from typing import Literal

from sentrep.errors import unknown_name

Cleaning = Literal["paper", "released_code"]

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
# Characters beyond ASCII that are neither letters, digits nor accents without a composed letter.
_OTHER_SYMBOLS = re.compile(r"[^\x00-\x7f\w\u0300-\u036f]+")
# The released "[-+]?[\d,]*\.*\d+"; the assertions only avoid quadratic time on runs of commas or points.
_RELEASED_NUMBER = re.compile(rb"(?:[-+]|(?<!,)(?=[\d,])|(?<!\.)(?=\.))[\d,]*\.*\d+")
_ROW = re.compile(rb",{100,}|\.{100,}")
# An equivalent, seven times faster expression for texts in which every number begins with a digit, that is, without
# signs and without numbers that begin with a comma or a point, such as the second one in "1.5.2".
_PLAIN_NUMBER = re.compile(rb"\d(?:[\d,]*\.*\d+)?")
_NOT_PLAIN = re.compile(rb"[-+,.](?=\d)(?:(?<=[-+])|(?<!\d[,.])|(?<=\.)\d+[,.]\d)")
_SYMBOLS = "".join(chr(code) if chr(code).isalnum() else " " for code in range(128))
_BLANKS = bytes.maketrans(bytes(range(128)), _SYMBOLS.encode())  # does not change the bytes of other letters
_RELEASED_BLANKS = bytes(ord(_SYMBOLS[b]) if b < 128 and b != ord("_") else b if b < 128 else 32 for b in range(256))


def normaliser(cleaning: Cleaning) -> Callable[[str], str]:
    """Return the function that normalises a paragraph to words separated by single spaces.

    Raises:
        SentrepError: ``cleaning`` is unknown.
    """
    if cleaning not in _CLEANINGS:
        raise unknown_name("normalise", "cleaning", cleaning, _CLEANINGS)
    return _CLEANINGS[cleaning]


def _paper(paragraph: str) -> str:
    text = paragraph.lower()
    if text.isascii():
        return " ".join(_NUMBER.sub("0", text).encode().translate(_BLANKS).decode().split())
    text = _NUMBER.sub("0", unicodedata.normalize("NFC", text))
    text = text.encode("utf-8", "replace").translate(_BLANKS).decode("utf-8")
    return " ".join(_OTHER_SYMBOLS.sub(" ", text).split())


def _released_code(paragraph: str) -> str:
    line = paragraph.encode("utf-8", "replace").lower()
    if _NOT_PLAIN.search(line):
        line = _RELEASED_NUMBER.sub(b"0", _ROW.sub(b" ", line))
    else:
        line = _PLAIN_NUMBER.sub(b"0", line)
    text = b" ".join(line.translate(_RELEASED_BLANKS).split()).decode("ascii")
    return text if len(text) > 1 and not text.startswith("__") else ""


_CLEANINGS: dict[str, Callable[[str], str]] = {"paper": _paper, "released_code": _released_code}
