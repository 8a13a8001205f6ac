"""Test that damaged token stores and model folders are refused in one line before they are used."""

import json
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from helpers_faults import flip
from helpers_store import random_store, save_store
from sentrep.cli import main
from sentrep.corpora.store import TokenStore
from sentrep.encoders.base import AveragingEncoder
from sentrep.encoders.registry import load_encoder
from sentrep.io.files import write_json
from sentrep.io.seal import seal


@pytest.fixture
def store(tmp_path) -> Path:
    """Return a store with checksums."""
    save_store(random_store(3, 400, 60), tmp_path / "store")
    seal(tmp_path / "store")
    return tmp_path / "store"


def refused(folder: Path, capsys: pytest.CaptureFixture) -> str:
    """Train on a store that cannot be opened, and return the one-line error message."""
    out = folder.parent / "model"
    assert main(["train", str(folder), str(out), "--family", "siamese_cbow", "--device", "cpu"]) == 1
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert not out.exists()
    return error


FILES = ["ids.npy", "sentence_offsets.npy", "document_offsets.npy", "vocabulary.tsv", "meta.json"]


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("place", [0.0, 0.3, 0.7, 0.97])
def test_a_store_with_a_flipped_bit(store, capsys, name, place):
    """Previously, a flipped bit in the offsets of sentences changed the trained vectors."""
    flip(store / name, place, bit=0)
    error = refused(store, capsys)
    assert name in error or (name == "meta.json" and "expected the file whose checksum is recorded" in error)


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("kept", [None, 0, 30])
def test_a_store_with_a_missing_or_truncated_file(store, capsys, name, kept):
    data = (store / name).read_bytes()
    (store / name).unlink()
    if kept is not None:
        (store / name).write_bytes(data[:kept])
    assert name in refused(store, capsys)


def arrays(folder: Path) -> dict[str, np.ndarray]:
    return {path.stem: np.load(path) for path in folder.glob("*.npy")}


MISFITS = {
    "ids beyond the vocabulary": lambda a: {"ids": np.where(np.arange(len(a["ids"])) == 7, 60, a["ids"])},
    "ids that are signed": lambda a: {"ids": a["ids"].astype(np.int16)},
    "offsets that descend": lambda a: {"sentence_offsets": a["sentence_offsets"][[0, 2, 1, *range(3, 401)]]},
    "offsets that begin later": lambda a: {"sentence_offsets": np.r_[1, a["sentence_offsets"][1:]]},
    "offsets beyond the ids": lambda a: {"sentence_offsets": np.r_[a["sentence_offsets"][:-1], 10**6]},
    "documents that descend": lambda _: {"document_offsets": np.r_[0, 300, 200, 400]},
    "no offsets": lambda _: {"document_offsets": np.empty(0, np.int64)},
    "offsets of another type": lambda a: {"sentence_offsets": a["sentence_offsets"].astype(np.float64)},
}


@pytest.mark.parametrize("case", MISFITS)
def test_a_store_without_checksums_whose_files_do_not_fit(store, capsys, case):
    """Previously, ids beyond the vocabulary caused a segmentation fault."""
    save = {name: values.astype(np.uint16) if case.startswith("ids b") else values
            for name, values in MISFITS[case](arrays(store)).items()}  # fmt: skip
    for name, values in save.items():
        np.save(store / f"{name}.npy", values)
    write_json(store / "meta.json", random_store(3, 400, 60).meta)
    assert f"store: {next(iter(save))}: expected" in refused(store, capsys)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("w0\t9\nw1\t8\n", "expected ids below 2"),
        ("w0\t9\n" * 60, "expected 60 distinct, non-empty words"),
        ("w0\tmany\n", "invalid literal"),
        ("w0 9\n", "not enough values"),
        ("", "expected ids below 0"),
        ("".join(f"w{n}\t9\n" for n in range(61)), "expected 60 distinct, non-empty words"),
        ("".join(f"{n or ''}\t9\n" for n in range(60)), "expected 60 distinct, non-empty words"),
        ("w\t99999999999999999999\n", "too large"),
    ],
)
def test_a_vocabulary_without_a_checksum_that_does_not_fit(store, capsys, text, message):
    (store / "vocabulary.tsv").write_text(text)
    write_json(store / "meta.json", {**random_store(3, 400, 60).meta, "vocabulary": 60})
    assert message in refused(store, capsys)


