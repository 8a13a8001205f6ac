"""Text with a sentence per line and blank lines between documents: read in large blocks, tidied by worker processes.

The process that reads only cuts at line ends, so that a corpus of any size and documents of any length pass in
constant memory at the speed of decompression; a line is looked at where shards are written.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import BinaryIO

from sentrep.corpora.whitespace import squeeze_lines
from sentrep.errors import SentrepError

BLOCK_BYTES = 1 << 20
# Stray control characters in BookCorpus' first file, mended as the released Siamese CBOW code does before training
# (torontoBookCorpusUtils).
_MENDED = (("\x1c", ""), ("\x1d", ""), ("\x19", " '"), ("\x18", "' "))


@dataclass(frozen=True)
class Block:
    """Consecutive lines as they stand in a file.

    Attributes:
        text: the lines; the first and the last hold a sentence.
        continues: the first sentence belongs to the document that the block before ends with.
        mended: control characters of BookCorpus are to be mended.
    """

    text: str
    continues: bool
    mended: bool = False

    def documents(self) -> list[str]:
        """Return the documents, or parts of them, that the block holds: a sentence per line, white space squeezed."""
        text = self.text
        if self.mended:
            for character, replacement in _MENDED:
                text = text.replace(character, replacement)
        return [f"{document}\n" for document in re.split(r"\n{2,}", squeeze_lines(text)[0])]


def read_sentences(members: Iterable[tuple[str, BinaryIO]]) -> Iterator[Block]:
    """Yield the blocks of files that have a sentence per line and a blank line between documents.

    Raises:
        SentrepError: a file is not UTF-8.
    """
    for name, stream in members:
        yield from _blocks(name, stream, mended=False)


def read_bookcorpus(members: Iterable[tuple[str, BinaryIO]]) -> Iterator[Block]:
    """Yield the blocks of the Toronto Book Corpus: two files, two documents of tokenised sentences.

    Raises:
        SentrepError: a file is not UTF-8.
    """
    for name, stream in members:
        if name.endswith(".txt"):
            yield from _blocks(name, stream, mended=True)


def _blocks(name: str, stream: BinaryIO, mended: bool) -> Iterator[Block]:
    begins = True  # the next sentence begins a document
    for text in _whole_lines(name, stream):
        sentences = text.lstrip()
        if not sentences:
            begins = True
            continue
        begins |= "\n" in text[: -len(sentences)]
        sentences = sentences.rstrip()
        yield Block(sentences, not begins, mended)
        begins = text[len(text.rstrip()) :].count("\n") > 1


def _whole_lines(name: str, stream: BinaryIO) -> Iterator[str]:
    """Yield a file in blocks that end with a line."""
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
    try:
        return block.decode(codec)
    except UnicodeDecodeError as error:
        line += block[: error.start].count(b"\n")
        raise SentrepError(
            f"{name}:{line}", expected="UTF-8 text", found=str(error.reason), remedy="convert the file"
        ) from None
