"""Test downloads with injected faults: no wrong file gets the expected name, and no pointless waiting."""

import gzip
import hashlib
import http.server
import ssl
import subprocess
import threading
from collections.abc import Iterator

import pytest

from helpers_server import BODY, Server, serving
from sentrep.errors import SentrepError
from sentrep.sources import download as module
from sentrep.sources.download import download

SHA = hashlib.sha256(BODY).hexdigest()


@pytest.fixture
def sleeps(monkeypatch) -> list[float]:
    seconds: list[float] = []
    monkeypatch.setattr(module.time, "sleep", seconds.append)
    return seconds


@pytest.fixture
def server(sleeps) -> Iterator[Server]:
    with serving() as state:
        yield state


@pytest.fixture
def other(sleeps) -> Iterator[Server]:
    with serving() as state:
        yield state


def names(folder) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_waits_longer_each_time_and_not_after_the_last(server, sleeps, tmp_path):
    server.faults = ["500"] * 9
    with pytest.raises(SentrepError, match=r"HTTP Error 500.*set `mirror`"):
        download([server.address], tmp_path / "x", SHA)
    assert sleeps == [1, 2]
    assert len(server.paths) == 3


@pytest.mark.parametrize("status", ["401", "403", "404", "410"])
def test_asks_only_once_for_what_is_not_there(server, sleeps, tmp_path, status):
    server.faults = [status] * 9
    with pytest.raises(SentrepError, match=f"HTTP Error {status}"):
        download([server.address], tmp_path / "x", SHA)
    assert sleeps == []
    assert len(server.paths) == 1


def test_a_mirror_with_another_content_is_left_for_the_next(server, other, tmp_path):
    server.body = BODY[:-1] + b"?"
    download([server.address, other.address], tmp_path / "x", SHA)
    assert (tmp_path / "x").read_bytes() == BODY
    assert (len(server.paths), len(other.paths)) == (3, 1)
    assert names(tmp_path) == ["x"]


def test_no_server_at_all_goes_to_the_next(other, tmp_path):
    download(["http://127.0.0.1:9/x", other.address], tmp_path / "x", SHA)
    assert (tmp_path / "x").read_bytes() == BODY


@pytest.mark.parametrize("name", ["x.zip", "x.tar.gz", "x.xml.bz2", "x.tar.xz", "x.tgz", "words.txt"])
def test_a_page_of_html_is_no_file_even_without_a_checksum(server, tmp_path, name):
    server.faults = ["html"] * 9
    with pytest.raises(SentrepError, match="an HTML page instead of the file"):
        download([server.address], tmp_path / name)
    assert names(tmp_path) == []


@pytest.mark.parametrize("name", ["x.zip", "x.tar.gz", "x.xml.bz2", "x.tar.xz"])
def test_a_file_of_another_kind_is_refused(server, tmp_path, name):
    with pytest.raises(SentrepError, match=r"not a \.\w+ file: it begins with b'\\x00\\x01"):
        download([server.address], tmp_path / name)
    server.body = b""
    with pytest.raises(SentrepError, match="it begins with b''"):
        download([server.address], tmp_path / name)


def test_an_empty_file_is_refused(server, tmp_path):
    server.body = b""
    with pytest.raises(SentrepError, match="an empty file"):
        download([server.address], tmp_path / "x")
    assert not (tmp_path / "x").exists()


def test_the_right_kind_is_taken_without_a_checksum(server, tmp_path):
    server.body = gzip.compress(BODY)
    download([server.address], tmp_path / "x.gz")
    assert gzip.decompress((tmp_path / "x.gz").read_bytes()) == BODY


def test_cut_chunks_are_noticed_without_a_length(server, tmp_path):
    server.faults = ["slow cut"]
    download([server.address], tmp_path / "x")
    assert (tmp_path / "x").read_bytes() == BODY
    assert server.ranges == [None, None]  # without a length, nothing shows whether the file is still the same


def test_resumed_only_if_the_file_is_still_the_same(server, tmp_path):
    server.tag, server.faults = '"one"', ["cut", "404"]
    with pytest.raises(SentrepError):
        download([server.address], tmp_path / "x")
    server.tag, server.body = '"two"', BODY[::-1]
    download([server.address], tmp_path / "x")
    assert server.ranges[-1] == f"bytes={len(BODY) // 3}-"
    assert (tmp_path / "x").read_bytes() == BODY[::-1]
    server.tag, server.faults = '"three"', ["cut", ""]
    download([server.address], tmp_path / "y")
    assert server.ranges[-1] == f"bytes={len(BODY) // 3}-"
    assert (tmp_path / "y").read_bytes() == BODY[::-1]
    assert names(tmp_path) == ["x", "y"]


