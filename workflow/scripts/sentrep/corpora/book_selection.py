"""Select the books of a collection by length, language, kind of text and overlap with previously selected books."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import PurePosixPath

import numpy as np
import numpy.typing as npt
from numba import njit

from sentrep.corpora.book_kernels import END_MARKS
from sentrep.corpora.book_settings import Criteria
from sentrep.corpora.book_text import BookText

UInt64 = npt.NDArray[np.uint64]

_SAMPLES, _SAMPLE_BYTES = 3, 400  # number and size of the text samples from which the language is identified
_FEWEST_SPEECHES = 5  # a name is counted as a speaker's name if at least this many paragraphs begin with it
_FIELDS = {
    "title": re.compile(r"^(?:# )?Title:\s*(.+)$", re.MULTILINE),
    "author": re.compile(r"^(?:## )?Author:\s*(.+)$", re.MULTILINE),
}
_FIRST_LINE = re.compile(
    r"Project Gutenberg(?:'s| E-?text of| E-?book of)?,? (?:The )?(.+?),? by (.+?)\s*$", re.MULTILINE | re.IGNORECASE
)
_IMPRINT = r"(?:Copyright|\(C\)|First published|Published|London|New York|Boston|Philadelphia|Chicago)"
_YEAR = re.compile(
    rf"(?:^## Year:|^ *{_IMPRINT}\b[^\n]{{0,80}}?[ ,]) *(1[5-9]\d\d)\b|^ *(1[5-9]\d\d)\.? *$",
    re.MULTILINE | re.IGNORECASE,
)
_LAST_YEAR = 1969


@dataclass(frozen=True)
class Measures:
    """Measures of a book that distinguish prose from verse, plays and lists.

    Attributes:
        words: number of words in the book.
        dialogue: share of the text's bytes that are in double or in single quotation marks, whichever share is larger.
        verse: share of words that are in paragraphs of at least three lines in which at least 60% of the lines after
            the first begin with a capital letter.
        speeches: share of paragraphs that begin with a name followed by "." or ":". Names with which fewer than five
            paragraphs begin are not counted.
        open: share of paragraphs that end without punctuation.
        capitals: share of capital letters among all letters.
        digits: share of digits among letters and digits.
    """

    words: int
    dialogue: float
    verse: float
    speeches: float
    open: float
    capitals: float
    digits: float

    @classmethod
    def of(cls, book: BookText) -> Measures:
        """Compute the measures of a book from the measures of its paragraphs."""
        words, lines = book.column("words"), book.column("lines")
        total, letters = max(1, int(words.sum())), max(1, int(book.column("letters").sum()))
        digits = int(book.column("digits").sum())
        verse = (lines >= 3) & (book.column("capital_lines") >= 0.6 * (lines - 1))
        labels = book.column("label")
        _, place, counts = np.unique(labels, return_inverse=True, return_counts=True)
        speeches = (labels != 0) & (counts[place] >= _FEWEST_SPEECHES)
        last = book.text[book.column("end") - 1]
        open_ends = ~np.isin(last, np.frombuffer(END_MARKS, np.uint8))
        quoted = max(int(book.column("double_quoted").sum()), int(book.column("single_quoted").sum()))
        paragraphs = max(1, len(words))
        return cls(
            words=int(words.sum()),
            dialogue=quoted / max(1, len(book.text)),
            verse=float(words[verse].sum() / total),
            speeches=float(speeches.sum() / paragraphs),
            open=float(open_ends.sum() / paragraphs),
            capitals=int(book.column("capitals").sum()) / letters,
            digits=digits / (letters + digits),
        )


def objection(measures: Measures, language: str, criteria: Criteria) -> str:
    """Return the reason for excluding a book with these measures and this language, or "" if there is no reason."""
    if measures.words < criteria.smallest_words:
        return "short"
    if language != criteria.language:
        return f"language {language}"
    for reason, value, limit in (
        ("verse", measures.verse, criteria.largest_verse_share),
        ("play", measures.speeches, criteria.largest_speech_share),
        ("list", measures.open, criteria.largest_open_share),
        ("capitals", measures.capitals, criteria.largest_capital_share),
        ("digits", measures.digits, criteria.largest_digit_share),
    ):
        if value > limit:
            return reason
    return ""


def language_of(book: BookText) -> str:
    """Return the two-letter code of the language that is identified most often in three samples of a book's text."""
    import py3langid  # loads its model on first use

    starts = [len(book.text) * (i + 1) // (_SAMPLES + 1) for i in range(_SAMPLES)]
    samples = (book.text[start : start + _SAMPLE_BYTES].tobytes().decode("utf-8", "ignore") for start in starts)
    codes = [str(py3langid.classify(sample)[0]) for sample in samples]
    return max(codes, key=codes.count)


def description(path: str, head: str) -> dict[str, str]:
    """Extract the author, title and year of a book; unknown values are empty strings.

    Args:
        path: path of the book's file.
        head: header of the file and beginning of the book.
    """
    place = PurePosixPath(path)
    author, separator, title = place.stem.partition("___")
    found = {"author": author, "title": title} if separator else {"author": "", "title": ""}
    if first := _FIRST_LINE.search(head):
        found = {"author": found["author"] or first[2], "title": found["title"] or first[1]}
    for name, pattern in _FIELDS.items():
        if match := pattern.search(head):
            found[name] = match[1]
    if not found["title"]:
        found["title"] = place.stem
    if not found["author"] and str(place.parent) != ".":
        found["author"] = place.parent.name
    years = [int(year) for pair in _YEAR.findall(head) for year in pair if year]
    year = next((year for year in years if year <= _LAST_YEAR), None)
    return {**{name: " ".join(text.split()) for name, text in found.items()}, "year": str(year or "")}


class Seen:
    """A hash table that maps each fingerprint in the books kept so far to the first book that contains it."""

    def __init__(self) -> None:
        self._keys, self._books, self._size = np.zeros(1 << 16, np.uint64), np.zeros(1 << 16, np.int32), 0

    def overlap(self, fingerprints: UInt64) -> tuple[float, int]:
        """Compare the fingerprints of a book with the fingerprints of the books kept so far.

        Returns:
            The share of the book's fingerprints that also occur in the books kept so far, and the index of the kept
            book that contains the largest number of these fingerprints (-1 if the share is 0). If several kept books
            contain a fingerprint, only the first of them counts.
        """
        books = _lookup(self._keys, self._books, fingerprints)
        known = books[books >= 0]
        return len(known) / max(1, len(books)), int(np.bincount(known).argmax()) if len(known) else -1

    def add(self, fingerprints: UInt64, book: int) -> None:
        """Add the fingerprints of the book with index ``book``, except those that the table already contains."""
        while 2 * (self._size + len(fingerprints)) > len(self._keys):
            keys, books = np.zeros(2 * len(self._keys), np.uint64), np.zeros(2 * len(self._keys), np.int32)
            used = self._keys != 0
            _insert(keys, books, self._keys[used], self._books[used])
            self._keys, self._books = keys, books
        self._size += _insert(self._keys, self._books, fingerprints, np.full(len(fingerprints), book, np.int32))


@njit(cache=True)
def _lookup(keys: UInt64, books: npt.NDArray[np.int32], wanted: UInt64) -> npt.NDArray[np.int32]:
    out = np.full(len(wanted), -1, np.int32)
    mask = np.uint64(len(keys) - 1)
    for i in range(len(wanted)):
        place = (wanted[i] >> np.uint64(7)) & mask
        while keys[place] != 0:
            if keys[place] == wanted[i]:
                out[i] = books[place]
                break
            place = (place + np.uint64(1)) & mask
    return out


@njit(cache=True)
def _insert(keys: UInt64, books: npt.NDArray[np.int32], new: UInt64, of: npt.NDArray[np.int32]) -> int:
    mask, added = np.uint64(len(keys) - 1), 0
    for i in range(len(new)):
        if new[i] == 0:
            continue
        place = (new[i] >> np.uint64(7)) & mask
        while keys[place] != 0 and keys[place] != new[i]:
            place = (place + np.uint64(1)) & mask
        if keys[place] == 0:
            keys[place] = new[i]
            books[place] = of[i]
            added += 1
    return added
