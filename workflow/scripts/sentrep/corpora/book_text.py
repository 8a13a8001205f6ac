"""Convert the e-text of a book to clean paragraphs, one per line, without boilerplate or headings."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from sentrep.corpora.book_kernels import (
    COLUMNS,
    END_MARKS,
    fingerprints,
    join_lines,
    paragraph_table,
    plain_characters,
)
from sentrep.corpora.whitespace import squeeze

_GUTENBERG = re.compile(r"Gutenberg|GUTENBERG")
_START = re.compile(r" ?\*{3} ?START OF|.*\bSMALL PRINT.*\bEND\*|\*END\*? ?THE SMALL PRINT", re.IGNORECASE)
_END = re.compile(
    r" ?\*{3} ?END OF|\** ?(?:this is )?(?:the )?end of (?:the |this )?project|\**START: FULL LICENSE", re.IGNORECASE
)
_COPYRIGHTED = (
    "is a copyrighted project gutenberg",
    "is a *copyrighted* project gutenberg",
    "copyrighted by project gutenberg",
)
_HEADER_CHARACTERS = 60_000
_NOTES = re.compile(
    rb"\[(?:(?:Illustration|Picture|Image|Sidenote|Transcriber|Footnote|Frontispiece|Editor)[^\]]{0,2000}\]"
    rb"|(?:[0-9]{1,4}|[a-zA-Z]?|\^[^\]]{1,20}|[Pp](?:g|age)\.? ?[0-9ivxlcIVXLC]+)\])"
)
_HEAD, _TAIL = re.compile(rb"[A-Za-z]+$"), re.compile(rb"[a-z]+")
_PAGES = re.compile(rb"\{[0-9ivxlc]{1,6}[a-z]?\}")
_MARKDOWN = re.compile(r"^(?:#+ .*|-{3,})$|^> ?", re.MULTILINE)
_NUMERAL = (
    rb"(?:[ivxlcdm]+|\d+|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|twenty[- ]?\w*"
    rb"|thirty[- ]?\w*|(?:the )?(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|\w+teenth|\w+tieth"
    rb"|last))\b"
)
_DIVISION = rb"(?:chapter|chap\.|book|part|volume|vol\.|canto|section|letter|act|scene|stave|adventure|no\.)"
_NAMED_PART = (
    rb"(?:the )?(?:end|finis|preface|introduction|prologue|epilogue|contents|conclusion|footnotes?|notes?|index"
    rb"|appendix|illustrations|dedication|foreword|postscript)(?: of .{0,50})?[.:]?$"
)
_HEADING = re.compile(
    rb"%s %s|%s|end of .{0,60}$|by [a-z. ]{3,40}$" % (_DIVISION, _NUMERAL, _NAMED_PART), re.IGNORECASE
)
_CREDITS = (
    *(b"transcribed", b"transcriber", b"transcription", b"produced by", b"prepared by", b"etext", b"e-text", b"ebook"),
    *(b"e-book", b"proofread", b"project gutenberg", b"digitized", b"digitised", b"scanned", b"@", b"www.", b"http:"),
)
_PROJECT = re.compile(rb"Project Gutenberg|PROJECT GUTENBERG")
_END_MARKS = np.frombuffer(END_MARKS, np.uint8)
_EDGE = 40  # number of paragraphs at each end of a book that are searched for transcribers' credits
_WRAPPED_LINE = 100  # maximum length in bytes of a line of a hard-wrapped paragraph


@dataclass(frozen=True)
class BookText:
    """The text of a book, separated from Project Gutenberg's header and licence.

    Attributes:
        head: Project Gutenberg's header or, if the file has no such header, the first 2,000 characters of the file.
        copyrighted: whether the header or the licence states that the e-text is copyrighted.
        text: (bytes,) uint8, the text in UTF-8 with normalised whitespace; it ends with a line break.
        wrapped: True if paragraphs are hard-wrapped and separated by empty lines, False if each line is a paragraph.
    """

    head: str
    copyrighted: bool
    text: npt.NDArray[np.uint8]
    wrapped: bool

    @cached_property
    def paragraphs(self) -> npt.NDArray[np.int64]:
        """Measures of each paragraph, (paragraphs, len(COLUMNS)) int64."""
        return paragraph_table(self.text, self.wrapped)

    def column(self, name: str) -> npt.NDArray[np.int64]:
        """Return one of the measures in ``COLUMNS`` for all paragraphs, (paragraphs,) int64."""
        return self.paragraphs[:, COLUMNS.index(name)]

    def fingerprints(self) -> npt.NDArray[np.uint64]:
        """Return the fingerprints of the text; see :func:`sentrep.corpora.book_kernels.fingerprints`."""
        return fingerprints(self.text)

    def cleaned(self) -> bytes:
        """Return the paragraphs, one per line, without headings, tables of contents or transcribers' notes."""
        keep = self._kept()
        starts, ends = self.column("start")[keep], self.column("end")[keep]
        return join_lines(self.text, starts, ends, self._joined()).tobytes()

    def _kept(self) -> npt.NDArray[np.bool_]:
        """Return a (paragraphs,) bool mask of the paragraphs of running text."""
        starts, ends, lines = self.column("start"), self.column("end"), self.column("lines")
        letters, capitals = self.column("letters"), self.column("capitals")
        quoted = np.isin(self.text[starts], [34, 39])
        open_end = ~np.isin(self.text[ends - 1], _END_MARKS)
        length = ends - starts
        drop = (letters == 0) | ((capitals > 0.8 * letters) & (lines <= 6) & ~quoted)
        drop |= (lines == 1) & (length < 60) & open_end & ~quoted
        drop |= (
            (lines >= 3)
            & (self.column("capital_lines") > 0.6 * (lines - 1))
            & (self.column("open_lines") > 0.6 * lines)
        )
        drop |= self.column("digits") > letters
        text = self.text.tobytes()
        short = np.flatnonzero(~drop & (length < 80) & (lines <= 2) & ~quoted)
        for p in short:
            if _HEADING.match(text, starts[p], ends[p]):
                drop[p] = True
        edges = ((0, ends[:_EDGE][-1]), (starts[-_EDGE:][0], len(text))) if len(starts) else ()
        for begin, end in edges:
            edge = text[begin:end].lower()
            for credit in _CREDITS:
                at = edge.find(credit)
                while at >= 0:
                    p = np.searchsorted(starts, begin + at, "right") - 1
                    drop[p] = True
                    at = edge.find(credit, ends[p] - begin)
        for match in _PROJECT.finditer(text):
            drop[np.searchsorted(starts, match.start(), "right") - 1] = True
        return ~drop

    def _joined(self) -> npt.NDArray[np.int64]:
        """Return the positions of the hyphens that divide a word at the end of a line and can be dropped.

        A hyphen can be dropped if the word also occurs without this hyphen in the book.
        """
        if not self.wrapped:
            return np.zeros(0, np.int64)
        text = self.text.tobytes()
        whole: dict[bytes, bool] = {}
        found = []
        at = text.find(b"-\n")
        while at >= 0:
            head, tail = _HEAD.search(text[max(0, at - 30) : at]), _TAIL.match(text, at + 2)
            if head and tail:
                word = head[0] + tail[0]
                if word not in whole:
                    whole[word] = _has_word(text, word)
                if whole[word]:
                    found.append(at)
            at = text.find(b"-\n", at + 2)
        return np.array(found, np.int64)


