"""A local web server that fails in specified ways."""

import contextlib
import http.server
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

BODY = bytes(range(256)) * 4000


@dataclass
class Server:
    """The responses that a server gives and the requests that it has received.

    ``faults`` are taken one per request: a status; "html", an error page with status 200; "cut", the connection ends
    after a third; "slow cut", the same in chunks without a length; "to ADDRESS", a redirection; "trickle", a byte at a
    time; "trickle head" and "trickle chunk", the same before the content; "endless", zeros without a length and without
    an end.
    """

    address: str = ""
    body: bytes = BODY
    bodies: dict[str, bytes] = field(default_factory=dict)  # content by path; other paths return ``body``
    tag: str = ""
    faults: list[str] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    ranges: list[str | None] = field(default_factory=list)
    honours_range: bool = True


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    state: Server

    def do_GET(self) -> None:
        state = self.state
        self.close_connection = True
        fault = state.faults.pop(0) if state.faults else ""
        state.paths.append(self.path)
        state.ranges.append(self.headers["Range"])
        if fault.isdigit():
            self.send_error(int(fault))
            return
        if fault.startswith("to "):
            self._head(302, Location=fault.removeprefix("to "), Content_Length="0")
            return
        content = state.bodies.get(self.path, state.body)
        start = 0
        if state.honours_range and self.headers["Range"] and self.headers["If-Range"] in (None, state.tag):
            start = int(self.headers["Range"].removeprefix("bytes=").removesuffix("-"))
            if start >= len(content):
                self.send_error(416)
                return
        body = b"<html>sorry</html>" if fault == "html" else content[start:]
        headers = {"ETag": state.tag} if state.tag else {}
        if start:
            headers["Content_Range"] = f"bytes {start}-{len(content) - 1}/{len(content)}"
        if fault == "slow cut":
            self._head(200, Transfer_Encoding="chunked", **headers)
            self.wfile.write(b"%x\r\n%s\r\n" % (len(body) // 3, body[: len(body) // 3]))
        elif fault.startswith("trickle"):
            self._trickle(fault, body)
        elif fault == "endless":
            self._head(200, Transfer_Encoding="chunked", **headers)
            with contextlib.suppress(OSError):
                while True:
                    self.wfile.write(b"%x\r\n%s\r\n" % (1 << 16, bytes(1 << 16)))
        else:
            self._head(206 if start else 200, Content_Length=str(len(body)), **headers)
            self.wfile.write(body[: len(body) // 3] if fault == "cut" else body)

    def _trickle(self, fault: str, body: bytes) -> None:
        if fault == "trickle head":
            self.wfile.write(b"HTTP/1.1 200 OK\r\nX-Padding: ")
        else:
            length = {"Transfer_Encoding": "chunked"} if "chunk" in fault else {"Content_Length": str(len(body))}
            self._head(200, **length)
        with contextlib.suppress(OSError):
            for byte in body if fault == "trickle" else b"0" * len(body):
                self.wfile.write(bytes([byte]))
                threading.Event().wait(0.02)  # tests replace time.sleep

    def _head(self, status: int, **headers: str) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def serving() -> Iterator[Server]:
    """Run a server, and yield the object that controls it and records the requests."""
    state = Server()
    handler = type("Handler", (_Handler,), {"state": state})
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.handle_error = lambda *_: None  # errors of closed connections are expected, so they are not logged
    state.address = f"http://127.0.0.1:{server.server_port}/data.bin"
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    yield state
    server.shutdown()
    server.server_close()
