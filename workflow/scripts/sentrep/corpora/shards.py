"""Shards: text files with a sentence per line and a blank line after each document, which may go on in the next."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path


def shard_documents(path: Path) -> Iterator[list[str]]:
    """Yield runs of sentences of one shard; an empty list marks the end of a document."""
    run: list[str] = []
    for line in path.read_text(encoding="utf-8").split("\n")[:-1]:
        if line:
            run.append(line)
        else:
            yield run
            yield []
            run = []
    if run:
        yield run