def _has_word(text: bytes, word: bytes) -> bool:
    """Return whether a word occurs in a text with a space before it and no letter after it."""
    at = text.find(b" " + word)
    while at >= 0:
        end = at + 1 + len(word)
        if not text[end : end + 1].isalpha():
            return True
        at = text.find(b" " + word, end)
    return False


def book_text(text: str, markdown: bool = False) -> BookText:
    """Extract the text of a book from the content of its file.

    Args:
        text: decoded content of the file.
        markdown: whether the file is Markdown.
    """
    start, end = _body(text)
    head, tail = text[: start or 2000], text[end:]
    licence = f"{head}{tail}".lower()
    copyrighted = any(phrase in licence for phrase in _COPYRIGHTED)
    body = text[start:end]
    if markdown:
        body = _MARKDOWN.sub("", body)
    plain = plain_characters(np.frombuffer(body.encode(), np.uint8)).tobytes()
    plain = _PAGES.sub(b"", _NOTES.sub(b"", plain))
    squeezed, _, _ = squeeze(np.frombuffer(plain + b"\n", np.uint8))
    lengths = np.diff(np.flatnonzero(squeezed == 10), prepend=-1)
    wrapped = bool(lengths[lengths > _WRAPPED_LINE].sum() < 0.5 * len(squeezed))
    if wrapped:  # without empty lines between paragraphs, each line is a paragraph
        wrapped = bool((lengths == 1).sum() > 0.02 * len(lengths))
    return BookText(head, copyrighted, squeezed, wrapped)


def _body(text: str) -> tuple[int, int]:
    """Return the start and end positions of the text between Project Gutenberg's header and licence."""
    start, end = 0, len(text)
    marks = [match.start() for match in _GUTENBERG.finditer(text)]
    small = text.rfind("SMALL PRINT", 0, _HEADER_CHARACTERS)
    marks = sorted([*marks, small]) if small >= 0 else marks
    for mark in marks:
        begin = text.rfind("\n", 0, mark) + 1
        stop = text.find("\n", mark)
        line = text[begin : stop if stop >= 0 else len(text)]
        if mark < min(_HEADER_CHARACTERS, 0.9 * len(text)) and _START.match(line):
            start = begin + len(line)
        elif begin > start and _END.match(line):
            return start, begin
    return start, end
