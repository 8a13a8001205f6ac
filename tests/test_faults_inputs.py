"""Test unusual inputs: encodings, pipes, links, very large archives and deep nesting."""

import gc
import os
import subprocess
import sys
import tarfile
import tracemalloc
from pathlib import Path

import numpy as np
import pytest

from helpers_faults import ENVIRONMENT
from sentrep.cli import main
from sentrep.corpora.mediawiki import read_articles
from sentrep.corpora.readers import decode, read_sentences, text_members
from sentrep.encoders.base import AveragingEncoder
from sentrep.errors import SentrepError
from sentrep.io.csv_files import read_csv
from sentrep.io.files import read_json, sha256
from sentrep.io.json_lines import read_json_lines
from sentrep.io.yaml_files import read_yaml
from sentrep.sources.archives import SourceFiles
from sentrep.sources.registry import local_files


def stream(content: bytes) -> tarfile.io.BytesIO:
    return tarfile.io.BytesIO(content)


BOOK = "Zoë said “no”. “Naïve”, he thought – and left.\n" * 50


def test_a_book_in_utf_8_with_some_bad_bytes_stays_utf_8(caplog):
    """Previously, one invalid byte turned every quotation mark of the book into three characters."""
    bad = BOOK.encode() + b"The caf\xe9 \x93here\x94.\n"
    assert decode(bad, "book.txt") == BOOK + "The café “here”.\n"
    assert "book.txt: mostly UTF-8; number of invalid bytes decoded as Windows-1252: 3" in caplog.text
    caplog.clear()
    assert decode(BOOK.encode(), "book.txt") == BOOK
    assert not caplog.records


def test_a_book_in_windows_1252_is_read_as_such():
    text = BOOK.replace("ï", "i")
    assert decode(text.encode("cp1252"), "book.txt") == text
    assert decode(text.encode("cp1252") + "é".encode(), "book.txt") == text + "Ã©"


@pytest.mark.parametrize("codec", ["utf-16", "utf-16-le", "utf-16-be", "utf-32-le"])
def test_utf_16_is_refused_with_and_without_a_mark(codec):
    for content in (BOOK.encode(codec), ("Ж" * 5000 + " \n").encode(codec)):
        with pytest.raises(SentrepError, match=r"x\.txt: expected plain text, found a zero byte"):
            decode(content, "x.txt")
        with pytest.raises(SentrepError, match=r"x\.txt(:1)?: expected"):
            list(read_sentences([("x.txt", stream(content))]))


@pytest.fixture
def model(tmp_path) -> Path:
    (tmp_path / "model").mkdir()
    vectors = np.array([[1, 0], [0, 2], [4, 4]], dtype=np.float32)
    AveragingEncoder(vectors, ["cat", "dog", "bird"], "kenter", meta={"family": "cbos"}).save(tmp_path / "model")
    return tmp_path / "model"


@pytest.mark.parametrize(
    "content",
    [
        b"\xef\xbb\xbfcat\ndog\nbird\n",
        b"cat\r\ndog\r\nbird\r\n",
        b"cat\rcat\ndog\n\rbird",
        "cat\x85\ndog\u2028\nbird\x0b\n".encode(),
    ],
)
def test_each_line_of_a_text_has_its_row(model, tmp_path, content):
    """Previously, a stray carriage return shifted all later rows, and a byte-order mark made the first word unknown."""
    (tmp_path / "in.txt").write_bytes(content)
    assert main(["encode", str(model), str(tmp_path / "in.txt"), str(tmp_path / "o.npy")]) == 0
    assert np.load(tmp_path / "o.npy").tolist() == [[1, 0], [0, 2], [4, 4]]


