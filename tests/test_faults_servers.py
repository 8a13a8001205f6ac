"""Test downloads from servers that send too slowly, too much or without end, and when downloads reach the disk."""

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from helpers_server import BODY, Server, serving
from sentrep.errors import SentrepError
from sentrep.sources import connections
from sentrep.sources import download as module
from sentrep.sources.download import download

SHA = hashlib.sha256(BODY).hexdigest()


@pytest.fixture(autouse=True)
def _no_pauses(monkeypatch):
    monkeypatch.setattr(module.time, "sleep", lambda _: None)


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as state:
        yield state


@pytest.fixture
def other() -> Iterator[Server]:
    with serving() as state:
        yield state


@pytest.mark.parametrize("fault", ["trickle", "trickle head", "trickle chunk"])
def test_a_server_that_trickles_is_left(server, other, tmp_path, monkeypatch, fault):
    """One byte every two seconds: the download would have taken a year."""
    monkeypatch.setattr(connections, "SLOW_SECONDS", 0.3)
    server.faults = [fault] * 3
    download([server.address, other.address], tmp_path / "x", SHA, str(len(BODY)))
    assert (tmp_path / "x").read_bytes() == BODY
    assert len(server.paths) == 3


def test_a_server_that_sends_without_end_is_left(server, other, tmp_path):
    server.faults = ["endless"] * 3
    download([server.address, other.address], tmp_path / "x", SHA, str(len(BODY)))
    assert (tmp_path / "x").read_bytes() == BODY
    assert [path.name for path in tmp_path.iterdir()] == ["x"]


def test_a_file_of_unknown_size_may_take_half_of_the_disk(server, other, tmp_path, monkeypatch):
    """Nobody states a size: a server that sends without end filled the disk."""
    monkeypatch.setattr(module.shutil, "disk_usage", lambda _path: type("Usage", (), {"free": 1 << 22}))
    server.faults = ["endless"] * 4
    download([server.address, other.address], tmp_path / "x")
    assert (tmp_path / "x").read_bytes() == BODY
    assert len(server.paths) == 1
    with pytest.raises(SentrepError, match=r"x: .* size is unknown, and the first 2[0-9]{6} bytes took up") as caught:
        download([server.address], tmp_path / "x")
    assert "\n" not in str(caught.value)
    assert [path.name for path in tmp_path.iterdir()] == ["x"]


def test_a_download_is_on_the_disk_before_and_after_it_gets_its_name(server, tmp_path, monkeypatch):
    synced = []

    def fsync(number: int) -> None:
        synced.append((Path(f"/proc/self/fd/{number}").readlink().name, (tmp_path / "x").exists()))

    monkeypatch.setattr(os, "fsync", fsync)
    download([server.address], tmp_path / "x", SHA)
    assert synced == [(".x.part", False), (tmp_path.name, True)]
