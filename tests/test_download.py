"""Test downloads from a local server that fails in specified ways."""

import hashlib
from collections.abc import Iterator

import pytest

from helpers_server import BODY, Server, serving
from sentrep.errors import SentrepError
from sentrep.sources import download as module
from sentrep.sources.download import download

SHA = hashlib.sha256(BODY).hexdigest()


@pytest.fixture
def server(monkeypatch) -> Iterator[Server]:
    monkeypatch.setattr(module.time, "sleep", lambda _seconds: None)
    with serving() as state:
        yield state


def test_whole_file(server, tmp_path):
    download([server.address], tmp_path / "x", SHA, str(len(BODY)))
    assert (tmp_path / "x").read_bytes() == BODY
    assert [p.name for p in tmp_path.iterdir()] == ["x"]


def test_cut_connection_is_resumed(server, tmp_path):
    server.faults = ["cut"]
    download([server.address], tmp_path / "x", SHA)
    assert (tmp_path / "x").read_bytes() == BODY
    assert server.ranges == [None, f"bytes={len(BODY) // 3}-"]


def test_server_without_ranges_starts_over(server, tmp_path):
    server.faults, server.honours_range = ["cut"], False
    download([server.address], tmp_path / "x", SHA)
    assert (tmp_path / "x").read_bytes() == BODY


def test_server_error_is_tried_again(server, tmp_path):
    server.faults = ["500", "503"]
    download([server.address], tmp_path / "x", SHA)
    assert (tmp_path / "x").read_bytes() == BODY


def test_missing_page_goes_to_the_next_address(server, tmp_path):
    server.faults = ["404"]
    download([server.address, server.address], tmp_path / "x", SHA)
    assert len(server.ranges) == 2


@pytest.mark.parametrize("fault", ["html", "cut"])
def test_wrong_content_never_gets_the_name(server, tmp_path, fault):
    server.faults = [fault] * 9
    with pytest.raises(SentrepError, match=r"x: expected a successful download from http.*set `mirror`"):
        download([server.address], tmp_path / "x", SHA)
    assert not (tmp_path / "x").exists()


def test_no_address(tmp_path):
    with pytest.raises(SentrepError, match="found no public address"):
        download([], tmp_path / "x")
