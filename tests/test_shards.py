"""Test shards of sentences: they are read as they were written, and damage is reported."""

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from sentrep.corpora.sentence_shards import (
    corpus_lines,
    read_shard,
    shard_documents,
    shard_lines,
    shard_paths,
    write_shard,
)
from sentrep.errors import SentrepError

LINES = st.lists(st.text(st.characters(exclude_characters="\n", exclude_categories=["Cs"])))


@given(LINES)
def test_lines_are_read_again(tmp_path_factory, lines):
    folder = tmp_path_factory.mktemp("shards")
    write_shard(folder, 7, "".join(f"{line}\n" for line in lines))
    (path,) = shard_paths(folder)
    assert path.name == "shard-00007.txt.zst"
    assert shard_lines(path) == lines
    found = [line for run in shard_documents(path) for line in run or [""]]
    assert [line for line in found if line] == [line for line in lines if line]
    assert found.count("") == lines.count("")  # one mark for the end of each document


def test_any_decompressor_reads_it(tmp_path):
    write_shard(tmp_path, 0, "Ä sentence .\n\n")
    with (tmp_path / "shard-00000.txt.zst").open("rb") as stream:
        assert zstandard.ZstdDecompressor().stream_reader(stream).read() == "Ä sentence .\n\n".encode()


@pytest.mark.parametrize("damage", [lambda b: b[:-1], lambda b: b[:9], lambda b: b"<html>" + b, lambda _b: b""])
def test_damage(tmp_path, damage):
    write_shard(tmp_path, 0, "".join(f"sentence {i} .\n" for i in range(999)))
    path = tmp_path / "shard-00000.txt.zst"
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(SentrepError, match=r"expected text compressed with Zstandard, found .*; delete .*snakemake"):
        read_shard(path)


def test_a_changed_byte(tmp_path):
    """The checksum detects changes that would otherwise be read as different text."""
    write_shard(tmp_path, 0, "abcdefghijklmnopqrstuvwxyz\n")
    path = tmp_path / "shard-00000.txt.zst"
    content = path.read_bytes()
    path.write_bytes(content.replace(b"m", b"n"))
    with pytest.raises(SentrepError, match="expected text compressed with Zstandard"):
        read_shard(path)


def test_shards_in_order(tmp_path):
    write_shard(tmp_path, 1, "c\n")
    write_shard(tmp_path, 0, "a\n\nb\n")
    assert list(corpus_lines([tmp_path])) == ["a", "b", "c"]
    (tmp_path / "plain.txt").write_text("d\n\n e \n", encoding="utf-8")
    assert list(corpus_lines([tmp_path, tmp_path / "plain.txt"])) == ["a", "b", "c", "d", "e"]


def test_no_shards(tmp_path):
    with pytest.raises(
        SentrepError, match=r"expected files shard-\*\.txt\.zst .*, found no such file; delete this folder and run"
    ):
        list(corpus_lines([tmp_path]))
