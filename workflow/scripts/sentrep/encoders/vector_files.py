"""Read the vectors of all words or of selected words from a file of word vectors.

Text files and files in the binary format of word2vec are streamed, so only the vectors of the selected words are kept
in memory. Pickles cannot be streamed.

These formats are supported:

- the binary format of word2vec;
- text with one word and its vector per line; in word2vec and fastText files, but not in GloVe files, the first line
  contains the number of words and the dimension;
- pickles of gensim's ``KeyedVectors``;
- pickles written by the released Siamese CBOW code.
"""

from __future__ import annotations

import math
import re
from codecs import BOM_UTF8
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, BinaryIO, Literal, cast

import numpy as np
import numpy.typing as npt

from sentrep.errors import SentrepError, shorten
from sentrep.io.pickles import ARRAYS, OBJECTS, read_pickle, read_rows

Layout = Literal["word2vec_binary", "text", "gensim", "siamese_cbow"]
Entry = tuple[bytes | str, bytes | list[bytes] | npt.NDArray[Any]]

_CHUNK = 1 << 20
_HEADER = re.compile(rb"\s*(\d+)\s+(\d+)\s*$")
_REMEDY = "use an undamaged copy of the file, or set the parameter `layout` of pretrained_vectors to the file's format"


@dataclass(frozen=True)
class Vectors:
    """Word vectors that were read from a file.

    Attributes:
        words: V distinct words, in the order of the file.
        matrix: vectors of the words, (V, d) float32.
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
    """Read the vectors of all words or of selected words from a stream.

    If a word occurs repeatedly in the file, its first vector is used. Words that are empty or contain a line break are
    skipped.

    Args:
        stream: binary stream of the decompressed file.
        layout: format of the file.
        where: name of the file, for error messages.
        wanted: words to keep, in lower case if ``fold_case`` is true; if None, all words are kept.
        fold_case: whether to lower-case the words of the file. If several words differ only in case, the vector of the
            lower-case word is used. If the file does not contain the lower-case word, the vector of the first of these
            words is used. In a file sorted by frequency, the first word is also the most frequent one.
        maximum: number of vectors after which reading stops, including the vectors of words that are not kept; None
            for no limit.

    Raises:
        SentrepError: the file is damaged or has another format. If the fault is in a single vector or line, the message
            gives its number.
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
        if not key or "\n" in key or "\r" in key:  # a vocabulary file has one word per line
            continue
        try:
            vector = np.frombuffer(values, "<f4") if isinstance(values, bytes) else np.array(values, np.float32)
        except ValueError as error:
            raise SentrepError(
                f"{where} {unit} {number}",
                expected="numbers after the word",
                found=f"text that is not a number ({error})",
                remedy=_REMEDY,
            ) from None
        if not np.isfinite(vector).all():
            raise SentrepError(
                f"{where} {unit} {number}",
                expected=f"finite numbers in the vector of {word!r}",
                found="NaN or infinity",
                remedy=_REMEDY,
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
    """Yield the number (counted from 1), word and components (as bytes) of each vector in a binary word2vec file."""
    first = stream.readline(100)
    header = _HEADER.match(first)
    if header is None:
        expected = "the number of words and the dimension"
        raise SentrepError(f"{where} line 1", expected=expected, found=shorten(repr(first)), remedy=_REMEDY)
    count, size = int(header[1]), 4 * int(header[2])
    buffer, position = b"", 0
    for number in range(1, min(count, maximum or count) + 1):
        space = buffer.find(b" ", position)
        while space < 0 or len(buffer) < space + 1 + size:
            more = stream.read(_CHUNK)
            if not more or (space < 0 and len(buffer) - position > _CHUNK):
                expected, found = f"{count} word vectors", f"the end of the file after vector {number - 1}"
                if more:
                    expected, found = "a word followed by a space", "no space after the word"
                raise SentrepError(f"{where} vector {number}", expected=expected, found=found, remedy=_REMEDY)
            buffer, position = buffer[position:] + more, 0
            space = buffer.find(b" ")
        yield number, buffer[position:space].lstrip(b"\n"), buffer[space + 1 : space + 1 + size]
        position = space + 1 + size
    if (maximum is None or maximum >= count) and (buffer[position:] + stream.read(2)).strip():
        expected, found = f"the end of the file after {count} vectors of dimension {header[2]}", "more data"
        raise SentrepError(where, expected=expected, found=found, remedy=_REMEDY)


def _text(stream: IO[bytes], where: str, maximum: int | None) -> Iterator[tuple[int, bytes, list[bytes]]]:
    """Yield the line number, the word and the components of each vector in a text file; words may contain spaces."""
    count, dimension, read, number = None, 0, 0, 0
    for number, raw in enumerate(stream, 1):
        line = raw.removeprefix(BOM_UTF8) if number == 1 else raw
        if number == 1:
            if header := _HEADER.match(line):
                count, dimension = int(header[1]), int(header[2])
                continue
            dimension = len(line.split()) - 1
        fields = line.rsplit(None, dimension) if dimension > 0 else []
        if len(fields) != dimension + 1 or dimension < 1 or _ends_with_component(fields[0]):
            raise SentrepError(
                f"{where} line {number}",
                expected=f"a word and {dimension} numbers" if dimension > 0 else "a word followed by numbers",
                found=f"a line with {len(line.split())} field(s)",
                remedy=_REMEDY,
            )
        yield number, fields[0], fields[1:]
        read += 1
        if read == maximum:
            return
    if number == 0 or (count is not None and read != count):
        raise SentrepError(
            f"{where} line {number}",
            expected=f"{count} word vectors" if count is not None else "at least one word vector",
            found=f"the end of the file after vector {read}" if number else "an empty file",
            remedy=_REMEDY,
        )


def _ends_with_component(word: bytes) -> bool:
    """Return whether a word with spaces ends with a decimal fraction, which is then a component of the vector."""
    try:
        return b" " in word and b"." in (last := word.rsplit(None, 1)[1]) and math.isfinite(float(last))
    except (ValueError, IndexError):
        return False


class _Vocabulary:
    """Stand-in for the class ``vocabUtils.vocabulary`` in pickles written by the released Siamese CBOW code."""


def _siamese_cbow(
    stream: IO[bytes], where: str, maximum: int | None
) -> Iterator[tuple[int, str, npt.NDArray[np.floating]]]:
    """Yield each word in a pickle written by the released Siamese CBOW code, with its row index and its vector.

    Such pickles are written by the function ``storeWordEmbeddings`` in that code. Row 0 of the array
    ``npaWordEmbeddings`` does not belong to a word. Pickles cannot be streamed, so reading the vectors of Kenter et al.
    (1.3 GB decompressed) takes about 3 GB of memory.
    """
    content = read_pickle(
        cast("BinaryIO", stream), {**ARRAYS, **OBJECTS, ("vocabUtils", "vocabulary"): _Vocabulary}, where
    )
    try:
        matrix, numbers = np.asarray(content["npaWordEmbeddings"]), vars(content["oVocab"])["dVocab"]
        ordered = sorted((int(row), str(word)) for word, row in numbers.items())
        if matrix.ndim != 2 or ordered[-1][0] >= len(matrix):
            raise ValueError(f"{len(ordered)} words, but an array of shape {matrix.shape}")
    except (KeyError, TypeError, AttributeError, IndexError, ValueError) as error:
        raise SentrepError(
            where,
            expected="a pickle of word vectors written by the released Siamese CBOW code",
            found=f"a pickle of other data ({type(error).__name__}: {error})",
            remedy=_REMEDY,
        ) from None
    words = [(row, word) for row, word in ordered if row > 0]
    for row, word in words[:maximum]:
        yield row, word, matrix[row]


class _KeyedVectors:
    """A class that replaces gensim's ``KeyedVectors`` and ``FastTextKeyedVectors`` when a pickle is read."""


def _gensim(stream: IO[bytes], where: str, maximum: int | None) -> Iterator[tuple[int, str, npt.NDArray[np.floating]]]:
    """Yield each word in a pickle of gensim's ``KeyedVectors``, with its row index and its vector.

    gensim saves each large array in a separate file. The name of the file with the vectors is the name of the pickle
    followed by ``.vectors.npy``. This file is read if the pickle does not contain the vectors.
    """
    names = [("gensim.models.keyedvectors", "KeyedVectors"), ("gensim.models.fasttext", "FastTextKeyedVectors")]
    classes = dict.fromkeys(names, _KeyedVectors)
    content = read_pickle(cast("BinaryIO", stream), {**ARRAYS, **OBJECTS, **classes}, where)
    attributes = getattr(content, "__dict__", {})
    words, matrix = attributes.get("index_to_key"), attributes.get("vectors")
    arrays = Path(f"{getattr(stream, 'name', where)}.vectors.npy")
    if matrix is None and words is not None:
        if not arrays.exists():
            raise SentrepError(
                arrays,
                expected=f"the file of vectors that belongs to {where}",
                found="no file",
                remedy="copy both files to the same folder",
            )
        matrix = read_rows(arrays)
    if matrix is None or not isinstance(words, list) or np.ndim(matrix) != 2 or len(words) != len(matrix):
        raise SentrepError(
            where,
            expected="a gensim KeyedVectors object",
            found="another kind of object",
            remedy="with gensim 4, save `model.wv` instead of the whole model",
        )
    for row, word in enumerate(words[:maximum]):
        yield row, str(word), matrix[row]


_READERS = {"word2vec_binary": _binary, "text": _text, "gensim": _gensim, "siamese_cbow": _siamese_cbow}
SAMPLE_BYTES = 1 << 16  # number of bytes from which the layout is detected


def recognise(head: bytes, where: str) -> Layout:
    """Detect the layout of a file of word vectors from its first 64 KiB.

    A pickle is assumed to be from gensim, even if the released Siamese CBOW code wrote it.

    Raises:
        SentrepError: the layout is unknown.
    """
    if head.startswith(b"\x80"):
        return "gensim"
    found = f"a file that begins with {shorten(repr(head[:40]))}" if head else "an empty file"
    if head.startswith(b"\xba\x16\x4f\x2f"):
        found = "a binary fastText model"
    first, _, rest = head.removeprefix(BOM_UTF8).partition(b"\n")
    header = _HEADER.match(first)
    row = rest.partition(b"\n")[0] if header else first
    # A row of numbers is text, even if their count differs from the header; reading the text then reports the error.
    if _is_vector(row, None) or (header and _is_vector(row, int(header[2]))):
        return "text"
    if header and rest:
        return "word2vec_binary"
    raise SentrepError(
        where,
        expected="word vectors in the format of word2vec, GloVe, fastText (.vec) or gensim (KeyedVectors)",
        found=found,
        remedy="pass a file in one of these formats",
    )


def _is_vector(line: bytes, dimension: int | None) -> bool:
    """Return whether a line has the form of a word and its vector.

    If ``dimension`` is None, the line must consist of a word and at least two numbers. Otherwise, it must end with
    ``dimension`` numbers, and ``dimension`` must be at least 2.
    """
    fields = line.split()
    try:
        numbers = [float(field) for field in fields[-dimension if dimension else 1 :]]
    except ValueError:
        return False
    return len(numbers) >= 2 and (dimension is None or len(numbers) == dimension)
