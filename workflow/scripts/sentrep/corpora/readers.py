"""Readers: the members of a source (see :mod:`sentrep.sources`) as documents, each a list of paragraphs.

A reader takes an iterable of (member name, binary stream) and yields documents lazily, so that a corpus of any size
passes in constant memory. White space inside a paragraph is single blanks.
``PRESPLIT`` names the readers whose paragraphs are sentences already.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import BinaryIO

from sentrep.corpora import mediawiki
from sentrep.corpora.mediawiki import finished
from sentrep.corpora.squeezing import squeeze_lines
from sentrep.errors import SentrepError, unknown_name

Members = Iterable[tuple[str, BinaryIO]]
Document = list[str]

_GUTENBERG_START = re.compile(r"^\*\*\* ?START OF (?:THE|THIS) PROJECT GUTENBERG.*$", re.MULTILINE | re.IGNORECASE)
_GUTENBERG_END = re.compile(r"^\*\*\* ?END OF (?:THE|THIS) PROJECT GUTENBERG.*$", re.MULTILINE | re.IGNORECASE)
_LONGEST_WRAPPED_LINE = 100  # characters; a longer line means that a line is a paragraph
_SENTENCES_PER_BLOCK = 50_000


def read_books(members: Members) -> Iterator[Document]:
    """Yield one document per plain-text book, one paragraph per line or hard-wrapped with blank lines between."""
    for name, stream in members:
        if name.lower().endswith((".txt", ".text")):
            paragraphs = book_paragraphs(decode(stream.read(), name))
            if paragraphs:
                yield paragraphs


def book_paragraphs(text: str) -> Document:
    """Return a book's paragraphs, white space squeezed, Project Gutenberg's header and licence cut off."""
    if "***" in text:
        start = _GUTENBERG_START.search(text)
        end = _GUTENBERG_END.search(text)
        text = text[start.end() if start else 0 : end.start() if end else len(text)]
    text, filled, longest = squeeze_lines(text)
    # The last line carries no wrapping information, nor do blank ones.
    if filled >= text.count("\n") or longest > _LONGEST_WRAPPED_LINE:
        return [line for line in text.split("\n") if line]
    return [block.replace("\n", " ") for block in re.split(r"\n{2,}", text.strip("\n")) if block]


def read_mediawiki(members: Members) -> Iterator[Document]:
    """Yield one document per article of MediaWiki XML exports: its paragraphs of running text, markup removed."""
    return filter(None, map(finished, raw_reader("mediawiki")(members)))


def read_articles(members: Members) -> Iterator[Document]:
    """Yield one document per article of a mix of MediaWiki XML exports and jsonl files; a title counts once."""
    return filter(None, map(finished, raw_reader("articles")(members)))


def read_sentences(members: Members) -> Iterator[Document]:
    """Yield documents of a file that has one sentence per line and a blank line between documents.

    A document longer than 50,000 sentences is yielded in blocks (see :class:`Continuation`), so that a file without
    blank lines passes in constant memory.
    """
    return _presplit(members, {})


def _presplit(members: Members, mend: dict[int, str | None]) -> Iterator[Document]:
    for name, stream in members:
        document: Document = []
        first = True
        for line in _text_lines(stream, name):
            sentence = " ".join(line.translate(mend).split())
            if sentence:
                if len(document) == _SENTENCES_PER_BLOCK:
                    yield document if first else Continuation(document)
                    document, first = [], False
                document.append(sentence)
            elif document:
                yield document if first else Continuation(document)
                document, first = [], True
        if document:
            yield document if first else Continuation(document)


def read_bookcorpus(members: Members) -> Iterator[Document]:
    """Yield the two files of the Toronto Book Corpus as two documents of tokenised sentences.

    The first file holds stray control characters that the released Siamese CBOW code mends before training
    (torontoBookCorpusUtils): U+001C and U+001D go, U+0019 and U+0018 are apostrophes.
    """
    mend = str.maketrans({"\x1c": None, "\x1d": None, "\x19": " '", "\x18": "' "})
    return _presplit(((name, stream) for name, stream in members if name.endswith(".txt")), mend)


class Continuation(list):
    """A block of sentences that goes on with the document before it."""


READERS: dict[str, Callable[[Members], Iterator[Document]]] = {
    "books": read_books,
    "mediawiki": read_mediawiki,
    "articles": read_articles,
    "sentences": read_sentences,
    "bookcorpus": read_bookcorpus,
}
PRESPLIT = frozenset({"sentences", "bookcorpus"})
# Readers whose documents are found fast but cleaned slowly: mediawiki.finished, in a worker process, does the rest.
_RAW: dict[str, Callable[[Members], Iterator[Document]]] = {
    "mediawiki": partial(mediawiki.read_articles, jsonl=False),
    "articles": mediawiki.read_articles,
}


def reader(name: str) -> Callable[[Members], Iterator[Document]]:
    """Return the reader called ``name``.

    Raises:
        SentrepError: there is none of that name.
    """
    if name not in READERS:
        raise unknown_name("corpora", "reader", name, READERS)
    return READERS[name]


def raw_reader(name: str) -> Callable[[Members], Iterator[Document]]:
    """Return the reader called ``name``, whose documents may still have to go through ``mediawiki.finished``."""
    return _RAW.get(name) or reader(name)


def decode(content: bytes, where: str) -> str:
    """Decode text as UTF-8, or else as Windows-1252, which most older e-texts are.

    Raises:
        SentrepError: the bytes are no text.
    """
    if b"\0" in content[:4096]:
        raise SentrepError(where, expected="plain text", found="a zero byte", remedy="give text files only")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = content.decode("cp1252", errors="replace")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _text_lines(stream: BinaryIO, where: str) -> Iterator[str]:
    """Yield lines, split at "\\n" only: BookCorpus has characters that str.splitlines takes for line ends."""
    for number, line in enumerate(io.BufferedReader(stream) if isinstance(stream, io.RawIOBase) else stream, start=1):
        try:
            yield line.rstrip(b"\r\n").decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError as error:
            raise SentrepError(
                f"{where}:{number}", expected="UTF-8 text", found=str(error.reason), remedy="convert the file"
            ) from None
