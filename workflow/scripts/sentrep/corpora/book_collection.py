"""Combine the books from several repositories into one clean text, and omit duplicate books.

``collections/<corpus>.csv`` lists every file that may be a book, with the decision to keep or exclude the file.
``collections/<corpus>.txt.zst`` contains the books that are kept, with one paragraph per line and an empty line after
each book.
"""

from __future__ import annotations

import csv
import logging
import resource
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, fields
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any

import zstandard

from sentrep.corpora.book_kernels import fingerprints as _fingerprints
from sentrep.corpora.book_selection import Measures, Seen, UInt64, description, language_of, objection
from sentrep.corpora.book_settings import KEPT, Criteria
from sentrep.corpora.book_text import BookText, book_text
from sentrep.corpora.parallel import worker_processes
from sentrep.corpora.readers import decode
from sentrep.errors import SentrepError
from sentrep.io.files import atomic_file, read_json, sha256, write_json
from sentrep.sources.git_tree import GitFolder

log = logging.getLogger("sentrep")
COLUMNS = (
    *("source", "path", "author", "title", "year", "language"),
    *(field.name for field in fields(Measures)),
    *("overlap", "like", "decision"),
)
_NOT_BOOKS = frozenset({".xls", ".csv", ".py", ".jpg", ".png"})


@dataclass(frozen=True)
class Examined:
    """The result of examining one file in a repository, before the file is compared with other books.

    Attributes:
        row: the file's row in ``collections/<corpus>.csv``; it lacks measures if the file is missing, too large or not
            a text file.
        book: text of the book; None if the file has already been excluded.
        fingerprints: fingerprints of this text; None if the file has already been excluded.
    """

    row: dict[str, Any]
    book: BookText | None = None
    fingerprints: UInt64 | None = None


def build_collection(
    manifests: Sequence[str | Path],
    manifest: str | Path,
    table: str | Path,
    text: str | Path,
    *,
    criteria: dict[str, Any],
    processes: int = 1,
    provenance: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """Read books from repositories, decide which ones to keep, and write the text of the kept books.

    Args:
        manifests: paths of the manifests of the repositories, in order of precedence: of several duplicate books, the
            first is kept.
        manifest: path to which the manifest of the collection is written.
        table: path of the CSV file to write; it has one row for each file that may be a book.
        text: path to which the compressed text of the books is written.
        criteria: criteria for keeping a book, by name; see :class:`sentrep.corpora.book_settings.Criteria`.
        processes: number of worker processes.
        provenance: additional entries for the manifest.

    Returns:
        The manifest as a dictionary.

    Raises:
        SentrepError: a repository is missing, damaged or not at the expected version, or no book is kept.
    """
    started = time.monotonic()
    limits = Criteria(**criteria)
    sources = [read_json(path) for path in manifests]
    rows: list[dict[str, Any]] = []
    _fingerprints(_compile_loops().text)
    with atomic_file(text) as unfinished, worker_processes(processes) as ordered_map:
        examined = ordered_map(partial(_examine, limits), _files(sources))
        with unfinished.open("wb") as stream, zstandard.ZstdCompressor(level=1).stream_writer(stream) as compressed:
            for paragraphs in ordered_map(BookText.cleaned, _kept(examined, limits, rows)):
                compressed.write(paragraphs + b"\n")
    kept = sum(row["decision"] == KEPT for row in rows)
    if not kept:
        raise SentrepError(
            f"collection of {', '.join(source['name'] for source in sources)}",
            expected="at least one file that meets the criteria for books",
            found=f"no such file (number of files examined: {len(rows)})",
            remedy="correct the sources or relax the criteria under `collection` in the configuration",
        )
    with atomic_file(table) as unfinished, unfinished.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, COLUMNS, restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    written = {
        **(provenance or {}),
        "name": "+".join(source["name"] for source in sources),
        "version": f"{kept} books of {len(rows)} files",
        "licence": "; ".join(dict.fromkeys(source["licence"] for source in sources)),
        "stands_in_for": "; ".join(dict.fromkeys(source["stands_in_for"] for source in sources)),
        "bytes": Path(text).stat().st_size,
        "files": [{"path": str(Path(text).resolve()), "bytes": Path(text).stat().st_size, "sha256": sha256(text)}],
        "sources": [{key: source[key] for key in ("name", "version", "git_tree")} for source in sources],
        "criteria": limits.model_dump(),
        "seconds": round(time.monotonic() - started, 1),
        "peak_memory_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }
    write_json(manifest, written)
    log.info("kept %d of %d files as books (duration: %.0f s)", kept, len(rows), written["seconds"])
    return written


def _files(sources: Sequence[dict[str, Any]]) -> Iterator[tuple[str, str, bytes | None]]:
    """Yield the name of the source, the path and the content of each file that may be a book.

    The content is None if the file is missing from the local clone of the repository.
    """
    for source in sources:
        log.info("reading books from %s", source["name"])
        for path, content in GitFolder(Path(source["root"]), source["folder"], source["git_tree"]).files():
            name = PurePosixPath(path)
            if not (name.name.startswith((".", "README")) or name.suffix.lower() in _NOT_BOOKS):
                yield source["name"], path, content


def _examine(criteria: Criteria, file: tuple[str, str, bytes | None]) -> Examined:
    """Compute the :class:`Measures` of a file, and apply the criteria that do not involve other books."""
    source, path, content = file
    row: dict[str, Any] = {"source": source, "path": path.replace("\r", "\\r")}
    if content is None or len(content) > criteria.largest_bytes:
        return Examined({**row, "decision": "large" if content is not None else "missing from the clone"})
    if b"\0" in content[:4096]:
        return Examined({**row, "decision": "not text"})
    book = book_text(decode(content.replace(b"\r\n", b"\n"), path), markdown=path.endswith(".md"))
    measures, language = Measures.of(book), language_of(book)
    head = book.head + book.text[:3000].tobytes().decode("utf-8", "ignore")
    row |= description(path, head) | {"language": language} | _rounded(measures)
    reason = "copyrighted" if book.copyrighted else objection(measures, language, criteria)
    if reason:
        return Examined({**row, "decision": reason})
    return Examined(row, book, book.fingerprints())


def _rounded(measures: Measures) -> dict[str, Any]:
    return {k: round(v, 4) if isinstance(v, float) else v for k, v in asdict(measures).items()}


def _kept(examined: Iterator[Examined], criteria: Criteria, rows: list[dict[str, Any]]) -> Iterator[BookText]:
    """Yield the books that do not duplicate earlier books, and append the rows of all files to ``rows``."""
    seen = Seen()
    for found in examined:
        rows.append(found.row)
        if found.book is None or found.fingerprints is None:
            continue
        overlap, like = seen.overlap(found.fingerprints)
        found.row["overlap"] = round(overlap, 4)
        if overlap > criteria.largest_overlap:
            other = rows[like]
            found.row.update({"like": f"{other['source']}/{other['path']}", "decision": "duplicate"})
            continue
        found.row["decision"] = KEPT
        seen.add(found.fingerprints, len(rows) - 1)
        yield found.book


def _compile_loops() -> BookText:
    """Run the cleaning loops on a short text to compile them, and return the uncleaned text.

    Worker processes that start later share the compiled loops.
    """
    book = book_text('"Well," he\nsaid, "to-\nday."\n\nNo.\n')
    book.cleaned()
    return book
