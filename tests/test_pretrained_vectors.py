"""Test readers of published vectors: they read a file completely or refuse it in one line."""

import gzip
import io
import pickle
import tarfile
import zipfile

import numpy as np
import pytest

from helpers_python2 import Instance, Namespace, pickled
from helpers_store import make_store
from sentrep.encoders.registry import load_encoder
from sentrep.errors import SentrepError
from sentrep.families.pretrained_vectors import Parameters, train
from sentrep.io.files import write_json
from sentrep.training.run import Run

WORDS = ["w2", "other", "w0"]
VECTORS = np.arange(12, dtype=np.float32).reshape(3, 4)
FORMATS = ["word2vec_binary", "word2vec_text", "glove", "siamese_cbow"]
STORE = make_store([[0, 1, 2, 3]])


def layout(kind):
    return "text" if kind in ("word2vec_text", "glove") else kind


def content(kind, words=WORDS, vectors=VECTORS):
    """Return the vectors in the format in which tools write them."""
    header = b"" if kind == "glove" else b"%d %d\n" % vectors.shape
    if kind == "word2vec_binary":
        return header + b"".join(w.encode() + b" " + v.tobytes() + b"\n" for w, v in zip(words, vectors, strict=True))
    if kind == "siamese_cbow":
        numbers = {b"__DUMMY_WORD__": 0, **{word: row for row, word in enumerate(words, 1)}}
        whole = np.concatenate([np.zeros_like(vectors[:1]), vectors])
        arguments = Namespace("argparse.Namespace", iEmbeddingSize=4, iMaxNrOfVocabWords=float("inf"), sUpdate=b"sgd")
        vocabulary = Instance("vocabUtils.vocabulary", dVocab=numbers, iNrOfWords=len(numbers), sInputMode=b"freqword")
        return pickled({b"oArgs": arguments, b"npaWordEmbeddings": whole, b"oVocab": vocabulary})
    lines = (f"{w} {' '.join(map(str, v))}\n" for w, v in zip(words, vectors, strict=True))
    return header + "".join(lines).encode()


def run_on(path) -> Run:
    manifest = path.parent / "manifest.json"
    write_json(manifest, {"name": "vectors", "files": [{"path": str(path), "bytes": 1, "sha256": ""}]})
    return Run(seed=1, inputs={"vectors": manifest})


def read(tmp_path, data, name="v.bin", store=STORE, **parameters):
    path = tmp_path / name
    path.write_bytes(data)
    return train(store, Parameters(**parameters), run_on(path))


def archive(kind, members):
    stream = io.BytesIO()
    if kind == "zip":
        with zipfile.ZipFile(stream, "w") as packed:
            for name, data in members.items():
                packed.writestr(name, data)
    else:
        with tarfile.open(fileobj=stream, mode="w:gz") as packed:
            for name, data in members.items():
                entry = tarfile.TarInfo(name)
                entry.size = len(data)
                packed.addfile(entry, io.BytesIO(data))
    return stream.getvalue()


@pytest.mark.parametrize("kind", FORMATS)
@pytest.mark.parametrize("packing", ["plain", "gz", "zip", "tar.gz"])
def test_words_of_the_store_in_its_order(tmp_path, kind, packing):
    data = content(kind)
    if packing == "gz":
        data = gzip.compress(data)
    elif packing != "plain":
        data = archive(packing, {"__MACOSX/._v": b"x", "folder/v": data})
    encoder = read(tmp_path, data, f"v.{packing}", layout=layout(kind))
    assert encoder.vocabulary == ["w0", "w2"]
    np.testing.assert_array_equal(encoder.embeddings, VECTORS[[2, 0]])


@pytest.mark.parametrize("kind", FORMATS)
def test_all_words_or_the_first_ones(tmp_path, kind):
    for maximum, n in ((None, 3), (2, 2), (9, 3)):
        encoder = read(tmp_path, content(kind), layout=layout(kind), words="all", maximum_words=maximum)
        assert encoder.vocabulary == WORDS[:n]
        np.testing.assert_array_equal(encoder.embeddings, VECTORS[:n])


def test_gensim_reads_the_same(tmp_path):
    from gensim.models import KeyedVectors

    for kind in ("word2vec_binary", "word2vec_text", "glove"):
        encoder = read(tmp_path, content(kind), layout=layout(kind), words="all")
        path = str(tmp_path / "v.bin")
        options = {"binary": kind == "word2vec_binary", "no_header": kind == "glove"}
        expected = KeyedVectors.load_word2vec_format(path, **options)
        assert encoder.vocabulary == expected.index_to_key
        np.testing.assert_array_equal(encoder.embeddings, expected.vectors)


def test_python_reads_the_hand_written_pickle_as_it_is_meant(monkeypatch):
    class Vocabulary:
        pass

    module = type(pickle)("vocabUtils")
    module.vocabulary = Vocabulary
    monkeypatch.setitem(__import__("sys").modules, "vocabUtils", module)
    found = pickle.loads(content("siamese_cbow", ["é", "w1", "w0"]), encoding="latin1")
    assert found["oVocab"].dVocab == {"__DUMMY_WORD__": 0, "é": 1, "w1": 2, "w0": 3}
    np.testing.assert_array_equal(found["npaWordEmbeddings"][1:], VECTORS)


