"""Lower-case paragraphs, remove punctuation and replace numbers by "0", as in De Boom et al. (2016, section 4.1).

The released code (``clean.pyx``) does not normalise text as the paper describes, so there are two variants of the
normalisation:

- ``paper``: letters of all scripts are kept. A number consists of digits, possibly with points or commas between them,
  so "F-16" becomes "f 0", "3rd" becomes "0rd" and "1.5.2" becomes "0". Underscores are treated as punctuation.
- ``released_code``: the code processes bytes in Python 2. Non-ASCII letters therefore become spaces, which split words.
  A number may include a sign, commas and one run of points, so "F-16" becomes "f0" and "1.5.2" becomes "00".
  Underscores are kept. A paragraph is dropped if its normalised form has fewer than two characters or begins with two
  underscores.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from typing import Literal

from sentrep.errors import unknown_name

Cleaning = Literal["paper", "released_code"]

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
# Characters outside ASCII that are neither letters nor digits nor combining accents.
_OTHER_SYMBOLS = re.compile(r"[^\x00-\x7f\w\u0300-\u036f]+")
# The expression "[-+]?[\d,]*\.*\d+" of the released code, with assertions that avoid quadratic time on runs of commas
# or points.
_RELEASED_NUMBER = re.compile(rb"(?:[-+]|(?<!,)(?=[\d,])|(?<!\.)(?=\.))[\d,]*\.*\d+")
_ROW = re.compile(rb",{100,}|\.{100,}")
# An equivalent expression for texts in which every number begins with a digit; it is seven times as fast. It does not
# apply to numbers that begin with a sign, a comma or a point, such as the second number in "1.5.2".
_PLAIN_NUMBER = re.compile(rb"\d(?:[\d,]*\.*\d+)?")
_NOT_PLAIN = re.compile(rb"[-+,.](?=\d)(?:(?<=[-+])|(?<!\d[,.])|(?<=\.)\d+[,.]\d)")
_SYMBOLS = "".join(chr(code) if chr(code).isalnum() else " " for code in range(128))
_BLANKS = bytes.maketrans(bytes(range(128)), _SYMBOLS.encode())  # leaves non-ASCII bytes unchanged
_RELEASED_BLANKS = bytes(ord(_SYMBOLS[b]) if b < 128 and b != ord("_") else b if b < 128 else 32 for b in range(256))


def normaliser(cleaning: Cleaning) -> Callable[[str], str]:
    """Return a function that normalises a paragraph to words separated by single spaces.

    Args:
        cleaning: "paper" or "released_code"; see the docstring of this module.

    Raises:
        SentrepError: ``cleaning`` is unknown.
    """
    if cleaning not in _CLEANINGS:
        raise unknown_name("normalisation", "normalisation", cleaning, _CLEANINGS)
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
