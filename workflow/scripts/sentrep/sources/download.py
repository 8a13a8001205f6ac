"""Download files atomically, resume interrupted downloads, and verify the files by size and checksum."""

from __future__ import annotations

import contextlib
import http.client
import logging
import os
import re
import shutil
import time
import urllib.error
from collections.abc import Sequence
from pathlib import Path
from typing import IO

from sentrep.errors import SentrepError
from sentrep.io.files import plain_os_errors, sync
from sentrep.io.files import sha256 as digest_of
from sentrep.io.folders import locked
from sentrep.runtime.progress import Progress
from sentrep.sources.connections import RefusedError, open_address

log = logging.getLogger("sentrep")
_BLOCK = 1 << 20
_ATTEMPTS = 3  # attempts per address, with pauses of 1 and 2 seconds between them
# Matches the beginning of an HTML page, after an optional byte-order mark, XML declaration and comments.
_PAGE = re.compile(
    rb"(?:\xef\xbb\xbf)?(?:\s|<!--.*?-->|<\?xml[^>]*>)*<(?:!doctype\s+html|html|head|body|title)\b",
    re.IGNORECASE | re.DOTALL,
)
_JSON_ERROR = re.compile(rb'(?:\xef\xbb\xbf)?\s*(?:\{\s*\}|\{\s*"|\[\s*\{\s*")')
_BEGINNINGS = {".zip": b"PK", ".gz": b"\x1f\x8b", ".tgz": b"\x1f\x8b", ".bz2": b"BZh", ".xz": b"\xfd7zXZ\0"}


def download(addresses: Sequence[str], target: Path, sha256: str = "", size: str = "") -> None:
    """Download a file from the first address that provides it completely.

    If a transfer is interrupted, the partial download is kept in a hidden file next to the target. The next attempt
    resumes the transfer if the server confirms that the file has not changed, or if the checksum is known. Only one
    process at a time can download to the same target. Redirections from https to http are refused. A transfer is
    aborted if the server sends less than 1 kB/s, averaged over a minute, or more bytes than expected. If neither
    ``size`` nor the server states the size, the transfer is aborted when the received data take up more than half of
    the disk space that was free at the start of the transfer.

    Args:
        addresses: addresses to try in order, each up to three times.
        target: path to which the file is written.
        sha256: expected SHA-256 of the file, or "" if unknown.
        size: expected size in bytes, or "" if unknown.

    Raises:
        SentrepError: no address provided the file, another process is downloading to the same target, the disk is full,
            or the folder is not writable.
    """
    part, mark = (target.with_name(f".{target.name}.{suffix}") for suffix in ("part", "mark"))
    with contextlib.ExitStack() as stack:
        with plain_os_errors(target):
            target.parent.mkdir(parents=True, exist_ok=True)
            stack.enter_context(locked(part, purpose=f"downloads {target}", folder=False))
        try:
            _fetch(addresses, target, sha256, size)
        finally:
            if part.exists() and not part.stat().st_size:
                part.unlink()
                mark.unlink(missing_ok=True)


def _fetch(addresses: Sequence[str], target: Path, sha256: str, size: str) -> None:
    """Download a file from the first address that works, with retries; the caller must have locked the partial file."""
    failures = []
    for address in addresses:
        for attempt in range(_ATTEMPTS):
            if attempt:
                time.sleep(2 ** (attempt - 1))
            try:
                return _attempt(address, target, sha256, size)
            except (OSError, ValueError, http.client.HTTPException) as error:
                failures.append(f"{address}: {error or type(error).__name__}")
                log.info("download failed: %s", failures[-1])
                gone = isinstance(error, urllib.error.HTTPError) and error.code in (401, 403, 404, 410)
                if gone or isinstance(error, RefusedError):
                    break
    raise SentrepError(
        target.name,
        expected=f"a successful download from {' or '.join(addresses) or 'a public address'}",
        found=f"a failure ({failures[-1]})" if failures else "no public address",
        remedy=(
            "save the file in a mirror folder, at the path listed in workflow/sources.tsv, "
            "and set `mirror` to that folder"
        ),
    )