def test_a_store_without_checksums_opens(store):
    write_json(store / "meta.json", random_store(3, 400, 60).meta)
    assert TokenStore.open(store).n_sentences == 400


WORDS = ["cat", "dog", "bird"]


@pytest.fixture
def model(tmp_path) -> Path:
    """Return a model folder with three words."""
    folder = tmp_path / "model"
    folder.mkdir()
    vectors = np.arange(6, dtype=np.float32).reshape(3, 2)
    AveragingEncoder(vectors, WORDS, "kenter", meta={"family": "cbos", "note": "x" * 200}).save(folder)
    (tmp_path / "in.txt").write_text("cat dog\n")
    return folder


def encode(model: Path, capsys: pytest.CaptureFixture) -> str:
    """Encode with a model that cannot be loaded, and return the one-line error message."""
    assert main(["encode", str(model), str(model.parent / "in.txt"), str(model.parent / "o.npy")]) == 1
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert not (model.parent / "o.npy").exists()
    return error


@pytest.mark.parametrize("name", ["embeddings.safetensors", "vocabulary.txt", "meta.json"])
@pytest.mark.parametrize("place", [0.0, 0.5, 0.95])
def test_a_model_with_a_flipped_bit(model, capsys, name, place):
    flip(model / name, place, bit=0)
    assert str(model) in encode(model, capsys)


def unseal(model: Path, **settings: object) -> None:
    """Remove the checksums of a model and change its settings."""
    meta = json.loads((model / "meta.json").read_text())
    del meta["files"]
    meta["encoder"].update(settings)
    write_json(model / "meta.json", meta)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"bird\ndog\ncat\n", "another checksum"),
        (b"cat\ncat\nbird\n", "expected distinct, non-empty words, found 'cat' more than once"),
        (b"cat\n\nbird\n", "found an empty word"),
        (b"\xef\xbb\xbfcat\ndog\nbird\n", "byte order mark"),
        (b"cat\ndog\nbird", "does not end with a line break"),
        (b"", "does not end with a line break"),
        (b"cat\ndog\n", "expected 2 word vectors"),
        (b"cat\n\xff\nbird\n", "invalid start byte"),
    ],
)
def test_the_vocabulary_of_a_model_is_not_guessed(model, capsys, text, message):
    """Previously, vectors were assigned to the wrong words without a warning."""
    (model / "vocabulary.txt").write_bytes(text)
    assert "vocabulary.txt: expected the file whose checksum is recorded" in encode(model, capsys)
    if message != "another checksum":
        unseal(model)
        assert message in encode(model, capsys)


@pytest.mark.parametrize(
    ("setting", "value"), [("aggregation", "average"), ("oov", "guess"), ("tokeniser", "kentr"), ("tokeniser", "")]
)
def test_a_model_with_an_unknown_setting(model, capsys, setting, value):
    """Previously, an unknown `aggregation` was treated as a sum."""
    unseal(model, **{setting: value})
    assert repr(value) in encode(model, capsys)


@pytest.mark.parametrize("text", ["[]", '"cbos"', "{}", '{"family": 3}', '{"family": "cbos", '])
def test_a_model_whose_meta_json_is_another_value(model, capsys, text):
    (model / "meta.json").write_text(text)
    assert "meta.json" in encode(model, capsys)


def test_a_model_without_checksums_loads(model):
    unseal(model)
    tensors = load_file(model / "embeddings.safetensors")
    save_file({"embeddings": tensors["embeddings"] * 2}, model / "embeddings.safetensors")
    assert np.array_equal(load_encoder(model).encode(["dog"]), [[4, 6]])
