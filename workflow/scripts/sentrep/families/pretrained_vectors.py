"""Word vectors that others have trained, read from their file: nothing is learnt here.

By default only words of the store's vocabulary are kept, so that a model compared with one of ours sees the same words
or fewer; words that the file lacks are left out, as De Boom et al. (2016) leave out words that the Google News vectors
lack.
The file is the input ``vectors``: a manifest of a source.
"""

from __future__ import annotations

import logging
import tempfile
from dataclasses import dataclass
from pathlib import Path
from shutil import copyfileobj
from typing import Literal

from sentrep.encoders import AveragingEncoder
from sentrep.errors import SentrepError
from sentrep.families import Run
from sentrep.sources import SourceFiles
from sentrep.store import TokenStore

log = logging.getLogger("sentrep")


@dataclass(frozen=True)
class Parameters:
    """How the vectors lie in their file, which may be compressed or in an archive.

    Attributes:
        layout: "word2vec_binary" or "word2vec_text", as the original tool writes them, or "glove", which is text
            without the first line.
        words: those of the "corpus", or "all" of the file, in its order.
        oov: what the encoder does with unknown words; see :class:`sentrep.encoders.AveragingEncoder`.
    """

    layout: Literal["word2vec_binary", "word2vec_text", "glove"] = "word2vec_binary"
    words: Literal["corpus", "all"] = "corpus"
    oov: Literal["omit", "random"] = "omit"


def train(store: TokenStore, parameters: Parameters, run: Run) -> AveragingEncoder:
    """Read the vectors of the store's words, in the store's order, or all vectors.

    Raises:
        SentrepError: the file is damaged, laid out otherwise, or has none of the words.
    """
    from gensim.models import KeyedVectors

    members = SourceFiles(run.inputs["vectors"])
    with members.guard(), tempfile.NamedTemporaryFile(suffix=".vectors") as unpacked:
        for _, stream in members:
            copyfileobj(stream, unpacked)  # gensim wants a path
            break
        unpacked.flush()
        try:
            vectors = KeyedVectors.load_word2vec_format(
                unpacked.name,
                binary=parameters.layout == "word2vec_binary",
                no_header=parameters.layout == "glove",
                unicode_errors="replace",
            )
        except (ValueError, UnicodeDecodeError, EOFError) as error:
            raise SentrepError(
                Path(members.current).name,
                expected=f"vectors laid out as {parameters.layout}",
                found=f"{type(error).__name__}: {error}",
                remedy="get the file again, or correct `layout`",
            ) from None
    in_order = store.vocabulary if parameters.words == "corpus" else vectors.index_to_key
    words = [word for word in in_order if word in vectors]
    if not words:
        raise SentrepError(
            Path(members.current).name,
            expected="vectors of words of the corpus",
            found="none of them",
            remedy="check that the file's language and case are the corpus'",
        )
    log.info("%d of %d words have a vector", len(words), len(in_order))
    matrix = vectors[words].astype("float32")
    return AveragingEncoder(matrix, words, store.meta["encoding_tokeniser"], oov=parameters.oov)
