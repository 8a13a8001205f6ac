"""Read published files of word vectors as streams, so that only the selected vectors take memory.

Formats: the binary format of word2vec; text with a word and its numbers per line, with a first line "words dimension"
(word2vec) or without it (GloVe); and the pickle of the released Siamese CBOW code.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import IO, Any, BinaryIO, Literal, cast

import numpy as np
import numpy.typing as npt

from sentrep.errors import SentrepError
from sentrep.io.pickles import ARRAYS, OBJECTS, read_pickle

Layout = Literal["word2vec_binary", "text", "siamese_cbow"]
Entry = tuple[bytes | str, bytes | list[bytes] | npt.NDArray[Any]]

_CHUNK = 1 << 20
_HEADER = re.compile(rb"\s*(\d+)\s+(\d+)\s*$")
_REMEDY = "get the file again, or correct `layout`"


@dataclass(frozen=True)
class Vectors:
    """Words and their vectors.

    Attributes:
        words: V distinct words, in the file's order.
        matrix: (V, d) float32.
    """

    words: list[str]
    matrix: npt.NDArray[np.float32]


def read_vectors(
    stream: IO[bytes],
    layout: Layout,
    where: str,
    wanted: Collection[str] | None = None,
    fold_case: bool = False,
    maximum: int | None = None,
) -> Vectors:
    """Read word vectors.

    Args:
        stream: binary stream.
        layout: format of the file.
        where: name of the file, for errors.
        wanted: words to keep; None: all. The first vector of a repeated word is kept.
        fold_case: lower-case the file's words. If the file has a word in lower case, its vector is that one; otherwise
            that of the word's first form, which is the most frequent one if the file is sorted by frequency.
        maximum: number of vectors to read.

    Raises:
        SentrepError: the file is damaged or has another format; the message has the number of the line or vector.
    """
    rows: dict[str, int] = {}
    numbers, exact, data = [], [], bytearray()
    unit = "line" if layout == "text" else "vector"
    for number, raw, values in _READERS[layout](stream, where, maximum):
        word = raw.decode(errors="replace") if isinstance(raw, bytes) else raw
        key = word.lower() if fold_case else word
        row = rows.get(key)
        if (wanted is not None and key not in wanted) or (row is not None and (exact[row] or key != word)):
            continue
        if not key or "\n" in key or "\r" in key:  # no line of a vocabulary file, and no tokeniser returns it
            continue
        try:
            vector = np.frombuffer(values, "<f4") if isinstance(values, bytes) else np.array(values, np.float32)
        except ValueError as error:
            raise SentrepError(
                f"{where} {unit} {number}", expected="numbers after the word", found=str(error), remedy=_REMEDY
            ) from None
        if not np.isfinite(vector).all():
            raise SentrepError(
                f"{where} {unit} {number}", expected="finite numbers", found=f"NaN or infinity ({word})", remedy=_REMEDY
            )
        if row is None:
            rows[key] = len(numbers)
            numbers.append(number)
            exact.append(key == word)
            data += vector.tobytes()
        else:
            data[row * vector.nbytes : (row + 1) * vector.nbytes] = vector.tobytes()
            exact[row] = True
    if not rows:
        return Vectors([], np.empty((0, 0), np.float32))
    return Vectors(list(rows), np.frombuffer(data, np.float32).reshape(len(rows), -1))


def _binary(stream: IO[bytes], where: str, maximum: int | None) -> Iterator[tuple[int, bytes, bytes]]:
    """Yield number, word and float32 of each vector of a file in word2vec's binary format."""
    header = _HEADER.match(stream.readline(100))
    if header is None:
        raise SentrepError(f"{where} line 1", expected='"words dimension"', found="something else", remedy=_REMEDY)
    count, size = int(header[1]), 4 * int(header[2])
    buffer, position = b"", 0
    for number in range(1, min(count, maximum or count) + 1):
        space = buffer.find(b" ", position)
        while space < 0 or len(buffer) < space + 1 + size:
            more = stream.read(_CHUNK)
            if not more or (space < 0 and len(buffer) - position > _CHUNK):
                found = f"vectors up to number {number - 1}, then the end" if not more else "no end of its word"
                raise SentrepError(f"{where} vector {number}", expected=f"{count} vectors", found=found, remedy=_REMEDY)
            buffer, position = buffer[position:] + more, 0
            space = buffer.find(b" ")
        yield number, buffer[position:space].lstrip(b"\n"), buffer[space + 1 : space + 1 + size]
        position = space + 1 + size


def _text(stream: IO[bytes], where: str, maximum: int | None) -> Iterator[tuple[int, bytes, list[bytes]]]:
    """Yield line number, word and numbers of each line of text; a word may contain spaces, as in GloVe."""
    count, dimension, read, number = None, 0, 0, 0
    for number, line in enumerate(stream, 1):
        if number == 1:
            if header := _HEADER.match(line):
                count, dimension = int(header[1]), int(header[2])
                continue
            dimension = len(line.split()) - 1
        fields = line.rsplit(None, dimension) if dimension > 0 else []
        if len(fields) != dimension + 1 or dimension < 1:
            raise SentrepError(
                f"{where} line {number}",
                expected=f"a word and {dimension} numbers" if dimension > 0 else "a word and its numbers",
                found=f"{len(line.split())} fields",
                remedy=_REMEDY,
            )
        yield number, fields[0], fields[1:]
        read += 1
        if read == maximum:
            return
    if number == 0 or (count is not None and read != count):
        raise SentrepError(
            f"{where} line {number}", expected=f"{count or 'some'} vectors", found=f"{read}", remedy=_REMEDY
        )


class _Vocabulary:
    """Stands for the class ``vocabUtils.vocabulary`` of the released Siamese CBOW code."""


def _siamese_cbow(
    stream: IO[bytes], where: str, maximum: int | None
) -> Iterator[tuple[int, str, npt.NDArray[np.floating]]]:
    """Yield row, word and vector from a pickle of the released code (``storeWordEmbeddings``).

    Row 0 of ``npaWordEmbeddings`` belongs to no word. The vectors of the paper, 1.3 GB unpacked, need about 3 GB of
    memory, because a pickle is read at once.
    """
    content = read_pickle(
        cast("BinaryIO", stream), {**ARRAYS, **OBJECTS, ("vocabUtils", "vocabulary"): _Vocabulary}, where
    )
    try:
        matrix, numbers = np.asarray(content["npaWordEmbeddings"]), vars(content["oVocab"])["dVocab"]
        ordered = sorted((int(row), str(word)) for word, row in numbers.items())
        if matrix.ndim != 2 or ordered[-1][0] >= len(matrix):
            raise ValueError(f"{len(ordered)} words, vectors of shape {matrix.shape}")
    except (KeyError, TypeError, AttributeError, IndexError, ValueError) as error:
        raise SentrepError(
            where,
            expected="a pickle of the released Siamese CBOW code",
            found=f"{type(error).__name__}: {error}",
            remedy=_REMEDY,
        ) from None
    words = [(row, word) for row, word in ordered if row > 0]
    for row, word in words[:maximum]:
        yield row, word, matrix[row]


_READERS = {"word2vec_binary": _binary, "text": _text, "siamese_cbow": _siamese_cbow}
