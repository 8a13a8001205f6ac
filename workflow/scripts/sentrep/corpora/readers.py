"""Readers: the members of a source (see :mod:`sentrep.sources.registry`) as documents, each a list of paragraphs.

A reader takes an iterable of (member name, binary stream) and yields documents lazily, so that a corpus of any size
passes in constant memory. White space inside a paragraph is single blanks. What is sentences already comes in blocks.
``PRESPLIT`` names the readers whose paragraphs are sentences already.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import BinaryIO

from sentrep.corpora import mediawiki
from sentrep.corpora.mediawiki import finished
from sentrep.corpora.presplit import Block, read_bookcorpus, read_sentences
from sentrep.corpora.whitespace import squeeze_lines
from sentrep.errors import SentrepError, unknown_name

Members = Iterable[tuple[str, BinaryIO]]
Document = list[str]

_GUTENBERG_START = re.compile(r"^\*\*\* ?START OF (?:THE|THIS) PROJECT GUTENBERG.*$", re.MULTILINE | re.IGNORECASE)
_GUTENBERG_END = re.compile(r"^\*\*\* ?END OF (?:THE|THIS) PROJECT GUTENBERG.*$", re.MULTILINE | re.IGNORECASE)
_LONGEST_WRAPPED_LINE = 100  # characters; a longer line means that a line is a paragraph


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


READERS: dict[str, Callable[[Members], Iterator[Document] | Iterator[Block]]] = {
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


def reader(name: str) -> Callable[[Members], Iterator[Document] | Iterator[Block]]:
    """Return the reader called ``name``.

    Raises:
        SentrepError: there is none of that name.
    """
    if name not in READERS:
        raise unknown_name("corpora", "reader", name, READERS)
    return READERS[name]


def raw_reader(name: str) -> Callable[[Members], Iterator[Document] | Iterator[Block]]:
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
