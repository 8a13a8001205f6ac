"""Word vectors that others have trained, read from their file: nothing is learnt here.

A sentence is their mean or sum. Scored beside a model of ours they tell a mismatch of scoring from one of training.

By default only words of the store's vocabulary are kept, so that a model compared with one of ours sees the same words
or fewer; words that the file lacks are left out, as De Boom et al. (2016) leave out words that the Google News vectors
lack. The file is the input ``vectors``: a manifest of a source.
"""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Literal

from pydantic.dataclasses import dataclass

from sentrep.corpora.store import TokenStore
from sentrep.corpora.tokenisers import tokeniser
from sentrep.encoders.base import AveragingEncoder
from sentrep.encoders.vector_files import Layout, Vectors, read_vectors
from sentrep.errors import SentrepError
from sentrep.sources.archives import SourceFiles
from sentrep.training.parameters import Count
from sentrep.training.run import Run

log = logging.getLogger("sentrep")

CPU_ONLY = True


@dataclass(frozen=True)
class Parameters:
    """How the vectors lie in their file, which may be compressed or in an archive, and what is made of them.

    Attributes:
        layout: "word2vec_binary" or "text", as the word2vec tool and GloVe write them; "siamese_cbow": the pickle of
            the released Siamese CBOW code.
        member: name of the file in an archive with several, such as glove.6B.300d.txt; without it the first is read.
        words: those of the "corpus", or "all" of the file, in its order.
        maximum_words: read no more than so many from the beginning of the file; they are usually sorted by frequency.
        case: "fold" lower-cases the words of a file that has capitals, for tokenisers that lower-case. A word that
            the file has in lower case keeps that vector, another one has that of its first form in the file.
        aggregation: "mean" or "sum" of a sentence's word vectors.
        tokeniser: how sentences are cut into words; without it, as the corpus says.
        oov: what the encoder does with unknown words; see :class:`sentrep.encoders.base.AveragingEncoder`.
    """

    layout: Layout = "word2vec_binary"
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
    """Read the vectors of the store's words, in the store's order, or all vectors.

    Raises:
        SentrepError: the file is damaged, laid out otherwise, or has none of the words.
    """
    p = parameters
    members = SourceFiles(run.inputs["vectors"])
    with members.guard():
        vectors = _read(members, p, set(store.vocabulary) if p.words == "corpus" else None)
    words, matrix = vectors.words, vectors.matrix
    if not words:
        raise SentrepError(
            Path(members.current).name,
            expected="vectors of words of the corpus" if p.words == "corpus" else "vectors",
            found="none of them",
            remedy="check that the file's language and case are the corpus'",
        )
    if p.words == "corpus":
        row_of = {word: row for row, word in enumerate(words)}
        words = [word for word in store.vocabulary if word in row_of]
        matrix = matrix[[row_of[word] for word in words]]
        log.info("%d of %d words have a vector", len(words), store.vocabulary_size)
    else:
        log.info("%d words", len(words))
    tokeniser_name = p.tokeniser or store.meta["encoding_tokeniser"]
    return AveragingEncoder(matrix, words, tokeniser_name, aggregation=p.aggregation, oov=p.oov)


def _read(members: SourceFiles, p: Parameters, wanted: set[str] | None) -> Vectors:
    names = []
    for name, stream in members:
        path = Path(name)
        names.append(path.name)
        if p.member not in (None, name, path.name) or "__MACOSX" in path.parts or path.name.startswith("."):
            continue
        file = Path(members.current).name
        where = file if Path(file).stem == path.name or file == path.name else f"{file}: {path.name}"
        return read_vectors(stream, p.layout, where, wanted, p.case == "fold", p.maximum_words)
    raise SentrepError(
        Path(members.current).name,
        expected=p.member or "a file of vectors",
        found=", ".join(names[:8]) or "nothing",
        remedy="correct the parameter `member`",
    )
