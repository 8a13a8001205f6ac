"""Find the user's text files, and detect whether they contain one sentence per line or running text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from sentrep.corpora.readers import hidden, text_members
from sentrep.errors import SentrepError
from sentrep.sources.archives import SourceFiles
from sentrep.sources.registry import files_below

Format = Literal["lines", "text"]
FORMATS = ("auto", "lines", "text")
READER_OF: dict[Format, str] = {"lines": "sentences", "text": "text"}
_SAMPLE = 1 << 18  # maximum number of bytes from which the format is detected
# Matches where a sentence ends and another begins on the same line. Initials and titles do not end sentences.
_END_INSIDE = re.compile(r"(?<![ (]\w)(?<!\bMr)(?<!\bMrs)(?<!\bDr)(?<!\bSt)[.!?][\"'”’)]*\s+[\"'“‘(]*[A-Z]")
_RUNNING = 0.15  # a text is treated as running text if a larger share of its lines contain a sentence boundary


def text_files(paths: Sequence[str | Path]) -> list[Path]:
    """Return the distinct files at ``paths`` in order, with each folder replaced by the visible files that it contains.

    Files in subfolders are included.

    Raises:
        SentrepError: a path does not exist, or a folder contains no visible file.
    """
    found: list[Path] = []
    for path in map(Path, paths):
        inside = [p for p in files_below(path) if p != path and not hidden(str(p.relative_to(path)))]
        if not (path.is_file() or inside):
            raise SentrepError(
                path,
                expected="a text file, a folder of text files or an archive",
                found="a folder without visible files" if path.is_dir() else "no file or folder",
                remedy="check the path",
            )
        found += [path] if path.is_file() else inside
    return list(dict.fromkeys(found))


def recognise(files: Sequence[Path]) -> tuple[Format, float]:
    """Detect the format of a text from the beginning of the first file that contains text.

    Returns:
        The format ("lines" for one sentence per line, "text" for running text), and the share of the examined non-empty
        lines in which one sentence ends and another begins.

    Raises:
        SentrepError: the files contain no text, all files are hidden or binary, or a file is damaged.
    """
    members = SourceFiles.of(files)
    with members.guard():
        for _, stream in text_members(members):
            sample = stream.read(_SAMPLE).decode("utf-8", errors="replace")
            lines = [line for line in sample.split("\n") if line.strip()]
            if lines:
                share = sum(_END_INSIDE.search(line) is not None for line in lines) / len(lines)
                return ("text" if share > _RUNNING else "lines"), share
    raise SentrepError(
        files[0],
        expected="at least one line of text",
        found="only empty files or empty lines",
        remedy="pass a file that contains text",
    )
