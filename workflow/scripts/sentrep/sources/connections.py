"""Open web addresses, but refuse redirections from https to http and abort transfers that are too slow."""

from __future__ import annotations

import http.client
import io
import time
import urllib.request
from typing import IO, Any

SLOWEST, SLOW_SECONDS = 1000, 60  # minimum speed in bytes per second, and number of seconds over which it is measured


class RefusedError(ValueError):
    """An error after which the same address is not requested again."""


def open_address(address: str, headers: dict[str, str]) -> http.client.HTTPResponse:
    """Request a web address, and return the response once its headers have arrived.

    Args:
        address: address that begins with https:// or http://.
        headers: headers of the request.

    Raises:
        RefusedError: the address, or an address to which the server redirects, begins with neither https:// nor
            http://, or the server redirects from https to http.
        OSError: the server cannot be reached, answers with an error, or is too slow. Reading the response also raises
            OSError if the server sends less than 1 kB/s, averaged over a minute.
    """
    if not address.startswith(("https://", "http://")):
        raise RefusedError("the address does not begin with https:// or http://")
    opener = urllib.request.build_opener(_Http, _Https, _StaySecure)
    return opener.open(urllib.request.Request(address, headers=headers), timeout=60)


class _Measured(io.RawIOBase):
    """A stream of all bytes that a server sends, including the status line; reading fails if the server is too slow.

    A time limit for each read would not suffice, because a server can send one byte just before each limit expires.
    """

    def __init__(self, raw: io.RawIOBase) -> None:
        self._raw, self._began, self._received = raw, 0.0, 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        number = self._raw.readinto(buffer)
        now = time.monotonic()
        self._began = self._began or now
        self._received += number or 0
        seconds = now - self._began
        if number and seconds >= SLOW_SECONDS:
            if self._received < SLOWEST * seconds:
                raise OSError(f"the server is too slow: it sent {self._received} bytes in {seconds:.0f} seconds")
            self._began, self._received = now, 0
        return number

    def close(self) -> None:
        self._raw.close()
        super().close()


class _Response(http.client.HTTPResponse):
    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.fp: Any = io.BufferedReader(_Measured(self.fp.detach()))


class _Connection(http.client.HTTPConnection):
    response_class = _Response


class _SecureConnection(http.client.HTTPSConnection):
    response_class = _Response


class _Http(urllib.request.HTTPHandler):
    def http_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(_Connection, req)


class _Https(urllib.request.HTTPSHandler):
    def https_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(_SecureConnection, req)


class _StaySecure(urllib.request.HTTPRedirectHandler):
    """A redirection handler that allows only redirections to https and redirections from http to http."""

    def redirect_request(
        self,
        req: urllib.request.Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: http.client.HTTPMessage,
        newurl: str,
    ) -> urllib.request.Request | None:
        """Return a request for ``newurl``, the address to which the server redirects.

        Raises:
            RefusedError: the redirection leads from https to http, or to another scheme, such as ftp.
        """
        if not newurl.startswith(("https://", "http://") if req.type == "http" else "https://"):
            raise RefusedError(f"the server redirected to {newurl}, which does not begin with https://")
        return super().redirect_request(req, fp, code, msg, headers, newurl)
