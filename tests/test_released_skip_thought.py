"""Compare released skip-thought models, in files of the released layout, with a forward pass written as loops."""

import struct

import numpy as np
import pytest

from helpers_python2 import Instance, pickled
from helpers_store import make_store
from sentrep.encoders.registry import load_encoder
from sentrep.errors import SentrepError
from sentrep.families import parse_parameters
from sentrep.families.released_skip_thought import Parameters, train
from sentrep.io.files import write_json
from sentrep.io.pickles import read_rows
from sentrep.training.run import Run

WORDS = ["<eos>", "UNK", "the", "The", "cat", "é", "don't", "sat", "cat"]  # one of the words occurs twice
WIDTH, UNI, BI = 5, 6, 3
STORE = make_store([[0]])


def object_npy(rows):
    """Return an ``.npy`` file of a list of rows of different shapes, as written by Python 2."""
    header = f"{{'descr': '|O', 'fortran_order': False, 'shape': ({len(rows)},), }}"
    header = header.ljust(117) + "\n"
    array = np.empty(len(rows), dtype=object)
    array[:] = rows
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + pickled(array, text=False)


def gru_weights(rng, units, prefix):
    shapes = {"W": (WIDTH, 2 * units), "U": (units, 2 * units), "b": (2 * units,)}
    shapes |= {"Wx": (WIDTH, units), "Ux": (units, units), "bx": (units,)}
    return {f"{prefix}_{name}": rng.normal(0, 0.7, shape).astype(np.float32) for name, shape in shapes.items()}


@pytest.fixture
def model(tmp_path):
    """Return the folder with the seven files, the arrays in them, and a function that makes a run from the folder."""
    rng, folder = np.random.default_rng(0), tmp_path / "model"
    folder.mkdir()
    tables = {name: rng.normal(size=(len(WORDS), WIDTH)).astype(np.float32) for name in ("uni", "bi")}
    weights = {"uni": gru_weights(rng, UNI, "encoder")}
    weights["bi"] = gru_weights(rng, BI, "encoder") | gru_weights(rng, BI, "encoder_r")
    (folder / "dictionary.txt").write_bytes("".join(f"{word}\n" for word in WORDS).encode())
    for name, table in tables.items():
        # The regression that expanded the vocabulary gives rows; the network's own words are vectors.
        rows = [row if i < 4 else row[None] for i, row in enumerate(table)]
        (folder / f"{name[0]}table.npy").write_bytes(object_npy(rows))
        with (folder / f"{name}_skip.npz").open("wb") as stream:
            np.savez(stream, **weights[name], Wemb=table, decoder_W=np.zeros(3))
        options = {b"dim": UNI if name == "uni" else BI, b"dim_word": WIDTH, b"encoder": b"gru", b"decay_c": 0.0}
        (folder / f"{name}_skip.npz.pkl").write_bytes(pickled({**options, b"saveto": b"x.npz", b"reload_": False}))

    def run():
        entries = [{"path": str(path), "bytes": 1, "sha256": ""} for path in folder.iterdir()]
        write_json(tmp_path / "manifest.json", {"name": "model", "files": entries})
        return Run(seed=1, inputs={"model": tmp_path / "manifest.json"})

    return folder, tables, weights, run


def gru(x, weights, prefix):
    """Return the last state of the released gru_layer, whose gates are r and u, with r applied after the product."""
    W, U, b, Wx, Ux, bx = (weights[f"{prefix}_{name}"].astype(np.float64) for name in ("W", "U", "b", "Wx", "Ux", "bx"))
    n = len(bx)
    h = np.zeros(n)
    for step in x:
        gates = 1 / (1 + np.exp(-(h @ U + step @ W + b)))
        r, u = gates[:n], gates[n:]
        candidate = np.tanh((h @ Ux) * r + step @ Wx + bx)
        h = u * h + (1 - u) * candidate
    return h


def released(words, tables, weights, end):
    """Return the output of encode() in skipthoughts.py for one tokenised sentence."""
    # of two equal words, the last one counts, as in an OrderedDict of pairs
    row_of = {word: row for row, word in enumerate(WORDS)}
    rows = [row_of.get(word, 1) for word in words] + ([0] if end else [])
    u, b = tables["uni"][rows], tables["bi"][rows]
    uni = gru(u, weights["uni"], "encoder")
    bi = np.concatenate([gru(b, weights["bi"], "encoder"), gru(b[::-1], weights["bi"], "encoder_r")])
    return {"uni": uni / np.linalg.norm(uni), "bi": bi / np.linalg.norm(bi)}


SENTENCES = ["the cat sat", "The", "a dog", "é don't cat cat the UNK", "", "the " * 40]


