"""Test the command line: the commands encode, export and train."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest
import scipy.sparse as sp

from conftest import ROOT
from sentrep.cli import main
from sentrep.encoders.base import AveragingEncoder
from sentrep.encoders.registry import load_encoder


@pytest.fixture
def model(tmp_path):
    """Return an averaging model with three words and two dimensions."""
    folder = tmp_path / "model"
    folder.mkdir()
    vectors = np.array([[1, 0], [0, 2], [4, 4]], dtype=np.float32)
    AveragingEncoder(vectors, ["cat", "dog", "bird"], "kenter", meta={"family": "siamese_cbow"}).save(folder)
    return folder


def test_encode_writes_a_vector_per_line(model, tmp_path):
    (tmp_path / "in.txt").write_text("The cat!\ncat dog dog\n\nnothing known\nBird")
    assert main(["encode", str(model), str(tmp_path / "in.txt"), str(tmp_path / "out.npy")]) == 0
    expected = [[1, 0], [1 / 3, 4 / 3], [0, 0], [0, 0], [4, 4]]
    np.testing.assert_allclose(np.load(tmp_path / "out.npy"), expected, rtol=1e-6)


def test_export_loads_in_gensim(model, tmp_path):
    from gensim.models import KeyedVectors

    assert main(["export", str(model), "--format", "word2vec", str(tmp_path / "out")]) == 0
    vectors = KeyedVectors.load_word2vec_format(str(tmp_path / "out" / "vectors.bin"), binary=True)
    np.testing.assert_array_equal(vectors["dog"], [0, 2])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["encode", "{model}", "{tmp}/none.txt", "{tmp}/o.npy"], "none.txt: expected a UTF-8 text file"),
        (["encode", "{tmp}/none", "{tmp}/in.txt", "{tmp}/o.npy"], "meta.json: expected a JSON file, found no file"),
        (["encode", "{model}", "{tmp}/in.txt", "{tmp}/o.txt"], "expected a file name that ends in .npy"),
        (["encode", "{model}", "{tmp}/empty.txt", "{tmp}/o.npy"], "expected one sentence per line, found no text"),
        (["train", "{tmp}", "{tmp}/m", "--family", "siamese"], "did you mean 'siamese_cbow'?"),
        (["train", "{tmp}", "{tmp}/m", "--family", "tfidf", "--parameters", "{{"], "--parameters: expected JSON"),
        (["train", "{tmp}", "{tmp}/m", "--parameters", "[]"], "--parameters: expected a JSON object"),
        (["train", "{tmp}/in.txt"], "expected the paths of a text and of a model folder"),
        (["train", "{tmp}/in.txt", "{tmp}/m", "--threads", "0"], "--threads: expected 1 or more"),
        (["train", "{tmp}/none.txt", "{tmp}/m"], "expected a text file, a folder of text files or an archive"),
        (["train", "{tmp}/in.txt", "{tmp}/m", "--epochs", "0"], "siamese_cbow.epochs: expected at least 1, found 0"),
        (["train", "{tmp}/in.txt", "{tmp}/m"], "in.txt: expected words that occur 2 times or more"),
        (["train", "{tmp}/empty.txt", "{tmp}/m"], "expected at least one line of text, found only empty files"),
        (
            ["train", "{tmp}/binary", "{tmp}/m"],
            "expected at least one visible text file, found only hidden or",
        ),
        (["train", "{tmp}/latin.txt", "{tmp}/m"], "latin.txt:2: expected UTF-8 text"),
        (["train", "{tmp}/in.txt", "{model}"], "pass --overwrite"),
    ],
)
def test_mistakes_are_one_line(model, tmp_path, capsys, monkeypatch, arguments, message):
    monkeypatch.setenv("SENTREP_CACHE", str(tmp_path / "cache"))
    (tmp_path / "in.txt").write_text("cat\n")
    (tmp_path / "empty.txt").touch()
    (tmp_path / "binary").write_bytes(b"\0\1\2")
    (tmp_path / "latin.txt").write_bytes(b"cat\ncaf\xe9\n")
    assert main([argument.format(model=model, tmp=tmp_path) for argument in arguments]) == 1
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1
    assert not list(tmp_path.glob("o.*"))


def test_publish_copies_what_a_reader_wants(tmp_path):
    files = {
        "results/provenance.json": '{"preset": "sample", "models": {"m": {}}}',
        "results/table1.csv": "a",
        "results/table1.tex": "left out",
        "results/siamese_cbow/figure2.svg": "b",
        "results/published/old/table1.csv": "left out",
        "results/sample/models/m/meta.json": "left out",
        "results/sample/scores/x.csv": "left out",
        "results/sample/benchmarks/models/m.tsv": "s\tmax_rss\tmean_load\n1.5\t20\t99\n",
        "results/sample/benchmarks/models/earlier/seed1.tsv": "s\tmax_rss\tmean_load\n7.0\t20\t99\n",
        "results/sample/benchmarks/stores/books.tsv": "s\tmax_rss\tmean_load\n2.5\t30\t98\n",
        "logs/results/scores.log": "collected",
        "logs/sample/models/m.log": "trained",
        "logs/sample/models/earlier/seed1.log": "a model of another run",
        "logs/novels/models/m.log": "another run",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    assert main(["publish", "--project", str(tmp_path), str(tmp_path / "out")]) == 0
    found = sorted(str(path.relative_to(tmp_path / "out")) for path in (tmp_path / "out").rglob("*.*"))
    assert found == ["costs.csv", "provenance.json", "run.log", "siamese_cbow/figure2.svg", "table1.csv"]
    assert (tmp_path / "out/costs.csv").read_text() == (
        "step,seconds,peak_memory_mb,mean_load\nmodels/m,1.5,20,99\nstores/books,2.5,30,98\n"
    )
    assert (tmp_path / "out/run.log").read_text() == "== results/scores\ncollected\n== sample/models/m\ntrained\n"


def test_publish_needs_a_finished_run(tmp_path, capsys):
    assert main(["publish", "--project", str(tmp_path), str(tmp_path / "out")]) == 1
    assert "expected the record of a finished run" in capsys.readouterr().err


def test_damaged_model(model, tmp_path, capsys):
    (tmp_path / "in.txt").write_text("cat\n")
    weights = model / "embeddings.safetensors"
    weights.write_bytes(weights.read_bytes()[:-5])
    assert main(["encode", str(model), str(tmp_path / "in.txt"), str(tmp_path / "o.npy")]) == 1
    assert "embeddings.safetensors: expected the file whose checksum is recorded" in capsys.readouterr().err


def command(arguments: list[str]) -> None:
    """Run `python -m sentrep` in a separate process, because training must set the number of threads first."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "workflow" / "scripts")}
    subprocess.run([sys.executable, "-m", "sentrep", *arguments], check=True, env=environment)


