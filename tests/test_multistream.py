"""bz2 files of many streams, unpacked by several threads: the same content, the same errors."""

import bz2
import random
from pathlib import Path

import pytest

from helpers_corpora import manifest
from helpers_mediawiki import PROSE, export, page
from sentrep.corpora.sentences import build_sentences
from sentrep.errors import SentrepError
from sentrep.sources.multistream import open_bz2


class TestMultistream:
    def streams(self, count: int, size: int = 60_000) -> tuple[bytes, bytes]:
        dice = random.Random(3)
        bodies = [dice.randbytes(size).hex().encode() for _ in range(count)]
        return b"".join(bodies), b"".join(map(bz2.compress, bodies))

    def read(self, path: Path, content: bytes, monkeypatch) -> bytes:
        monkeypatch.setattr("sentrep.sources.multistream._WORTHWHILE", 0)
        path.write_bytes(content)
        with open_bz2(path, threads=3) as stream:
            return b"".join(iter(lambda: stream.read(100_003), b""))

    @pytest.mark.parametrize("block", [1000, 70_000, 1 << 20])
    def test_content(self, tmp_path, monkeypatch, block):
        monkeypatch.setattr("sentrep.sources.multistream._BLOCK", block)
        plain, packed = self.streams(12)
        assert self.read(tmp_path / "x.bz2", packed, monkeypatch) == plain
        assert self.read(tmp_path / "x.bz2", packed + b"trailing garbage", monkeypatch) == plain

    def test_long_stream_after_short_ones(self, tmp_path, monkeypatch):
        monkeypatch.setattr("sentrep.sources.multistream._BLOCK", 10_000)
        monkeypatch.setattr("sentrep.sources.multistream._LONGEST", 150_000)
        plain, packed = self.streams(4)
        long = random.Random(4).randbytes(400_000)
        found = self.read(tmp_path / "x.bz2", packed + bz2.compress(long) + bz2.compress(b"end"), monkeypatch)
        assert found == plain + long + b"end"

    def test_truncated(self, tmp_path, monkeypatch):
        _, packed = self.streams(4)
        with pytest.raises(EOFError, match="end-of-stream"):
            self.read(tmp_path / "x.bz2", packed[:-100], monkeypatch)

    @pytest.mark.parametrize("content", [b"no bz2 at all", b"BZh91AY&SY and then nonsense"])
    def test_no_bz2(self, tmp_path, monkeypatch, content):
        with pytest.raises(OSError, match="Invalid data stream"):
            self.read(tmp_path / "x.bz2", content, monkeypatch)

    def test_empty(self, tmp_path, monkeypatch):
        assert self.read(tmp_path / "x.bz2", bz2.compress(b""), monkeypatch) == b""

    def test_truncated_file_is_named(self, tmp_path, monkeypatch):
        monkeypatch.setattr("os.sched_getaffinity", lambda process: range(8))
        monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
        monkeypatch.setattr("sentrep.sources.multistream._BLOCK", 5000)
        monkeypatch.setattr("sentrep.sources.multistream._WORTHWHILE", 0)
        body = export(*(page(f"T{i}", PROSE, 0) for i in range(3000)))
        packed = b"".join(bz2.compress(body[i : i + 200_000]) for i in range(0, len(body), 200_000))
        path = tmp_path / "dump.xml.bz2"
        path.write_bytes(packed[:-50])
        with pytest.raises(SentrepError, match=r"dump\.xml\.bz2: .*EOFError"):
            build_sentences(manifest(tmp_path, path), "mediawiki", tmp_path / "out", processes=2)
        path.write_bytes(packed)
        assert build_sentences(manifest(tmp_path, path), "mediawiki", tmp_path / "o2", processes=2)["documents"] == 3000

    def test_left_early(self, tmp_path, monkeypatch):
        self.read(tmp_path / "x.bz2", self.streams(8)[1], monkeypatch)
        with open_bz2(tmp_path / "x.bz2", threads=2) as stream:
            assert len(stream.read(10)) == 10