def test_a_pipe_is_not_read(model, tmp_path, capsys):
    """Previously, the command waited forever."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    assert main(["encode", str(model), str(pipe), str(tmp_path / "o.npy")]) == 1
    assert "pipe: expected a file, found a device, a pipe or a socket" in capsys.readouterr().err
    members = SourceFiles.of([pipe])
    for read in (read_json, read_yaml, read_csv, sha256, lambda _: list(members)):
        with pytest.raises(SentrepError, match="found a device, a pipe"):
            read(pipe)
    for name in ("/dev/zero", str(pipe), str(tmp_path)):
        with pytest.raises(SentrepError, match="found a device, a pipe"):
            local_files("books", None, [name])
    with pytest.raises(SentrepError, match="found a folder"):
        read_json(tmp_path)


def test_folders_behind_links_are_read(tmp_path):
    """Previously, these folders were ignored without a warning."""
    (tmp_path / "far").mkdir()
    (tmp_path / "far/a.txt").touch()
    (tmp_path / "books/own").mkdir(parents=True)
    (tmp_path / "books/own/b.txt").touch()
    (tmp_path / "books/linked").symlink_to("../far")
    (tmp_path / "books/c.txt").symlink_to("own/b.txt")
    found = local_files("books", str(tmp_path))
    assert [str(path.relative_to(tmp_path)) for path in found] == [
        "books/c.txt",
        "books/linked/a.txt",
        "books/own/b.txt",
    ]
    (tmp_path / "books/gone").symlink_to("nowhere")
    with pytest.raises(
        SentrepError,
        match="books/gone: expected a symbolic link to an existing file or to a folder that does not contain the link, "
        "found a broken",
    ):
        local_files("books", str(tmp_path))
    (tmp_path / "books/gone").unlink()
    (tmp_path / "far/up").symlink_to("..")
    with pytest.raises(SentrepError, match=r"linked/up: .* found a symbolic link to one of its parent folders"):
        local_files("books", str(tmp_path))


def test_square_brackets_in_the_path_of_the_mirror(tmp_path):
    """Previously, the path was interpreted as a glob pattern that matched nothing."""
    mirror = tmp_path / "data [2024]"
    (mirror / "books").mkdir(parents=True)
    (mirror / "books/a [x].txt").touch()
    assert local_files("books", str(mirror)) == [mirror / "books/a [x].txt"]
    for pattern in ("books/*.txt", "books/a [x].txt", str(mirror / "books/a [x].txt")):
        assert local_files("books", str(mirror), [pattern]) == [mirror / "books/a [x].txt"]


@pytest.mark.parametrize(
    "line",
    [
        '{"title": "a", "paragraphs": {"first": "text"}}',
        '{"title": "a", "paragraphs": "text"}',
        '{"title": "a", "paragraphs": 7}',
        '{"title": "a", "paragraphs": [["text"]]}',
        '{"title": "a", "text": {"first": "text"}}',
        '{"title": "a", "x": ' + "[" * 200_000 + "]" * 200_000 + "}",
        "[" * 200_000,
    ],
)
def test_an_article_that_is_none(line):
    """Previously, the keys of an object were read as its text, and deep nesting caused a traceback."""
    with pytest.raises(SentrepError, match=r"a\.jsonl:2: expected a JSON object"):
        list(read_articles([("a.jsonl", stream(f'{{"title": "b", "text": "c"}}\n{line}\n'.encode()))]))


def test_nested_json_of_other_files(tmp_path):
    for name, read in (("x.json", read_json), ("x.jsonl", lambda path: list(read_json_lines(path)))):
        (tmp_path / name).write_text("[" * 200_000 + "]" * 200_000)
        with pytest.raises(SentrepError, match=name):
            read(tmp_path / name)


@pytest.mark.parametrize("encoding", ["klingon", "big5", "utf-7", "euc-jp", "idna", "hex", ""])
def test_xml_in_an_unknown_encoding(encoding):
    head = f'<?xml version="1.0" encoding="{encoding}"?>'.encode()
    content = head + b"<mediawiki><page><title>a</title><ns>0</ns><text>b</text></page></mediawiki>"
    with pytest.raises(SentrepError, match=r"a\.xml: expected a complete and well-formed"):
        list(read_articles([("a.xml", stream(content))]))


@pytest.mark.parametrize("hidden", [True, False])
def test_a_tar_of_many_entries_is_read_in_constant_memory(tmp_path, monkeypatch, hidden):
    """A kilobyte per entry: ten million of them took ten gigabytes."""
    with tarfile.open(tmp_path / "x.tar", "w") as archive:
        for number in range(20_000):
            archive.addfile(tarfile.TarInfo(f"{'.' * (hidden and number > 0)}{number:080}.txt"))
    members = SourceFiles.of([tmp_path / "x.tar"])
    # pathlib interns the parts of paths, and Python's table of interned strings takes megabytes while it grows.
    monkeypatch.setattr(sys, "intern", str)
    gc.freeze()  # without the objects of other tests, garbage is collected more often
    tracemalloc.start()
    try:
        with members.guard():
            found = sum(1 for _ in text_members(members))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
        gc.unfreeze()
    assert found == (1 if hidden else 20_000)
    assert peak < (2_000_000 if hidden else 8_000_000)  # hundreds of buffers of 8 kB wait for the garbage collector


def test_a_checkout_whose_path_has_a_colon_is_refused_or_runs_its_own_library(tmp_path):
    """PYTHONPATH is split at colons, so another installed version of the library could be imported."""
    code = "import sys, pathlib; from sentrep.runtime import checkout; checkout.WORKFLOW = pathlib.Path(sys.argv[1]); "
    code += "checkout.use_this_checkout()"
    command = [sys.executable, "-c", code, str(tmp_path / "a:b/workflow")]
    done = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, check=False)
    assert "SentrepError" in done.stderr
    assert "a:b: expected a path without ':'" in done.stderr
