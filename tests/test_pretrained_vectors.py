"""Vectors of others: read whole or refused with one line."""

import gzip

import numpy as np
import pytest

from helpers_store import make_store
from sentrep.errors import SentrepError
from sentrep.families import Run
from sentrep.families.pretrained_vectors import Parameters, train
from sentrep.files import write_json

WORDS = ["w2", "other", "w0"]
VECTORS = np.arange(12, dtype=np.float32).reshape(3, 4)


def content(layout: str) -> bytes:
    """The three vectors as the tools write them."""
    header = b"" if layout == "glove" else b"3 4\n"
    if layout == "word2vec_binary":
        return header + b"".join(w.encode() + b" " + v.tobytes() + b"\n" for w, v in zip(WORDS, VECTORS, strict=True))
    lines = (f"{w} {' '.join(map(str, v))}\n" for w, v in zip(WORDS, VECTORS, strict=True))
    return header + "".join(lines).encode()


def run_on(path) -> Run:
    manifest = path.parent / "manifest.json"
    write_json(manifest, {"name": "vectors", "files": [{"path": str(path), "bytes": 1, "sha256": ""}]})
    return Run(seed=1, inputs={"vectors": manifest})


@pytest.mark.parametrize("layout", ["word2vec_binary", "word2vec_text", "glove"])
@pytest.mark.parametrize("packed", [False, True])
def test_words_of_the_store_in_its_order(tmp_path, layout, packed):
    path = tmp_path / ("v.bin.gz" if packed else "v.bin")
    path.write_bytes(gzip.compress(content(layout)) if packed else content(layout))
    encoder = train(make_store([[0, 1, 2, 3]]), Parameters(layout=layout), run_on(path))
    assert encoder.vocabulary == ["w0", "w2"]
    np.testing.assert_array_equal(encoder.embeddings, VECTORS[[2, 0]])


def test_truncated_file(tmp_path):
    path = tmp_path / "v.bin"
    path.write_bytes(content("word2vec_binary")[:-20])
    with pytest.raises(SentrepError, match=r"v\.bin: expected"):
        train(make_store([[0, 1, 2]]), Parameters(), run_on(path))


def test_wrong_layout(tmp_path):
    path = tmp_path / "v.txt"
    path.write_text("this is\nno vector file\n")
    with pytest.raises(SentrepError, match=r"v\.txt: expected vectors laid out as word2vec_text"):
        train(make_store([[0, 1, 2]]), Parameters(layout="word2vec_text"), run_on(path))


def test_no_word_in_common(tmp_path):
    (tmp_path / "v.bin").write_bytes(content("word2vec_binary").replace(b"w", b"x"))
    with pytest.raises(SentrepError, match="found none of them"):
        train(make_store([[1, 1]], vocabulary_size=2), Parameters(), run_on(tmp_path / "v.bin"))