@pytest.mark.parametrize("have", [0, 1, 1000, len(BODY) // 2, len(BODY) - 1, len(BODY), len(BODY) + 1])
@pytest.mark.parametrize("damaged", [False, True])
def test_any_part_leads_to_the_same_file(server, tmp_path, have, damaged):
    """The partial file may also be complete, too long or contain a wrong byte."""
    part = bytearray((BODY + b"x")[:have])
    if damaged and part:
        part[have // 2] ^= 1
    (tmp_path / ".x.part").write_bytes(part)
    download([server.address], tmp_path / "x", SHA, str(len(BODY)))
    assert (tmp_path / "x").read_bytes() == BODY
    assert names(tmp_path) == ["x"]


@pytest.mark.parametrize("address", ["ftp://127.0.0.1/x", "file:///etc/hostname", "/etc/hostname"])
def test_only_the_web(tmp_path, address):
    with pytest.raises(SentrepError, match="does not begin with https:// or http://"):
        download([address], tmp_path / "x")
    assert names(tmp_path) == []


def test_redirections(server, other, tmp_path):
    server.faults = [f"to {other.address}"]
    download([server.address], tmp_path / "x", SHA)
    assert (tmp_path / "x").read_bytes() == BODY
    server.faults = ["to ftp://127.0.0.1/x"]
    with pytest.raises(SentrepError, match="redirected to ftp"):
        download([server.address], tmp_path / "y", SHA)


def test_https_is_not_left_for_http(other, tmp_path, monkeypatch):
    certificate, key = tmp_path / "c.pem", tmp_path / "k.pem"
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
    command += ["-addext", "subjectAltName=DNS:localhost", "-keyout", str(key), "-out", str(certificate)]
    try:
        subprocess.run(command, capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        pytest.skip(f"cannot create a certificate: {error}")

    class Redirect(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(302)
            self.send_header("Location", other.address)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    secure = http.server.HTTPServer(("127.0.0.1", 0), Redirect)
    secure.socket = context.wrap_socket(secure.socket, server_side=True)
    threading.Thread(target=secure.serve_forever, args=(0.01,), daemon=True).start()
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    address = f"https://localhost:{secure.server_port}/x"
    with pytest.raises(SentrepError, match=f"redirected to {other.address}, which does not begin with https://"):
        download([address], tmp_path / "x", SHA)
    assert other.paths == []
    secure.shutdown()
    secure.server_close()


def test_no_room_is_said_before_the_download(server, tmp_path, monkeypatch):
    monkeypatch.setattr(module.shutil, "disk_usage", lambda _path: type("Usage", (), {"free": len(BODY) - 1}))
    with pytest.raises(SentrepError, match=r"x: expected 0\.001 GB of free disk space"):
        download([server.address], tmp_path / "x", SHA)
    assert len(server.paths) == 1


def test_a_folder_that_cannot_be_written(server, tmp_path):
    (tmp_path / "folder").touch()
    with pytest.raises(
        SentrepError, match="x: expected a path whose parents are folders, found a file where a folder should be"
    ):
        download([server.address], tmp_path / "folder" / "x", SHA)
    assert server.paths == []


def test_nothing_outside_the_folder(server, tmp_path, monkeypatch):
    """The server cannot choose the name of the file."""
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path)
    server.faults = [f"to {server.address.rpartition('/')[0]}/..%2F..%2Fevil"]
    download([server.address], tmp_path / "here" / "x", SHA)
    assert {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()} == {"here/x"}


def test_two_downloads_of_one_file(server, tmp_path, monkeypatch):
    """Previously, the downloads shared one temporary file, and a file with a megabyte of zeros passed the checksum."""
    stream, messages = module.receive, []

    def meet(*arguments: object) -> None:
        with pytest.raises(
            SentrepError, match="expected no more than one process at a time, found another process that downloads"
        ):
            download([server.address], tmp_path / "x", SHA)
        messages.append("refused")
        stream(*arguments)

    monkeypatch.setattr(module, "receive", meet)
    download([server.address], tmp_path / "x", SHA)
    assert messages == ["refused"]
    assert (tmp_path / "x").read_bytes() == BODY
    assert names(tmp_path) == ["x"]


def test_the_checksum_is_that_of_the_file_on_the_disk(server, tmp_path, monkeypatch):
    stream = module.receive

    def interfere(*arguments: object) -> None:
        stream(*arguments)
        with (tmp_path / ".x.part").open("r+b") as part:
            part.write(bytes(1000))

    monkeypatch.setattr(module, "receive", interfere)
    with pytest.raises(SentrepError, match=r"with SHA-256 [0-9a-f]{64} instead of"):
        download([server.address], tmp_path / "x", SHA)
    assert names(tmp_path) == []


@pytest.mark.parametrize(
    "page",
    [
        b"\xef\xbb\xbf<!DOCTYPE html><html>",
        b"<!-- saved -->\n<!-- twice -->\n<HTML lang='en'>",
        b'<?xml version="1.0"?>\n<!DOCTYPE html PUBLIC "x">',
        b"\n\n<head><title>503</title>",
        b'{"message": "API rate limit exceeded"}',
        b'\xef\xbb\xbf{ "error" : 404 }',
        b'[{"error": 404}]',
    ],
)
def test_an_error_page_with_status_200_behind_a_mark_or_a_comment(server, tmp_path, page):
    server.body = page
    with pytest.raises(SentrepError, match="instead of the file"):
        download([server.address], tmp_path / "words.txt")
    assert names(tmp_path) == []


@pytest.mark.parametrize(
    "text", [b"[1] A citation.", b"{curly} words", b"<s> a sentence </s>", b"<mediawiki>", b"html"]
)
def test_a_text_that_only_looks_like_a_page_is_taken(server, tmp_path, text):
    server.body = text
    download([server.address], tmp_path / "words.txt")
    assert (tmp_path / "words.txt").read_bytes() == text