def test_train_without_snakemake(tmp_path):
    from sentrep.corpora.build_store import build_store
    from sentrep.corpora.sentences import build_sentences
    from sentrep.io.files import write_json

    text = tmp_path / "text.txt"
    text.write_text("\n".join(f"the cat sat on mat {i % 7}" for i in range(300)))
    write_json(tmp_path / "m.json", {"name": "t", "files": [{"path": str(text), "bytes": 1, "sha256": ""}]})
    build_sentences(tmp_path / "m.json", "sentences", tmp_path / "sentences")
    build_store(tmp_path / "sentences", tmp_path / "store")
    settings = json.dumps({"dimension": 8, "epochs": 2, "snapshots_per_epoch": 2})
    arguments = [str(tmp_path / "store"), str(tmp_path / "out"), "--family", "siamese_cbow", "--parameters", settings]
    command(["train", *arguments, "--seed", "5"])
    encoder = load_encoder(tmp_path / "out")
    assert (encoder.dimension, encoder.meta["seed"], encoder.meta["parameters"]["epochs"]) == (8, 5, 2)
    assert sorted(p.name for p in (tmp_path / "out" / "snapshots").iterdir()) == [
        "0.5000",
        "1.0000",
        "1.5000",
        "2.0000",
    ]
    assert (tmp_path / "out" / "training.csv").read_text().startswith("examples,epoch,loss")

    command(["train", str(tmp_path / "store"), str(tmp_path / "tfidf"), "--family", "tfidf"])
    (tmp_path / "in.txt").write_text("cat mat\n")
    assert main(["encode", str(tmp_path / "tfidf"), str(tmp_path / "in.txt"), str(tmp_path / "o.npz")]) == 0
    assert sp.load_npz(tmp_path / "o.npz").shape[0] == 1
