"""Test training from a text: inputs, defaults by size, warnings, and equal results of all ways of training."""

import gzip
import io
import lzma
import os
import subprocess
import sys
import tarfile
import zipfile

import numpy as np
import pytest

import sentrep
from conftest import ROOT
from helpers_store import make_store, topical_store
from sentrep.api import defaults
from sentrep.api.stores import Preprocessing, open_store
from sentrep.cli import main, parser
from sentrep.corpora.plain_text import recognise
from sentrep.corpora.store import TokenStore
from sentrep.encoders.base import AveragingEncoder
from sentrep.encoders.registry import load_encoder
from sentrep.errors import SentrepError
from sentrep.families import FAMILIES, family
from sentrep.training.outcome import findings

LINES = [f"The {animal} number {i} sat on the mat." for i in range(40) for animal in ("cat", "dog", "bird")]
TEXT = "\n".join(LINES) + "\n"
PROSE = "It was late. The cat slept, and the dog\nslept too. Nobody saw Mr. Smith. He had left\nbefore dawn. Why? " * 9


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("SENTREP_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def text(tmp_path):
    path = tmp_path / "my.txt"
    path.write_text(TEXT)
    return path


def ids_of(*paths, **preprocessing):
    with open_store(paths, Preprocessing(**preprocessing)) as folder:
        store = TokenStore.open(folder)
        return store.ids.tolist(), store.n_sentences, store.n_documents


def test_inputs_of_every_kind_give_the_same_store(tmp_path, text):
    content, expected = TEXT.encode(), ids_of(text)
    assert expected[1:] == (len(LINES), 1)
    (tmp_path / "a.txt.gz").write_bytes(gzip.compress(content))
    (tmp_path / "a.xz").write_bytes(lzma.compress(content))
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("a", content)
        archive.writestr("image.png", b"\x89PNG\0\0")
    with tarfile.open(tmp_path / "a.tar.gz", "w:gz") as archive:
        info = tarfile.TarInfo("books/a.txt")
        info.size = len(content)
        archive.addfile(info, io.BytesIO(content))
    (tmp_path / "folder" / "below").mkdir(parents=True)
    (tmp_path / "folder" / "below" / "a").write_bytes(content)
    (tmp_path / "folder" / ".hidden").write_bytes(b"hidden text\n" * 9)
    for name in ("a.txt.gz", "a.xz", "a.zip", "a.tar.gz", "folder"):
        assert ids_of(tmp_path / name) == expected, name
    assert ids_of(text, tmp_path / "a.zip")[1:] == (2 * len(LINES), 2)


def test_standard_input(tmp_path, text):
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "workflow" / "scripts")}
    words = [sys.executable, "-m", "sentrep", "train", "-", str(tmp_path / "m"), "--family", "tfidf"]
    subprocess.run(words, input=TEXT.encode(), check=True, env=environment, capture_output=True)
    assert load_encoder(tmp_path / "m").meta["corpus"]["sentences"] == len(LINES)


def test_the_format_is_recognised(tmp_path, text, caplog):
    prose = tmp_path / "prose.txt"
    prose.write_text(PROSE)
    assert recognise([text]) == ("lines", 0)
    assert recognise([prose])[0] == "text"
    assert ids_of(prose)[1] > ids_of(prose, format="lines")[1]
    with pytest.raises(SentrepError, match="did you mean 'lines'"):
        ids_of(prose, format="line")


def test_documents_are_separated_by_empty_lines(tmp_path):
    path = tmp_path / "documents.txt"
    path.write_text(TEXT + "\n" + TEXT)
    assert ids_of(path)[1:] == (2 * len(LINES), 2)


def test_a_text_is_preprocessed_once(text, cache, tmp_path, caplog):
    caplog.set_level("INFO")
    first = ids_of(text)
    assert "cached for later runs" in caplog.text
    (tmp_path / "moved.txt").write_text(TEXT)
    assert ids_of(tmp_path / "moved.txt") == first
    assert "reusing the cached token store" in caplog.text
    assert len(list((cache / "stores").iterdir())) == 1


