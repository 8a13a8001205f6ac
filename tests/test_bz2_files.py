"""Test the parallel decompression of bz2 files against Python's own reader, including its errors."""

import bz2
import random
from pathlib import Path

import pytest

from helpers_corpora import manifest
from helpers_mediawiki import PROSE, export, page
from sentrep.corpora.sentences import build_sentences
from sentrep.errors import SentrepError
from sentrep.sources import archives
from sentrep.sources.archives import open_bz2


@pytest.fixture(autouse=True)
def small_files_in_parallel(monkeypatch):
    monkeypatch.setattr(archives, "PARALLEL_BZ2_BYTES", 0)


class TestParallelBz2:
    def streams(self, count: int, size: int = 60_000) -> tuple[bytes, bytes]:
        dice = random.Random(3)
        bodies = [dice.randbytes(size).hex().encode() for _ in range(count)]
        return b"".join(bodies), b"".join(map(bz2.compress, bodies))

    def read(self, path: Path, content: bytes) -> bytes:
        path.write_bytes(content)
        with open_bz2(path, threads=3) as stream:
            return b"".join(iter(lambda: stream.read(100_003), b""))

    @pytest.mark.parametrize("size", [500, 60_000, 400_000])
    def test_content(self, tmp_path, size):
        plain, packed = self.streams(12, size)
        assert self.read(tmp_path / "x.bz2", packed) == plain
        assert self.read(tmp_path / "x.bz2", packed + b"trailing garbage") == plain

    def test_long_stream_after_short_ones(self, tmp_path):
        plain, packed = self.streams(4)
        long = random.Random(4).randbytes(4_000_000)
        found = self.read(tmp_path / "x.bz2", packed + bz2.compress(long) + bz2.compress(b"end"))
        assert found == plain + long + b"end"

    @pytest.mark.parametrize("missing", [1, 5, 100, 100_000, 200_000])
    def test_truncated(self, tmp_path, missing):
        _, packed = self.streams(4)
        with pytest.raises(EOFError, match="truncated or damaged bz2 stream"):
            self.read(tmp_path / "x.bz2", packed[:-missing])

    @pytest.mark.parametrize("position", [30, 100_000, -20, -6])
    def test_one_wrong_bit(self, tmp_path, position):
        content = bytearray(self.streams(4)[1])
        content[position] ^= 4
        with pytest.raises(EOFError, match="truncated or damaged bz2 stream"):
            self.read(tmp_path / "x.bz2", bytes(content))

    @pytest.mark.parametrize("content", [b"", b"no bz2 at all", b"BZh91AY&SY and then nonsense"])
    def test_no_bz2(self, tmp_path, content):
        with pytest.raises((OSError, EOFError), match=r"Invalid data stream|damaged bz2 stream"):
            self.read(tmp_path / "x.bz2", content)

    def test_empty(self, tmp_path):
        assert self.read(tmp_path / "x.bz2", bz2.compress(b"")) == b""

    def test_truncated_file_is_named(self, tmp_path, monkeypatch):
        monkeypatch.setattr("os.sched_getaffinity", lambda _process: range(8))
        monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
        body = export(*(page(f"T{i}", PROSE, 0) for i in range(3000)))
        packed = b"".join(bz2.compress(body[i : i + 200_000]) for i in range(0, len(body), 200_000))
        path = tmp_path / "dump.xml.bz2"
        path.write_bytes(packed[:-50])
        with pytest.raises(SentrepError, match=r"dump\.xml\.bz2: .*EOFError"):
            build_sentences(manifest(tmp_path, path), "articles", tmp_path / "out", processes=2)
        path.write_bytes(packed)
        assert build_sentences(manifest(tmp_path, path), "articles", tmp_path / "o2", processes=2)["documents"] == 3000

    def test_left_early(self, tmp_path):
        self.read(tmp_path / "x.bz2", self.streams(8)[1])
        with open_bz2(tmp_path / "x.bz2", threads=2) as stream:
            assert len(stream.read(10)) == 10
