"""Corpus readers, which convert the files of a source to documents.

A reader takes the name and the binary stream of each file, and lazily yields documents, so that memory use does not
grow with the corpus. A document is a list of paragraphs with normalised whitespace. The readers named in ``PRESPLIT``
read text that already has one sentence per line. They yield large :class:`Block` objects, which worker processes clean
and split into documents. The main process therefore does little more than decompress and decode files. A document may
have any length, because it may continue in the next block.
"""

from __future__ import annotations

import codecs
import io
import logging
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import IO, Any

from sentrep.corpora import mediawiki
from sentrep.corpora.whitespace import squeeze_lines
from sentrep.errors import SentrepError, unknown_name

log = logging.getLogger("sentrep")

Members = Iterable[tuple[str, IO[bytes]]]
Document = list[str]

BLOCK_BYTES = 1 << 20
# Stray control characters in the first file of BookCorpus, and their replacements in the released code of Siamese CBOW
# (torontoBookCorpusUtils).
_BOOKCORPUS_FIXES = (("\x1c", ""), ("\x1d", ""), ("\x19", " '"), ("\x18", "' "))
_GUTENBERG_START = re.compile(r"^\*\*\* ?START OF (?:THE|THIS) PROJECT GUTENBERG.*$", re.MULTILINE | re.IGNORECASE)
_GUTENBERG_END = re.compile(r"^\*\*\* ?END OF (?:THE|THIS) PROJECT GUTENBERG.*$", re.MULTILINE | re.IGNORECASE)
_NOT_ASCII = re.compile(r"[^\0-\x7f]")
_LONGEST_WRAPPED_LINE = 100  # maximum line length, in characters, of a text that is treated as hard-wrapped


def read_books(members: Members) -> Iterator[Document]:
    """Yield one document per book from files whose names end in .txt or .text; see :func:`read_text`."""
    return read_text((name, stream) for name, stream in members if name.lower().endswith((".txt", ".text")))


def read_text(members: Members) -> Iterator[Document]:
    """Yield one document per file of running text.

    A paragraph is a line or, in hard-wrapped text, the lines between two empty lines.

    Raises:
        SentrepError: all files are hidden or binary, or a text file contains a zero byte.
    """
    for name, stream in text_members(members):
        if paragraphs := book_paragraphs(decode(stream.read(), name)):
            yield paragraphs


def text_members(members: Members) -> Iterator[tuple[str, IO[bytes]]]:
    """Yield the name and the stream of each file that is neither hidden nor binary.

    A file is treated as binary if there is a zero byte in its first 4,096 bytes.

    Raises:
        SentrepError: all files are hidden or binary.
    """
    used, others, first = 0, 0, ""  # no list of names, because an archive can have millions of them
    for name, stream in members:
        content: Any = stream if hasattr(stream, "peek") else io.BufferedReader(stream)  # pyright: ignore[reportArgumentType]
        if hidden(name) or b"\0" in content.peek(4096)[:4096]:
            others, first = others + 1, first or name
            continue
        used += 1
        yield name, content
    if others and not used:
        raise SentrepError(
            first,
            expected="at least one visible text file",
            found="only hidden or binary files, of which this is the first",
            remedy="provide UTF-8 text in files that are not hidden",
        )
    if others:
        log.info("hidden or binary files that were skipped: %d (the first is %s)", others, first)


def hidden(name: str) -> bool:
    """Return whether a file, or a folder in its path, is hidden or contains macOS metadata."""
    return any(
        part.startswith((".", "__MACOSX")) and not (part == "." or part.startswith(".."))
        for part in PurePosixPath(name).parts
    )


def book_paragraphs(text: str) -> Document:
    """Return a book's paragraphs, with whitespace normalised and Project Gutenberg's header and licence removed."""
    if "***" in text:
        start = _GUTENBERG_START.search(text)
        end = _GUTENBERG_END.search(text)
        text = text[start.end() if start else 0 : end.start() if end else len(text)]
    text, filled, longest = squeeze_lines(text)
    # A text without empty lines, or with a long line, is assumed not to be hard-wrapped.
    if filled >= text.count("\n") or longest > _LONGEST_WRAPPED_LINE:
        return [line for line in text.split("\n") if line]
    return [block.replace("\n", " ") for block in re.split(r"\n{2,}", text.strip("\n")) if block]


def read_collection(members: Members) -> Iterator[Document]:
    """Yield one document per book from files with one paragraph per line and an empty line after each book."""
    for name, stream in members:
        rest = b""
        while block := stream.read(BLOCK_BYTES):
            *books, rest = (rest + block).split(b"\n\n")
            for book in books:
                yield decode(book, name).split("\n")
        if rest.strip():
            yield decode(rest.strip(), name).split("\n")


@dataclass(frozen=True)
class Block:
    """Consecutive raw lines of a file with one sentence per line.

    Attributes:
        text: the lines; the first and the last line are not empty.
        continues: whether the first sentence belongs to the last document of the previous block.
        bookcorpus: whether to replace the stray control characters of BookCorpus.
    """

    text: str
    continues: bool
    bookcorpus: bool = False

    def documents(self) -> list[str]:
        """Return the text of each complete or partial document in the block, with one sentence per line."""
        text = self.text
        if self.bookcorpus:
            for character, replacement in _BOOKCORPUS_FIXES:
                text = text.replace(character, replacement)
        return [f"{document}\n" for document in re.split(r"\n{2,}", squeeze_lines(text)[0])]


