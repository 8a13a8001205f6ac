"""Test readers of text with one sentence per line against reading line by line, for blocks of all sizes."""

import io
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers_corpora import manifest
from sentrep.corpora import readers
from sentrep.corpora.readers import read_bookcorpus, read_sentences
from sentrep.corpora.sentence_shards import shard_documents
from sentrep.corpora.sentences import build_sentences
from sentrep.errors import SentrepError

SCRAPS = ["a", "bé", " ", "\n", "\n\n", "\r\n", "\t", "\x0b", "\x1c", "\x85", "\xa0", "\u2028", "\u3000", "\x19", "’"]


def line_by_line(text: str, mend: dict[int, str | None]) -> list[list[str]]:
    """Read the text line by line."""
    documents: list[list[str]] = [[]]
    for line in text.split("\n"):
        sentence = " ".join(line.translate(mend).split())
        if sentence:
            documents[-1].append(sentence)
        elif documents[-1]:
            documents.append([])
    return [document for document in documents if document]


def joined(blocks: Iterator[readers.Block]) -> list[list[str]]:
    documents: list[list[str]] = []
    for block in blocks:
        first, *others = [text.removesuffix("\n").split("\n") for text in block.documents()]
        if block.continues:
            documents[-1] += first
        else:
            documents.append(first)
        documents += others
    return documents


@given(st.lists(st.sampled_from(SCRAPS), max_size=60).map("".join), st.integers(1, 9))
def test_is_what_reading_line_by_line_gives(text, size):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(readers, "BLOCK_BYTES", size)
        assert joined(read_sentences([("x", io.BytesIO(text.encode()))])) == line_by_line(text, {})
        mend = str.maketrans({"\x1c": None, "\x1d": None, "\x19": " '", "\x18": "' "})
        assert joined(read_bookcorpus([("x.txt", io.BytesIO(text.encode()))])) == line_by_line(text, mend)


def test_bookcorpus_control_characters_and_line_ends():
    content = "he did\x19nt go \x18em a\x1cb\x1d\nnext \u0085 line\n".encode()
    members = [("books_large_p1.txt", io.BytesIO(content)), ("README.md", io.BytesIO(b"no corpus"))]
    assert joined(read_bookcorpus(members)) == [["he did 'nt go ' em ab", "next line"]]


def test_files_are_documents_and_a_mark_of_byte_order_is_none():
    members = [(name, io.BytesIO(b"\xef\xbb\xbfa\nb")) for name in "xy"]
    assert joined(read_sentences(members)) == [["a", "b"], ["a", "b"]]


def test_names_the_line_that_is_not_utf8(monkeypatch):
    monkeypatch.setattr(readers, "BLOCK_BYTES", 5)
    with pytest.raises(SentrepError, match=r"^x:4: expected UTF-8 text, found .*; convert the file to UTF-8$"):
        list(read_sentences([("x", io.BytesIO(b"one\ntwo\nthree\nf\xffur\n"))]))


@pytest.mark.parametrize("processes", [1, 2])
def test_documents_go_on_from_shard_to_shard(tmp_path, monkeypatch, processes):
    monkeypatch.setattr(readers, "BLOCK_BYTES", 1000)
    monkeypatch.setattr("sentrep.corpora.sentences.SHARD_CHARACTERS", 3000)
    documents = [[f"sentence {d} {s}" for s in range(length)] for d, length in enumerate([1, 700, 2, 900])]
    path = tmp_path / "t.txt"
    path.write_text("\n\n\n".join("\n".join(sentences) for sentences in documents))
    meta = build_sentences(manifest(tmp_path, path), "sentences", tmp_path / "out", processes=processes)
    assert (meta["documents"], meta["sentences"]) == (4, 1603)
    assert meta["characters"] == sum(len(s) for sentences in documents for s in sentences)
    shards = sorted((tmp_path / "out").glob("shard-*.txt.zst"))
    assert len(shards) == meta["shards"] > 5
    found: list[list[str]] = [[]]
    for shard in shards:
        for run in shard_documents(shard):
            if run:
                found[-1] += run
            else:
                found.append([])
    assert found == [*documents, []]
