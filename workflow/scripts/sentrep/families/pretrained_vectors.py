"""Pre-trained word vectors from a published file; a sentence vector is the mean or the sum of the word vectors.

If retrained vectors do not reach the published scores, scoring the published vectors shows whether the training or the
evaluation is the cause. By default, only words in the vocabulary of the token store are kept, so a model with published
vectors knows only words that a retrained model also knows. Unknown words in a sentence are omitted by default, as in De
Boom et al. (2016), who use the Google News vectors. The input ``vectors`` is the manifest
(:mod:`sentrep.sources.registry`) of a source that contains the file of vectors.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from typing import IO, Literal, TypeVar

from pydantic.dataclasses import dataclass

from sentrep.corpora.store import TokenStore
from sentrep.corpora.tokenisers import tokeniser
from sentrep.encoders.base import AveragingEncoder
from sentrep.encoders.vector_files import SAMPLE_BYTES, Layout, read_vectors, recognise
from sentrep.errors import SentrepError
from sentrep.sources.archives import SourceFiles
from sentrep.training.parameters import Count
from sentrep.training.run import Run

log = logging.getLogger("sentrep")

Found = TypeVar("Found")
DETERMINISTIC = True
CPU_ONLY = True
INPUTS = ("vectors",)


@dataclass(frozen=True)
class Parameters:
    """Settings for pre-trained vectors. The file of vectors may be compressed or in an archive.

    Attributes:
        layout: format of the file: "word2vec_binary" (the word2vec tool), "text" (GloVe, fastText), "gensim"
            (KeyedVectors) or "siamese_cbow" (a pickle written by the released Siamese CBOW code); "auto" detects the
            first three formats.
        member: name of the file, such as glove.6B.300d.txt, in an archive with several files; null means the first
            file.
        words: "corpus" keeps only words in the vocabulary of the corpus; "all" keeps all words of the file, in their
            original order.
        maximum_words: maximum number of words to read from the beginning of the file; null means all words. Most files
            are sorted by descending frequency.
        case: "keep" leaves the words of the file unchanged; "fold" lower-cases them, for tokenisers that lower-case
            text. With "fold", if several words in the file differ only in case, the vector of the lower-case word is
            used or, if none of them is in lower case, the vector of the first of these words.
        aggregation: whether a sentence vector is the "mean" or the "sum" of the word vectors.
        tokeniser: tokeniser that is applied to sentences; null means the ``encoding_tokeniser`` of the corpus.
        oov: how the encoder treats unknown words; see :class:`sentrep.encoders.base.AveragingEncoder`.
    """

    layout: Literal["auto", "word2vec_binary", "text", "gensim", "siamese_cbow"] = "word2vec_binary"
    member: str | None = None
    words: Literal["corpus", "all"] = "corpus"
    maximum_words: Count | None = None
    case: Literal["keep", "fold"] = "keep"
    aggregation: Literal["mean", "sum"] = "mean"
    tokeniser: str | None = None
    oov: Literal["omit", "random"] = "omit"

    def __post_init__(self) -> None:
        if self.tokeniser is not None:
            tokeniser(self.tokeniser)


def train(store: TokenStore, parameters: Parameters, run: Run) -> AveragingEncoder:
    """Read word vectors from a file, and return an encoder that averages or sums the word vectors of a sentence.

    Raises:
        SentrepError: the source contains no file of vectors or no file named ``parameters.member``, or the file is
            damaged, is not in the expected format, or contains none of the words to keep.
    """
    p = parameters
    members = SourceFiles(run.inputs["vectors"])
    with members.guard():
        layout = p.layout if p.layout != "auto" else _selected(members, p, _recognise)
        wanted = set(store.vocabulary) if p.words == "corpus" else None
        vectors = _selected(
            members,
            p,
            lambda stream, where: read_vectors(stream, layout, where, wanted, p.case == "fold", p.maximum_words),
        )
    words, matrix = vectors.words, vectors.matrix
    if not words:
        raise SentrepError(
            Path(members.current).name,
            expected="vectors for words in the corpus" if p.words == "corpus" else "word vectors",
            found="none",
            remedy="check that the file contains vectors"
            + (", and that its words match the corpus in language and case" if p.words == "corpus" else ""),
        )
    if p.words == "corpus":
        row_of = {word: row for row, word in enumerate(words)}
        words = [word for word in store.vocabulary if word in row_of]
        matrix = matrix[[row_of[word] for word in words]]
        log.info("%d of the %d words in the corpus vocabulary have a vector", len(words), store.vocabulary_size)
    else:
        log.info("read %d word vectors", len(words))
    tokeniser_name = p.tokeniser or store.meta["encoding_tokeniser"]
    return AveragingEncoder(matrix, words, tokeniser_name, aggregation=p.aggregation, oov=p.oov)


def _recognise(stream: IO[bytes], where: str) -> Layout:
    return recognise(stream.read(SAMPLE_BYTES), where)


def _selected(members: SourceFiles, p: Parameters, read: Callable[[IO[bytes], str], Found]) -> Found:
    """Find the file that ``p.member`` selects, and return the result of ``read`` for its stream and its name."""
    names = []
    for name, stream in members:
        path = Path(name)
        names.append(path.name)
        if p.member not in (None, name, path.name) or "__MACOSX" in path.parts or path.name.startswith("."):
            continue
        file = Path(members.current).name
        where = file if Path(file).stem == path.name or file == path.name else f"{file}: {path.name}"
        return read(stream, where)
    raise SentrepError(
        Path(members.current).name,
        expected=f"a file named {p.member}" if p.member else "a file of word vectors",
        found=", ".join(names[:8]) or "no files",
        remedy="set the parameter `member` to the name of a file in the source" if p.member else "use another source",
    )