def _attempt(address: str, target: Path, sha256: str, size: str) -> None:
    part, mark = target.with_name(f".{target.name}.part"), target.with_name(f".{target.name}.mark")
    same = mark.read_text(encoding="utf-8") if mark.exists() else ""
    have = part.stat().st_size if part.exists() and (same or sha256) else 0
    headers = {"Range": f"bytes={have}-", **({"If-Range": same} if same else {})} if have else {}
    try:
        response = open_address(address, headers)
    except urllib.error.HTTPError as error:
        if error.code == 416:  # the server has no bytes beyond the partial file, which is complete or out of date
            os.truncate(part, 0)
        raise
    with response:
        if response.status != 206:
            have = 0  # the server sends the complete file
        elif not response.headers.get("Content-Range", f"bytes {have}-").startswith(f"bytes {have}-"):
            os.truncate(part, 0)
            raise OSError(f"requested bytes from {have} onwards, but received {response.headers['Content-Range']}")
        length = int(response.headers["Content-Length"]) + have if response.headers["Content-Length"] else None
        expected = int(size) if size else length
        free = shutil.disk_usage(target.parent).free
        _check_space(target, (expected or 0) - have, free)
        limit = have + free // 2 if expected is None else expected
        with plain_os_errors(target):
            if not have:
                mark.write_text(_validator(response.headers), encoding="utf-8")
            stream = part.open("ab" if have else "wb")
        with stream:
            receive(response, stream, target, have, expected, limit)
    found = part.stat().st_size
    if expected is None and found > limit:
        os.truncate(part, 0)
        raise RefusedError(f"the size is unknown, and the first {found} bytes took up over half of the free disk space")
    if expected is not None and found < expected:
        raise OSError(f"the connection closed after {found} of {expected} bytes")
    problem, digest = _wrong_kind(part, target.name), digest_of(part)  # reads the file back from disk
    if (expected is not None and found > expected) or (sha256 and digest != sha256):
        wanted = [*([] if expected is None else [f"{expected} bytes"]), *([f"SHA-256 {sha256}"] if sha256 else [])]
        problem = problem or f"received {found} bytes with SHA-256 {digest} instead of {' with '.join(wanted)}"
    if problem:
        os.truncate(part, 0)
        raise ValueError(problem)
    sync(part)
    part.replace(target)
    sync(target.parent)
    mark.unlink(missing_ok=True)


def receive(
    response: http.client.HTTPResponse,
    stream: IO[bytes],
    target: Path,
    have: int,
    total: int | None,
    limit: int,
) -> None:
    """Append a server's response to a file until the response ends or the file exceeds a limit.

    Args:
        response: response of the server.
        stream: binary stream of the partial file.
        target: path of the complete file, for messages.
        have: number of bytes that the file already contains.
        total: expected size in bytes, or None if unknown.
        limit: size in bytes; once the file is larger, the rest of the response is not read.

    Raises:
        OSError: the server sends less than 1 kB/s, averaged over a minute, or the connection fails.
        SentrepError: the file cannot be written, for example because the disk is full.
    """
    with contextlib.closing(Progress(total or 0, "bytes", target.name, done=have)) as progress:
        while block := response.read1(_BLOCK):  # read1 returns as soon as any data have arrived
            with plain_os_errors(target):
                stream.write(block)
                stream.flush()
            progress.advance(len(block))
            have += len(block)
            if have > limit:
                return


def _validator(headers: http.client.HTTPMessage) -> str:
    """Return the entity tag of a file or, if there is none, its modification time; "" if the headers contain neither.

    The result identifies the version of the file. Weak entity tags (``W/``) are not used, because they do not permit
    resuming a download.
    """
    tag = headers["ETag"] or ""
    return tag if tag and not tag.startswith("W/") else headers["Last-Modified"] or ""


def _check_space(target: Path, needed: int, free: int) -> None:
    if needed > free:
        raise SentrepError(
            target,
            expected=f"{needed / 1e9:.3f} GB of free disk space",
            found=f"{free / 1e9:.3f} GB",
            remedy="free some disk space and run the same command again",
        )


def _wrong_kind(path: Path, name: str) -> str:
    """Describe the content of a file whose first bytes are unexpected; return "" if they are as expected."""
    with path.open("rb") as stream:
        head = stream.read(4096)
    if _PAGE.match(head) and not name.endswith((".html", ".htm")):
        return "an HTML page instead of the file"
    if _JSON_ERROR.match(head) and not Path(name).suffix.startswith(".json"):
        return "a JSON message instead of the file"
    if not head.startswith(_BEGINNINGS.get(Path(name).suffix, b"")):
        return f"not a {Path(name).suffix} file: it begins with {head[:8]!r}"
    return "" if head else "an empty file"