def test_one_file_of_an_archive(tmp_path):
    members = {"v.50d.txt": b"w0 1 2\n", "v.300d.txt": content("glove")}
    encoder = read(tmp_path, archive("zip", members), "v.zip", layout="text", member="v.300d.txt")
    assert encoder.dimension == 4
    with pytest.raises(
        SentrepError, match=r"v\.zip: expected a file named v\.9d\.txt, found v\.50d\.txt, v\.300d\.txt"
    ):
        read(tmp_path, archive("zip", members), "v.zip", layout="text", member="v.9d.txt")


def test_words_with_spaces_and_words_that_are_no_text(tmp_path):
    lines = b". . . 1 2\nat name@domain.com 3 4\nw0\xc2\xa0x 5 6 \nw0 7 8\nw\r0 7 8\n\xff\xfe 9 10\nw0 0 0\n"
    encoder = read(tmp_path, lines.replace(b". . . 1 2\n", b"w9 1 2\n. . . 1 2\n"), layout="text", words="all")
    assert encoder.vocabulary == ["w9", ". . .", "at name@domain.com", "w0\xa0x", "w0", "\ufffd\ufffd"]
    np.testing.assert_array_equal(encoder.embeddings[4], [7, 8])  # of two vectors of a word, the first is kept


@pytest.mark.parametrize("kind", FORMATS)
def test_folded_case_prefers_the_word_in_lower_case(tmp_path, kind):
    words = ["Paris", "PARIS", "W0", "w0"]
    vectors = np.arange(16, dtype=np.float32).reshape(4, 4)
    data = content(kind, words, vectors)
    encoder = read(tmp_path, data, layout=layout(kind), words="all", case="fold")
    assert encoder.vocabulary == ["paris", "w0"]
    np.testing.assert_array_equal(encoder.embeddings, vectors[[0, 3]])
    assert read(tmp_path, data, layout=layout(kind), words="all").vocabulary == words


def test_sum_or_mean_tokeniser_and_the_way_to_disk_and_back(tmp_path):
    encoder = read(tmp_path, content("glove"), layout="text", words="all", aggregation="sum", tokeniser="treebank")
    assert encoder.tokeniser_name == "treebank"
    encoder.meta["family"] = "pretrained_vectors"
    folder = tmp_path / "model"
    folder.mkdir()
    encoder.save(folder)
    np.testing.assert_array_equal(load_encoder(folder).encode(["w2 w0 w0"]), [VECTORS[0] + 2 * VECTORS[2]])
    mean = read(tmp_path, content("glove"), layout="text", words="all")
    np.testing.assert_allclose(mean.encode(["w2 w0 w0"]), [(VECTORS[0] + 2 * VECTORS[2]) / 3])


@pytest.mark.parametrize(
    ("kind", "damage", "message"),
    [
        (
            "word2vec_binary",
            lambda b: b[:-20],
            r"v\.bin vector 3: expected 3 word vectors, found the end of the file after vector 2",
        ),
        ("word2vec_binary", lambda _b: b"no header", r"v\.bin line 1: expected the number of words and the dimension"),
        (
            "word2vec_text",
            lambda b: b[: b.rindex(b"w0")],
            r"v\.bin line 3: expected 3 word vectors, found the end of the file after vector 2",
        ),
        ("word2vec_text", lambda b: b.replace(b" 5.0", b""), r"v\.bin line 3: expected a word and 4 numbers"),
        ("glove", lambda b: b.replace(b"11.0", b"eleven"), r"v\.bin line 3: expected numbers after the word"),
        (
            "glove",
            lambda b: b.replace(b"11.0", b"nan"),
            r"v\.bin line 3: expected finite numbers in the vector of 'w0', found NaN",
        ),
        ("glove", lambda b: b[:-9], r"v\.bin line 3: expected a word and 4 numbers, found a line with 4 field"),
        ("glove", lambda _b: b"this\n", r"v\.bin line 1: expected a word followed by numbers"),
        ("glove", lambda _b: b"", r"v\.bin line 0: expected at least one word vector, found an empty file"),
        ("siamese_cbow", lambda b: b[:-30], r"v\.bin: expected a complete pickle"),
        ("siamese_cbow", lambda _b: pickled([1]), r"v\.bin: expected a pickle of word vectors"),
        ("siamese_cbow", lambda b: b.replace(b"vocabUtils", b"os"), r"the pickle uses os\.vocabulary"),
    ],
)
def test_damaged_files_are_refused_with_the_place(tmp_path, kind, damage, message):
    with pytest.raises(SentrepError, match=message) as error:
        read(tmp_path, damage(content(kind)), layout=layout(kind), words="all")
    assert "\n" not in str(error.value)


def test_a_pickle_is_not_run(tmp_path):
    marker = tmp_path / "marker"
    for attack in (b"cos\nsystem\n(S'touch %b'\ntR." % bytes(marker), b"c__builtin__\neval\n(S'1'\ntR."):
        with pytest.raises(SentrepError, match="the pickle uses"):
            read(tmp_path, attack, layout="siamese_cbow")
    assert not marker.exists()


def test_no_word_in_common(tmp_path):
    data = content("word2vec_binary").replace(b"w", b"x")
    with pytest.raises(SentrepError, match="found none"):
        read(tmp_path, data, store=make_store([[1, 1]], vocabulary_size=2))