def test_a_cache_that_cannot_be_written(text, tmp_path, monkeypatch, caplog):
    (tmp_path / "file").touch()
    monkeypatch.setenv("SENTREP_CACHE", str(tmp_path / "file"))
    assert ids_of(text)[1] == len(LINES)
    assert "will preprocess this text again" in caplog.text
    with (
        pytest.raises(SentrepError, match="expected a writable cache folder"),
        open_store([text], Preprocessing(), cache=tmp_path / "file"),
    ):
        pass


def test_command_line_python_and_rule_train_the_same_model(tmp_path, text):
    sys.path.insert(0, str(ROOT / "workflow" / "scripts"))
    import train as rule

    parameters = {"dimension": 8, "epochs": 3}
    assert (
        main(
            [
                "train",
                str(text),
                str(tmp_path / "cli"),
                "--dimension",
                "8",
                "--epochs=3",
                "--seed",
                "7",
                "--family",
                "cbos",
            ]
        )
        == 0
    )
    ours = sentrep.train(text, family="cbos", dimension=8, epochs=3, seed=7)
    with open_store([text], Preprocessing()) as store:
        rule.main(
            store=str(store),
            settings={"family": "cbos", "parameters": parameters},
            identity={"preset": "p", "model": "m", "seed": 7},
            device="cpu",
            processes=1,
            threads=1,
            code="",
            log="",
            output=str(tmp_path / "p" / "models" / "m" / "seed7"),
        )
    expected = load_encoder(tmp_path / "p" / "models" / "m" / "seed7").encode(LINES)
    np.testing.assert_array_equal(ours.encode(LINES), expected)
    np.testing.assert_array_equal(sentrep.load(tmp_path / "cli").encode(LINES), expected)


def test_a_model_in_python(tmp_path, text):
    model = sentrep.train(text, family="siamese_cbow", dimension=8)
    assert model.encode("the cat").shape == (8,)
    np.testing.assert_array_equal(model.encode("the cat"), model.encode(["the cat", "a dog"])[0])
    assert model.similarity("the cat", "The cat!") == 1.0
    assert model.similarity(["the cat", "zzz"], ["the cat", "the dog"]).tolist() == [1.0, 0.0]
    with pytest.raises(SentrepError, match="expected as many sentences in `first` as in `second`, found 1 and 2"):
        model.similarity("the cat", ["a", "b"])
    model.save(tmp_path / "saved")
    with pytest.raises(SentrepError, match="pass --overwrite"):
        model.save(tmp_path / "saved")
    model.save(tmp_path / "saved", overwrite=True)
    np.testing.assert_array_equal(sentrep.load(tmp_path / "saved").encode(LINES), model.encode(LINES))
    model.export(tmp_path / "exported", "word2vec-text")
    assert (tmp_path / "exported" / "vectors.txt").read_text().startswith(f"{len(model.encoder.vocabulary)} 8\n")


def test_nothing_is_written_where_training_fails(tmp_path, text):
    with pytest.raises(SentrepError, match="epochs"):
        sentrep.train(text, tmp_path / "out", epochs=-1)
    with pytest.raises(SentrepError, match="did you mean 'epochs'"):
        sentrep.train(text, tmp_path / "out", epoch=1)
    assert not (tmp_path / "out").exists()


def test_files_follow_the_umask(tmp_path, text):
    before = os.umask(0o027)
    try:
        sentrep.train(text, tmp_path / "out").export(tmp_path / "exported", "sentence-transformers")
    finally:
        os.umask(before)
    files = [path for name in ("out", "exported") for path in (tmp_path / name).iterdir()]
    assert len(files) >= 8
    assert {oct(path.stat().st_mode & 0o777) for path in files} == {"0o640"}


