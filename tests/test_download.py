"""Downloads against a local server that misbehaves."""

import hashlib
import http.server
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest

from sentrep import download as module
from sentrep.download import download
from sentrep.errors import SentrepError

BODY = bytes(range(256)) * 4000
SHA = hashlib.sha256(BODY).hexdigest()


@dataclass
class Server:
    address: str = ""
    faults: list[str] = field(default_factory=list)  # taken one per request
    ranges: list[str | None] = field(default_factory=list)
    honours_range: bool = True


@pytest.fixture
def server(monkeypatch) -> Iterator[Server]:
    state = Server()

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            fault = state.faults.pop(0) if state.faults else ""
            state.ranges.append(self.headers["Range"])
            if fault.isdigit():
                return self.send_error(int(fault))
            start = 0
            if state.honours_range and self.headers["Range"]:
                start = int(self.headers["Range"].removeprefix("bytes=").removesuffix("-"))
            body = b"<html>sorry</html>" if fault == "html" else BODY[start:]
            self.send_response(206 if start else 200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body[: len(body) // 3] if fault == "cut" else body)

        def log_message(self, *_):
            pass

    http_server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    state.address = f"http://127.0.0.1:{http_server.server_port}/data.bin"
    threading.Thread(target=http_server.serve_forever, daemon=True).start()
    monkeypatch.setattr(module.time, "sleep", lambda seconds: None)
    yield state
    http_server.shutdown()
    http_server.server_close()


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
    with pytest.raises(SentrepError, match=r"x: expected a download from http.*set `mirror:`"):
        download([server.address], tmp_path / "x", SHA)
    assert not (tmp_path / "x").exists()


def test_no_address(tmp_path):
    with pytest.raises(SentrepError, match="found no address to try"):
        download([], tmp_path / "x")