@pytest.mark.parametrize("part", ["uni", "bi", "combine"])
@pytest.mark.parametrize("end", [False, True])
def test_encoding_is_the_released_code_s(model, tmp_path, part, end):
    _, tables, weights, run = model
    parameters = Parameters(part=part, end_of_sentence=end, tokeniser="whitespace")
    encoder = train(STORE, parameters, run())
    vectors = encoder.encode(SENTENCES)
    assert vectors.shape == (6, {"uni": UNI, "bi": 2 * BI, "combine": UNI + 2 * BI}[part])
    for sentence, vector in zip(SENTENCES, vectors, strict=True):
        parts = released(sentence.split(), tables, weights, end) if sentence else None
        names = ("uni", "bi") if part == "combine" else (part,)
        expected = np.concatenate([parts[name] for name in names]) if parts else 0
        np.testing.assert_allclose(vector, np.broadcast_to(expected, vector.shape), atol=1e-6)
    np.testing.assert_allclose(encoder.encode(SENTENCES[::-1]), vectors[::-1], atol=1e-6)
    total, known = encoder.count_tokens(SENTENCES)
    assert total.tolist() == [3, 1, 2, 6, 0, 40]
    assert known.tolist() == [3, 1, 0, 5, 0, 40]

    encoder.meta["family"] = "released_skip_thought"
    folder = tmp_path / "saved"
    folder.mkdir()
    encoder.save(folder)
    loaded = load_encoder(folder)
    assert (loaded.encode(SENTENCES) == vectors).all()
    assert all(isinstance(table, np.memmap) for table in loaded.network.tables.values())


def test_plain_tables_are_read_without_a_pickle(model):
    folder, tables, _, run = model
    before = train(STORE, Parameters(tokeniser="whitespace"), run()).encode(SENTENCES)
    for name, table in tables.items():
        np.save(folder / f"{name[0]}table.npy", table)
    assert (train(STORE, Parameters(tokeniser="whitespace"), run()).encode(SENTENCES) == before).all()


@pytest.mark.parametrize("part", ["uni", "bi", "combine"])
def test_a_missing_file_is_named(model, part):
    folder, _, _, run = model
    needed = {"dictionary.txt"}
    needed |= {"utable.npy", "uni_skip.npz", "uni_skip.npz.pkl"} if part != "bi" else set()
    needed |= {"btable.npy", "bi_skip.npz", "bi_skip.npz.pkl"} if part != "uni" else set()
    for path in sorted(folder.iterdir()):
        content = path.read_bytes()
        path.unlink()
        if path.name in needed:
            with pytest.raises(
                SentrepError, match=rf"found no files named {path.name}; put all released files into one folder"
            ):
                train(STORE, Parameters(part=part), run())
        else:
            train(STORE, Parameters(part=part), run())
        path.write_bytes(content)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        (
            "uni_skip.npz.pkl",
            pickled({b"dim": UNI}),
            r"uni_skip\.npz\.pkl: expected a dictionary with valid values for the keys dim, dim_word",
        ),
        ("uni_skip.npz.pkl", pickled(Instance("os.system")), r"the pickle uses os\.system"),
        ("uni_skip.npz.pkl", pickled({b"dim": UNI, b"dim_word": WIDTH, b"encoder": b"lstm"}), "found encoder 'lstm'"),
        (
            "uni_skip.npz.pkl",
            pickled({b"dim": 7, b"dim_word": WIDTH, b"encoder": b"gru"}),
            r"expected the weights of an encoder with 7",
        ),
        ("dictionary.txt", b"<eos>\nUNK\nthe\n", r"utable\.npy: expected 3 rows of 5 numbers.* found 9 rows of 5"),
        ("dictionary.txt", b"<eos>\nthe\n", r"dictionary\.txt: expected a line with the token UNK"),
        ("dictionary.txt", b"<eos>\nUNK\n\xff\n", r"dictionary\.txt line 3: expected UTF-8"),
        ("utable.npy", b"", r"utable\.npy: expected an \.npy file"),
        ("utable.npy", object_npy([np.zeros(5), np.zeros(4)]), r"utable\.npy: .* with rows of equal length"),
        ("utable.npy", object_npy([np.zeros(5), Instance("os.system")]), r"the pickle uses os\.system"),
        ("uni_skip.npz", b"", r"uni_skip\.npz: expected the weights of an encoder with 6 units"),
        ("uni_skip.npz", b"PK\x03\x04", r"uni_skip\.npz: expected the weights of an encoder with 6 units"),
    ],
)
def test_damaged_files_are_refused(model, name, content, message):
    folder, _, _, run = model
    (folder / name).write_bytes(content)
    with pytest.raises(SentrepError, match=message) as error:
        train(STORE, Parameters(), run())
    assert "\n" not in str(error.value)


def test_weights_that_would_need_a_pickle_are_refused(model):
    folder, _, _, run = model
    with (folder / "bi_skip.npz").open("wb") as stream:
        np.savez(stream, encoder_W=np.array([None], dtype=object))
    with pytest.raises(SentrepError, match="allow_pickle=False"):
        train(STORE, Parameters(), run())


def test_numpy_reads_the_hand_written_table_as_it_is_meant(tmp_path):
    rows = [np.arange(3, dtype=np.float32), np.ones((1, 3), np.float32)]
    path = tmp_path / "t.npy"
    path.write_bytes(object_npy(rows))
    found = np.load(path, allow_pickle=True, encoding="latin1")
    assert all((a == b).all() and a.shape == b.shape for a, b in zip(found, rows, strict=True))
    np.testing.assert_array_equal(read_rows(path), [[0, 1, 2], [1, 1, 1]])


def test_an_unknown_tokeniser_is_refused():
    with pytest.raises(SentrepError, match="did you mean 'treebank'"):
        parse_parameters("released_skip_thought", {"tokeniser": "treebnk"}, "models.x.parameters")
