"""Open model folders, files of word vectors, sentence-transformers models and the released skip-thought models."""

from __future__ import annotations

import logging
import tempfile
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from sentrep.corpora.store import TokenStore
from sentrep.corpora.tokenisers import tokeniser
from sentrep.encoders.base import AveragingEncoder, Encoder
from sentrep.encoders.foreign import sentence_transformer
from sentrep.encoders.registry import load_encoder
from sentrep.encoders.vector_files import SAMPLE_BYTES, read_vectors, recognise
from sentrep.errors import SentrepError
from sentrep.io.files import write_json
from sentrep.sources.archives import SourceFiles

NO_TEXT = TokenStore(
    np.empty(0, np.uint16), np.zeros(1, np.int64), np.zeros(1, np.int64), [], np.empty(0, np.int64), {}
)
"""Empty token store for families that read files instead of a corpus."""

log = logging.getLogger("sentrep")


def open_encoder(
    path: str | Path,
    *,
    sentences: Iterable[str] | None = None,
    tokeniser_name: str = "kenter",
    device: str = "cpu",
) -> Encoder:
    """Open the model at a path and return its encoder.

    Args:
        path: path of a model folder, a sentence-transformers folder, a folder with the released skip-thought files, or
            a file of word vectors (word2vec, GloVe, fastText .vec or gensim's KeyedVectors). A file of word vectors may
            be compressed.
        sentences: sentences to be encoded. From a file of word vectors, only the vectors of words in these sentences
            are loaded; if None, all vectors are loaded.
        tokeniser_name: name of the tokeniser for sentences that are encoded with a file of word vectors. If the
            tokeniser lower-cases text, the words in the file are lower-cased too; see the argument ``fold_case`` of
            :func:`sentrep.encoders.vector_files.read_vectors`.
        device: torch device for models from model folders and sentence-transformers folders; other models run on the
            CPU.

    Raises:
        SentrepError: ``path`` is neither a file nor a folder of a supported kind, the model cannot be loaded, or a file
            of word vectors contains no vector for any word in ``sentences``.
    """
    path = Path(path)
    if path.is_file():
        return _word_vectors(path, sentences, tokeniser_name)
    if (path / "meta.json").exists():
        encoder = load_encoder(path)
        encoder.use(device)
        return encoder
    if (path / "modules.json").exists():
        return sentence_transformer(path, device)
    if (path / "dictionary.txt").exists():
        return _skip_thought(path)
    raise SentrepError(
        path,
        expected="a model folder, a file of word vectors, or a folder of sentence-transformers or skip-thought files",
        found="a folder without meta.json, modules.json or dictionary.txt" if path.is_dir() else "no file or folder",
        remedy="check the path",
    )


def _word_vectors(path: Path, sentences: Iterable[str] | None, tokeniser_name: str) -> AveragingEncoder:
    tokenise = tokeniser(tokeniser_name)
    wanted = None if sentences is None else {token for sentence in sentences for token in tokenise(sentence)}
    members = SourceFiles.of([path])
    with members.guard():
        heads = {name: stream.read(SAMPLE_BYTES) for name, stream in members}
        if len(heads) != 1:
            raise SentrepError(
                path,
                expected="a single file of word vectors",
                found=", ".join(list(heads)[:5]) or "an empty archive",
                remedy="pass a file of word vectors, or an archive that contains a single file",
            )
        layout = recognise(*heads.values(), where=path.name)
        fold = tokenise("Word") != ["Word"]  # whether the tokeniser lower-cases text
        (vectors,) = (read_vectors(stream, layout, str(path), wanted, fold_case=fold) for _, stream in members)
    which = "" if wanted is None else " for words in the texts"
    if not vectors.words:
        raise SentrepError(
            path,
            expected=f"vectors{which}",
            found="none",
            remedy="check the content of the file, and the language and case of its words",
        )
    log.info("%s: loaded %d word vectors%s (format %s)", path, len(vectors.words), which, layout)
    meta = {"family": "pretrained_vectors", "file": path.name, "layout": layout}
    return AveragingEncoder(vectors.matrix, vectors.words, tokeniser_name, meta=meta)


def _skip_thought(path: Path) -> Encoder:
    from sentrep.families.released_skip_thought import Parameters, train
    from sentrep.training.run import Run

    files = [{"path": str(file.resolve())} for file in sorted(path.iterdir()) if file.is_file()]
    parts = [part for part, name in (("uni", "utable.npy"), ("bi", "btable.npy")) if (path / name).exists()]
    with tempfile.TemporaryDirectory() as folder:
        manifest = Path(folder) / "manifest.json"
        write_json(manifest, {"name": path.name, "files": files})
        encoder = train(
            NO_TEXT,
            Parameters(part="uni" if parts == ["uni"] else "bi" if parts == ["bi"] else "combine"),
            Run(seed=1, inputs={"model": manifest}),
        )
    encoder.meta = {"family": "released_skip_thought", "file": path.name}
    return encoder