def test_options_are_the_familys_parameters(capsys):
    assert parser().parse_args(["train", "a", "b"]).family == defaults.FAMILY
    command = ["train", "a", "--family", "word2vec", "b", "--window", "3", "c"]
    options = parser().parse_args(command)
    assert (options.paths, vars(options)["parameter window"]) == (["a", "b", "c"], "3")
    with pytest.raises(SystemExit) as end:
        parser().parse_args(["train", "a", "b", "--family", "word2vec", "--windows", "3"])
    assert end.value.code == 1
    error = capsys.readouterr().err
    assert "did you mean '--window'" in error
    assert error.count("\n") == 1
    for name in FAMILIES:
        with pytest.raises(SystemExit):
            parser().parse_args(["train", "--family", name, "--help"])
        shown = capsys.readouterr().out
        assert all(f"--{field.replace('_', '-')}" in shown for field in family(name).Parameters.__dataclass_fields__)


@pytest.mark.parametrize("name", sorted(set(FAMILIES) - {"concatenation", "infersent"}))
@pytest.mark.parametrize("sentences", [1, 1000, 100_000])
def test_defaults_by_size_are_valid(name, sentences):
    store = make_store([[0]] * sentences, 50_000)
    chosen = {default.name: default.value for default in defaults.parameters(name, store, "cpu")}
    family(name).Parameters(**chosen)
    assert all(default.reason for default in defaults.parameters(name, store, "cpu"))
    assert chosen.get("validation_sentences", 0) < max(1, sentences)


def test_the_papers_settings_hold_for_the_papers_corpus():
    store = make_store([[]], 10)
    size = {"n_tokens": property(lambda _: 10**9), "n_sentences": property(lambda _: 74_004_228)}
    large = type("Large", (), {"vocabulary_size": 300_000, **size})()
    for name in ("cbos", "fastsent", "paragraph_vector", "word2vec"):
        assert defaults.parameters(name, large, "cuda") == []
        assert name == "word2vec" or any(d.name == "epochs" for d in defaults.parameters(name, store, "cuda"))
    (rate,) = defaults.parameters("siamese_cbow", large, "cuda")
    assert rate.value / (74_004_228 / 100) == pytest.approx(1e-4, rel=1e-4)


class TestOutcome:
    STORE = topical_store()

    def encoder(self, vectors):
        return AveragingEncoder(np.array(vectors, np.float32), self.STORE.vocabulary, "whitespace")

    @pytest.mark.parametrize(
        ("losses", "expected"),
        [
            ([1.366, 1.367, 1.368], "the loss did not fall by at least 1%: it went from 1.366 to 1.368"),
            ([1.0, 3e24], "diverged: the loss rose from 1 to 3e+24"),
            ([1.366, 1.2], None),
            ([], None),
        ],
    )
    def test_losses(self, losses, expected):
        vectors = np.random.default_rng(0).normal(size=(60, 20))
        found = findings(self.encoder(vectors), self.STORE, [{"loss": loss} for loss in losses])
        assert (expected is None and found == []) or found[0].startswith(expected)

    def test_vectors_that_are_all_alike(self):
        vectors = 1 + 0.1 * np.random.default_rng(0).normal(size=(60, 20))
        assert findings(self.encoder(vectors), self.STORE, [])[0].startswith("collapsed: the median cosine")

    def test_a_warning_is_logged_and_recorded(self, tmp_path, text, caplog):
        model = sentrep.train(text, family="siamese_cbow", learning_rate=1e-9)
        assert "the loss did not fall" in caplog.text
        assert model.meta["warnings"][0].startswith("the loss did not fall")


def test_checkpoints_are_written_next_to_the_cached_store(text, tmp_path, cache, monkeypatch):
    """Previously, training with another cache folder could not be resumed."""
    import sentrep.api.model as module

    given, train_model = [], module.train_model

    def record(*args, checkpoints, **keywords):
        given.append(checkpoints)
        return train_model(*args, checkpoints=checkpoints, **keywords)

    monkeypatch.setattr(module, "train_model", record)
    for other in (None, tmp_path / "other"):
        sentrep.train(text, family="random_vectors", dimension=8, cache=other)
    assert given == [cache / "checkpoints", tmp_path / "other" / "checkpoints"]
