"""Test input that once led to a crash, a lost file or a silently wrong result."""

import json
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import sentrep
from sentrep.api.evaluation import EVALUATION
from sentrep.cli import main
from sentrep.encoders.vector_files import read_vectors, recognise
from sentrep.errors import SentrepError
from sentrep.io.files import sha256
from sentrep.provenance.published_record import check_values, update_record
from sentrep.runtime.devices import resolve_device

TEXT = "the cat sat on the mat\na dog ran to the cat\nthe dog sat\n" * 30
PAIRS = "the cat sat\ta cat sat\t5\nthe dog ran\tthe mat\t1\na dog\tthe dog\t3\n"


@pytest.fixture
def text(tmp_path):
    path = tmp_path / "my.txt"
    path.write_text(TEXT)
    return path


@pytest.fixture
def model(text):
    return sentrep.train(text, family="random_vectors", dimension=5, cache=text.parent / "cache")


def test_an_error_passes_between_processes():
    error = SentrepError("a.txt", expected="text", found="nothing", remedy="add text")
    found = pickle.loads(pickle.dumps(error))
    assert (type(found), str(found)) == (SentrepError, str(error))


def test_an_error_in_a_worker_process_is_not_taken_for_lack_of_memory(text):
    with pytest.raises(SentrepError, match=r"tokeniser: .*did you mean 'kenter'"):
        sentrep.train(text, family="cbos", preprocessing={"tokeniser": "kentr"}, threads=2, cache=text.parent / "cache")


@pytest.mark.parametrize(
    "settings",
    [{}, {"architecture": "dbow"}, {"aggregation": "concat", "window": 2}],
)
def test_paragraph_vectors_of_300_dimensions(text, settings):
    """With arrays of this size, gensim wrote to freed memory."""
    code = (
        "import sys, sentrep; model = sentrep.train(sys.argv[1], family='paragraph_vector', dimension=300, epochs=1, "
        f"cache=sys.argv[2], **{settings!r}); print(model.encode(['the cat sat'] * 2).shape)"
    )
    found = subprocess.run(
        [sys.executable, "-c", code, text, text.parent / "cache"], capture_output=True, text=True, check=False
    )
    assert (found.returncode, found.stdout) == (0, "(2, 300)\n"), found.stderr


def test_sentences_may_come_from_an_iterator(model):
    sentences = ["the cat", "a dog"]
    np.testing.assert_array_equal(model.encode(iter(sentences)), model.encode(sentences))


def test_overwriting_an_evaluation_keeps_other_files(tmp_path):
    for name in ("scores.csv", "evaluation.json"):
        (tmp_path / name).write_text("")
    EVALUATION.check(tmp_path, overwrite=True)
    (tmp_path / "notes.txt").write_text("keep")
    with pytest.raises(SentrepError, match="that is not an evaluation"):
        EVALUATION.check(tmp_path, overwrite=True)


def test_two_sets_with_the_same_name(model, tmp_path):
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "pairs.tsv").write_text(PAIRS)
    with pytest.raises(SentrepError, match="found several sets named pairs"):
        sentrep.evaluate(model, data=[tmp_path / "a" / "pairs.tsv", tmp_path / "b" / "pairs.tsv"], baselines=False)


def test_a_model_inside_its_text(text):
    with pytest.raises(SentrepError, match="outside the folder of the text"):
        sentrep.train(text.parent, text.parent / "model", family="random_vectors", cache=text.parent / "cache")


def test_an_unknown_device():
    with pytest.raises(SentrepError, match="expected a known device, found 'gpu'"):
        resolve_device("gpu")