def read_sentences(members: Members) -> Iterator[Block]:
    """Yield blocks of lines from files with one sentence per line and an empty line between documents.

    Raises:
        SentrepError: all files are hidden or binary, or a text file is not UTF-8 or contains a zero byte.
    """
    for name, stream in text_members(members):
        yield from _blocks(name, stream, bookcorpus=False)


def read_bookcorpus(members: Members) -> Iterator[Block]:
    """Yield blocks of lines from the two text files of the Toronto Book Corpus; each file is one document.

    Raises:
        SentrepError: a file is not UTF-8 or contains a zero byte.
    """
    for name, stream in members:
        if name.endswith(".txt"):
            yield from _blocks(name, stream, bookcorpus=True)


def _blocks(name: str, stream: IO[bytes], bookcorpus: bool) -> Iterator[Block]:
    begins = True  # whether the next sentence begins a document
    for text in _whole_lines(name, stream):
        sentences = text.lstrip()
        if not sentences:
            begins = True
            continue
        begins |= "\n" in text[: -len(sentences)]
        sentences = sentences.rstrip()
        yield Block(sentences, not begins, bookcorpus)
        begins = text[len(text.rstrip()) :].count("\n") > 1


def _whole_lines(name: str, stream: IO[bytes]) -> Iterator[str]:
    """Yield the decoded text of a file in blocks of whole lines."""
    rest, line, codec = [], 1, "utf-8-sig"
    while read := stream.read(BLOCK_BYTES):
        end = read.rfind(b"\n") + 1
        if end:
            block, rest = b"".join([*rest, read[:end]]), []
            yield _decoded(block, codec, name, line)
            line, codec = line + block.count(b"\n"), "utf-8"
        rest.append(read[end:])
    if block := b"".join(rest):
        yield _decoded(block, codec, name, line)


def _decoded(block: bytes, codec: str, name: str, line: int) -> str:
    _refuse_zero_bytes(block, name)
    try:
        return block.decode(codec)
    except UnicodeDecodeError as error:
        line += block[: error.start].count(b"\n")
        raise SentrepError(
            f"{name}:{line}",
            expected="UTF-8 text",
            found=f"invalid bytes ({error.reason})",
            remedy="convert the file to UTF-8",
        ) from None


READERS: dict[str, Callable[[Members], Iterator[Document] | Iterator[Block]]] = {
    "books": read_books,
    "collection": read_collection,
    "articles": mediawiki.read_articles,
    "sentences": read_sentences,
    "text": read_text,
    "bookcorpus": read_bookcorpus,
}
PRESPLIT = frozenset({"sentences", "bookcorpus"})


def reader(name: str) -> Callable[[Members], Iterator[Document] | Iterator[Block]]:
    """Return the reader called ``name``.

    The reader "articles" yields documents with markup, which :func:`sentrep.corpora.mediawiki.finished` removes in
    worker processes.

    Raises:
        SentrepError: no reader has that name.
    """
    if name not in READERS:
        raise unknown_name("corpora", "reader", name, READERS)
    return READERS[name]


def _refuse_zero_bytes(content: bytes, where: str) -> None:
    """Raise an error if the content of a file has a zero byte, as in binary files and in most UTF-16 text."""
    if b"\0" in content:
        raise SentrepError(
            where,
            expected="plain text",
            found="a zero byte",
            remedy="remove binary files, and convert text files to UTF-8",
        )


def _windows(error: UnicodeError) -> tuple[str, int]:
    """Handle a decoding error by decoding the invalid bytes as Windows-1252."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return error.object[error.start : error.end].decode("cp1252", "replace"), error.end


_AS_WINDOWS = "sentrep.windows"
codecs.register_error(_AS_WINDOWS, _windows)


def decode(content: bytes, where: str) -> str:
    """Decode text as UTF-8 or, if that fails, as Windows-1252, the encoding of most older e-texts.

    If a text that is not valid UTF-8 has more multi-byte UTF-8 characters than invalid bytes, only the invalid bytes
    are decoded as Windows-1252. All line breaks become line feeds.

    Args:
        content: the bytes to decode.
        where: name of the file, for messages.

    Raises:
        SentrepError: the content has a zero byte, as in binary files and in most UTF-16 text.
    """
    _refuse_zero_bytes(content, where)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        others = content.decode("utf-8", "replace").count("\ufffd")
        characters = len(_NOT_ASCII.findall(content.decode("utf-8", "ignore")))
        if characters > others:
            log.warning("%s: mostly UTF-8; number of invalid bytes decoded as Windows-1252: %d", where, others)
            text = content.decode("utf-8-sig", _AS_WINDOWS)
        else:
            log.info("%s: not UTF-8; decoded as Windows-1252", where)
            text = content.decode("cp1252", errors="replace")
    return text.replace("\r\n", "\n").replace("\r", "\n")
