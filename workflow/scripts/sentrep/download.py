"""Downloads that end whole or not at all: resumed, checked while they stream, renamed into place."""

from __future__ import annotations

import hashlib
import logging
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from pathlib import Path

from sentrep.errors import SentrepError
from sentrep.progress import Progress

log = logging.getLogger("sentrep")
_BLOCK = 1 << 20
_ATTEMPTS = 3  # per address, waiting 1, 2, 4 seconds


def download(addresses: Sequence[str], target: Path, sha256: str = "", size: str = "") -> None:
    """Fetch ``target`` from the first address that gives it whole.

    A ``.part`` file beside the target is kept over failures and resumed.

    Args:
        addresses: tried in order, each up to three times.
        target: where the file goes.
        sha256: expected digest, or "" if unknown.
        size: expected bytes, or "" if unknown.

    Raises:
        SentrepError: no address gave the file.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    failures = []
    for address in addresses:
        for attempt in range(_ATTEMPTS):
            try:
                return _attempt(address, target, sha256, size)
            except (OSError, ValueError) as error:
                failures.append(f"{address}: {error}")
                log.info("download failed: %s", failures[-1])
                if isinstance(error, urllib.error.HTTPError) and error.code in (403, 404, 410):
                    break  # asking again will not help
                time.sleep(2**attempt)
    raise SentrepError(
        target.name,
        expected=f"a download from {' or '.join(addresses) or 'a public address'}",
        found=failures[-1] if failures else "no address to try",
        remedy="get the file by hand and set `mirror:` to its folder",
    )


def _attempt(address: str, target: Path, sha256: str, size: str) -> None:
    part = target.with_name(target.name + ".part")
    have = part.stat().st_size if part.exists() else 0
    request = urllib.request.Request(address, headers={"Range": f"bytes={have}-"} if have else {})
    with urllib.request.urlopen(request, timeout=60) as response:
        if response.status != 206:
            have = 0  # the server sends the whole file
        length = int(response.headers["Content-Length"]) + have if response.headers["Content-Length"] else None
        progress = Progress(length or int(size or 0), "bytes", target.name)
        progress.advance(have)
        with part.open("ab" if have else "wb") as stream:
            while block := response.read(_BLOCK):
                stream.write(block)
                progress.advance(len(block))
        progress.close()
    found = part.stat().st_size
    expected = int(size) if size else length
    if expected is not None and found < expected:
        raise OSError(f"the connection closed after {found} of {expected} bytes")
    with part.open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
    if (expected is not None and found > expected) or (sha256 and digest != sha256):
        part.unlink()
        raise ValueError(f"expected sha256 {sha256 or '(any)'} and {expected} bytes, found {digest}, {found}")
    part.replace(target)