ROWS = "cat .1 .2 .3\ndog .4 .5 .6\n"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (f"2 4\n{ROWS}", "expected a word and 4 numbers"),
        (f"2 2\n{ROWS}", "expected a word and 2 numbers"),
        ("cat .1 .2 .3\ndog 0.4 .5 .6 .7\n", "expected a word and 3 numbers"),
    ],
)
def test_text_vectors_with_another_number_of_components(tmp_path, content, message):
    path = tmp_path / "vectors.txt"
    path.write_text(content)
    with path.open("rb") as stream, pytest.raises(SentrepError, match=message):
        read_vectors(stream, recognise(content.encode(), str(path)), str(path))


@pytest.mark.parametrize("header", [b"1 2\n", b"1 3\n"])
def test_binary_vectors_with_data_after_the_last_vector(tmp_path, header):
    path = tmp_path / "vectors.bin"
    path.write_bytes(header + b"".join(word + np.array([1, 2, 3], np.float32).tobytes() for word in (b"a ", b"b ")))
    with path.open("rb") as stream, pytest.raises(SentrepError, match="found more data"):
        read_vectors(stream, "word2vec_binary", str(path))


def test_a_byte_order_mark_is_not_part_of_a_word(tmp_path):
    path = tmp_path / "vectors.txt"
    path.write_text(ROWS, encoding="utf-8-sig")
    with path.open("rb") as stream:
        assert read_vectors(stream, recognise(path.read_bytes(), str(path)), str(path)).words == ["cat", "dog"]


@pytest.mark.parametrize("arguments", [["encode", "FILE", "FILE", "v.npy"], ["render", "FILE"]])
def test_a_file_instead_of_a_folder(text, capsys, arguments):
    assert main([argument.replace("FILE", str(text)) for argument in arguments]) == 1
    error = capsys.readouterr().err
    assert error.startswith(f"error: {text}")
    assert error.count("\n") == 1


def test_a_name_that_is_too_long(tmp_path, capsys):
    assert main(["encode", str(tmp_path / ("x" * 300)), "a.txt", "v.npy"]) == 1
    error = capsys.readouterr().err
    assert "found the error 'File name too long'" in error
    assert error.count("\n") == 1


def test_results_are_saved_before_they_are_printed(model, tmp_path):
    model.save(tmp_path / "model")
    (tmp_path / "pairs.tsv").write_text(PAIRS)
    command = [Path(sys.executable).with_name("sentrep"), "evaluate", "model", "--data", "pairs.tsv", "--output", "out"]
    with Path("/dev/full").open("wb") as full:
        found = subprocess.run(command, cwd=tmp_path, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert found.returncode != 0
    assert (tmp_path / "out" / "evaluation.json").exists()


def test_the_record_of_a_published_run(tmp_path):
    for name in ("values.csv", "table1.md"):
        (tmp_path / name).write_text("a\n")
    old = {f"results/{name}": "0" * 64 for name in ("values.csv", "table1.md", "table1.tex")}
    (tmp_path / "provenance.json").write_text(json.dumps({"preset": "sample", "results": old}))
    with pytest.raises(SentrepError, match="another checksum"):
        check_values(tmp_path)
    update_record(tmp_path)
    check_values(tmp_path)
    found = json.loads((tmp_path / "provenance.json").read_text())
    assert found["results"] == {**old, **{f"results/{n}": sha256(tmp_path / n) for n in ("values.csv", "table1.md")}}


@pytest.mark.parametrize("value", ["0", "-5", "two"])
def test_a_minimum_count_below_one(text, capsys, value):
    with pytest.raises(SystemExit):
        main(["train", str(text), str(text.parent / "model"), f"--minimum-count={value}"])
    assert f"expected a whole number from 1, found {value}" in capsys.readouterr().err


def test_one_set_may_be_given_without_a_list(model, tmp_path):
    path = tmp_path / "pairs.tsv"
    path.write_text(PAIRS)
    found = [sentrep.evaluate(model, data=data, baselines=False).scores for data in ([path], path, str(path))]
    pd.testing.assert_frame_equal(found[0], found[2])
    pd.testing.assert_frame_equal(found[0], found[1])
